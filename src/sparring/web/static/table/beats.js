// Beats: play the animation steps of an action one by one. A tap or key skips to the next step, `Skip` to the final state.
// A step is a rendered scene (`form.scene`); the last step of every version is its final state.

import { DECISIVE, effectsOf } from "./effects.js";
import { restoreFocus, whereFocusIs } from "./focus.js";
import { pace } from "./pace.js";

// All times are in ms at the usual speed.
const DURATIONS = { decisive: 1200, ordinary: 700, aside: 250 };
const READING = { from: 70, each: 8, most: 500 }; // time for each character beyond a usual sentence
// The longest time from a choice to the next question. What is less important may only fill a part of it.
const LONGEST_WAIT = { decisive: 3000, ordinary: 2000, aside: 2000 };
const SHORTEST = 90; // steps that would be shorter are left out
const TAIL = 0.5; // the part of the last step that is shown before the question; its effects and sentences stay longer
const PAUSE = 5000; // after a pause without steps the next ones are shown at full length
const GRACE = 300; // presses this soon after an animation were meant to skip it, and double clicks must not choose twice
const LONGEST = 60; // steps; viewers further behind see only the last ones
const KEYS = [" ", "Enter", "Escape"];
const CHOICES = "[name=choice], [data-post]";

/** Play steps in `root`: `show(step)` renders one, `pass(step)` is called for a skipped one, `settle()` after the last.
 * `step.scene` has the class `telling` while it plays; a step that `rests` is shown without delay. In a tutorial
 * (`eager`), a press on the thing to choose next skips the animation and counts; there and in a replay, `pause` is 0. */
export function player(root, { show, pass, settle, eager = false, pause = PAUSE }) {
  const queue = [];
  let current = null, timer = 0, grace = 0, justPlayed = false;
  let spent = 0, ended = 0; // the time shown since the last question, and when the last step ended
  let began = 0; // when the current step was shown

  function add(steps) {
    if (!current && performance.now() - ended >= pause) spent = 0;
    queue.push(...steps);
    if (!current) next();
  }

  function next() {
    clearTimeout(timer);
    const before = current;
    if (before && pace()) spent += (performance.now() - began) / pace(); // on a slow device longer than planned
    if (!pace()) drop(1);
    if (queue.length > LONGEST) drop(LONGEST / 2);
    while (queue.length > 1 && canMerge(queue[0].scene, queue[1].scene)) pass(queue.shift());
    while (queue.length > 1 && isTooShort(queue[0].scene)) pass(queue.shift());
    current = queue.shift() ?? null;
    if (!current) return rest(before);
    const rests = !queue.length && asksNow(current);
    const tail = queue.length === 1 && asksNow(queue[0]) ? TAIL : 1;
    const time = rests || !pace() ? 0 : tail * duration(current.scene, spent);
    began = performance.now();
    current.scene.classList.toggle("telling", time > 0);
    show(current);
    if (time > 0) timer = setTimeout(next, time * pace());
    else if (queue.length) next();
    else rest(before);
  }

  const isTooShort = (scene) => 0 < lasts(scene) && duration(scene, spent) < SHORTEST;

  function drop(left) {
    while (queue.length > left) pass(queue.shift());
  }

  /** End the animation and show the question. */
  function rest(before) {
    current = null;
    const scene = root.querySelector(".scene");
    const focus = document.activeElement.closest(".told") && whereFocusIs(root);
    scene.classList.remove("telling");
    restoreFocus(root, focus); // the events are hidden now
    if (scene.querySelector(".ask.mine")) spent = 0;
    ended = performance.now();
    clearTimeout(grace);
    grace = setTimeout(() => (grace = 0), GRACE);
    justPlayed = !!before && !eager;
    settle();
  }

  /** Skip all waiting steps and show the final state. */
  function skip() {
    drop(1);
    const last = queue.shift();
    clearTimeout(timer);
    if (last) {
      last.scene.classList.remove("telling");
      show(last);
    }
    if (last || current) rest(current);
  }

  root.addEventListener("click", (event) => {
    if (!current && !(grace && (justPlayed || event.detail > 1))) return;
    event.preventDefault();
    event.stopPropagation();
    if (!current) return;
    const key = eager && event.target.closest("[data-key]")?.dataset.key;
    if (key || event.target.closest(".go-on")) skip();
    else next();
    if (key) root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.querySelector("button[data-pointed]")?.click();
  }, true);

  // A press that skips must not move the focus.
  root.addEventListener("mousedown", (event) => current && event.preventDefault());

  document.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.repeat && KEYS.includes(event.key) && at.matches(CHOICES)) event.preventDefault(); // a held key must not choose again
    const busy = at.closest(".go-on") || document.querySelector(":is(.panel, .beside):popover-open") || !(at === document.body || at.contains(root) || root.contains(at));
    if (!current || busy || !KEYS.includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) next();
  }, true);

  return { add, skip, get telling() { return !!current; } };
}

const asksNow = (step) => step.rests || step.scene.matches(":has(.ask.mine)");
const linesOf = (scene) => [...scene.querySelectorAll(".told li")];

/** Return the importance of a sentence of a scene: `decisive`, `ordinary` or `aside`. */
function importance(line, scene) {
  if (line.matches(".aside, .turn")) return "aside";
  if (!line.classList.contains("result")) return "ordinary";
  return "hit" in line.dataset || effectsOf(scene).some(({ kind }) => DECISIVE.has(kind)) ? "decisive" : "ordinary";
}

/** Return a step's duration: its most important sentence, half of each other one, and more for long text. */
export function lasts(scene) {
  const lines = linesOf(scene);
  const times = lines.map((line) => DURATIONS[importance(line, scene)]);
  const length = lines.reduce((sum, line) => sum + line.textContent.length, 0);
  const reading = Math.min(READING.most, READING.each * Math.max(0, length - READING.from));
  return times.reduce((sum, time) => sum + time / 2, Math.max(0, ...times) / 2) + reading;
}

/** Return a step's duration after a time `spent` on other steps: the closer the longest wait, the shorter. */
function duration(scene, spent) {
  const most = Math.max(0, ...linesOf(scene).map((line) => LONGEST_WAIT[importance(line, scene)]));
  return most ? lasts(scene) * Math.max(0, 1 - spent / most) : 0;
}

/** Return whether two steps are asides about the same player, so that the second one is enough. */
function canMerge(scene, following) {
  const first = linesOf(scene), more = linesOf(following);
  if (!first.length || !more.length) return false;
  return [...first, ...more].every((line) => line.classList.contains("aside") && subject(line) === subject(first[0]));
}

const subject = (line) => line.textContent.split(" ", 1)[0];

// Beats: play the animation steps of an action one by one. A tap or key skips to the next step, `Skip` to the final state.
// A step is a rendered scene (`form.scene`); the last step of every version is its final state.

import { DECISIVE, effectsOf } from "./effects.js";
import { restoreFocus, whereFocusIs } from "./focus.js";
import { pace } from "./pace.js";

// All times are in ms at the usual speed.
// `own` is what the player has just chosen, `theirs` an event that players can't know before they read it.
const DURATIONS = { decisive: 1200, theirs: 900, ordinary: 700, own: 300, aside: 250 };
const READING = { from: 70, each: 8, most: 500 }; // time for each character beyond a usual sentence
const SHORTEST = { result: 500, other: 260, aside: 120 }; // what moves has landed by then, except a discard or a draw
// The time from a choice to the next question: events that need up to `full` get all of it; however many there are, they
// get less than `most`, and less with more players, whose turns follow each other.
const WAIT = { full: 1500, most: 3600, each: 300 };
const TO_COME = 1200; // what is expected to follow while bots still act
const TAIL = 0.7; // the part of the last step that is shown before the question; its effects and sentences stay longer
const MOST_LINES = 3, MOST_LETTERS = 120; // of steps that are shown together
const PAUSE = 5000; // after a pause without steps the next ones are shown at full length
const GRACE = 300; // presses this soon after an animation were meant to skip it, and double clicks must not choose twice
const LONGEST = 60; // steps; viewers further behind see only the last ones
const KEYS = [" ", "Enter", "Escape"];
const CHOICES = "[name=choice], [data-post]";

/** Play steps in `root`: `show(step)` renders one, `settle()` is called after the last. Some steps are skipped, never the
 * last one. `step.scene` has the class `telling` while it plays; a step that `rests` is shown without delay. In a tutorial
 * (`eager`), a press on the thing to choose next skips the animation and counts; there and in a replay, `pause` is 0. */
export function player(root, { show, settle, eager = false, pause = PAUSE }) {
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
    while (queue.length > 1 && canMerge(queue[0].scene, queue[1].scene)) queue.shift();
    while (isCrowded()) join();
    const share = shareOf(queue);
    current = queue.shift() ?? null;
    if (!current) return rest(before);
    const tail = queue.every(asksAtOnce) && queue.length < 2 && asksNow(queue[0] ?? current) ? TAIL : 1;
    const time = current.rests || (!queue.length && asksAtOnce(current)) || !pace() ? 0 : duration(current.scene, tail * share);
    began = performance.now();
    current.scene.classList.toggle("telling", time > 0);
    show(current);
    const drawing = performance.now() - began; // on a slow device a part of the time
    if (time > 0) timer = setTimeout(next, Math.max(SHORTEST.aside, time * pace() - drawing));
    else if (queue.length) next();
    else rest(before);
  }

  /** Return how much of its full length each waiting step gets: the more there is to show, the less. */
  function shareOf(steps) {
    const asked = steps.some(asksNow);
    const wanted = steps.reduce((sum, step) => sum + (asksAtOnce(step) ? 0 : lasts(step.scene)), asked ? 0 : TO_COME);
    return wanted ? Math.max(0, longest(spent + wanted, seats()) - spent) / wanted : 1;
  }

  const seats = () => root.querySelectorAll(".seat").length;

  /** Return whether the waiting steps, at their shortest, take longer than there is time, and two of them can be joined. */
  function isCrowded() {
    const share = shareOf(queue);
    const over = queue.reduce((sum, { scene }) => sum + Math.max(0, duration(scene, share) - share * lasts(scene)), 0);
    return over > SHORTEST.other / 2 && !!joinable().length;
  }

  /** Return the waiting steps that can be shown together with the following one: not a result, nor the last event. */
  const joinable = () => queue.filter(({ scene }, number) => {
    const following = queue[number + 1];
    return lasts(scene) && !hasResult(scene) && following && !asksNow(following);
  });

  /** Show the least important waiting step together with the following one. */
  function join() {
    const least = joinable().reduce((one, other) => (lasts(other.scene) < lasts(one.scene) ? other : one));
    const number = queue.indexOf(least);
    queue.splice(number, 1);
    tellTogether(least.scene, queue[number].scene);
  }

  const drop = (left) => queue.splice(0, Math.max(0, queue.length - left));

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

/** Return whether a step asks a question and tells nothing besides the player's own choice and asides. */
const asksAtOnce = (step) => asksNow(step) && linesOf(step.scene).every((line) => ["own", "aside"].includes(importance(line, step.scene)));

const hasResult = (scene) => !!scene.querySelector(".told .result");

/** Return the importance of a sentence of a scene: one of DURATIONS. */
function importance(line, scene) {
  if (line.matches(".aside, .turn")) return "aside";
  if (!line.classList.contains("result")) return line.closest(".own") || subject(line) === "you" ? "own" : "theirs";
  return "hit" in line.dataset || effectsOf(scene).some(({ kind }) => DECISIVE.has(kind)) ? "decisive" : "ordinary";
}

/** Return a step's full duration: its most important sentence, half of each other one, and more for long text. */
export function lasts(scene) {
  const lines = linesOf(scene);
  const times = lines.map((line) => DURATIONS[importance(line, scene)]);
  const length = lines.reduce((sum, line) => sum + line.textContent.length, 0);
  const reading = Math.min(READING.most, READING.each * Math.max(0, length - READING.from));
  return times.reduce((sum, time) => sum + time / 2, Math.max(0, ...times) / 2) + reading;
}

/** Return how long steps may take that would take `wanted`, at a table with some seats. */
function longest(wanted, seats) {
  const more = WAIT.most - WAIT.each * Math.max(0, seats - 2) - WAIT.full;
  return wanted <= WAIT.full ? wanted : WAIT.full + more * (1 - Math.exp((WAIT.full - wanted) / more));
}

/** Return a share of a step's full duration, but no less than it takes to see. */
function duration(scene, share) {
  const full = lasts(scene);
  const isAside = linesOf(scene).every((line) => importance(line, scene) === "aside");
  return full && Math.max(SHORTEST[hasResult(scene) ? "result" : isAside ? "aside" : "other"], share * full);
}

/** Put the sentences of a step before those of the following one; if they become too long, the first ones are left out. */
function tellTogether(scene, following) {
  const told = following.querySelector(".told ul");
  for (const line of linesOf(scene).reverse()) {
    if (importance(line, scene) === "own") continue;
    const length = told?.textContent.length + line.textContent.length;
    if (told?.children.length >= MOST_LINES || !(length <= MOST_LETTERS)) return;
    told.prepend(line);
  }
}

/** Return whether two steps are asides about the same player, so that the second one is enough. */
function canMerge(scene, following) {
  const first = linesOf(scene), more = linesOf(following);
  if (!first.length || !more.length) return false;
  return [...first, ...more].every((line) => line.classList.contains("aside") && subject(line) === subject(first[0]));
}

const subject = (line) => line.dataset.subject; // `you`, or whom else a line is about

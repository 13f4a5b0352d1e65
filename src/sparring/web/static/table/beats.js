// Beats: play the animation steps of an action one by one. A tap or key skips to the next step, `Skip` to the final state.
// A step is a rendered scene (`form.scene`); the last step of every version is its final state.

import { pace } from "./pace.js";

const DURATIONS = { result: 2000, event: 800, aside: 250 };
const GRACE = 300; // ms; presses this soon after an animation were meant to skip it, and double clicks must not choose twice
const LONGEST = 60; // steps; viewers further behind see only the last ones
const KEYS = [" ", "Enter", "Escape"];
const CHOICES = "[name=choice], [data-post]";

/** Play steps in `root`: `show(step)` renders one, `pass(step)` is called for a skipped one, `settle()` after the last.
 * `step.scene` has the class `telling` while it plays; a step that `rests` is shown without delay. */
export function player(root, { show, pass, settle }) {
  const queue = [];
  let current = null, timer = 0, grace = 0, justPlayed = false;

  function add(steps) {
    queue.push(...steps);
    if (!current) next();
  }

  function next() {
    clearTimeout(timer);
    const before = current;
    if (!pace()) drop(1);
    if (queue.length > LONGEST) drop(LONGEST / 2);
    current = queue.shift() ?? null;
    if (!current) return rest(before);
    const rests = !queue.length && (current.rests || current.scene.matches(":has(.ask.mine)"));
    const time = rests ? 0 : lasts(current.scene) * pace();
    current.scene.classList.toggle("telling", time > 0);
    show(current);
    if (time > 0) timer = setTimeout(next, time);
    else if (queue.length) next();
    else rest(before);
  }

  function drop(left) {
    while (queue.length > left) pass(queue.shift());
  }

  /** End the animation and show the question. */
  function rest(before) {
    current = null;
    root.querySelector(".scene").classList.remove("telling");
    clearTimeout(grace);
    grace = setTimeout(() => (grace = 0), GRACE);
    justPlayed = !!before;
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
    if (current) event.target.closest(".go-on") ? skip() : next();
  }, true);

  // A press that skips must not move the focus.
  root.addEventListener("mousedown", (event) => current && event.preventDefault());

  document.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.repeat && KEYS.includes(event.key) && at.matches(CHOICES)) event.preventDefault(); // a held key must not choose again
    const busy = at.closest(".go-on") || document.querySelector(".panel:popover-open") || !(at === document.body || at.contains(root) || root.contains(at));
    if (!current || busy || !KEYS.includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) next();
  }, true);

  return { add, skip, get telling() { return !!current; } };
}

/** Return a step's duration in ms: its most important sentence plus half of each other one; 0 without sentences. */
function lasts(scene) {
  const times = [...scene.querySelectorAll(".told li")].map((line) => DURATIONS[line.className || "event"]);
  return times.reduce((sum, time) => sum + time / 2, Math.max(0, ...times) / 2);
}

// Beats: play the animation steps of an action one by one. A tap or key skips to the next step, `Skip` to the final state.
// A step is a rendered scene (`form.scene`); the last step of every version is its final state.

import { pace } from "./pace.js";

const LASTS = { result: 2000, event: 800, aside: 250 };
const GRACE = 300; // ms; presses this soon after an animation were meant to skip it, and double clicks must not choose twice
const LONGEST = 60; // steps; viewers further behind see only the last ones
const KEYS = [" ", "Enter", "Escape"];
const CHOICES = "[name=choice], [data-post]";

/** Play steps in `root`: `show(step)` renders one, `pass(step)` is called for a skipped one, `settle()` after the last.
 * `step.scene` has the class `telling` while it plays; a step that `rests` is shown without delay. */
export function player(root, { show, pass, settle }) {
  const waiting = [];
  let told = null, timer = 0, grace = 0, goesOn = false;

  function add(steps) {
    waiting.push(...steps);
    if (!told) next();
  }

  function next() {
    clearTimeout(timer);
    const before = told;
    if (!pace()) leaveOut(1);
    if (waiting.length > LONGEST) leaveOut(LONGEST / 2);
    told = waiting.shift() ?? null;
    if (!told) return rest(before);
    const rests = !waiting.length && (told.rests || told.scene.matches(":has(.ask.mine)"));
    const time = rests ? 0 : lasts(told.scene) * pace();
    told.scene.classList.toggle("telling", time > 0);
    show(told);
    if (time > 0) timer = setTimeout(next, time);
    else if (waiting.length) next();
    else rest(before);
  }

  function leaveOut(left) {
    while (waiting.length > left) pass(waiting.shift());
  }

  /** End the animation and show the question. */
  function rest(before) {
    told = null;
    root.querySelector(".scene").classList.remove("telling");
    clearTimeout(grace);
    grace = setTimeout(() => (grace = 0), GRACE);
    goesOn = !!before;
    settle();
  }

  /** Skip all waiting steps and show the final state. */
  function skip() {
    leaveOut(1);
    const last = waiting.shift();
    clearTimeout(timer);
    if (last) {
      last.scene.classList.remove("telling");
      show(last);
    }
    if (last || told) rest(told);
  }

  root.addEventListener("click", (event) => {
    if (!told && !(grace && (goesOn || event.detail > 1))) return;
    event.preventDefault();
    event.stopPropagation();
    if (told) event.target.closest(".go-on") ? skip() : next();
  }, true);

  // A press that skips must not move the focus.
  root.addEventListener("mousedown", (event) => told && event.preventDefault());

  document.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.repeat && KEYS.includes(event.key) && at.matches(CHOICES)) event.preventDefault(); // a held key must not choose again
    const busy = at.closest(".go-on") || document.querySelector(".panel:popover-open") || !(at === document.body || at.contains(root) || root.contains(at));
    if (!told || busy || !KEYS.includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) next();
  }, true);

  return { add, skip, get telling() { return !!told; } };
}

/** Return a step's duration in ms: its most important sentence plus half of each other one; 0 without sentences. */
function lasts(scene) {
  const times = [...scene.querySelectorAll(".told li")].map((line) => LASTS[line.className || "event"]);
  return times.reduce((sum, time) => sum + time / 2, Math.max(0, ...times) / 2);
}

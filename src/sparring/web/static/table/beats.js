// Beats: what happens is told step by step, each as long as it deserves. A tap or a key goes on to the next step, `Skip` to
// where the table rests. A step is a rendered scene (`form.scene`); the last one of every version is the table at rest.

import { pace } from "./pace.js";

const LASTS = { result: 2000, event: 800, aside: 250 };
const GRACE = 300; // what is pressed so soon after the telling was meant to go on, not to choose; nor does a double click choose twice
const LONGEST = 60; // steps; whoever is further behind is told the last ones alone
const KEYS = [" ", "Enter", "Escape"];
const CHOICES = "[name=choice], [data-post]";

/** Plays steps in `root`: `show(step)` draws one, `pass(step)` takes note of one that is left out, `settle()` is called
 * when the last one stands. `step.scene` has the class `telling` for as long as it is told; one that `rests` tells nothing. */
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

  /** Nothing more is told: the question stands. */
  function rest(before) {
    told = null;
    root.querySelector(".scene").classList.remove("telling");
    clearTimeout(grace);
    grace = setTimeout(() => (grace = 0), GRACE);
    goesOn = !!before;
    settle();
  }

  /** Tell nothing of what waits: show where the table stands. */
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

  // What is pressed to go on is not taken hold of.
  root.addEventListener("mousedown", (event) => told && event.preventDefault());

  document.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.repeat && KEYS.includes(event.key) && at.matches(CHOICES)) event.preventDefault(); // a key that is held has chosen once
    const busy = at.closest(".go-on") || document.querySelector(".panel:popover-open") || !(at === document.body || at.contains(root) || root.contains(at));
    if (!told || busy || !KEYS.includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) next();
  }, true);

  return { add, skip, get telling() { return !!told; } };
}

/** How long a step is shown, in milliseconds: by its weightiest sentence, and half of every other; one of which nothing is said, not at all. */
function lasts(scene) {
  const times = [...scene.querySelectorAll(".told li")].map((line) => LASTS[line.className || "event"]);
  return times.reduce((sum, time) => sum + time / 2, Math.max(0, ...times) / 2);
}

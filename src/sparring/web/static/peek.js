// A closer look: a finger held on a thing, the focus that comes to it by a key, or a mouse that rests on it shows it large
// if it is a small card, and says what it is.

import { explanation, isExplained } from "./explain.js";

const HELD = 450, SMALL = 100;
const THINGS = ".place, .stack, .cell, .token, .tag, .track, .facts dl > div, h3[aria-describedby], .pile, .seat, .choices button, .buttons button";

const bubble = Object.assign(document.createElement("div"), { className: "peek", hidden: true });
bubble.setAttribute("aria-hidden", "true"); // everything it says, a screen reader has been told already
document.body.append(bubble);

let timer = 0, swallowClick = false, start = null;

document.addEventListener("pointerdown", (event) => {
  hide();
  swallowClick = false;
  if (event.pointerType !== "touch") return;
  start = [event.clientX, event.clientY];
  wait(thingAt(event.target) ?? event.target.closest?.(THINGS), () => (swallowClick = true));
});

document.addEventListener("pointermove", (event) => {
  if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 10) hide();
});

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(timer));

// What a finger was held on is not chosen by letting go.
document.addEventListener("click", (event) => {
  if (!swallowClick) return;
  swallowClick = false;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("contextmenu", (event) => swallowClick && event.preventDefault());

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  hide();
  wait(thingAt(event.target));
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.(":focus-visible")) wait(thingAt(event.target));
});

document.addEventListener("focusout", hide);
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());

// The innermost thing there of which there is something to say or to show.
function thingAt(element) {
  let thing = element.closest?.(THINGS);
  while (thing && !isExplained(thing) && !isSmallCard(thing)) thing = thing.parentElement.closest(THINGS);
  return thing;
}

function isSmallCard(thing) {
  return thing.matches(".place, .stack") && thing.querySelector(".face:not(.back)") && thing.getBoundingClientRect().width < SMALL;
}

function wait(thing, then) {
  clearTimeout(timer);
  if (thing?.closest(".scene")) timer = setTimeout(() => { show(thing); then?.(); }, HELD);
}

function show(thing) {
  if (!thing.isConnected) return;
  const face = thing.matches(".place, .stack") && thing.querySelector(".face:not(.back)");
  bubble.replaceChildren(...(face ? [face.cloneNode(true)] : []), ...explanation(thing, !face));
  bubble.hidden = false;
  const at = thing.getBoundingClientRect(), own = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left + at.width / 2 - own.width / 2, innerWidth - own.width - 8));
  const top = at.top - own.height - 10 > 0 ? at.top - own.height - 10 : Math.min(at.bottom + 10, innerHeight - own.height - 8);
  Object.assign(bubble.style, { left: `${left}px`, top: `${top}px` });
}

function hide() {
  clearTimeout(timer);
  start = null;
  bubble.hidden = true;
}

// Popovers that explain elements and enlarge unreadable cards: on tap if the element can't be chosen, long press, keyboard
// focus or hover. They never cover the board, the question or the element.

import { explanation, isExplained } from "./explain.js";

const DELAY = 450, READABLE = 11, GAP = 8;
const THINGS = ".place, .stack, .slot, .cell, .token, .tag, .track, .facts dl > div, h3[aria-describedby], .row > h3, .pile, .row:not(.held *):has(> h3[aria-describedby]), .banner, .status, .seat, .choices button, .buttons button";
const ANSWERS = "button:not([aria-disabled]), a, .card.one, .telling";
const FREE = ".board, .ask, .say, .can, .choices";

const bubble = Object.assign(document.createElement("div"), { className: "peek", hidden: true });
bubble.setAttribute("aria-hidden", "true"); // screen readers get the same text from descriptions
document.body.append(bubble);

let timer = 0, swallowClick = false, start = null, mouse = [], shown = null;

document.addEventListener("pointerdown", (event) => {
  hide();
  swallowClick = false;
  if (event.pointerType !== "touch") return;
  start = [event.clientX, event.clientY];
  wait(thingAt(event.target) ?? event.target.closest?.(THINGS), () => (swallowClick = true));
});

document.addEventListener("pointermove", (event) => {
  if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 10) hide();
  if (event.pointerType === "mouse") rest(event);
});

// Only mouse movement opens a popover, not elements that move under a resting pointer.
function rest(event) {
  if (event.clientX === mouse[0] && event.clientY === mouse[1]) return;
  mouse = [event.clientX, event.clientY];
  const thing = thingAt(event.target);
  if (thing && thing === shown) return;
  hide();
  wait(thing);
}

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(timer));

// Releasing a long press doesn't choose. A click on an element that can't be chosen explains it at once.
document.addEventListener("click", (event) => {
  if (!swallowClick) return event.target.closest(ANSWERS) ? hide() : look(thingAt(event.target));
  swallowClick = false;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("contextmenu", (event) => swallowClick && event.preventDefault());

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.(":focus-visible")) wait(thingAt(event.target));
});

document.addEventListener("focusout", hide);

// Follow an element that scrolls or moves.
for (const moved of ["scroll", "resize"]) addEventListener(moved, () => shown && show(shown), true);

document.addEventListener("keydown", (event) => event.key === "Escape" && hide());

// The innermost element with an explanation, cut-off text or an unreadable card.
function thingAt(element) {
  let thing = element.closest?.(THINGS);
  while (thing && !isExplained(thing) && !isCut(thing) && !unreadable(thing)) thing = thing.parentElement.closest(THINGS);
  return thing;
}

/** Return the face of a card whose text is too small, or null. */
function unreadable(thing) {
  const face = thing.matches(".place, .stack") && thing.querySelector(".face:not(.back)");
  const words = face ? [...face.querySelectorAll("text")].filter((text) => text.textContent.trim().length > 2) : [];
  return words.some((text) => text.getBoundingClientRect().height < READABLE) ? face : null;
}

/** Return whether a seat or heading is shortened. */
function isCut(thing) {
  const parts = thing.matches(".seat") ? [...thing.querySelectorAll(".name, .title, .facts, .row, .track small")]
    : thing.matches("h3") ? [thing, ...thing.children] : [];
  return parts.some((part) => part.scrollWidth > part.clientWidth || !part.getClientRects().length);
}

function wait(thing, then) {
  clearTimeout(timer);
  if (thing?.closest(".scene")) timer = setTimeout(() => { show(thing); then?.(); }, DELAY);
}

function look(thing) {
  if (thing?.closest(".scene")) show(thing);
}

function show(thing) {
  if (!thing.isConnected) return;
  const face = unreadable(thing), words = explanation(thing, !face);
  bubble.hidden = false;
  shown = thing;
  for (const width of face ? ["large", "middling", "no"] : ["no"]) {
    bubble.dataset.face = width;
    bubble.replaceChildren(...(width === "no" ? [] : [face.cloneNode(true)]), ...words);
    const free = bubble.hasChildNodes() && place(thing, bubble.getBoundingClientRect());
    if (free) return Object.assign(bubble.style, { left: `${free[0]}px`, top: `${free[1]}px` });
  }
  hide();
}

/** Return the nearest free position for the popover, or null. */
function place(thing, { width, height }) {
  const at = (thing.querySelector(":scope > .card") ?? thing).getBoundingClientRect(); // in a full hand, cards are wider than their slots
  const taken = [at, ...[...document.querySelectorAll(FREE)].filter((each) => !each.closest(".board *")).map((each) => each.getBoundingClientRect())];
  const right = innerWidth - width - GAP, bottom = innerHeight - height - GAP;
  const lefts = [at.left + (at.width - width) / 2, GAP, right, ...taken.flatMap((box) => [box.left - width - GAP, box.right + GAP])];
  const tops = [at.top + (at.height - height) / 2, GAP, bottom, ...taken.flatMap((box) => [box.top - height - GAP, box.bottom + GAP])];
  let best = null, least = Infinity;
  for (const left of lefts.filter((x) => x >= GAP && x <= right)) {
    for (const top of tops.filter((y) => y >= GAP && y <= bottom)) {
      const far = Math.hypot(left + width / 2 - at.left - at.width / 2, top + height / 2 - at.top - at.height / 2);
      if (far < least && !taken.some((box) => left < box.right && left + width > box.left && top < box.bottom && top + height > box.top))
        [best, least] = [[left, top], far];
    }
  }
  return best;
}

/** Remove native tooltips, which are for pages without scripts. */
export function tellInstead(scene) {
  for (const each of scene.querySelectorAll("[title]")) each.removeAttribute("title");
  for (const each of scene.querySelectorAll("title")) each.remove();
}

for (const scene of document.querySelectorAll(".scene")) tellInstead(scene);

/** Close the popover. */
export function hide() {
  clearTimeout(timer);
  start = shown = null;
  bubble.hidden = true;
}

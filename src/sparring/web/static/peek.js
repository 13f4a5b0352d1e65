// A closer look: a finger held on a thing, or a mouse resting on a small card, shows it large and says what it is.

const HELD = 450, SMALL = 100;
const THINGS = ".place, .stack, .cell, .token, .seat, .track, .pile, .buttons button";

const bubble = Object.assign(document.createElement("div"), { className: "peek", hidden: true });
bubble.setAttribute("aria-hidden", "true"); // everything it says, a screen reader has been told already
document.body.append(bubble);

let timer = 0, swallowClick = false, start = null;

document.addEventListener("pointerdown", (event) => {
  hide();
  swallowClick = false;
  if (event.pointerType !== "touch") return;
  start = [event.clientX, event.clientY];
  wait(event.target.closest?.(THINGS), () => (swallowClick = true));
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
  const card = event.target.closest?.(".place, .stack");
  if (card?.querySelector(".face:not(.back)") && card.getBoundingClientRect().width < SMALL) wait(card);
});

function wait(thing, then) {
  clearTimeout(timer);
  if (thing?.closest(".scene")) timer = setTimeout(() => { show(thing); then?.(); }, HELD);
}

function show(thing) {
  if (!thing.isConnected) return;
  const face = thing.matches(".place, .stack") && thing.querySelector(".face:not(.back)");
  const words = document.createElement("p");
  words.textContent = [describe(thing), thing.querySelector(".tip")?.textContent].filter(Boolean).join(". ");
  bubble.replaceChildren(...(face ? [face.cloneNode(true)] : []), words);
  bubble.hidden = false;
  const at = thing.getBoundingClientRect(), own = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left + at.width / 2 - own.width / 2, innerWidth - own.width - 8));
  const top = at.top - own.height - 10 > 0 ? at.top - own.height - 10 : Math.min(at.bottom + 10, innerHeight - own.height - 8);
  Object.assign(bubble.style, { left: `${left}px`, top: `${top}px` });
}

function describe(thing) {
  const named = thing.matches("[title], [aria-label]") ? thing : thing.querySelector("[aria-label], [title]");
  return named?.getAttribute("aria-label") || named?.getAttribute("title") || thing.querySelector("title")?.textContent || "";
}

function hide() {
  clearTimeout(timer);
  start = null;
  bubble.hidden = true;
}

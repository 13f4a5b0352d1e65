// Replace a scene and animate the changes: moves, flips and counting numbers. Animations never block clicks. With reduced
// motion, changes appear at once and are marked for a moment.

import { restoreFocus, whereFocusIs } from "./focus.js";
import { follow, scrolled } from "./follow.js";
import { rovingFocus } from "./keys.js";
import { hide, tellInstead } from "./peek.js";

const QUICK = 160, SLOW = 240, STAGGER = 45, MARK_TIME = 1600;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const MOVING = ".place, .stack, .token, .slot";
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Replace the scene in `root`, keep the focus, and animate and mark changes. Return the time until what moved on the
 * table has arrived, in ms. */
export function update(root, scene) {
  const before = remember(root);
  const focus = whereFocusIs(root);
  const open = root.querySelector(":popover-open")?.id;
  const moved = scrolled(root);
  tellInstead(scene);
  root.replaceChildren(scene);
  rovingFocus(root);
  follow(root, moved);
  if (open) root.querySelector(`#${CSS.escape(open)}`)?.showPopover();
  restoreFocus(root, focus);
  hide(); // the new element under the pointer or focus wasn't asked about
  if (!before.keyed.size) return 0;
  const arrival = reducedMotion.matches ? 0 : animate(root, before);
  if (reducedMotion.matches || scene.matches(".telling")) mark(root, before);
  return arrival;
}

function keyed(root) {
  const found = new Map();
  for (const element of root.querySelectorAll("[data-key]")) found.set(element.dataset.key, element);
  return found;
}

function remember(root) {
  const places = new Map();
  const elements = keyed(root);
  for (const [key, element] of elements) places.set(key, boxOf(element));
  const texts = (name) => new Map([...root.querySelectorAll(`[data-${name}]`)].map((e) => [e.dataset[name], e.textContent]));
  const levels = new Map([...root.querySelectorAll(".track.as-bar")].map((e) => [e.dataset.mark, level(e)]));
  return { keyed: elements, places, counts: texts("count"), marks: texts("mark"), levels };
}

/** Return where an element is; of a pile or seat, where its cards are or could be, so that a card starts at their size. */
function boxOf(element) {
  const cards = element?.matches(".pile, .seat") ? element.querySelector(".stack, .row.small .card") : null;
  if (cards?.getClientRects().length) return cards.getBoundingClientRect();
  const box = element?.getBoundingClientRect();
  return element?.matches(".seat") ? new DOMRect(box.x + box.width / 2, box.y + box.height / 2, 0, 0) : box;
}

const level = (track) => track.querySelector(".level")?.getAttribute("width");

// Movement

function animate(root, before) {
  let order = 0, arrival = 0;
  const after = keyed(root);
  const travels = [];
  for (const [key, element] of after) {
    if (!element.matches(MOVING)) {
      if (!before.places.has(key) && element.matches(".banner")) arrive(element);
      continue;
    }
    const here = element.getBoundingClientRect();
    const origin = before.places.get(key) ?? before.places.get(element.dataset.from) ?? place(after, element.dataset.from);
    const fresh = !before.places.has(key);
    if (!origin) arrive(element);
    else if (fresh || far(origin, here)) travels.push([element, origin, here, fresh]);
    if (turned(element, before.keyed.get(key))) turn(element);
  }
  for (const [element, origin, here, fresh] of travels) {
    const delay = fresh ? STAGGER * Math.min(order++, 6) : 0;
    travel(element, origin, here, delay);
    if (fresh && element.closest(".side")) arrival = Math.max(arrival, delay + SLOW);
  }
  flyToPiles(root, before, after);
  count(root, before, arrival);
  animateBars(root, before);
  highlight(root, before, 500);
  return arrival;
}

const turned = (element, old) => !!old?.dataset.face && !!element.dataset.face && old.dataset.face !== element.dataset.face;
const place = (elements, key) => key && boxOf(elements.get(key));
const far = (a, b) => Math.abs(a.left - b.left) > 2 || Math.abs(a.top - b.top) > 2 || Math.abs(a.width - b.width) > 2;

function travel(element, from, to, delay) {
  // Lengths inside an SVG are in its own units.
  const unit = element instanceof SVGElement ? 1 / (element.ownerSVGElement.getScreenCTM()?.a || 1) : 1;
  const left = (from.left + from.width / 2 - to.left - to.width / 2) * unit;
  const top = (from.top + from.height / 2 - to.top - to.height / 2) * unit;
  const scale = element instanceof SVGElement ? 1 : Math.max(0.2, Math.min(3, from.width / (to.width || 1)));
  element.animate(
    [{ translate: `${left}px ${top}px`, scale, zIndex: 4 }, { translate: "0px 0px", scale: 1, zIndex: 4 }],
    { duration: SLOW, delay, easing: EASE, fill: "backwards" },
  );
}

function arrive(element) {
  element.animate([{ opacity: 0, scale: 0.92 }, { opacity: 1, scale: 1 }], { duration: QUICK, easing: EASE });
}

function turn(element) {
  element.animate(
    [{ transform: "perspective(600px) rotateY(90deg)" }, { transform: "perspective(600px) rotateY(0)" }],
    { duration: SLOW, easing: EASE },
  );
}

/** Make cards that have left the table fly to their pile. */
function flyToPiles(root, before, after) {
  const piles = [...root.querySelectorAll("[data-holds]")].map((pile) => [new Set(pile.dataset.holds.split("|")), pile]);
  for (const [key, element] of before.keyed) {
    if (after.has(key) || !element.matches(".place")) continue;
    const pile = piles.find(([holds]) => holds.has(key))?.[1].querySelector(".stack");
    if (pile) flyCopy(element, before.places.get(key), pile.getBoundingClientRect());
  }
}

function flyCopy(element, from, to) {
  const flying = document.createElement("div");
  flying.className = "flying";
  flying.inert = true;
  flying.append(...[...element.querySelectorAll(".face")].slice(0, 1));
  Object.assign(flying.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` });
  document.body.append(flying);
  const path = { translate: `${to.left - from.left}px ${to.top - from.top}px`, scale: to.width / (from.width || 1) };
  flying.animate([{}, { ...path, opacity: 1, offset: 0.9 }, { ...path, opacity: 0 }], { duration: SLOW, easing: EASE })
    .finished.finally(() => flying.remove());
}

/** Count numbers up or down, after a delay: a total changes when its card has landed. */
function count(root, before, delay) {
  for (const element of root.querySelectorAll("[data-count]")) {
    const from = Number(before.counts.get(element.dataset.count)), to = Number(element.textContent);
    if (!Number.isInteger(from) || !Number.isInteger(to) || from === to) continue;
    const start = performance.now() + delay;
    const step = (now) => {
      const part = Math.min(1, Math.max(0, now - start) / SLOW); // a frame's timestamp can precede the change
      element.textContent = Math.round(from + (to - from) * part);
      if (part < 1 && element.isConnected) requestAnimationFrame(step);
    };
    step(start);
  }
}

function animateBars(root, before) {
  for (const track of root.querySelectorAll(".track.as-bar")) {
    const from = before.levels.get(track.dataset.mark), to = level(track);
    if (from === undefined || from === to) continue;
    const bar = track.querySelector(".level");
    if (Number(to) < Number(from)) drain(bar, from, to);
    bar.animate([{ width: `${from}px` }, { width: `${to}px` }], { duration: SLOW, easing: EASE });
  }
}

/** Show for a moment what a bar has lost. */
function drain(bar, from, to) {
  const lost = bar.cloneNode();
  lost.setAttribute("class", "lost");
  bar.before(lost);
  const frames = [{ width: `${from}px` }, { width: `${from}px`, offset: 0.45 }, { width: `${to}px` }];
  lost.animate(frames, { duration: 3 * SLOW, easing: EASE }).finished.finally(() => lost.remove());
}

// What changed

/** Return what has another text than before; not the question, which would look like a text field. */
function changes(root, before) {
  return [...root.querySelectorAll("[data-mark]:not(.sentence)")].filter((element) => {
    const was = before.marks.get(element.dataset.mark);
    return was !== undefined && was !== element.textContent;
  });
}

function highlight(root, before, duration) {
  for (const element of changes(root, before)) {
    const light = "color-mix(in oklab, var(--choose) 35%, transparent)";
    element.animate([{ backgroundColor: light, boxShadow: `0 0 0 5px ${light}`, borderRadius: "4px" }, {}], { duration });
  }
}

/** Outline new elements for a moment, during animations and with reduced motion. */
function mark(root, before) {
  const isNew = (key, element) => !before.places.has(key) || turned(element, before.keyed.get(key));
  const fresh = [...keyed(root)].filter(([key, e]) => e.matches(`${MOVING}, .banner`) && isNew(key, e)).map(([, e]) => e);
  for (const element of [...fresh, ...changes(root, before)]) {
    element.classList.add("changed");
    setTimeout(() => element.classList.remove("changed"), MARK_TIME);
  }
}

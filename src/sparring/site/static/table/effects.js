// Effects: show on the table what a step does, where it happens: blows, numbers, breaking cards, a win. The scene names
// them with the keys of its objects. They run above the table, so that they go on when the next scene is drawn. Games
// can style them in their `surface.css` (`#effects[data-game="..."]`).

import { EASE, IMPACT, LASTS, around, celebrate, conceal, flash, layer, meet, rise, shatter, slam, trail } from "./overlay.js";
import { pace } from "./pace.js";
import { say } from "./say.js";

/** The kinds of effects that decide something; their steps are shown longer. */
export const DECISIVE = new Set(["hit", "throw", "score", "destroy", "win"]);

/** The kinds that don't wait until cards have arrived. */
const AT_ONCE = new Set(["move", "draw", "call_out"]);

const MARK_TIME = 1600; // ms
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Return a scene's effects: objects with `kind`, `source`, `target` and `amount`. */
export const effectsOf = (scene) => JSON.parse(scene.dataset.effects ?? "[]");

/** Return whether a scene shows that the viewer's seat has lost the match. */
export function isLost(scene) {
  const you = scene.querySelector(".seat.you"), winners = effectsOf(scene).filter(({ kind }) => kind === "win");
  return !!you && winners.length > 0 && winners.every(({ target }) => target !== you.dataset.key);
}

/** Prepare the effects of the scene that will replace the one in `root`; when it has, call the result with the time until
 * its cards have arrived, in ms. Blows, and the words of a result, wait for them. */
export function prepare(root, scene) {
  const effects = pace() ? effectsOf(scene) : [];
  scene.classList.toggle("lost", isLost(scene));
  const before = new Map();
  for (const key of new Set(effects.flatMap(({ source, target }) => [source, target]))) {
    const element = key && find(root, key);
    if (element) before.set(key, { rect: rectOf(element), element });
  }
  const clashes = effects.filter(({ kind }) => kind === "clash");
  const fighting = new Set(clashes.flatMap(({ source, target }) => [source, target]));
  const written = writtenTotals(scene, clashes); // now, because on the table they count up first
  return (arrival = 0) => {
    effects.forEach((effect, number) => {
      const later = clashes.length && effect.kind !== "clash" ? IMPACT : 0;
      const landing = AT_ONCE.has(effect.kind) ? 0 : arrival;
      play(root, scene, effect, before, { delay: landing + later + 60 * Math.min(number, 4), fighting, written });
    });
    if (arrival && effects.some(({ kind }) => !AT_ONCE.has(kind))) reveal(scene, arrival);
  };
}

/** Return the totals beside what fights, by key. */
function writtenTotals(scene, clashes) {
  const keys = clashes.flatMap(({ source, target }) => [source, target]);
  const totals = keys.map((key) => [key, scene.querySelector(`[data-key="${CSS.escape(key)}"] .total b`)?.textContent]);
  return new Map(totals.filter(([, total]) => total));
}

/** Hide the words of a result until the cards that lead to it have arrived. */
function reveal(scene, delay) {
  for (const line of scene.querySelectorAll(".told .result")) line.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay });
}

/** Find what an effect names: a card, a seat, a token, a track, a space of a board. */
function find(root, key) {
  const name = CSS.escape(key);
  const found = root.querySelector(`.seat [data-mark="${name}"], [data-mark="${name}"]`)
    ?? root.querySelector(`[data-key="${name}"]`) ?? root.querySelector(`[data-at="${name}"]`);
  return found?.matches(".pile") ? (found.querySelector(".stack, .card") ?? found) : found;
}

/** Return where an element is, without the animation that brings it there. */
function rectOf(element) {
  const running = element.getAnimations().map((animation) => [animation, animation.currentTime]);
  for (const [animation] of running) animation.currentTime = animation.effect.getComputedTiming().endTime;
  const rect = element.getBoundingClientRect();
  for (const [animation, time] of running) animation.currentTime = time;
  return rect;
}

function play(root, scene, { kind, source, target, amount = 0, totals = [], word = "" }, before, { delay, fighting, written }) {
  const there = find(root, target), from = find(root, source);
  const old = before.get(target);
  const rect = there ? rectOf(there) : old?.rect;
  if (!rect || !(rect.width || rect.height)) return;
  if (reducedMotion.matches) return [there, kind === "clash" && from].forEach((element) => element && mark(element));
  layer().dataset.game = scene.className.match(/game-(\S+)/)?.[1] ?? "";
  KINDS[kind]?.({ root, scene, there, from, attacker: fighting.has(source) ? null : from, old, rect, amount, word, totals: totals.length ? totals : [written.get(source), written.get(target)], delay });
}

const KINDS = {
  clash({ there, from, rect, amount, totals, delay }) {
    if (!from || !there) return;
    const sides = [from, there], written = sides.map((side) => side.querySelector(".total b"));
    if (written.every(Boolean)) {
      meet(written.map((total, number) => ({ rect: total.getBoundingClientRect(), text: totals[number] })), amount, delay);
      return written.forEach((total) => conceal(total, delay));
    }
    if (totals.every((total) => total !== undefined)) meet(sides.map((side, number) => ({ rect: rectOf(side), text: totals[number] })), amount, delay);
    // Tokens of a board light up themselves: the rectangle around them would cover other spaces.
    const lit = from.matches(".token") ? sides.map(rectOf) : [around(rectOf(from), rect)];
    for (const each of lit) flash(each, "lane", delay);
    lunge(from, rect, delay);
    if (!there.matches(".slot")) lunge(there, rectOf(from), delay);
  },
  hit({ there, attacker, rect, amount, delay }) {
    lunge(attacker, rect, delay);
    shake(there, delay + 120);
    flash(rect, "struck", delay + 120);
    rise(rect, amount ? `−${amount}` : "", "loss", delay + 120);
  },
  block({ there, attacker, rect, amount, word, delay }) {
    lunge(attacker, rect, delay, 0.12);
    flash(rect, "guard", delay + 100);
    rise(rect, amount ? `−${amount}` : word || say("Blocked"), "calm", delay + 100);
    push(there, delay + 100);
  },
  miss({ attacker, rect, delay }) {
    lunge(attacker, rect, delay, 0.1);
    rise(rect, say("Miss"), "calm", delay + 80);
  },
  move({ there, attacker, old, rect, delay }) {
    const start = old?.rect;
    if (start && Math.hypot(start.left - rect.left, start.top - rect.top) > 4) {
      trail(start, rect, delay);
      lunge(attacker, start, delay);
      if (attacker) slide(there, start, rect);
    }
    flash(rect, "ring", delay + (attacker ? LASTS / 2 : 0));
  },
  throw({ there, attacker, rect, delay }) {
    const board = there?.closest("svg")?.getBoundingClientRect();
    if (!board) return;
    lunge(attacker, rect, delay, 0.6);
    hurl(there, rect, board, delay + 0.3 * LASTS);
  },
  draw: ({ rect, amount, delay }) => amount && rise(rect, `+${amount}`, "calm", delay),
  destroy({ there, old, rect, delay }) {
    const drawn = (there ?? old?.element)?.querySelector(".face");
    if (drawn) shatter(drawn, rect, delay);
    there?.animate([{ opacity: 1 }, { opacity: 0.15 }], { duration: LASTS, delay, easing: EASE, fill: "forwards" });
  },
  score({ there, rect, amount, delay }) {
    flash(rect, "ring", delay);
    rise(rect, amount ? `+${amount}` : "", "gain", delay);
    push(there, delay);
  },
  call_out: ({ root, there, scene, delay }) => slam(root, there, scene, delay),
  win({ root, scene, there, rect, delay }) {
    flash(rect, "ring", delay);
    if (isLost(scene)) return; // no celebration for the loser
    const seat = there?.className.match(/\bs\d\b/)?.[0] ?? "";
    const pieces = seat ? root.querySelectorAll(`.side.middle :is(.token.${seat}, .row.${seat} .place)`) : [];
    [...pieces].slice(0, 8).forEach((piece, number) => hop(piece, delay + 90 * number));
    celebrate(root, seat, delay);
  },
};

function mark(element) {
  element.classList.add("changed");
  setTimeout(() => element.classList.remove("changed"), MARK_TIME);
}

// Movements of what is on the table

/** Let an attacker jump a part of the way to its target, and back. */
function lunge(element, to, delay, part = 0.3) {
  if (!element) return;
  const at = element.getBoundingClientRect(), unit = scaleOf(element);
  const x = part * (to.left + to.width / 2 - at.left - at.width / 2) * unit;
  const y = part * (to.top + to.height / 2 - at.top - at.height / 2) * unit;
  element.animate(
    [{ translate: "0 0" }, { translate: `${-x / 5}px ${-y / 5}px`, offset: 0.2 }, { translate: `${x}px ${y}px`, offset: 0.45 }, { translate: "0 0" }],
    { duration: LASTS * 0.8, delay, easing: "ease-out" },
  );
}

/** Let a token that is pushed skid to its place. */
function slide(element, from, to) {
  const unit = scaleOf(element);
  const start = `${(from.left - to.left) * unit}px ${(from.top - to.top) * unit}px`;
  element.animate([{ translate: start }, { translate: start, offset: 0.2 }, { translate: "0 0" }], { duration: LASTS, easing: EASE });
}

/** Let a piece fly off the board, over the edge that it is nearest to; it stays away until the next scene. */
function hurl(element, rect, board, delay) {
  const across = (rect.left + rect.width / 2 - board.left) / board.width - 0.5;
  const down = (rect.top + rect.height / 2 - board.top) / board.height - 0.5;
  const far = 1.5 * rect.width * scaleOf(element), sideways = Math.abs(across) >= Math.abs(down);
  const [x, y] = [sideways ? Math.sign(across) * far : 0, sideways ? 0 : Math.sign(down) * far];
  const frames = [
    { translate: "0 0", opacity: 1 },
    { translate: `${-x / 8}px ${-y / 8}px`, opacity: 1, offset: 0.25 },
    { translate: `${0.7 * x}px ${0.7 * y}px`, opacity: 1, offset: 0.7 },
    { translate: `${x}px ${y}px`, opacity: 0 },
  ];
  element.animate(frames, { duration: LASTS, delay, easing: "ease-in", fill: "forwards" });
}

function hop(element, delay) {
  const up = `0 ${-14 * scaleOf(element)}px`;
  element.animate([{ translate: "0 0" }, { translate: up }, { translate: "0 0" }], { duration: LASTS / 2, delay, iterations: 3, easing: "ease-out" });
}

function shake(element, delay) {
  const far = 5 * scaleOf(element);
  const frames = [0, -far, far, -far * 0.7, far * 0.5, 0].map((x) => ({ translate: `${x}px 0` }));
  element?.animate(frames, { duration: LASTS * 0.6, delay });
}

const push = (element, delay) => element?.animate([{ scale: 1 }, { scale: 1.12 }, { scale: 1 }], { duration: LASTS * 0.6, delay, easing: EASE });

/** Return how many of an element's own units are a pixel: lengths inside an SVG are in its units. */
const scaleOf = (element) => (element instanceof SVGElement ? 1 / (element.ownerSVGElement?.getScreenCTM()?.a || 1) : 1);

// What effects draw above the table: light, trails, numbers and words, broken cards, paper. It is a layer of its own, so
// that the scene below can be replaced meanwhile.

export const LASTS = 600, EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)"; // ms
export const IMPACT = 240; // ms from the start of a clash until the two sides meet
const PIECES = 28; // of a celebration

/** Return the layer above the table. */
export function layer() {
  const found = document.getElementById("effects");
  if (found) return found;
  const made = document.createElement("div");
  made.id = "effects";
  made.inert = true;
  made.setAttribute("aria-hidden", "true");
  document.body.append(made);
  return made;
}

function put(name, rect, text = "") {
  const made = document.createElement("span");
  made.className = `effect ${name}`;
  made.textContent = text;
  Object.assign(made.style, { left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px`, height: `${rect.height}px` });
  layer().append(made);
  return made;
}

function run(element, frames, options) {
  const animation = element.animate(frames, { fill: "both", easing: EASE, ...options });
  animation.finished.finally(() => element.remove());
}

export function flash(rect, name, delay) {
  run(put(name, rect), [{ opacity: 0, scale: 0.9 }, { opacity: 1, scale: 1, offset: 0.25 }, { opacity: 0, scale: 1.15 }], { duration: LASTS * 0.8, delay });
}

/** Return the box around two boxes, as of the two places of a lane. */
export function around(a, b) {
  const left = Math.min(a.left, b.left), top = Math.min(a.top, b.top);
  return { left, top, width: Math.max(a.right, b.right) - left, height: Math.max(a.bottom, b.bottom) - top };
}

/** Draw the way of something that moved. */
export function trail(from, to, delay) {
  const x = from.left + from.width / 2, y = from.top + from.height / 2;
  const across = to.left + to.width / 2 - x, down = to.top + to.height / 2 - y;
  const thick = Math.min(18, to.width / 2), long = Math.hypot(across, down);
  const line = put("trail", { left: x, top: y - thick / 2, width: long, height: thick });
  line.style.rotate = `${Math.atan2(down, across)}rad`;
  run(line, [{ opacity: 0, scale: "0 1" }, { opacity: 1, scale: "1 1", offset: 0.35 }, { opacity: 0, scale: "1 0.4" }], { duration: LASTS * 1.2, delay });
}

const MEETING = IMPACT / 0.3; // ms

/** Let two totals meet halfway between their places; the winner's pushes the other one away. */
export function meet(totals, amount, delay) {
  const [a, b] = totals.map(({ rect }) => rect);
  const across = b.left + b.width / 2 - a.left - a.width / 2, down = b.top + b.height / 2 - a.top - a.height / 2;
  const far = Math.hypot(across, down) || 1, gap = Math.min(far / 2, Math.max(a.height, b.height) * 0.55);
  const at = (length) => `${(across / far) * length}px ${(down / far) * length}px`;
  [[a, 1, amount], [b, -1, -amount]].forEach(([rect, way, lead], side) => {
    const number = put("number total", rect, totals[side].text);
    number.classList.toggle("wins", lead > 0);
    const together = at(way * (far / 2 - gap)), end = at(way * (lead > 0 ? far / 2 : lead < 0 ? -gap : far / 2 - 2 * gap));
    run(number, [
      { translate: "0 0", scale: 1 }, { translate: together, scale: 1.25, offset: 0.3 }, { translate: together, scale: 1.25, offset: 0.4 },
      { translate: end, scale: lead > 0 ? 1.7 : 1, opacity: lead < 0 ? 0.4 : 1, offset: 0.6 }, { translate: end, scale: lead > 0 ? 1.7 : 1, opacity: 0 },
    ], { duration: MEETING, delay });
  });
}

/** Hide a total on the table while it meets the other one. */
export const conceal = (total, delay) => total.animate([{ opacity: 0 }, { opacity: 0 }], { duration: MEETING, delay });

/** Let a number or word rise from a place, and keep it readable. */
export function rise(rect, text, name, delay) {
  if (!text) return;
  const frames = [{ opacity: 0, translate: "0 30%" }, { opacity: 1, translate: "0 0", offset: 0.2 }, { opacity: 1, translate: "0 -40%", offset: 0.75 }, { opacity: 0, translate: "0 -70%" }];
  run(put(`number ${name}`, rect, text), frames, { duration: LASTS * 1.5, delay });
}

/** Break a card into two halves that fall apart. */
export function shatter(drawn, rect, delay) {
  for (const [side, turn] of [["left", -14], ["right", 14]]) {
    const half = put(`half ${side}`, rect);
    half.append(drawn.cloneNode(true));
    const x = `${Math.sign(turn) * 22}px`;
    run(half, [{ opacity: 1 }, { opacity: 1, translate: `${x} 12px`, rotate: `${turn}deg`, offset: 0.7 }, { opacity: 0, translate: `${x} 30px`, rotate: `${1.4 * turn}deg` }], { duration: LASTS, delay });
  }
}

/** Slam the name of a move across the table. */
export function slam(root, there, scene, delay) {
  const text = there?.querySelector("b")?.textContent;
  if (!text) return;
  const field = (root.querySelector(".side.middle") ?? scene).getBoundingClientRect();
  const words = put("slam", { left: field.left, top: field.top, width: field.width, height: field.height });
  words.append(Object.assign(document.createElement("b"), { textContent: `${text.replace(/!$/, "")}!` }));
  run(words, [{ opacity: 0, scale: 2.4 }, { opacity: 1, scale: 1, offset: 0.2 }, { opacity: 1, scale: 1.03, offset: 0.75 }, { opacity: 0, scale: 1.06 }], { duration: LASTS * 1.6, delay });
}

/** Let paper in the winner's colour (`seat`) fall on the table; the final position stays below it. */
export function celebrate(root, seat, delay) {
  const field = (root.querySelector(".side.middle") ?? root).getBoundingClientRect();
  for (let number = 0; number < PIECES; number++) {
    const left = field.left + ((number * 61) % 100) / 100 * field.width; // spread evenly, not by chance
    const piece = put(`paper p${number % 4} ${seat}`, { left, top: field.top, width: 9, height: 14 });
    const fall = field.height * (0.45 + 0.5 * ((number * 37) % 100) / 100), turn = 200 + 40 * (number % 7);
    run(piece, [{ opacity: 1, translate: "0 -20px", rotate: "0deg" }, { opacity: 1, offset: 0.7 }, { opacity: 0, translate: `${(number % 5 - 2) * 18}px ${fall}px`, rotate: `${turn}deg` }], { duration: 2 * LASTS, delay: delay + 15 * number, easing: "ease-in" });
  }
}

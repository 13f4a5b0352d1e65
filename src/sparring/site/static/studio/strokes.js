// Strokes as SVG, the counterpart of scene/pictures.py, so that the pad matches the card.
// A stroke is a list of numbers; the first is its kind.

export const [PEN, FILL, SHAPE] = [0, 1, 2];
const [OUTLINE, LINE, USUAL] = [26, 44, 5];
const NAMESPACE = "http://www.w3.org/2000/svg";

export function svg(tag, attributes) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Return the points of a course: its start and relative steps. */
export function points(course) {
  const found = [];
  for (let n = 0, x = 0, y = 0; n < course.length; n += 2) {
    [x, y] = [x + course[n], y + course[n + 1]];
    found.push([x, y]);
  }
  return found;
}

/** Return the course through some points. */
export function course(through) {
  return through.flatMap(([x, y], n) => (n ? [x - through[n - 1][0], y - through[n - 1][1]] : [x, y]));
}

/** Return the SVG paths of a stroke. */
export function drawn(stroke, { inks, shapes }) {
  const ink = (inks[stroke[1]] ?? inks[0])[1];
  if (stroke[0] === SHAPE) return [shape(stroke, ink, shapes, inks[0][1])];
  if (stroke[0] === FILL) return [svg("path", { d: closed(points(stroke[2])), fill: ink })];
  return line(stroke, ink);
}

function shape([, , number, x, y, size, turn = 0, mirrored = 0], ink, shapes, outline) {
  const [, d, isLine] = shapes[number] ?? shapes[0];
  const transform = `translate(${x} ${y}) rotate(${turn}) scale(${decimal(mirrored ? -size : size)} ${decimal(size)}) translate(-50 -50)`;
  const painted = isLine
    ? { stroke: ink, "stroke-width": thick(LINE, size) }
    : { fill: ink, stroke: outline, "stroke-width": thick(OUTLINE, size) };
  return svg("path", { d, transform, ...painted });
}

function decimal(hundredths) {
  const whole = Math.abs(hundredths);
  return `${hundredths < 0 ? "-" : ""}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}

const thick = (width, size) => decimal(Math.floor((width * 10000) / size));

function line([, , width, steps, pressed = []], stroke) {
  const through = points(steps);
  if (!pressed.length) return [svg("path", { d: opened(through), stroke, "stroke-width": width })];
  const hard = through.map((_, n) => pressed[Math.min(n, pressed.length - 1)]);
  const parts = [];
  for (let n = 1, begin = 0; n <= through.length; n++) {
    if (n < through.length && hard[n] === hard[begin]) continue;
    const run = through.slice(Math.max(begin - 1, 0), n + 1);
    parts.push(svg("path", { d: opened(run), stroke, "stroke-width": Math.max(1, Math.floor((width * hard[begin]) / USUAL)) }));
    begin = n;
  }
  return parts;
}

const middle = ([x, y], [p, q]) => `${Math.floor((x + p) / 2)} ${Math.floor((y + q) / 2)}`;
const bends = (through) => through.slice(1).map((point, n) => `Q${through[n].join(" ")} ${middle(through[n], point)}`).join("");

function opened(through) {
  return `M${through[0].join(" ")}${bends(through.slice(1))}L${through.at(-1).join(" ")}`;
}

function closed(through) {
  return `M${middle(through.at(-1), through[0])}${bends([...through, through[0]])}z`;
}

/** Simplify a line (Ramer-Douglas-Peucker); return the indices of the points to keep. */
export function thinned(through, most = 1.6) {
  if (through.length < 3) return through.map((_, n) => n);
  const kept = new Set([0, through.length - 1]);
  const spans = [[0, through.length - 1]];
  while (spans.length) {
    const [from, to] = spans.pop();
    let [worst, far] = [0, most];
    for (let n = from + 1; n < to; n++) {
      const beside = distance(through[n], through[from], through[to]);
      if (beside > far) [worst, far] = [n, beside];
    }
    if (worst) {
      kept.add(worst);
      spans.push([from, worst], [worst, to]);
    }
  }
  return [...kept].sort((one, other) => one - other);
}

function distance([x, y], [a, b], [c, d]) {
  const [right, down] = [c - a, d - b];
  const along = Math.max(0, Math.min(1, ((x - a) * right + (y - b) * down) / (right * right + down * down || 1)));
  return Math.hypot(x - a - along * right, y - b - along * down);
}

// The parts of a drawing as a list of controls, so that a picture can be drawn with the keyboard alone.

import { FILL, SHAPE, points } from "./strokes.js";
import { shifted } from "./pen.js";

const STEP = 10;
const KEYS = {
  ArrowLeft: (stroke, far) => shifted(stroke, -far, 0),
  ArrowRight: (stroke, far) => shifted(stroke, far, 0),
  ArrowUp: (stroke, far) => shifted(stroke, 0, -far),
  ArrowDown: (stroke, far) => shifted(stroke, 0, far),
  "+": (stroke) => sized(stroke, 20),
  "-": (stroke) => sized(stroke, -20),
  ",": (stroke) => turned(stroke, -15),
  ".": (stroke) => turned(stroke, 15),
  m: mirrored,
};
const FIELDS = { x: 3, y: 4, size: 5, turn: 6 };
const LIMITS = { x: [-500, 1500], y: [-500, 1500], size: [20, 2000], turn: [0, 359] };

const isShape = (stroke) => stroke?.[0] === SHAPE;
const whole = ([kind, ink, shape, x, y, size, turn = 0, other = 0]) => [kind, ink, shape, x, y, size, turn, other];

function sized(stroke, by) {
  return isShape(stroke) ? stroke.with(5, Math.max(20, Math.min(2000, stroke[5] + by))) : stroke;
}

function turned(stroke, by) {
  return isShape(stroke) ? whole(stroke).with(6, ((stroke[6] ?? 0) + by + 360) % 360) : stroke;
}

function mirrored(stroke) {
  return isShape(stroke) ? whole(stroke).with(7, stroke[7] ? 0 : 1) : stroke;
}

export function parts({ list, panel, paints, say, strokes, picked, pick, change }) {
  const word = (stroke) => {
    const ink = paints.inks[stroke[1]]?.[0] ?? "ink";
    return `${ink} ${isShape(stroke) ? (paints.shapes[stroke[2]] ?? paints.shapes[0])[0] : stroke[0] === FILL ? "area" : "line"}`;
  };

  function where(stroke) {
    if (isShape(stroke)) return `x ${stroke[3]}, y ${stroke[4]}, size ${stroke[5]}, rotation ${stroke[6] ?? 0}`;
    const [[x, y]] = points(stroke.at(stroke[0] === FILL ? 2 : 3));
    return `starts at x ${x}, y ${y}`;
  }

  /** Replace a stroke and announce the result. */
  function become(n, stroke) {
    if (JSON.stringify(stroke) === JSON.stringify(strokes()[n])) return;
    if (change(strokes().with(n, stroke), n)) say(`${word(stroke)}: ${where(stroke)}`);
    focus();
  }

  const acts = {
    mirror: (n) => become(n, mirrored(strokes()[n])),
    front: (n) => order(n, n + 1),
    back: (n) => order(n, n - 1),
    copy(n) {
      const copied = shifted(strokes()[n], 40, 40);
      if (change([...strokes(), copied], strokes().length)) say(`${word(copied)} copied`);
      focus();
    },
    remove(n) {
      const gone = word(strokes()[n]);
      if (change(strokes().toSpliced(n, 1), Math.min(n, strokes().length - 2))) say(`${gone} removed`);
      focus();
    },
  };

  function order(n, to) {
    if (to < 0 || to >= strokes().length) return;
    const stroke = strokes()[n];
    if (change(strokes().toSpliced(n, 1).toSpliced(to, 0, stroke), to)) say(`${word(stroke)} is now part ${to + 1} of ${strokes().length}`);
    focus();
  }

  function focus() {
    list.children[picked()]?.firstChild.focus();
  }

  function show() {
    const had = list.contains(document.activeElement);
    list.replaceChildren(...strokes().map((stroke, n) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: word(stroke) });
      button.setAttribute("aria-pressed", String(n === picked()));
      button.setAttribute("aria-describedby", "pad-keys");
      button.addEventListener("click", () => {
        pick(n);
        say(`${word(stroke)}: ${where(stroke)}`);
        focus();
      });
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    if (had) focus();
    const stroke = strokes()[picked()];
    panel.hidden = !stroke;
    for (const field of panel.querySelectorAll("[data-part]")) {
      field.closest("label").hidden = !isShape(stroke);
      if (isShape(stroke) && field !== document.activeElement) field.value = stroke[FIELDS[field.dataset.part]] ?? 0;
    }
    panel.querySelector("[data-act=mirror]").hidden = !isShape(stroke);
  }

  list.addEventListener("keydown", (event) => {
    const n = [...list.children].indexOf(event.target.closest("li"));
    if (n < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key === "=" ? "+" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = { PageUp: "front", PageDown: "back", Delete: "remove", Backspace: "remove" }[key];
    if (!act && !KEYS[key]) return;
    event.preventDefault();
    if (n !== picked()) pick(n);
    if (act) acts[act](n);
    else become(n, KEYS[key](strokes()[n], event.shiftKey ? 5 * STEP : STEP));
  });

  panel.addEventListener("click", ({ target }) => target.dataset.act && acts[target.dataset.act](picked()));
  panel.addEventListener("change", ({ target }) => {
    const { part } = target.dataset;
    if (!part || !isShape(strokes()[picked()])) return;
    const [low, high] = LIMITS[part];
    const value = Math.max(low, Math.min(high, Math.round(Number(target.value)) || 0));
    target.value = value;
    const stroke = whole(strokes()[picked()]).with(FIELDS[part], value);
    if (change(strokes().with(picked(), stroke), picked())) say(`${word(stroke)}: ${where(stroke)}`);
  });

  return { show, focus };
}

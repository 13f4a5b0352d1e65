// Maps are painted: by mouse, pen and finger, or with arrow keys and Enter. What is painted stands in the map's own text,
// from which it is saved as if it had been typed.

const bench = document.getElementById("bench");

/** Where else a space is painted so that a symmetry is kept: of the last row and column, and the space. */
const KEPT = {
  none: () => [],
  mirror: (down, right, row, column) => [[row, right - column]],
  "half turn": (down, right, row, column) => [[down - row, right - column]],
  "quarter turn": (down, right, row, column) =>
    down === right ? [[column, right - row], [down - row, right - column], [down - column, row]] : [],
};

let brush = "";
let stroke = false;

export function paintable() {
  for (const text of bench.querySelectorAll("textarea.drawn:not([hidden])")) build(text);
}

function rowsOf(text) {
  return text.value.trim().split(/\s+/).map((row) => [...row]);
}

function build(text) {
  const rows = rowsOf(text);
  if (new Set(rows.map((row) => row.length)).size > 1) return; // no board: mended as text
  const signs = JSON.parse(text.dataset.signs);
  const grid = document.createElement("div");
  grid.className = "grid";
  grid.setAttribute("role", "group");
  grid.setAttribute("aria-label", "The map; arrow keys go from space to space, Enter paints");
  for (const [row, line] of rows.entries()) {
    const across = document.createElement("div");
    for (const [column, sign] of line.entries()) across.append(space(row, column, sign, signs));
    grid.append(across);
  }
  text.parentElement.querySelector(".painting")?.remove();
  const painting = document.createElement("div");
  painting.className = "painting";
  painting.append(tools(text, signs), grid);
  text.before(painting);
  const first = grid.querySelector("button");
  if (first) first.tabIndex = 0;
  if (!text.disabled) listen(grid, text, signs);
}

function space(row, column, sign, signs) {
  const button = document.createElement("button");
  button.type = "button";
  button.tabIndex = -1;
  Object.assign(button.dataset, { row, column });
  mark(button, sign, signs);
  return button;
}

function mark(button, sign, signs) {
  button.dataset.sign = sign;
  button.textContent = sign === Object.keys(signs)[0] ? "" : sign;
  button.setAttribute("aria-label", `space ${button.dataset.row},${button.dataset.column}, ${signs[sign] ?? sign}`);
}

function tools(text, signs) {
  const bar = document.createElement("div");
  bar.className = "brushes";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "What is painted");
  if (!(brush in signs)) brush = Object.keys(signs)[1] ?? Object.keys(signs)[0];
  for (const [sign, word] of Object.entries(signs)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: `${sign} ${word}`, disabled: text.disabled });
    button.setAttribute("aria-pressed", String(sign === brush));
    button.addEventListener("click", () => {
      brush = sign;
      for (const other of bar.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    });
    bar.append(button);
  }
  const note = document.createElement("small");
  note.textContent = "The symmetry that is picked above is kept while you paint.";
  bar.append(note);
  return bar;
}

function listen(grid, text, signs) {
  const begin = (button) => {
    stroke = true;
    paint(button);
  };
  const paint = (button) => {
    const rows = rowsOf(text);
    const [row, column] = [Number(button.dataset.row), Number(button.dataset.column)];
    const symmetry = text.closest(".fields").querySelector("select[id$='.symmetry']")?.value ?? "none";
    const places = [[row, column], ...(KEPT[symmetry] ?? KEPT.none)(rows.length - 1, rows[0].length - 1, row, column)];
    for (const [down, across] of places) {
      rows[down][across] = brush;
      mark(grid.children[down].children[across], brush, signs);
    }
    text.value = `${rows.map((line) => line.join("")).join("\n")}\n`;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };
  grid.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button");
    if (!button || event.button) return;
    button.releasePointerCapture?.(event.pointerId);
    begin(button);
  });
  grid.addEventListener("pointermove", (event) => {
    const button = stroke && document.elementFromPoint(event.clientX, event.clientY)?.closest(".grid button");
    if (button && grid.contains(button) && button.dataset.sign !== brush) paint(button);
  });
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const button = event.target.closest("button");
    if (!step && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!step) return paint(button);
    const [row, column] = [Number(button.dataset.row) + step[0], Number(button.dataset.column) + step[1]];
    const next = grid.children[row]?.children[column];
    if (!next) return;
    button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (stroke = false));
bench.addEventListener("change", ({ target }) => target.matches("textarea.drawn") && build(target));
document.addEventListener("bench", paintable);
paintable();

// Paint maps by pointer or with arrow keys and Enter. Painting updates the map's text field, which is saved as if typed.

import { grid as gridOf, paintable as listen } from "./grid.js";

const editor = document.getElementById("editor");

/** The other spaces to paint for each symmetry, from the last row and column and the space. */
const SYMMETRIES = {
  none: () => [],
  mirror: (down, right, row, column) => [[row, right - column]],
  "half turn": (down, right, row, column) => [[down - row, right - column]],
  "quarter turn": (down, right, row, column) =>
    down === right ? [[column, right - row], [down - row, right - column], [down - column, row]] : [],
};

let brush = "";

export function paintable() {
  for (const text of editor.querySelectorAll("textarea.drawn:not([hidden])")) build(text);
}

function rowsOf(text) {
  return text.value.trim().split(/\s+/).map((row) => [...row]);
}

function build(text) {
  const rows = rowsOf(text);
  if (new Set(rows.map((row) => row.length)).size > 1) return; // invalid map: edit it as text
  const signs = JSON.parse(text.dataset.signs);
  const spaces = rows.map((line, row) => line.map((sign, column) => space(row, column, sign, signs)));
  const grid = gridOf(spaces, "Map: arrow keys move between spaces, Enter paints");
  text.parentElement.querySelector(".painting")?.remove();
  const painting = document.createElement("div");
  painting.className = "painting";
  painting.append(tools(text, signs), grid);
  text.before(painting);
  if (!text.disabled) listen(grid, painter(grid, text, signs));
}

function space(row, column, sign, signs) {
  const button = document.createElement("button");
  Object.assign(button.dataset, { row, column, x: column });
  mark(button, sign, signs);
  return button;
}

function mark(button, sign, signs) {
  button.dataset.sign = sign;
  button.textContent = sign === Object.keys(signs)[0] || "#o".includes(sign) ? "" : sign; // those have a look
  button.setAttribute("aria-label", `space ${button.dataset.row},${button.dataset.column}, ${signs[sign] ?? sign}`);
}

function tools(text, signs) {
  const bar = document.createElement("div");
  bar.className = "brushes";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Brush");
  if (!(brush in signs)) brush = Object.keys(signs)[1] ?? Object.keys(signs)[0];
  for (const [sign, word] of Object.entries(signs)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: word, disabled: text.disabled });
    button.prepend(Object.assign(document.createElement("i"), { className: "swatch" }));
    button.firstChild.dataset.sign = sign;
    button.setAttribute("aria-pressed", String(sign === brush));
    button.addEventListener("click", () => {
      brush = sign;
      for (const other of bar.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    });
    bar.append(button);
  }
  const note = document.createElement("small");
  note.textContent = "Painting keeps the symmetry chosen above.";
  bar.append(note);
  if (text.dataset.sizes) bar.append(starter(text));
  return bar;
}

/** Return controls that start the map again, legal and empty, with a size. */
function starter(text) {
  const [low, high] = text.dataset.sizes.split(" ").map(Number);
  const rows = rowsOf(text);
  const group = Object.assign(document.createElement("span"), { className: "starter" });
  const sizes = [["Rows", rows.length], ["Columns", rows[0].length]].map(([words, now]) => {
    const select = document.createElement("select");
    select.setAttribute("aria-label", words);
    for (let size = low; size <= high; size++) select.append(new Option(size, size, size === now, size === now));
    return select;
  });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Start again with this size" });
  button.addEventListener("click", () => {
    const at = JSON.parse(text.closest("[data-at]").dataset.at);
    const value = sizes.map((select) => select.value).join(" x ");
    document.dispatchEvent(new CustomEvent("painted", { detail: { do: "template", at, value } }));
  });
  group.append(sizes[0], " x ", sizes[1], button);
  return group;
}

/** Return a function that paints a space and its symmetric counterparts. */
function painter(grid, text, signs) {
  return (button) => {
    const rows = rowsOf(text);
    const [row, column] = [Number(button.dataset.row), Number(button.dataset.column)];
    const symmetry = text.closest(".fields").querySelector("select[id$='.symmetry']")?.value ?? "none";
    const places = [[row, column], ...(SYMMETRIES[symmetry] ?? SYMMETRIES.none)(rows.length - 1, rows[0].length - 1, row, column)];
    for (const [down, across] of places) {
      rows[down][across] = brush;
      mark(grid.children[down].children[across], brush, signs);
    }
    text.value = `${rows.map((line) => line.join("")).join("\n")}\n`;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };
}

editor.addEventListener("change", ({ target }) => target.matches("textarea.drawn") && build(target));
document.addEventListener("editor", paintable);
paintable();

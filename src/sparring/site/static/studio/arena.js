// Paint the start positions of a list's items on a hex board. The number fields stay below it.

import { grid as gridOf, paintable } from "./grid.js";

const editor = document.getElementById("editor");

function build(things) {
  const list = things.closest("[data-at]");
  const chips = [...things.querySelectorAll(":scope > .thing")];
  const numbers = chips.map((chip) => [...chip.querySelectorAll(".pair input")]);
  if (!chips.length || numbers.some((pair) => pair.length !== 2)) return; // invalid data: edit it as text
  const { one: noun } = things.dataset;
  const nameOf = (number) => `${noun} ${number + 1}`;
  const fixed = numbers[0][0].disabled;
  let brush = 0;
  let before = null; // the positions before the current press

  const rows = new Map();
  for (const [q, r] of JSON.parse(things.dataset.places)) {
    const button = document.createElement("button");
    Object.assign(button.dataset, { q, r, x: q + r / 2 });
    rows.set(r, [...(rows.get(r) ?? []), button]);
  }
  const board = gridOf([...rows.values()], `Board: arrow keys move between hexes, Enter places a ${noun}`);
  board.classList.add("hexes");

  const key = (q, r) => `${q},${r}`;
  const at = () => numbers.map(([q, r]) => key(q.value.trim(), r.value.trim()));

  function mark() {
    const taken = at();
    for (const button of board.querySelectorAll("button")) {
      const place = key(button.dataset.q, button.dataset.r);
      const index = taken.indexOf(place);
      button.textContent = index < 0 ? "" : String(index + 1);
      if (index < 0) button.removeAttribute("class");
      else button.className = `s${index + 1}`;
      button.setAttribute("aria-label", `hex ${place}, ${index < 0 ? "empty" : nameOf(index)}`);
    }
  }

  /** Place an item and swap it with the one already there. Items only passed during a drag don't move. */
  function put(button) {
    before ??= numbers.map((pair) => pair.map((number) => number.value));
    before.forEach((place, index) => write(index, place));
    const [place, taken] = [[button.dataset.q, button.dataset.r], at()];
    const other = taken.indexOf(key(...place));
    if (other >= 0) write(other, numbers[brush].map((number) => number.value));
    write(brush, place);
    mark();
  }

  function write(index, place) {
    for (const [number, value] of place.entries()) numbers[index][number].value = value;
  }

  function done() {
    before = null;
    const value = numbers.map((pair) => pair.map((number) => number.value.trim()).join(","));
    const edit = { do: "set", at: JSON.parse(list.dataset.at), value };
    document.dispatchEvent(new CustomEvent("painted", { detail: edit }));
  }

  const bar = document.createElement("div");
  bar.className = "brushes";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Item to place");
  for (const index of chips.keys()) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: nameOf(index), disabled: fixed });
    button.setAttribute("aria-pressed", String(index === brush));
    button.addEventListener("click", () => {
      brush = index;
      for (const other of bar.children) other.setAttribute("aria-pressed", String(other === button));
    });
    bar.append(button);
  }

  const painting = document.createElement("div");
  painting.className = "painting";
  painting.append(bar, board);
  things.parentElement.querySelector(":scope > .painting")?.remove();
  things.before(painting);
  mark();
  if (fixed) return;
  paintable(board, put, done);
  things.addEventListener("input", mark);
}

function buildAll() {
  for (const things of editor.querySelectorAll(".things[data-places]")) build(things);
}

document.addEventListener("editor", buildAll);
buildAll();

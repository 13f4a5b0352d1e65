// A grid to paint on, by pointer or with arrow keys and Enter.

/** Make a grid from rows of buttons with one tab stop; each button has its `x` in `dataset`. */
export function grid(rows, label) {
  const made = document.createElement("div");
  made.className = "grid";
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", label);
  for (const spaces of rows) {
    const across = document.createElement("div");
    for (const button of spaces) Object.assign(button, { type: "button", tabIndex: -1 });
    across.append(...spaces);
    made.append(across);
  }
  const first = made.querySelector("button");
  if (first) first.tabIndex = 0;
  return made;
}

/** Call `paint` for each space pressed or dragged over, and `done` at the end. */
export function paintable(made, paint, done = () => {}) {
  let last = null;
  const come = (button) => {
    if (!button || button === last || !made.contains(button)) return;
    last = button;
    paint(button);
  };
  made.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.target.releasePointerCapture?.(event.pointerId);
    come(event.target.closest("button"));
  });
  made.addEventListener("pointermove", (event) => {
    if (last) come(document.elementFromPoint(event.clientX, event.clientY)?.closest(".grid button"));
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    made.addEventListener(end, () => {
      if (last) done();
      last = null;
    });
  }
  made.addEventListener("keydown", (event) => {
    const button = event.target.closest("button");
    const next = button && beside(made, button, event.key);
    if (next === undefined && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (next) moveFocus(button, next);
    if (next !== undefined) return;
    paint(button);
    done();
  });
}

function moveFocus(from, to) {
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

/** Return the space an arrow key leads to: in other rows the nearest one, or null at the edge. */
function beside(made, button, key) {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const down = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (!across && !down) return undefined;
  const row = button.parentElement;
  if (across) return row.children[[...row.children].indexOf(button) + across] ?? null;
  const far = (other) => Math.abs(Number(other.dataset.x) - Number(button.dataset.x));
  const there = [...(made.children[[...made.children].indexOf(row) + down]?.children ?? [])];
  return there.sort((one, other) => far(one) - far(other))[0] ?? null;
}

// Keep the scroll position of boards and hands across updates, and scroll boards to the action.

const HANDS = ".held .row > ul";

const keyOf = (element) => element.closest("[data-key]").dataset.key;

/** Return the scroll positions of boards and hands in `root` and the places of tokens, for `follow`. */
export function scrolled(root) {
  const state = (moved) => ({ at: [moved.scrollLeft, moved.scrollTop], tokens: new Map(tokens(moved)) });
  return new Map([...root.querySelectorAll(`.board, ${HANDS}`)].map((moved) => [keyOf(moved), state(moved)]));
}

/** Restore scroll positions, then scroll boards to what can be chosen, otherwise to what happened or moved. */
export function follow(root, before = new Map()) {
  markRoomy();
  for (const hand of root.querySelectorAll(HANDS)) {
    const at = before.get(keyOf(hand))?.at ?? [0, 0];
    if (at.some(Boolean)) hand.scrollTo(...at);
  }
  for (const board of root.querySelectorAll(".board")) {
    const room = board.getBoundingClientRect();
    const { at, tokens: tokensBefore } = before.get(board.dataset.key) ?? { at: [0, 0], tokens: new Map() };
    board.scrollTo(...at);
    const boxes = action(board, tokensBefore).map((element) => element.getBoundingClientRect());
    if (!boxes.length) continue;
    const least = (side) => Math.min(...boxes.map((box) => box[side]));
    const most = (side) => Math.max(...boxes.map((box) => box[side]));
    board.scrollBy(
      shift(least("left"), most("right"), room.left, room.right),
      shift(least("top"), most("bottom"), room.top, room.bottom),
    );
  }
}

/** Mark parts without overflow, so that cards flying over their edges don't make them scroll. */
function markRoomy() {
  // Reading all sizes before writing classes avoids repeated layout.
  const parts = [...document.querySelectorAll(`.scene, ${HANDS}`)];
  for (const part of parts) part.classList.remove("roomy");
  const roomy = parts.filter((part) => part.scrollWidth <= part.clientWidth && part.scrollHeight <= part.clientHeight);
  for (const part of roomy) part.classList.add("roomy");
}

// Rotating a phone changes the layout, too.
addEventListener("resize", () => follow(document, scrolled(document)));

function action(board, tokensBefore) {
  for (const what of [".can", ".stroke"]) {
    const found = [...board.querySelectorAll(what)];
    if (found.length) return found;
  }
  return [...board.querySelectorAll(".token")].filter((token) => tokensBefore.get(token.dataset.key) !== place(token));
}

function tokens(board) {
  return [...board.querySelectorAll(".token")].map((token) => [token.dataset.key, place(token)]);
}

const place = (token) => token.getAttribute("transform");

/** Return the scroll distance that centres a range; 0 if it is visible. */
function shift(from, to, low, high) {
  return from >= low && to <= high ? 0 : (from + to - low - high) / 2;
}

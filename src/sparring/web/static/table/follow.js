// A board that is larger than its room stays where it was moved to, or goes to where something happens. A hand with more
// cards than there is room for stays where it was moved to as well.

const HANDS = ".held .row > ul";

const keyOf = (element) => element.closest("[data-key]").dataset.key;

/** Where the boards and hands of `root` have been moved to, and where tokens stand, for `follow`. */
export function scrolled(root) {
  const stood = (moved) => ({ at: [moved.scrollLeft, moved.scrollTop], tokens: new Map(tokens(moved)) });
  return new Map([...root.querySelectorAll(`.board, ${HANDS}`)].map((moved) => [keyOf(moved), stood(moved)]));
}

/** Move hands and boards back to where they were, and boards on to what can be chosen, or else to what happened or moved. */
export function follow(root, before = new Map()) {
  tellRoom();
  for (const hand of root.querySelectorAll(HANDS)) {
    const at = before.get(keyOf(hand))?.at ?? [0, 0];
    if (at.some(Boolean)) hand.scrollTo(...at);
  }
  for (const board of root.querySelectorAll(".board")) {
    const room = board.getBoundingClientRect();
    const { at, tokens: stood } = before.get(board.dataset.key) ?? { at: [0, 0], tokens: new Map() };
    board.scrollTo(...at);
    const boxes = action(board, stood).map((element) => element.getBoundingClientRect());
    if (!boxes.length) continue;
    const least = (side) => Math.min(...boxes.map((box) => box[side]));
    const most = (side) => Math.max(...boxes.map((box) => box[side]));
    board.scrollBy(
      shift(least("left"), most("right"), room.left, room.right),
      shift(least("top"), most("bottom"), room.top, room.bottom),
    );
  }
}

/** What has room for all that lies in it is not moved about, also while cards fly over its edge. */
function tellRoom() {
  // One after the other each part would be laid out anew.
  const parts = [...document.querySelectorAll(`.scene, ${HANDS}`)];
  for (const part of parts) part.classList.remove("roomy");
  const roomy = parts.filter((part) => part.scrollWidth <= part.clientWidth && part.scrollHeight <= part.clientHeight);
  for (const part of roomy) part.classList.add("roomy");
}

// Also when a phone is turned.
addEventListener("resize", () => follow(document, scrolled(document)));

function action(board, stood) {
  for (const what of [".can", ".stroke"]) {
    const found = [...board.querySelectorAll(what)];
    if (found.length) return found;
  }
  return [...board.querySelectorAll(".token")].filter((token) => stood.get(token.dataset.key) !== place(token));
}

function tokens(board) {
  return [...board.querySelectorAll(".token")].map((token) => [token.dataset.key, place(token)]);
}

const place = (token) => token.getAttribute("transform");

/** How far to go for something to be seen: not at all, or until it is in the middle. */
function shift(from, to, low, high) {
  return from >= low && to <= high ? 0 : (from + to - low - high) / 2;
}

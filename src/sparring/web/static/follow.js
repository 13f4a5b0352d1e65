// A board that is larger than its room stays where it was moved to, or goes to where something happens.

/** Where the boards of `root` have been moved to, for `follow`. */
export function scrolled(root) {
  return new Map([...root.querySelectorAll(".board")].map((board) => [board.dataset.key, [board.scrollLeft, board.scrollTop]]));
}

/** Move the boards back to where they were, and on to what can be chosen, or else to what happened. */
export function follow(root, before = new Map()) {
  for (const board of root.querySelectorAll(".board")) {
    const room = board.getBoundingClientRect();
    board.scrollTo(...(before.get(board.dataset.key) ?? [0, 0]));
    const boxes = action(board).map((element) => element.getBoundingClientRect());
    if (!boxes.length) continue;
    const least = (side) => Math.min(...boxes.map((box) => box[side]));
    const most = (side) => Math.max(...boxes.map((box) => box[side]));
    board.scrollBy(
      shift(least("left"), most("right"), room.left, room.right),
      shift(least("top"), most("bottom"), room.top, room.bottom),
    );
  }
}

function action(board) {
  for (const what of [".can", ".stroke", ".token"]) {
    const found = [...board.querySelectorAll(what)];
    if (found.length) return found;
  }
  return [];
}

/** How far to go for something to be seen: not at all, or until it is in the middle. */
function shift(from, to, low, high) {
  return from >= low && to <= high ? 0 : (from + to - low - high) / 2;
}

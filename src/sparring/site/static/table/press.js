// A press during an animation finishes the animation, and counts although its target has moved, or has been replaced
// meanwhile by a new version of the table that offers the same. On a board whose spaces are smaller than a fingertip, a
// tap beside a space that can be chosen chooses it.

const FINGER = 44; // the side of the square around a target's middle in which a tap counts, in pixels

/** Make presses in `root` count during animations: for the pressed button, otherwise for the one now at that point; and
 * make taps count for the nearest button of a board. */
export function catchPresses(root) {
  let pressed = null, moving = false, touched = false;

  root.addEventListener("pointerdown", (event) => {
    const animations = root.getAnimations({ subtree: true });
    moving = animations.length > 0;
    touched = event.pointerType === "touch";
    pressed = event.target.closest("button");
    for (const animation of animations) animation.finish();
  }, true);

  root.addEventListener("pointerup", () => { // browsers send no click to what has replaced the pressed button
    if (!pressed || pressed.isConnected) return;
    successor(root, pressed)?.click();
    pressed = null;
  });

  root.addEventListener("click", (event) => {
    if (event.target.closest("button, a")) return;
    const there = moving ? pressed ?? document.elementFromPoint(event.clientX, event.clientY)?.closest(".scene button") : null;
    moving = false;
    (there ?? (touched ? nearest(event) : null))?.click();
  });
}

/** Return the button that has taken the place of one that was removed; undefined if the same isn't offered any more. */
function successor(root, { name, value }) {
  return name && [...root.querySelectorAll("button")].find((button) => button.name === name && button.value === value);
}

/** Return the button of a board whose middle is nearest to a tap beside it, if that is within a fingertip. */
function nearest({ target, clientX, clientY }) {
  const near = [...(target.closest(".board")?.querySelectorAll("button") ?? [])].map((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return { button, across: Math.abs(left + width / 2 - clientX), down: Math.abs(top + height / 2 - clientY) };
  }).filter(({ across, down }) => Math.max(across, down) <= FINGER / 2);
  return near.sort((one, two) => Math.hypot(one.across, one.down) - Math.hypot(two.across, two.down))[0]?.button;
}

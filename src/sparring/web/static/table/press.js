// A press during an animation finishes the animation, and counts although its target has moved.

/** Make presses in `root` count during animations: for the pressed button, otherwise for the one now at that point. */
export function catchPresses(root) {
  let pressed = null, moving = false;

  root.addEventListener("pointerdown", (event) => {
    const animations = root.getAnimations({ subtree: true });
    moving = animations.length > 0;
    pressed = event.target.closest("button");
    for (const animation of animations) animation.finish();
  }, true);

  root.addEventListener("click", (event) => {
    if (!moving || event.target.closest("button")) return;
    moving = false;
    (pressed ?? document.elementFromPoint(event.clientX, event.clientY)?.closest(".scene button"))?.click();
  });
}

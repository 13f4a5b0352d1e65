// Whoever presses what still moves means it: everything stands at once, and the press counts though it has moved meanwhile.

/** Let a press in `root` count that begins while something moves: on what is pressed, or else on what comes there. */
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

// The focus stays where it was when a new scene is put in place of the old one.

export function whereFocusIs(root) {
  const element = document.activeElement;
  if (!element || element === document.body || !root.contains(element)) return null;
  return { key: element.closest("[data-key]")?.dataset.key, choice: element.value, inHand: !!element.closest(".row.hand") };
}

export function restoreFocus(root, focus) {
  if (!focus) return;
  const choice = (element) => (element?.matches("button") ? element : element?.querySelector("button[name=choice]"));
  const targets = [
    choice(focus.key && root.querySelector(`[data-key="${CSS.escape(focus.key)}"]`)),
    focus.choice && root.querySelector(`button[name="choice"][value="${CSS.escape(focus.choice)}"]`),
    focus.inHand && choice(root.querySelector(".row.hand")),
    root.querySelector(".buttons .main"),
    choice(root),
    root.querySelector(".telling .told, .row.hand button, .buttons button"),
  ];
  const target = targets.find((each) => each && each.getClientRects().length) ?? root.querySelector(".sentence");
  if (target?.matches(".sentence")) target.tabIndex = -1; // nothing can be pressed: it goes on from there
  target?.focus({ preventScroll: true });
}

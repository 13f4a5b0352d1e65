// Keep the focus when a new scene replaces the old one.

const STOPS = "button, [tabindex]";

const within = (part) => [part, ...part.querySelectorAll(STOPS)];

export function whereFocusIs(root) {
  const element = document.activeElement;
  if (!element || element === document.body || !root.contains(element)) return null;
  const part = element.closest("[data-key]");
  // Find elements with explanations again by their mark, otherwise by their position in their part of the table.
  const looked = element.name !== "choice" && { mark: element.dataset.mark, place: part ? within(part).indexOf(element) : -1 };
  return { key: part?.dataset.key, choice: element.value, inHand: !!element.closest(".row.hand"), looked };
}

export function restoreFocus(root, focus) {
  if (!focus) return;
  const part = focus.key && root.querySelector(`[data-key="${CSS.escape(focus.key)}"]`);
  const choice = (element) => (element?.matches("button") ? element : element?.querySelector("button[name=choice]"));
  const targets = [
    (focus.inHand || !focus.looked) && root.querySelector(".over .buttons .main"), // no card can be played any more
    focus.looked && findAgain(root, part, focus.looked),
    choice(part),
    focus.choice && root.querySelector(`button[name="choice"][value="${CSS.escape(focus.choice)}"]`),
    focus.inHand && choice(root.querySelector(".row.hand")),
    root.querySelector(".buttons .main"),
    root.querySelector(":is(.held, .ask) button[name=choice]"), // rather than the first of a hundred spaces
    choice(root),
    root.querySelector(".telling .told, .row.hand button, .buttons button"),
  ];
  for (const target of targets) if (target && takesFocus(target)) return;
  const sentence = root.querySelector(".sentence");
  if (!sentence) return;
  sentence.tabIndex = -1; // without buttons, focus the sentence so that Tab continues from there
  takesFocus(sentence);
}

/** Focus an element unless it is hidden; return whether it has the focus. */
function takesFocus(element) {
  element.focus({ preventScroll: true });
  return element === document.activeElement;
}

function findAgain(root, part, { mark, place }) {
  const stop = mark ? root.querySelector(`[data-mark="${CSS.escape(mark)}"]`) : part && within(part)[place];
  return stop?.matches(STOPS) ? stop : null;
}

// Place a menu beside what was tapped: which card or token moves to a space, or what to do with a card of the hand.

const GAP = 6;

document.addEventListener("toggle", ({ target: menu, newState }) => {
  if (!menu.matches?.(".shortcuts, .choices") || newState !== "open") return;
  const at = document.querySelector(`[popovertarget="${menu.id}"]`).getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(at.left + (at.width - width) / 2, innerWidth - width - GAP));
  const below = at.bottom + GAP;
  const top = below + height + GAP <= innerHeight ? below : Math.max(GAP, at.top - GAP - height);
  Object.assign(menu.style, { left: `${left}px`, top: `${top}px`, margin: 0 });
}, true);

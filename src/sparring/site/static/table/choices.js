// A click anywhere on a card with buttons presses its only button that can be pressed.

document.addEventListener("click", ({ target }) => {
  const card = target.closest(".card.one");
  if (card && !target.closest("button")) card.querySelector(".choices button:not([aria-disabled])")?.click();
});

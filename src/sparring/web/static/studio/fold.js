// Fold the preview where it covers the editor, at the bottom of narrow windows.

const button = document.querySelector(".fold");
button.addEventListener("click", () => {
  const open = button.getAttribute("aria-expanded") !== "true";
  button.setAttribute("aria-expanded", open);
  button.textContent = open ? "Hide preview" : "Show preview";
});

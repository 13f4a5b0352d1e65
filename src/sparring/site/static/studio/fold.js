// At the bottom of narrow windows the preview is a small picture that a button unfolds, so that it leaves room to edit.

const button = document.querySelector(".fold");

function fold(open) {
  button.setAttribute("aria-expanded", open);
  button.textContent = open ? "Hide preview" : "Show preview";
}

button.addEventListener("click", () => fold(button.getAttribute("aria-expanded") !== "true"));
if (matchMedia("(max-width: 59.99rem)").matches) fold(false);

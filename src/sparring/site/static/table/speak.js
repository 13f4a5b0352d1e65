// Announce sentences to screen readers.

const live = Object.assign(document.createElement("p"), { id: "live", className: "unseen" });
live.setAttribute("role", "status");
document.body.append(live);

/** Return a sentence, or an element's text with labels in place of signs: "10 of diamonds" for 10♦. */
function textOf(element) {
  if (typeof element === "string") return element;
  const copy = element.cloneNode(true);
  for (const sign of copy.querySelectorAll("[aria-label]")) sign.replaceWith(sign.getAttribute("aria-label"));
  return copy.textContent.trim();
}

export function speak(sentences) {
  const words = sentences.map((sentence) => sentence && textOf(sentence)).filter(Boolean);
  if (words.length) live.textContent = words.join(" ");
}

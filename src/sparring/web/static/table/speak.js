// Announce sentences to screen readers.

const live = Object.assign(document.createElement("p"), { id: "live", className: "unseen" });
live.setAttribute("role", "status");
document.body.append(live);

export function speak(sentences) {
  const words = sentences.map((sentence) => sentence?.textContent.trim()).filter(Boolean);
  if (words.length) live.textContent = words.join(" ");
}

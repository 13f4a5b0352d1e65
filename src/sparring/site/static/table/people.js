// Presence: who has left or returned, and the number of spectators.

const NOTICE_TIME = 8000;

export function tellPeople(html) {
  const people = document.getElementById("people");
  const parts = document.createElement("template");
  parts.innerHTML = html;
  const status = parts.content.firstElementChild;
  people.replaceChildren(...status.childNodes); // keep the element, so that screen readers announce changes
  people.title = status.title;
  people.dataset.missing = status.dataset.missing ?? ""; // the seats show it (`seat_notes.css`)
  for (const word of people.querySelectorAll(".passing")) setTimeout(() => word.remove(), NOTICE_TIME);
}

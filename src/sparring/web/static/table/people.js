// Presence: who has left or returned, and the number of spectators.

const PASSING = 8000;

export function tellPeople(html) {
  const people = document.getElementById("people");
  const parts = document.createElement("template");
  parts.innerHTML = html;
  const said = parts.content.firstElementChild;
  people.replaceChildren(...said.childNodes); // keep the element, so that screen readers announce changes
  people.title = said.title;
  for (const word of people.querySelectorAll(".passing")) setTimeout(() => word.remove(), PASSING);
}

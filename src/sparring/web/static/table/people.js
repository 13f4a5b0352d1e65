// Who is at the table: who went away and came back, and that somebody only watches.

const PASSING = 8000;

export function tellPeople(html) {
  const people = document.getElementById("people");
  const parts = document.createElement("template");
  parts.innerHTML = html;
  const said = parts.content.firstElementChild;
  people.replaceChildren(...said.childNodes); // the element stays, so that who listens hears what is new
  people.title = said.title;
  for (const word of people.querySelectorAll(".passing")) setTimeout(() => word.remove(), PASSING);
}

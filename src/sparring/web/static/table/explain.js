// What a thing on the table is: its name, why it cannot be chosen now, and what the glossary says of the words on it.

/** The paragraphs that explain a thing, with its name unless that can be read already; none if there is nothing to say. */
export function explanation(thing, named = true) {
  const ids = own(thing, "aria-describedby")?.split(" ") ?? [];
  const entries = ids.map((id) => document.getElementById(id)).filter(Boolean).map(paragraph);
  const name = named && nameOf(thing), more = remark(thing);
  return [...(name ? [text(name, "name")] : []), ...(more ? [text(more, "more")] : []), ...entries];
}

// What lies on a board bears its name nowhere.
const UNWRITTEN = ":is(.cell, .token)[aria-label]";

/** Whether there is more to say of a thing than its name. */
export function isExplained(thing) {
  return thing.matches(UNWRITTEN) || !!(own(thing, "aria-describedby") || remark(thing));
}

// What is said of a thing itself, or of the button that it is; not of what can be done with a part of it.
function remark(thing) {
  const said = [thing, ...thing.querySelectorAll(":scope > *, :scope > foreignObject > *")];
  return said.find((part) => part.matches("[aria-description]"))?.getAttribute("aria-description");
}

// What an attribute says of a thing, or of the first in it that has it.
function own(thing, attribute) {
  return (thing.matches(`[${attribute}]`) ? thing : thing.querySelector(`[${attribute}]`))?.getAttribute(attribute);
}

function nameOf(thing) {
  if (thing.matches(".seat")) return allOf(thing);
  return own(thing, "aria-label") || thing.innerText.trim().replace(/\s+/g, " ");
}

// All that stands at a seat, also what there is no room for.
function allOf(seat) {
  const said = (part) => part.getAttribute("aria-label") || part.textContent.trim().replace(/\s+/g, " ");
  const cards = [...seat.querySelectorAll(".row .card")].map(said);
  const hand = new Set(cards).size === 1 && cards.length > 1 ? [`${cards.length} × ${cards[0]}`] : cards;
  const lines = [...seat.querySelectorAll(".facts dl > div")].map((fact) => [...fact.children].map(said).join(" "));
  return [...[...seat.querySelectorAll(".name, .title, .tag, .track")].map(said), ...lines, ...hand].join(", ");
}

// An entry of the glossary (a word with its meaning), or a tip beside the thing.
function paragraph(entry) {
  const made = text(entry.textContent, entry.className);
  if (entry.localName === "dd") made.prepend(Object.assign(document.createElement("b"), { textContent: entry.previousElementSibling.textContent }), " ");
  return made;
}

function text(words, kind) {
  return Object.assign(document.createElement("p"), { textContent: words, className: kind });
}

// Explanations of elements on the table: name, why it can't be chosen, and glossary entries.

/** Return the paragraphs that explain an element, with its name unless that is readable already. */
export function explanation(thing, named = true) {
  const ids = own(thing, "aria-describedby")?.split(" ") ?? [];
  const entries = ids.map((id) => document.getElementById(id)).filter(Boolean).map(paragraph);
  const name = named && nameOf(thing), more = remark(thing);
  return [...(name ? [text(name, "name")] : []), ...(more ? [text(more, "more")] : []), ...entries];
}

// Elements on a board don't show their names.
const UNLABELLED = ":is(.cell, .token)[aria-label]";

/** Return whether an element has more of an explanation than its name. */
export function isExplained(thing) {
  return thing.matches(UNLABELLED) || !!(own(thing, "aria-describedby") || remark(thing));
}

// The description of an element or of the button it is, but not of buttons deeper inside.
function remark(thing) {
  const said = [thing, ...thing.querySelectorAll(":scope > *, :scope > foreignObject > *")];
  return said.find((part) => part.matches("[aria-description]"))?.getAttribute("aria-description");
}

// An attribute of an element, or of its first descendant that has it.
function own(thing, attribute) {
  return (thing.matches(`[${attribute}]`) ? thing : thing.querySelector(`[${attribute}]`))?.getAttribute(attribute);
}

function nameOf(thing) {
  if (thing.matches(".seat")) return allOf(thing);
  return own(thing, "aria-label") || thing.innerText.trim().replace(/\s+/g, " ");
}

// All of a player's facts, including hidden ones.
function allOf(seat) {
  const said = (part) => part.getAttribute("aria-label") || part.textContent.trim().replace(/\s+/g, " ");
  const cards = [...seat.querySelectorAll(".row .card")].map(said);
  const hand = new Set(cards).size === 1 && cards.length > 1 ? [`${cards.length} × ${cards[0]}`] : cards;
  const lines = [...seat.querySelectorAll(".facts dl > div")].map((fact) => [...fact.children].map(said).join(" "));
  return [...[...seat.querySelectorAll(".name, .title, .tag, .track")].map(said), ...lines, ...hand].join(", ");
}

// A glossary entry (a term with its meaning) or a tooltip.
function paragraph(entry) {
  const made = text(entry.textContent, entry.className);
  if (entry.localName === "dd") made.prepend(Object.assign(document.createElement("b"), { textContent: entry.previousElementSibling.textContent }), " ");
  return made;
}

function text(words, kind) {
  return Object.assign(document.createElement("p"), { textContent: words, className: kind });
}

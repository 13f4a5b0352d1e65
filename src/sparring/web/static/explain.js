// What a thing on the table is: its name, why it cannot be chosen now, and what the glossary says of the words on it.

/** The paragraphs that explain a thing, with its name unless that can be read already; none if there is nothing to say. */
export function explanation(thing, named = true) {
  const described = thing.matches("[aria-describedby]") ? thing : thing.querySelector("[aria-describedby]");
  const ids = described?.getAttribute("aria-describedby").split(" ") ?? [];
  const entries = ids.map((id) => document.getElementById(id)).filter(Boolean).map(paragraph);
  const name = named && nameOf(thing);
  return name ? [text(name, "name"), ...entries] : entries;
}

/** Whether there is more to say of a thing than its name. */
export function isExplained(thing) {
  return thing.matches("[aria-describedby]") || thing.querySelector("[aria-describedby]") !== null;
}

function nameOf(thing) {
  if (thing.matches(".seat")) return allOf(thing);
  const named = thing.matches("[title], [aria-label]") ? thing : thing.querySelector("[aria-label], [title]");
  const name = named?.getAttribute("aria-label") || named?.getAttribute("title") || thing.querySelector("title")?.textContent;
  return name || thing.innerText.trim().replace(/\s+/g, " ");
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

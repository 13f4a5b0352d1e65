// Search in the rules: mark the places, and list the sections that have some. Enter goes to the next place. The button
// that leads back to the contents is shown while they are out of view.

const field = document.getElementById("find");
const found = document.getElementById("found");
const sections = [...document.querySelectorAll("#contents li")];
const SHORTEST = 2;

let places = [], next = 0;

/** Return the places of a text in the rules, in order: a range and the id of its section. */
function search(text) {
  const rules = document.querySelector(".rules");
  const nodes = document.createTreeWalker(rules, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const result = [];
  let section = "";
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    if (node.nodeType !== Node.TEXT_NODE) {
      section = node.matches("h2[id]") ? node.id : section;
      continue;
    }
    const words = node.data.toLowerCase();
    for (let at = words.indexOf(text); at >= 0; at = words.indexOf(text, at + text.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      result.push([range, section]);
    }
  }
  return result;
}

function mark(name, ranges) {
  if ("highlights" in CSS) CSS.highlights.set(name, new Highlight(...ranges)); // older browsers only list the sections
}

function show() {
  const text = field.value.trim().toLowerCase();
  const asked = text.length >= SHORTEST;
  [places, next] = [asked ? search(text) : [], 0];
  mark("found", places.map(([range]) => range));
  mark("found-now", []);
  for (const item of sections) {
    const id = item.querySelector("a").hash.slice(1);
    item.hidden = asked && !places.some(([, section]) => section === id);
  }
  found.textContent = !asked ? "" : places.length ? `${places.length} ${places.length === 1 ? "place" : "places"}; Enter goes to the next.` : "Not found. Try a shorter word.";
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !places.length) return;
  event.preventDefault();
  const [range] = places[next];
  mark("found-now", [range]);
  range.startContainer.parentElement.scrollIntoView({ block: "center" });
  found.textContent = `${next + 1} of ${places.length}`;
  next = (next + 1) % places.length;
});
field.closest("[hidden]").hidden = false;

const up = document.querySelector(".up");
new IntersectionObserver(([contents]) => { up.hidden = contents.isIntersecting; }).observe(document.getElementById("contents"));

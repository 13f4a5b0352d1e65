// A small picture of each item in the editor's lists, drawn as in the gallery, and again after a change.

const editor = document.getElementById("editor");
const { base } = document.getElementById("card-values").dataset;

const QUIET = 600; // ms without a change before drawing again

let drawings = {}; // by list, in the order of its items
let { row_version: rowVersion } = JSON.parse(editor.dataset.state);
let timer = 0;

function items() {
  const all = [...editor.querySelectorAll("details.thing")].map((thing) => [thing, ...JSON.parse(thing.dataset.at)]);
  return all.filter((item) => item.length === 3);
}

function show() {
  for (const [thing, list, number] of items()) {
    const summary = thing.querySelector(":scope > summary");
    const drawing = drawings[list]?.[number] ?? "";
    let picture = summary.querySelector(":scope > .thumb");
    if (!picture && drawing) {
      const className = `thumb scene game-${editor.dataset.game}`;
      picture = Object.assign(document.createElement("span"), { className, ariaHidden: "true" });
      summary.prepend(picture);
    }
    if (picture && picture.innerHTML !== drawing) picture.innerHTML = drawing; // the game's renderer escaped its texts
  }
}

async function load() {
  for (const list of new Set(items().map(([, name]) => name))) {
    try {
      const answer = await fetch(`${base}/drawings?part=${encodeURIComponent(list)}`);
      if (answer.ok) drawings[list] = await answer.json();
    } catch {
      return; // without pictures the names remain
    }
  }
  show();
}

document.addEventListener("editor", show); // the lists were replaced
document.addEventListener("stored", ({ detail }) => {
  if (detail.rowVersion === rowVersion) return;
  rowVersion = detail.rowVersion;
  clearTimeout(timer);
  timer = setTimeout(load, QUIET);
});
load();

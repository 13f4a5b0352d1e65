// The drawing pad for card pictures: pen, fill and shapes, by pointer or keyboard. The editor stores every change as if it
// had been typed. engine/formats/card_pictures.py describes the format.

import { beginStroke } from "./pen.js";
import { parts } from "./parts.js";
import { FILL, PEN, SHAPE, drawn, svg } from "./strokes.js";

const pad = document.getElementById("pad");
const editor = document.getElementById("editor");
const part = (name) => document.getElementById(`pad-${name}`);
const [sheet, list, problem] = ["sheet", "parts", "problem"].map(part);
const paints = JSON.parse(pad.dataset.paints);

let at = []; // the picture's path in the set
let opener = null; // the button that opened the pad
let strokes = [];
let image = ""; // an uploaded image instead of strokes
let past = [];
let future = [];
let picked = -1;
let seed = 0;
const latest = new Map(); // unsaved pictures by path

const text = () => image || (strokes.length ? `drawing ${JSON.stringify(strokes)}` : "");
const tool = () => pad.querySelector("[name=pad-tool]:checked").value;
const ink = () => Number(pad.querySelector("[name=pad-ink]:checked").value);
const width = () => Number(part("width").value);
const inKb = (length) => `${(length / 1000).toFixed(1).replace(/\.0$/, "")} kB`;

function say(words) {
  part("said").textContent = words;
}

function trouble(words) {
  problem.textContent = words;
  problem.hidden = !words;
}

// Changes are undoable steps; a step that exceeds a limit is refused.

function change(next, pick = picked, nextImage = "") {
  const [before, was] = [strokes, image];
  [strokes, image] = [next, nextImage];
  const wrong = tooMuch();
  if (wrong) {
    [strokes, image] = [before, was];
    trouble(`${wrong} Your drawing is unchanged.`);
    return false;
  }
  past = [...past, { strokes: before, image: was }].slice(-200);
  future = [];
  picked = pick;
  settled();
  return true;
}

function tooMuch() {
  if (strokes.length > paints.strokes) return `A drawing can have at most ${paints.strokes} strokes.`;
  const { length } = text();
  return length > paints.most ? `A picture can be at most ${inKb(paints.most)}; this one would be ${inKb(length)}.` : "";
}

function settled() {
  trouble("");
  show();
  latest.set(JSON.stringify(at), text());
  editor.dispatchEvent(new CustomEvent("draw", { detail: { at, value: text() } }));
  const word = text() ? "Change" : "Draw";
  opener.setAttribute("aria-label", opener.getAttribute("aria-label").replace(/^\w+/, word));
  opener.textContent = word;
  const said = opener.parentElement.querySelector(".has");
  const many = `a drawing of ${strokes.length} stroke${strokes.length === 1 ? "" : "s"}`;
  if (said) said.textContent = image ? "an image" : strokes.length ? many : "no picture";
}

function step(from, to) {
  if (!from.length) return;
  to.push({ strokes, image });
  ({ strokes, image } = from.pop());
  picked = -1;
  settled();
}

const undo = () => step(past, future);
const redo = () => step(future, past);

// The sheet, the list of parts, and the selected part

function show() {
  picked = Math.min(picked, strokes.length - 1);
  const paper = svg("g", { fill: "none", stroke: "none", "stroke-linecap": "round", "stroke-linejoin": "round" });
  for (const [n, stroke] of strokes.entries()) {
    for (const path of drawn(stroke, paints)) {
      path.dataset.n = n;
      paper.append(path);
    }
  }
  sheet.replaceChildren(paper);
  if (image) showImage();
  handles();
  showParts();
  const { length } = text();
  part("used").textContent = `${inKb(length)} of ${inKb(paints.most)} used` +
    (image ? " by an image; drawing replaces it." : `, ${strokes.length} of ${paints.strokes} strokes.`);
  part("undo").disabled = !past.length;
  part("redo").disabled = !future.length;
  part("clear").disabled = !text();
}

/** Show an uploaded image, using the URL from the preview. */
function showImage() {
  const href = document.querySelector("#preview .card-preview image")?.getAttribute("href");
  sheet.querySelector("image")?.remove();
  if (href) sheet.append(svg("image", { href, width: 1000, height: 1000 }));
}

/** Draw a frame around the selected part, with a corner that resizes and rotates shapes. */
function handles() {
  if (picked < 0 || tool() !== "move") return;
  const frame = svg("g", { class: "pad-frame" });
  const stroke = strokes[picked];
  if (stroke[0] === SHAPE) {
    const [, , , x, y, size, turn = 0] = stroke;
    const half = size / 2;
    frame.setAttribute("transform", `translate(${x} ${y}) rotate(${turn})`);
    frame.append(svg("rect", { x: -half, y: -half, width: size, height: size }));
    frame.append(svg("circle", { cx: half, cy: half, r: 32, class: "pad-corner" }));
  } else {
    const [x, y, wide, high] = around(picked);
    frame.append(svg("rect", { x, y, width: wide, height: high }));
  }
  sheet.append(frame);
}

function around(n) {
  const boxes = [...sheet.querySelectorAll(`[data-n="${n}"]`)].map((path) => path.getBBox());
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return [x, y, Math.max(...boxes.map((box) => box.x + box.width)) - x, Math.max(...boxes.map((box) => box.y + box.height)) - y];
}

const { show: showParts, focus } = parts({
  list, panel: pad.querySelector(".pad-part"), paints, say,
  strokes: () => strokes, picked: () => picked, change,
  pick(n) {
    picked = n;
    pad.querySelector("[name=pad-tool][value=move]").checked = true;
    show();
  },
});

// Drawing on the sheet

beginStroke(sheet, {
  tool, ink, width, paints,
  corner: (target) => target.closest(".pad-corner") && strokes[picked],
  picked: () => picked,
  under: (target) => Number(target.closest("[data-n]")?.dataset.n ?? -1),
  stroke: (n) => strokes[n],
  add: (stroke) => change([...strokes, stroke], -1),
  pick(n) {
    picked = n;
    show();
  },
  preview(n, stroke) {
    strokes = strokes.with(n, stroke);
    show();
  },
  /** Record a finished move as one undoable step. */
  moved(n, before) {
    const after = strokes;
    strokes = strokes.with(n, before);
    if (JSON.stringify(before) !== JSON.stringify(after[n])) change(after, n);
  },
  /** Fill what was tapped: a part takes the ink, a line becomes an area, and empty space fills the background. */
  pour(n) {
    if (n < 0) return change([[SHAPE, ink(), square, 500, 500, 1300], ...strokes], -1);
    const [kind, , ...rest] = strokes[n];
    change(strokes.with(n, kind === PEN ? [FILL, ink(), rest[1]] : [kind, ink(), ...rest]), -1);
  },
});

const square = paints.shapes.findIndex(([word]) => word === "square");

// Inks and shapes

function swatch([word, hex], n) {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "radio", name: "pad-ink", value: n, checked: !n });
  const paint = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  paint.append(svg("circle", { cx: 12, cy: 12, r: 10, fill: hex }));
  label.dataset.ink = word;
  label.append(input, paint, Object.assign(document.createElement("span"), { textContent: word }));
  return label;
}

pad.querySelector(".pad-inks").append(...paints.inks.map(swatch));

/** Sort the inks of the game's own cards first, in declared order. */
function offer(inks) {
  const own = inks.split(" ").reverse();
  const box = pad.querySelector(".pad-inks");
  const swatches = [...box.querySelectorAll("label")].sort((a, b) => a.firstChild.value - b.firstChild.value);
  box.append(...swatches.sort((a, b) => own.indexOf(b.dataset.ink) - own.indexOf(a.dataset.ink)));
}

pad.querySelector(".pad-inks").addEventListener("change", () => {
  if (picked < 0 || tool() !== "move") return;
  const [kind, , ...rest] = strokes[picked];
  change(strokes.with(picked, [kind, ink(), ...rest]));
});

function shapeButton([word], n) {
  const button = Object.assign(document.createElement("button"), { type: "button", title: word });
  button.setAttribute("aria-label", `Place ${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`);
  const small = svg("svg", { viewBox: "0 0 1000 1000", "aria-hidden": "true", fill: "none" });
  small.append(...drawn([SHAPE, 8, n, 500, 500, 900], paints));
  button.append(small);
  button.addEventListener("click", () => {
    pad.querySelector("[name=pad-tool][value=move]").checked = true;
    if (!change([...strokes, [SHAPE, ink(), n, 500, 500, 400, 0, 0]], strokes.length)) return;
    say(`${paints.inks[ink()][0]} ${word} placed in the centre; arrow keys move it.`);
    focus();
  });
  return button;
}

pad.querySelector(".pad-shapes").append(...paints.shapes.map(shapeButton));

for (const box of pad.querySelectorAll("[name=pad-tool]")) box.addEventListener("change", show);
part("undo").addEventListener("click", undo);
part("redo").addEventListener("click", redo);
part("clear").addEventListener("click", () => change([], -1) && say("Picture cleared."));
pad.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  event.stopPropagation(); // the editor has its own undo
  (event.shiftKey ? redo : undo)();
});

// Generated and uploaded pictures

async function ask(what, body, type) {
  try {
    const headers = { "Content-Type": type };
    const answer = await fetch(`${editor.dataset.base}/${what}`, { method: "POST", headers, body });
    const said = await answer.json();
    if (answer.ok) return said.picture;
    trouble(`${said.reason} Your drawing is unchanged.`);
  } catch {
    trouble("No answer from the server. Your drawing is unchanged; please try again.");
  }
  return "";
}

part("make").addEventListener("click", async () => {
  seed += 1;
  const made = await ask("made", JSON.stringify({ name: nameOf(opener), seed }), "application/json");
  if (!made || !change(JSON.parse(made.slice("drawing ".length)), -1)) return;
  part("make").textContent = "Generate another";
  say(`Generated picture ${seed} for ${nameOf(opener)}.`);
});

part("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  const size = (file.size / 1024 / 1024).toFixed(1);
  if (file.size > paints.largest) return trouble(`This image is ${size} MB; the maximum is 5 MB. Your drawing is unchanged.`);
  const brought = await ask("brought", file, "application/octet-stream");
  target.value = "";
  if (brought && change([], -1, brought)) say("The card now shows your image.");
});

/** Return the name of the item a picture belongs to. */
function nameOf(button) {
  const fields = button.closest(".fields");
  return fields?.querySelector('[data-at$=",\\"name\\"]"] > input')?.value || "unnamed card";
}

// Opening and closing; the card preview is shown beside the sheet

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("button[data-pad]");
  if (!button) return;
  opener = button;
  button.focus(); // some browsers don't focus clicked buttons, and the preview follows the focus
  const way = button.closest("[data-at]").dataset.at;
  at = JSON.parse(way);
  [strokes, image, past, future, picked, seed] = [[], "", [], [], -1, 0];
  part("title").textContent = `Picture of ${nameOf(button)}`;
  part("make").textContent = "Generate picture";
  trouble("");
  offer(button.dataset.pad);
  pad.showModal();
  show();
  read((await stored(way)) ?? "");
});

/** Return the card's picture, unsaved or stored. */
async function stored(way) {
  const isStored = document.getElementById("saved").textContent === "Saved";
  if (!isStored && latest.has(way)) return latest.get(way);
  try {
    const answer = await fetch(`${editor.dataset.base}/picture?at=${encodeURIComponent(way)}`);
    const said = await answer.json();
    if (answer.ok) return said.picture;
    trouble(said.reason);
  } catch {
    trouble("No answer from the server, so the picture couldn't be loaded.");
  }
  return "";
}

function read(picture) {
  if (picture.startsWith("drawing ")) strokes = JSON.parse(picture.slice("drawing ".length));
  else image = picture;
  show();
}

part("done").addEventListener("click", () => pad.close());
pad.addEventListener("close", () => opener?.focus());

function mirror() {
  part("saved").textContent = document.getElementById("saved").textContent;
  const wrong = document.getElementById("problem");
  if (pad.open && !wrong.hidden) trouble(wrong.textContent);
  const face = document.querySelector("#preview .card-preview");
  part("card").replaceChildren(...(face ? [face.cloneNode(true)] : []));
  if (image) showImage();
}

const watching = new MutationObserver(mirror);
for (const id of ["saved", "problem", "preview"]) {
  watching.observe(document.getElementById(id), { childList: true, characterData: true, subtree: true, attributes: id === "problem" });
}
mirror();

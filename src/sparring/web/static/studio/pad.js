// The pad: the picture of a card is drawn with pen, fill and shapes, by mouse, pen, finger or keys. Every change goes to the
// bench, which stores it as if it had been typed. What is drawn is kept as numbers (engine/formats/card_pictures.py says which).

import { beginStroke } from "./pen.js";
import { parts } from "./parts.js";
import { FILL, PEN, SHAPE, drawn, svg } from "./strokes.js";

const pad = document.getElementById("pad");
const bench = document.getElementById("bench");
const part = (name) => document.getElementById(`pad-${name}`);
const [sheet, list, problem] = ["sheet", "parts", "problem"].map(part);
const paints = JSON.parse(pad.dataset.paints);

let at = []; // the place of the picture in the set
let opener = null; // the button it was opened with
let strokes = [];
let image = ""; // an image that somebody brought, in place of strokes
let past = [];
let future = [];
let picked = -1;
let seed = 0;
const latest = new Map(); // what was drawn at each place, until it is stored

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

// What is drawn changes in steps that can be undone; a step for which there is no room is not made.

function change(next, pick = picked, nextImage = "") {
  const [before, was] = [strokes, image];
  [strokes, image] = [next, nextImage];
  const wrong = tooMuch();
  if (wrong) {
    [strokes, image] = [before, was];
    trouble(`${wrong} What was drawn before is kept.`);
    return false;
  }
  past = [...past, { strokes: before, image: was }].slice(-200);
  future = [];
  picked = pick;
  settled();
  return true;
}

function tooMuch() {
  if (strokes.length > paints.strokes) return `A drawing has at most ${paints.strokes} strokes.`;
  const { length } = text();
  return length > paints.most ? `A picture has at most ${inKb(paints.most)}; with this it would have ${inKb(length)}.` : "";
}

function settled() {
  trouble("");
  show();
  latest.set(JSON.stringify(at), text());
  bench.dispatchEvent(new CustomEvent("draw", { detail: { at, value: text() } }));
  const word = text() ? "Change" : "Draw";
  opener.setAttribute("aria-label", opener.getAttribute("aria-label").replace(/^\w+/, word));
  opener.textContent = word;
  const said = opener.parentElement.querySelector(".has");
  const many = `a drawing of ${strokes.length} stroke${strokes.length === 1 ? "" : "s"}`;
  if (said) said.textContent = image ? "an image" : strokes.length ? many : "none of its own";
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

// The sheet, the list of its parts, and what can be done to the one that is picked.

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
    (image ? ", by an image; drawing begins anew in its place." : `, ${strokes.length} of ${paints.strokes} strokes.`);
  part("undo").disabled = !past.length;
  part("redo").disabled = !future.length;
  part("clear").disabled = !text();
}

/** An image is shown from where the card beside the bench has it. */
function showImage() {
  const href = document.querySelector("#beside .card-beside image")?.getAttribute("href");
  sheet.querySelector("image")?.remove();
  if (href) sheet.append(svg("image", { href, width: 1000, height: 1000 }));
}

/** A frame around the part that is picked; by its corner a shape is made larger and turned. */
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

// Drawing on the sheet.

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
  /** A part was moved: one step from where it was. */
  moved(n, before) {
    const after = strokes;
    strokes = strokes.with(n, before);
    if (JSON.stringify(before) !== JSON.stringify(after[n])) change(after, n);
  },
  /** A tap with the fill: what is there takes the ink, a line becomes the area within it; where nothing is, the ground does. */
  pour(n) {
    if (n < 0) return change([[SHAPE, ink(), square, 500, 500, 1300], ...strokes], -1);
    const [kind, , ...rest] = strokes[n];
    change(strokes.with(n, kind === PEN ? [FILL, ink(), rest[1]] : [kind, ink(), ...rest]), -1);
  },
});

const square = paints.shapes.findIndex(([word]) => word === "square");

// Inks and shapes.

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

/** The inks of the game's own cards come first, as they are declared; the others stay in their order behind them. */
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
  button.setAttribute("aria-label", `Place a ${word}`);
  const small = svg("svg", { viewBox: "0 0 1000 1000", "aria-hidden": "true", fill: "none" });
  small.append(...drawn([SHAPE, 8, n, 500, 500, 900], paints));
  button.append(small);
  button.addEventListener("click", () => {
    pad.querySelector("[name=pad-tool][value=move]").checked = true;
    if (!change([...strokes, [SHAPE, ink(), n, 500, 500, 400, 0, 0]], strokes.length)) return;
    say(`${paints.inks[ink()][0]} ${word} placed in the middle; arrow keys move it.`);
    focus();
  });
  return button;
}

pad.querySelector(".pad-shapes").append(...paints.shapes.map(shapeButton));

for (const box of pad.querySelectorAll("[name=pad-tool]")) box.addEventListener("change", show);
part("undo").addEventListener("click", undo);
part("redo").addEventListener("click", redo);
part("clear").addEventListener("click", () => change([], -1) && say("The card has no picture of its own now."));
pad.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  event.stopPropagation(); // the bench has an undo of its own
  (event.shiftKey ? redo : undo)();
});

// Made for you, or brought.

async function ask(what, body, type) {
  try {
    const headers = { "Content-Type": type };
    const answer = await fetch(`${bench.dataset.base}/${what}`, { method: "POST", headers, body });
    const said = await answer.json();
    if (answer.ok) return said.picture;
    trouble(`${said.reason} What was drawn before is kept.`);
  } catch {
    trouble("No answer. What was drawn before is kept; please try again.");
  }
  return "";
}

part("make").addEventListener("click", async () => {
  seed += 1;
  const made = await ask("made", JSON.stringify({ name: nameOf(opener), seed }), "application/json");
  if (!made || !change(JSON.parse(made.slice("drawing ".length)), -1)) return;
  part("make").textContent = "Make another";
  say(`Picture ${seed} for ${nameOf(opener)}.`);
});

part("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  const size = (file.size / 1024 / 1024).toFixed(1);
  if (file.size > paints.largest) return trouble(`An image has at most 5 MB; this one has ${size} MB. What was drawn before is kept.`);
  const brought = await ask("brought", file, "application/octet-stream");
  target.value = "";
  if (brought && change([], -1, brought)) say("The image is the picture of this card now.");
});

/** What the thing is called to which a picture belongs. */
function nameOf(button) {
  const fields = button.closest(".fields");
  return fields?.querySelector('[data-at$=",\\"name\\"]"] > input')?.value || "no name";
}

// Opening and closing; beside the sheet stands the card as the bench shows it.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("button[data-pad]");
  if (!button) return;
  opener = button;
  button.focus(); // not every browser does so by itself; the card beside the bench follows the focus
  const way = button.closest("[data-at]").dataset.at;
  at = JSON.parse(way);
  [strokes, image, past, future, picked, seed] = [[], "", [], [], -1, 0];
  part("title").textContent = `Picture of ${nameOf(button)}`;
  part("make").textContent = "Make one for me";
  trouble("");
  offer(button.dataset.pad);
  pad.showModal();
  show();
  read((await stored(way)) ?? "");
});

/** What the card has: what is on its way, or what is stored. */
async function stored(way) {
  const isStored = document.getElementById("saved").textContent === "Saved";
  if (!isStored && latest.has(way)) return latest.get(way);
  try {
    const answer = await fetch(`${bench.dataset.base}/picture?at=${encodeURIComponent(way)}`);
    const said = await answer.json();
    if (answer.ok) return said.picture;
    trouble(said.reason);
  } catch {
    trouble("No answer; the picture of this card could not be read.");
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
  const face = document.querySelector("#beside .card-beside");
  part("card").replaceChildren(...(face ? [face.cloneNode(true)] : []));
  if (image) showImage();
}

const watching = new MutationObserver(mirror);
for (const id of ["saved", "problem", "beside"]) {
  watching.observe(document.getElementById(id), { childList: true, characterData: true, subtree: true, attributes: id === "problem" });
}
mirror();

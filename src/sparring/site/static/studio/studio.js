// The set editor: post edits at once, one request at a time, and show "Saved" only after the answer.

import "./arena.js";
import { shared } from "./budget.js";
import { ask, asking } from "./conflict.js";
import { showFaults } from "./faults.js";
import "./paint.js";

const editor = document.getElementById("editor");
const previewPane = document.getElementById("preview");
const saved = document.getElementById("saved");
const problem = document.getElementById("problem");
const name = document.getElementById("set-name");
const [undo, redo] = ["undo", "redo"].map((id) => document.getElementById(id));

const PATIENCE = 3000;
const LATER = [429, 503]; // temporary: the server is overloaded

let rowVersion = 0;
let waiting = []; // edits to post; only the latest for each field
let newName = "";
let sending = false;
let looked = []; // the path of the open item, for the preview
let stale = false; // whether the preview is out of date

const sameSet = (one, other) => one.do === "set" && other.do === "set" && JSON.stringify(one.at) === JSON.stringify(other.at);

function add(edit, now = true) {
  waiting = [...waiting.filter((other) => !sameSet(other, edit)), edit];
  say("Saving …");
  if (now) send();
}

async function post(what, body) {
  const answer = await fetch(`${editor.dataset.base}/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ row_version: rowVersion, ...body }),
  });
  return [answer, await answer.json()];
}

async function send() {
  if (sending || asking() || !(waiting.length || newName || stale)) return;
  sending = true;
  const [edits, called] = [waiting, newName];
  const redraw = edits.some((edit) => !["set", "option"].includes(edit.do));
  [waiting, newName, stale] = [[], "", false];
  try {
    // Post a name separately, so that a refused name doesn't block edits.
    const [answer, said] = await post("change", called ? { name: called, at: looked } : { edits, at: looked, redraw });
    if (LATER.includes(answer.status)) return again(edits, called, said.reason);
    if (called) waiting = [...edits, ...waiting];
    if (answer.ok) show(said);
    else if (answer.status !== 409) refuse(said.reason);
    else if (edits.length || called) differ(said, called ? [] : edits, called);
    else say("Changed in another window: reload to see it."); // nothing was typed here, so there is no conflict
  } catch {
    return again(edits, called, "No answer from the server.");
  }
  sending = false;
  send();
}

/** Queue unsaved edits again, before newer ones, and retry later. */
function again(edits, called, why) {
  const newer = (edit) => waiting.some((other) => sameSet(other, edit));
  [waiting, newName] = [[...edits.filter((edit) => !newer(edit)), ...waiting], newName || called];
  if (waiting.length || newName) say(`Not saved yet: ${why} Trying again …`);
  stale = true;
  sending = false;
  setTimeout(send, PATIENCE);
}

function say(words) {
  saved.textContent = words;
}

function refuse(words) {
  problem.textContent = words;
  problem.hidden = false;
  say("Not saved");
}

function show(state) {
  rowVersion = state.row_version;
  problem.hidden = true;
  undo.disabled = !state.undo;
  redo.disabled = !state.redo;
  if (state.editor) redraw(state.editor);
  showMisfits(state.misfits);
  if (previewPane.innerHTML !== state.preview_html) previewPane.innerHTML = state.preview_html;
  showFaults(state.faults);
  if (!waiting.length && !newName) say("Saved");
  document.dispatchEvent(new CustomEvent("stored", { detail: { rowVersion, looked } }));
}

/** Dim values that no longer fit and say why. They can still be chosen, and are then a fault. */
function showMisfits(values) {
  for (const why of editor.querySelectorAll(".no-fit .why")) why.textContent = "";
  for (const toggle of editor.querySelectorAll(".toggle.no-fit")) toggle.classList.remove("no-fit");
  for (const { at, value, words } of values) {
    const field = editor.querySelector(`[data-at="${CSS.escape(JSON.stringify(at))}"]`);
    const toggle = field?.querySelector(`.toggle[data-value="${CSS.escape(value)}"]`);
    toggle?.classList.add("no-fit");
    if (toggle) toggle.querySelector(".why").textContent = words;
  }
}

// Replacing the fields: open items stay open, and the focus and typed text stay.

function redraw(fields) {
  const open = new Set([...editor.querySelectorAll("details[open]")].map((thing) => thing.dataset.at));
  const { id } = document.activeElement ?? {};
  editor.innerHTML = fields;
  for (const thing of editor.querySelectorAll("details")) thing.open = open.has(thing.dataset.at);
  for (const { do: what, at, value } of waiting) {
    const field = what === "set" && editor.querySelector(`[data-at="${CSS.escape(JSON.stringify(at))}"] > [data-do="set"]`);
    if (field) field.value = value; // typed since the request
  }
  if (id && editor.querySelector(`[id="${CSS.escape(id)}"]`)) document.getElementById(id).focus();
  document.dispatchEvent(new Event("editor"));
}

editor.addEventListener("input", ({ target }) => {
  if (target.dataset.keeps) return share(target);
  if (target.dataset.do === "toggle") return toggle(target);
  if (target.dataset.do !== "set") return;
  const at = JSON.parse(target.closest("[data-at]").dataset.at);
  const value = target.matches("textarea") ? `${target.value.trim()}\n` : target.value;
  if (at.at(-1) === "name") {
    const title = target.closest("details.thing")?.querySelector(":scope > summary .name");
    if (title) title.textContent = value || "unnamed";
  }
  const slider = target.parentElement.querySelector("input[type=range]");
  if (slider) slider.value = value;
  add({ do: "set", at, value });
});

document.addEventListener("painted", ({ detail }) => add(detail));

function toggle(box) {
  const all = [...box.closest(".toggles").querySelectorAll("input")];
  const at = JSON.parse(box.closest("[data-at]").dataset.at);
  add({ do: "set", at, value: all.filter(({ checked }) => checked).map(({ value }) => value) });
}

function share(slider) {
  for (const { at, value } of shared(slider)) add({ do: "set", at, value }, false);
  send();
}

editor.addEventListener("draw", ({ detail }) => add({ do: "set", ...detail }));

editor.addEventListener("change", ({ target }) => {
  if (target.dataset.do === "rename") add({ do: "rename", at: JSON.parse(target.dataset.at), value: target.value });
});

editor.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input.new")) event.target.parentElement.querySelector("button").click();
});

editor.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-do]");
  if (!button) return;
  const at = JSON.parse(button.dataset.at);
  const key = button.parentElement.querySelector("input.new")?.value ?? "";
  if (button.dataset.do === "add") looked = [...at, key || thingsIn(at).length]; // preview the new item at once
  add({ do: button.dataset.do, at, value: key });
  if (button.dataset.do === "add") document.addEventListener("editor", () => openLast(at), { once: true });
});

/** Open the item just added and focus its first field. */
function openLast(at) {
  const last = thingsIn(at).at(-1);
  if (!last) return;
  if (last.matches("details")) last.open = true;
  last.querySelector("input, select")?.focus();
}

function thingsIn(at) {
  return [...editor.querySelectorAll(".thing")].filter((thing) => within(thing, at));
}

function within(thing, at) {
  const place = (thing.dataset.at && thing) || thing.querySelector("[data-at]");
  const way = place ? JSON.parse(place.dataset.at) : [];
  return way.length === at.length + 1 && at.every((step, number) => step === way[number]);
}

// Preview the item with the focus.

document.addEventListener("focusin", ({ target }) => {
  const place = target.closest("#editor [data-at]");
  if (!place) return;
  const at = JSON.parse(place.dataset.at);
  if (JSON.stringify(at.slice(0, 2)) === JSON.stringify(looked.slice(0, 2))) return;
  looked = at;
  stale = true;
  send();
});

name.addEventListener("input", () => {
  newName = name.value;
  say("Saving …");
  send();
});

const options = document.getElementById("options");
options?.addEventListener("change", ({ target }) => {
  if (target.dataset.option) add({ do: "option", at: [target.dataset.option], value: target.value });
});
// The values can be names in the set, such as those of its boards, which may have changed since the page was loaded.
options?.addEventListener("toggle", async () => {
  if (!options.open || !options.querySelector("[data-names]")) return;
  const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
  options.replaceChildren(...page.getElementById("options").childNodes);
});

// Undo, redo and history

async function stepHistory(direction, number = 0) {
  if (sending || waiting.length) return;
  sending = true;
  try {
    const [answer, said] = await post("history", { direction, number, at: looked });
    if (answer.ok) show(said);
    else if (answer.status === 409) differ(said, [], "");
    else refuse(said.reason);
  } catch {
    refuse("No answer from the server. Nothing was changed.");
  }
  sending = false;
  send();
}

undo.addEventListener("click", () => stepHistory("undo"));
redo.addEventListener("click", () => stepHistory("redo"));
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  stepHistory(event.shiftKey ? "redo" : "undo");
});

// Refresh the history when it is opened and after restoring a version.

const more = document.getElementById("more");

async function showHistory() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  more.querySelector(".history").replaceWith(page.querySelector(".history"));
}

more.addEventListener("toggle", (event) => event.target === more && more.open && showHistory());
more.addEventListener("click", async ({ target }) => {
  if (!target.dataset.version) return;
  await stepHistory("version", Number(target.dataset.version));
  await showHistory();
});

// Conflict with another window: keep the edits until the person has decided.

async function differ(said, edits, called) {
  rowVersion = said.row_version;
  say("Not saved");
  if ((await ask(said)) === "theirs") {
    [waiting, newName] = [[], ""];
    return location.reload();
  }
  [waiting, newName] = [[...edits, ...waiting], newName || called];
  send();
}

addEventListener("beforeunload", (event) => {
  if (waiting.length || newName) event.preventDefault();
});

// Apply what was typed, ticked or focused before this script loaded.

function isAsItCame(field) {
  if (field.type === "checkbox") return field.checked === field.defaultChecked;
  if (field.matches("select")) return [...field.options].every((one) => !one.defaultSelected || one.selected);
  return field.value === field.defaultValue;
}

show(JSON.parse(editor.dataset.state));
for (const field of document.querySelectorAll("#set-name, #editor :is(input:not([type=range]), select, textarea)")) {
  if (!isAsItCame(field)) field.dispatchEvent(new Event("input", { bubbles: true }));
}
document.activeElement?.dispatchEvent(new Event("focusin", { bubbles: true }));

// A link from the table opens an item: #item.cards.3

const wanted = location.hash.match(/^#item\.(\w+)\.(\d+)$/);
const item = wanted && editor.querySelector(`.thing[data-at='${JSON.stringify([wanted[1], Number(wanted[2])])}']`);
if (item) {
  if (item.matches("details")) item.open = true;
  (item.querySelector("summary") ?? item.querySelector("input, select")).focus();
  item.scrollIntoView({ block: "center" });
}

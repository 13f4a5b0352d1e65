// The table and gallery of a set: search, sort, edit cells, paste ranges, set whole columns, add all to a deck.

import { cellsOf, tabbed } from "./cells.js";

const tools = document.getElementById("tools");
const { base, page, part, one } = tools.dataset;
const [gallery, cells, search, sort, saved, problem, found] = ["gallery", "cells", "search", "sort", "saved", "problem", "found"].map(
  (id) => document.getElementById(id),
);
const LONGEST = 400; // edits in one request
const LATER = 3000;

let rowVersion = Number(tools.dataset.rowVersion);
let decks = JSON.parse(tools.dataset.decks);
let cardValues = new Map(); // a name may be anything, also `constructor`
let queue = Promise.resolve();

const body = () => cells.querySelector("tbody");
const rows = () => [...body().rows];
const cell = (row, key) => row.querySelector(`[data-key="${CSS.escape(key)}"]`);
const keys = [...cells.querySelectorAll("[data-sort]")].map((button) => button.dataset.sort).filter((key) => key !== "card-value");
const nameOf = (row) => cell(row, "name")?.value ?? "";

// Search and sort

function valueOf(row, key) {
  if (!key) return Number(row.dataset.row);
  if (key === "card-value") return cardValues.get(nameOf(row).toLowerCase())?.[0] ?? -1;
  const text = cell(row, key)?.value ?? row.getAttribute(`data-number-${key.toLowerCase()}`) ?? "";
  return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text.toLowerCase();
}

function arrange() {
  const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const [key, down] = [sort.value, sort.dataset.down === "true"];
  const order = rows().sort((a, b) => {
    const [x, y] = [valueOf(a, key), valueOf(b, key)];
    const less = typeof x === typeof y ? (x > y) - (x < y) : typeof x === "number" ? -1 : 1;
    return (down ? -less : less) || a.dataset.row - b.dataset.row;
  });
  const items = new Map([...gallery.children].map((item) => [item.dataset.row, item]));
  for (const row of order) {
    const text = [...row.querySelectorAll("[data-key]")].map(({ value }) => value.toLowerCase()).join("\n");
    row.hidden = !words.every((word) => text.includes(word));
    const item = items.get(row.dataset.row);
    if (item) item.hidden = row.hidden;
  }
  body().append(...order);
  gallery.append(...order.map((row) => items.get(row.dataset.row)).filter(Boolean));
  for (const button of cells.querySelectorAll("[data-sort]")) {
    button.parentElement.setAttribute("aria-sort", button.dataset.sort !== key ? "none" : down ? "descending" : "ascending");
  }
  const shown = shownRows().length;
  found.textContent = words.length ? `${shown} of ${order.length} ${one}s` : "";
  document.getElementById("bulk-go").textContent = `Apply to ${shown} ${one}${shown === 1 ? "" : "s"}`;
}

const shownRows = () => rows().filter((row) => !row.hidden);

search.addEventListener("input", arrange);
sort.addEventListener("change", () => {
  sort.dataset.down = String(["card-value", "Cost", "Sum"].includes(sort.value));
  arrange();
});
cells.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-sort]")?.dataset.sort;
  if (!key) return;
  sort.dataset.down = String(sort.value === key && sort.dataset.down !== "true");
  sort.value = key;
  arrange();
});

for (const [id, shows] of [["as-gallery", gallery], ["as-table", cells]]) {
  document.getElementById(id).addEventListener("click", () => view(shows));
}

function view(shows) {
  for (const [id, other] of [["as-gallery", gallery], ["as-table", cells]]) {
    other.hidden = other !== shows;
    document.getElementById(id).setAttribute("aria-pressed", String(other === shows));
  }
  sessionStorage.setItem("set-view", shows.id);
}

// Edits: one request at a time

function store(edits, then = () => {}) {
  saved.textContent = "Saving …";
  queue = queue.then(async () => {
    for (let start = 0; start < edits.length; start += LONGEST) {
      if (!(await post("change", { edits: edits.slice(start, start + LONGEST) }))) return;
    }
    await then();
    saved.textContent = "Saved";
  });
  return queue;
}

async function post(what, more) {
  try {
    const answer = await fetch(`${base}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ row_version: rowVersion, ...more }),
    });
    const said = await answer.json();
    if (answer.ok) {
      rowVersion = said.row_version;
      document.getElementById("undo").disabled = !said.undo;
      showFaults(said.faults);
      return true;
    }
    refuse(answer.status === 409 ? `${said.reason} Reload the page, then try again.` : said.reason);
  } catch {
    refuse("No answer from the server. Your last change was not saved.");
  }
  return false;
}

function refuse(words) {
  saved.textContent = "Not saved";
  problem.textContent = words;
  problem.hidden = false;
}

/** Mark the cells with faults, and list the faults above the table. */
function showFaults(faults) {
  for (const field of cells.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const lines = faults.map(({ at, words }) => {
    const row = at[0] === part ? rows().find((other) => Number(other.dataset.row) === at[1]) : null;
    const field = row && cell(row, at[2] ?? "name");
    field?.setAttribute("aria-invalid", "true");
    if (field) field.title = words;
    if (row) return `Row ${at[1] + 1} (${nameOf(row) || "unnamed"}): ${words}`;
    return Number.isInteger(at[1]) ? `${at[0].replaceAll("_", " ")}, row ${at[1] + 1}: ${words}` : words; // in another list
  });
  problem.hidden = !lines.length;
  const list = document.createElement("ul");
  list.append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  problem.replaceChildren(list);
}

const isBeingTyped = (field) => field?.dataset?.key && "defaultValue" in field && field.value !== field.defaultValue;

/** Fetch the page again and show its rows, drawings and decks; the search, the order and the view stay. */
async function refresh() {
  const answer = await fetch(page);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (isBeingTyped(document.activeElement)) return; // its own change will refresh the rows
  const place = document.activeElement?.dataset?.key && [document.activeElement.closest("tr").dataset.row, document.activeElement.dataset.key];
  gallery.replaceChildren(...fresh.getElementById("gallery").children);
  body().replaceWith(fresh.querySelector("#cells tbody"));
  const { rowVersion: newest, decks: named, faults } = fresh.getElementById("tools").dataset;
  [rowVersion, decks] = [Number(newest), JSON.parse(named)];
  showFaults(JSON.parse(faults));
  arrange();
  showCardValues();
  if (place) cell(rows().find((row) => row.dataset.row === place[0]) ?? body(), place[1])?.focus();
}

const edit = (row, key, value) => ({ do: "cell", at: [part, Number(row.dataset.row), key], value });

cells.addEventListener("change", ({ target }) => {
  if (target.dataset.key) store([edit(target.closest("tr"), target.dataset.key, target.value)], refresh);
});

cells.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  const key = event.target.dataset?.key;
  if (!key || !/[\t\n]/.test(text.trimEnd()) || event.target.matches("textarea")) return;
  event.preventDefault();
  paste(event.target.closest("tr"), key, cellsOf(text));
});

/** Fill the cells to the right of and below a cell; rows beyond the last are new. */
function paste(first, key, pasted) {
  const [from, shown, count] = [keys.indexOf(key), shownRows(), rows().length];
  const start = shown.indexOf(first);
  const edits = [];
  for (const [down, line] of pasted.entries()) {
    const row = shown[start + down];
    const number = row ? Number(row.dataset.row) : count + start + down - shown.length;
    if (!row) edits.push({ do: "add", at: [part], value: "" });
    for (const [right, value] of line.entries()) {
      const field = keys[from + right];
      if (!field) continue;
      edits.push({ do: "cell", at: [part, number, field], value });
    }
  }
  store(edits, refresh);
}

document.getElementById("bulk").addEventListener("submit", (event) => {
  event.preventDefault();
  const [key, value] = ["bulk-column", "bulk-value"].map((id) => document.getElementById(id).value.trim());
  const step = /^[+-]\d+$/.test(value) ? Number(value) : null;
  const edits = shownRows().map((row) => {
    const old = cell(row, key).value;
    return edit(row, key, step !== null && /^-?\d+$/.test(old) ? String(Number(old) + step) : value);
  });
  store(edits, refresh);
});

for (const deck of decks) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: `Add all to ${deck.name}` });
  button.addEventListener("click", () => {
    const { at, entries } = decks.find((other) => JSON.stringify(other.at) === JSON.stringify(deck.at)) ?? deck;
    const names = shownRows().map(nameOf).filter((name) => name && !entries.some((entry) => entry.replace(/ x\d+$/, "") === name));
    store([{ do: "set", at, value: [...entries, ...names] }], refresh);
  });
  document.getElementById("deck-buttons").append(button);
}

document.getElementById("copy-table").addEventListener("click", async () => {
  const head = keys.map((key) => cells.querySelector(`[data-sort="${CSS.escape(key)}"]`).textContent);
  const lines = shownRows().map((row) => keys.map((key) => cell(row, key).value));
  try {
    await navigator.clipboard.writeText(tabbed([head, ...lines]));
    saved.textContent = `Copied ${lines.length} rows`;
  } catch {
    saved.textContent = "Your browser doesn't allow copying here; download the file instead";
  }
});

document.getElementById("undo").addEventListener("click", () => {
  queue = queue.then(async () => (await post("history", { direction: "undo", number: 0 })) && refresh());
});

// Card values: win rates so far, updated while they are measured.

function showCardValues() {
  for (const row of rows()) {
    const rate = cardValues.get(nameOf(row).toLowerCase());
    const words = rate ? `${rate[0].toFixed(1)}% ± ${rate[1].toFixed(1)}` : "";
    row.querySelector(".card-value").textContent = words;
    const item = gallery.querySelector(`[data-row="${row.dataset.row}"] .card-value`);
    if (item) item.textContent = words;
  }
  if (sort.value === "card-value") arrange();
}

function measure() {
  const stream = new EventSource(tools.dataset.cardValues);
  stream.onmessage = ({ data }) => {
    if (!data.startsWith("{")) return;
    cardValues = new Map(Object.entries(JSON.parse(data)));
    showCardValues();
  };
  for (const end of ["done", "later"]) stream.addEventListener(end, () => stream.close());
  stream.onerror = () => stream.readyState === EventSource.CLOSED && setTimeout(() => document.hidden || measure(), LATER);
  addEventListener("pagehide", () => stream.close());
}

view(document.getElementById(sessionStorage.getItem("set-view")) ?? gallery);
arrange();
showFaults(JSON.parse(tools.dataset.faults));
measure();
tools.inert = false; // a click before this module has run would be lost

// Text mode of a table: new sentences are added to a live region that screen readers announce once and in order, with the
// question last. Everything else changes silently. Without this script the forms still work.

import { runClocks } from "../table/clock.js";
import { extend, meanwhile, remember, see } from "../table/log.js";
import { offerPosts, send } from "../table/post.js";
import { replace } from "../table/replace.js";
import { say } from "../table/say.js";
import { openStream } from "../table/stream.js";
import { chatVersion, fill, showLines, offerChat } from "../table/chat.js";
import { askMeanwhile, offerNotifications, tellTurn } from "../table/turn.js";

const root = document.getElementById("table");
const told = document.getElementById("told");
const answer = document.getElementById("answer");
const form = document.getElementById("say");
const field = document.getElementById("words");
const address = `/table/${root.dataset.table}`;

const PATIENCE = 2000;
const STOPS = "button, a[href], input, select, summary, [tabindex]";

let received = Number(root.dataset.version);

const question = () => document.getElementById("question");
const version = () => Number(question().dataset.version);
const seat = () => document.getElementById("sitting").dataset.seat; // the seat whose view is shown

// Each event has new sentences and log lines; the last one also has all sections and the players.

function receive(event, caughtUp = false) {
  received = Number(event.lastEventId);
  const seatBefore = seat(), before = asked();
  const parts = document.createElement("template");
  parts.innerHTML = event.data;
  if (!extend(parts.content.querySelector(".lines[data-keep]"))) return stream.listen(true); // it begins with the whole log
  for (const part of [...parts.content.children].filter(({ id }) => id)) put(document.getElementById(part.id), part);
  fill(root);
  if (seat() !== seatBefore) told.replaceChildren();
  if (caughtUp && meanwhile()) add([line(meanwhile())]);
  add([...parts.content.querySelector(".told").children]);
  const known = [...before.map(({ text }) => text), ...[...told.children].map(({ textContent }) => textContent)];
  add(asked().filter(({ text, isNew }) => isNew || !known.includes(text)).map(({ text }) => line(text)));
  form.elements.version.value = version();
  see();
  announceTurn();
}

/** Add lines to the live region. */
function add(lines) {
  for (const line of lines) line.dataset.version = received;
  told.append(...lines);
}

function line(text) {
  return Object.assign(document.createElement("p"), { className: "question", textContent: text });
}

/** Return the question and other notices; `isNew` repeats a question even if its words haven't changed. */
function asked() {
  const mine = "mine" in question().dataset, words = question().querySelector(".asked[data-told]");
  const first = words ? [{ text: mine ? say("Your choice: {question}", { question: words.textContent }) : words.textContent, isNew: mine && version() === received }] : [];
  return [...first, ...[...question().querySelectorAll(".give, .aside, .moved, .hint p, .hint li")].map(({ textContent }) => ({ text: textContent }))];
}

/** Replace a section and keep the focus; leave an identical one alone, so that reading isn't interrupted. */
function put(old, part) {
  const fields = (section) => [...section.querySelectorAll("input[name=version]")];
  const newer = part.dataset.version;
  for (const each of fields(part)) each.value = fields(old)[0]?.value;
  if (newer) part.dataset.version = old.dataset.version;
  const stopsBefore = [...old.querySelectorAll(STOPS)], at = stopsBefore.indexOf(document.activeElement);
  replace(old, part);
  const current = document.getElementById(part.id);
  if (newer) current.dataset.version = newer;
  for (const each of fields(current)) each.value = newer;
  if (at < 0 || current.contains(document.activeElement)) return;
  const same = [...current.querySelectorAll(STOPS)].find((stop) => stop.textContent === stopsBefore[at].textContent && !stop.matches("[name=choice]"));
  (same ?? current.querySelector("h2") ?? field).focus();
}

const announceTurn = () => tellTurn("mine" in question().dataset);

const stream = openStream((away) => `${address}/text/events?version=${received}&seat=${seat()}&away=${away}&chat=${chatVersion()}`, {
  message: receive,
  latest: (event) => receive(event, true),
  chat: (event) => showLines(event.data, root),
});

// Post choices from buttons and typed text. A choice removes older sentences.

function chosen(newer, made) {
  for (const old of [...told.children]) if (Number(old.dataset.version ?? 0) <= made) old.remove();
  // A stream can be dead unnoticed, for example after a phone slept. A new one catches up.
  setTimeout(() => received < newer && stream.listen(), PATIENCE);
}

offerPosts(root, {
  address, conceding: root.dataset.conceding.split(" "), version, seat, after: chosen,
  unanswered: () => stream.listen(),
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const made = version(), typed = new URLSearchParams(new FormData(form));
  const said = await send(form.action, typed, (reason) => reply(reason ? [reason] : []));
  if (!said?.accepted) return field.select();
  reply(said.said);
  field.value = "";
  if (said.version) chosen(said.version, made);
});

/** Show the answer to typed text; emptying the region first makes screen readers repeat an identical answer. */
function reply(lines) {
  answer.replaceChildren();
  const said = lines.map((text) => Object.assign(document.createElement("p"), { textContent: text }));
  if (said.length) setTimeout(() => answer.replaceChildren(...said), 50);
}

// Switching seats on a shared screen reloads the page.
root.addEventListener("submit", (event) => event.submitter?.dataset.post === "screen" && event.stopPropagation(), true);

document.addEventListener("keydown", (event) => {
  if (!["/", "?"].includes(event.key) || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  field.focus();
  if (event.key === "/") return;
  field.value = "help";
  form.requestSubmit();
});

offerChat(root);
offerNotifications(document.getElementById("notify"));
if ("now" in root.dataset) runClocks(root, Number(root.dataset.now));
announceTurn();
remember();
see();
if (!document.hidden) stream.listen();

// Close the stream of a hidden page, because browsers limit connections per host.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stream.stop();
    askMeanwhile(address, !!root.querySelector(".clock"));
  } else if (stream.silent) {
    stream.listen(true);
  }
});

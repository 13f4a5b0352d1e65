// The table page, alive: events come down as HTML, choices go up as JSON. Without this script the same forms still work.

import { player } from "./beats.js";
import { runClocks } from "./clock.js";
import { offerCopies } from "./invite.js";
import { follow } from "./follow.js";
import { rove } from "./keys.js";
import { extend, forgetMeanwhile, remember, see, tellMeanwhile, toTheEnd } from "./log.js";
import { update } from "./motion.js";
import { offerPaces } from "./pace.js";
import { offerPanels } from "./panels.js";
import { tellPeople } from "./people.js";
import { catchPresses } from "./press.js";
import { hearRest, hearTold, offerSound } from "./sound.js";
import { speak } from "./speak.js";
import { askMeanwhile, offerNotifications, tellTurn } from "./turn.js";

const root = document.getElementById("table");
const link = document.getElementById("link");
const refusal = document.getElementById("refusal");
const log = document.getElementById("log");
const address = `/table/${root.dataset.table}`;
const conceding = root.dataset.conceding.split(" ");

const PATIENCE = 2000;

let stream = null;
let heard = Number(root.dataset.version); // the last version that came; the one that is shown may still be told
let sent = null; // seat and version a choice was last posted for: one choice each, however often somebody clicks

const scene = () => root.querySelector(".scene");
const shown = () => Number(scene().dataset.version);
const seat = () => document.getElementById("sitting").dataset.seat; // with whose eyes the table is seen

// Down: each event is the play area at every beat and at rest, the new lines of the log, and who sits here.

function listen(away = false) {
  stream?.close();
  stream = new EventSource(`${address}/events?version=${heard}&seat=${seat()}&away=${away}`);
  stream.onopen = () => say("");
  stream.onmessage = (event) => table.add(receive(event));
  stream.addEventListener("latest", (event) => {
    const steps = receive(event);
    steps[0].caughtUp = true;
    table.add(steps);
    table.skip();
  });
  stream.addEventListener("people", (event) => tellPeople(event.data));
  stream.onerror = () => {
    say("Connection lost, trying again …");
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, PATIENCE, true);
  };
}

function receive(event) {
  heard = Number(event.lastEventId);
  const parts = document.createElement("template");
  parts.innerHTML = event.data;
  const steps = [...parts.content.querySelectorAll("form.scene")].map((scene) => ({ scene }));
  const lines = parts.content.querySelector(".lines[data-keep]");
  for (const part of [...parts.content.children].filter(({ id }) => id)) replace(document.getElementById(part.id), part);
  steps.at(-1).lines = lines; // the log tells nothing that the table has yet to tell
  return steps;
}

/** Put a part of the page in place of another; what was opened in it stays open, and what is typed in one that is the same. */
function replace(old, part) {
  if (old.outerHTML === part.outerHTML) return;
  if (old.querySelector("details")?.open) part.querySelector("details")?.setAttribute("open", "");
  old.replaceWith(part);
}

const table = player(root, {
  show(step) {
    update(root, step.scene);
    if (step.lines) note(step);
    speak([...step.scene.querySelectorAll(".told li")]);
    hearTold(step.scene);
  },
  pass: (step) => step.lines && note(step),
  settle() {
    speak([scene().querySelector(".give") ?? scene().querySelector(".sentence")]);
    announceTurn();
    hearRest(scene());
  },
});

function note(step) {
  extend(step.lines);
  if (step.caughtUp) tellMeanwhile();
  see();
}

const announceTurn = () => tellTurn(!!root.querySelector(".ask.mine"));

// Up: a choice is posted with the version it was made for; a refusal says why, and nothing has changed.

async function post(what, body) {
  const version = shown(), mine = `${seat()} ${version}`;
  if (sent === mine) return;
  sent = mine;
  root.setAttribute("aria-busy", "true");
  forgetMeanwhile();
  const said = await send(`${address}/${what}`, { version, ...body });
  // A stream can be dead without knowing (a phone that slept): what it owes us a new one brings.
  if (said?.accepted) setTimeout(() => heard < said.version && listen(), PATIENCE);
  else if (sent === mine) sent = null;
  root.removeAttribute("aria-busy");
}

/** Post something; the answer, or null where there was none. A refusal is told. */
async function send(path, body) {
  tell("");
  try {
    const answer = await fetch(`/api${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!said.accepted) tell(said.reason);
    return said;
  } catch {
    tell("No answer from the table. When the connection is back you see here whether your choice arrived.");
    return null;
  }
}

// Giving up, draws and pauses: the stream brings what comes of them, and the page stays.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button || !("quiet" in button.dataset || "quiet" in event.target.dataset)) return;
  event.preventDefault();
  const { name, value } = button, told = { yes: true, no: false }[value] ?? value;
  send(button.getAttribute("formaction") ?? event.target.getAttribute("action"), name ? { [name]: told } : {});
});

root.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.dataset.post === "take-back") {
    event.preventDefault();
    post("take-back", {});
  } else if (button?.dataset.post === "screen") {
    event.preventDefault();
    post("screen", { seat: Number(button.value) });
  } else if (button?.name === "choice") {
    event.preventDefault();
    if (!conceding.includes(button.value) || confirm(`${button.textContent.trim()}: are you sure?`))
      post("choose", { choice: Number(button.value) });
  }
});

// What is said beside the table.

function say(words) {
  link.textContent = words;
}

function tell(reason) {
  refusal.textContent = reason;
  refusal.hidden = !reason;
}

refusal.addEventListener("click", () => tell(""));

offerPanels();
document.getElementById("log-panel").addEventListener("toggle", (event) => event.newState === "open" && toTheEnd());
offerPaces(document.getElementById("pace"));
offerSound(document.getElementById("sound"));
offerCopies();
offerNotifications(document.getElementById("notify"));
if ("now" in root.dataset) runClocks(root, Number(root.dataset.now));
catchPresses(root);
rove(root);
follow(root);
announceTurn();
hearRest(scene());
remember();
tellMeanwhile();
see();
if (!document.hidden) listen();

// A page that nobody looks at needs no stream: a browser keeps only a few open to one address.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stream?.close();
    table.skip();
    askMeanwhile(address, !!root.querySelector(".clock"));
  } else if (!stream || stream.readyState === EventSource.CLOSED) {
    tellMeanwhile();
    listen(true);
  }
});

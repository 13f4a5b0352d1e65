// The table page, alive: events come down as HTML, choices go up as JSON. Without this script the same forms still work.

import { rove } from "./keys.js";
import { update } from "./motion.js";

const root = document.getElementById("table");
const link = document.getElementById("link");
const refusal = document.getElementById("refusal");
const log = document.getElementById("log");
const title = document.title;
const address = `/table/${root.dataset.table}`;
const conceding = root.dataset.conceding.split(" ");

const PATIENCE = 2000;

let stream = null;
let version = Number(root.dataset.version);
let sent = null; // the version a choice was last posted for: one choice each, however often somebody clicks

// Down: each event is the play area, the new lines of the log, and who sits here.

function listen() {
  stream?.close();
  stream = new EventSource(`${address}/events?version=${version}`);
  stream.onopen = () => say("");
  stream.onmessage = (event) => show(Number(event.lastEventId), event.data);
  stream.onerror = () => {
    say("Connection lost, trying again …");
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, PATIENCE);
  };
}

function show(newVersion, html) {
  const parts = document.createElement("template");
  parts.innerHTML = html;
  const [scene, lines, sitting] = parts.content.children;
  version = newVersion;
  extend(Number(lines.dataset.keep), lines);
  document.getElementById("sitting").replaceWith(sitting);
  update(root, scene.outerHTML);
  announceTurn(scene);
}

function extend(keep, lines) {
  const near = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  for (const line of [...log.children]) if (Number(line.dataset.entry) >= keep) line.remove();
  log.append(...lines.children);
  if (near) log.scrollTop = log.scrollHeight;
}

function announceTurn(scene) {
  document.title = scene.querySelector(".ask.mine") ? `Your choice: ${title}` : title;
}

// Up: a choice is posted with the version it was made for; a refusal says why, and nothing has changed.

async function post(what, body) {
  if (sent === version) return;
  const mine = version;
  sent = mine;
  let accepted = false;
  root.setAttribute("aria-busy", "true");
  tell("");
  try {
    const answer = await fetch(`/api${address}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ version, ...body }),
    });
    const said = await answer.json();
    accepted = said.accepted;
    if (!accepted) tell(said.reason);
    // A stream can be dead without knowing (a phone that slept): what it owes us a new one brings.
    else setTimeout(() => version < said.version && listen(), PATIENCE);
  } catch {
    tell("No answer from the table. When the connection is back you see here whether your choice arrived.");
  } finally {
    if (!accepted && sent === mine) sent = null;
    root.removeAttribute("aria-busy");
  }
}

root.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.dataset.post === "take-back") {
    event.preventDefault();
    post("take-back", {});
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

// Panels at the side: one at a time; Escape closes it and leads back to its button.

const panels = [...document.querySelectorAll(".panel")];

for (const panel of panels) {
  panel.addEventListener("beforetoggle", (event) => {
    if (event.newState === "open") for (const other of panels) if (other !== panel) other.hidePopover();
  });
  panel.addEventListener("toggle", (event) => {
    if (event.newState === "open" && panel.contains(log)) log.scrollTop = log.scrollHeight;
  });
}

document.addEventListener("keydown", (event) => {
  const open = panels.find((panel) => panel.matches(":popover-open"));
  if (event.key !== "Escape" || !open) return;
  open.hidePopover();
  document.querySelector(`[popovertarget="${open.id}"]`).focus();
});

// The link for friends.

const invitation = document.getElementById("invitation");
const copy = document.getElementById("copy");
copy.hidden = false;
copy.addEventListener("click", async () => {
  invitation.select();
  try {
    await navigator.clipboard.writeText(invitation.value);
  } catch {
    document.execCommand("copy"); // the clipboard wants a secure page, which a table in one's own network is not
  }
  copy.textContent = "Copied";
});

rove(root);
announceTurn(root);
listen();

// A page that nobody looks at needs no stream: a browser keeps only a few open to one address.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stream.close();
  } else if (stream.readyState === EventSource.CLOSED) listen();
});

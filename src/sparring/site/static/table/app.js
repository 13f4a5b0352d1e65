// The table page: events arrive as HTML, choices are posted as JSON. Without this script the forms still work.

import { player } from "./beats.js";
import { prepare } from "./effects.js";
import { runClocks } from "./clock.js";
import { offerCopies } from "./invite.js";
import { follow } from "./follow.js";
import { rovingFocus } from "./keys.js";
import { expect, forgetMeanwhile, keepLog, remember, see, tell, tellMeanwhile } from "./log.js";
import { update } from "./motion.js";
import { offerPaces } from "./pace.js";
import { offerPanels } from "./panels.js";
import { offerPosts } from "./post.js";
import { catchPresses } from "./press.js";
import { replace } from "./replace.js";
import "./choices.js";
import "./shortcuts.js";
import { hearRest, hearTold, offerSound } from "./sound.js";
import { speak } from "./speak.js";
import { openStream } from "./stream.js";
import { chatVersion, fill, showLines, offerChat } from "./chat.js";
import { askMeanwhile, offerNotifications, tellTurn } from "./turn.js";

const root = document.getElementById("table");
const address = `/table/${root.dataset.table}`;

const PATIENCE = 2000;

let received = Number(root.dataset.version); // the latest version received; the one on screen may be older

const scene = () => root.querySelector(".scene");
const shown = () => Number(scene().dataset.version);
const seat = () => document.getElementById("sitting").dataset.seat; // the seat whose view is shown

// Each event has the play area at every beat and its final state, new log lines, and the players.

const stream = openStream((away) => `${address}/events?version=${received}&seat=${seat()}&away=${away}&chat=${chatVersion()}`, {
  message: (event) => table.add(receive(event)),
  latest(event) {
    const steps = receive(event);
    steps[0].caughtUp = true;
    table.add(steps);
    table.skip();
  },
  chat: (event) => showLines(event.data, root),
});

function receive(event) {
  received = Number(event.lastEventId);
  const parts = document.createElement("template");
  parts.innerHTML = event.data;
  const number = expect(parts.content.querySelector(".lines[data-keep]"));
  const steps = [...parts.content.querySelectorAll("form.scene")].map((scene) => ({ scene, log: number - 1 }));
  steps.at(-1).log = number;
  for (const part of [...parts.content.children].filter(({ id }) => id)) replace(document.getElementById(part.id), part);
  return steps;
}

const table = player(root, {
  show(step) {
    const animate = prepare(root, step.scene);
    const arrival = keepLog(root, () => update(root, step.scene));
    animate(arrival);
    fill(root);
    if (!tell(step.log)) stream.listen(true); // it begins with the whole log
    if (step.caughtUp) tellMeanwhile();
    see();
    speak([...step.scene.querySelectorAll(".told li")]);
    hearTold(step.scene);
  },
  settle() {
    speak([scene().querySelector(".give") ?? scene().querySelector(".sentence")]);
    announceTurn();
    hearRest(scene());
  },
});

const announceTurn = () => tellTurn(!!root.querySelector(".ask.mine"));

offerPosts(root, {
  address, conceding: root.dataset.conceding.split(" "), version: shown, seat,
  before: forgetMeanwhile,
  // A stream can be dead unnoticed, for example after a phone slept. A new one catches up.
  after: (version) => setTimeout(() => received < version && stream.listen(), PATIENCE),
  unanswered: () => stream.listen(),
});

offerPanels();
offerChat(root);
offerPaces(document.getElementById("pace"));
offerSound(document.getElementById("sound"), document.getElementById("mute"));
offerCopies();
offerNotifications(document.getElementById("notify"));
if ("now" in root.dataset) runClocks(root, Number(root.dataset.now));
catchPresses(root);
rovingFocus(root);
follow(root);
keepLog(root, () => {});
announceTurn();
hearRest(scene());
remember();
tellMeanwhile();
see();
if (!document.hidden) stream.listen();

// Close the stream of a hidden page, because browsers limit connections per host.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stream.stop();
    table.skip();
    askMeanwhile(address, !!root.querySelector(".clock"));
  } else if (stream.silent) {
    tellMeanwhile();
    stream.listen(true);
  }
});

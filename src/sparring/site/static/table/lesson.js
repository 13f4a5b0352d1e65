// The tutorial: post forms in the background, animate what happened beat by beat, then show the new page's content.

import { player } from "./beats.js";
import { prepare } from "./effects.js";
import "./choices.js";
import { follow } from "./follow.js";
import { rovingFocus } from "./keys.js";
import { update } from "./motion.js";
import { offerPanels } from "./panels.js";
import { speak } from "./speak.js";

const root = document.getElementById("table");
let answered = null; // the page to show after the animation

const table = player(root, {
  show(step) {
    const animate = prepare(root, step.scene);
    animate(update(root, step.scene));
    speak([...step.scene.querySelectorAll(".ask .told li")]);
  },
  settle,
  eager: true,
  pause: 0,
});

async function post(form, button) {
  if (table.telling) return table.skip(); // a press on the text shows what it leads to
  if (root.hasAttribute("aria-busy")) return;
  root.setAttribute("aria-busy", "true");
  document.activeElement.blur(); // keys now control the animation
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), answer.url);
  } catch {
    location.reload(); // the browser shows the error, and the URL keeps the progress
  }
}

function show(page, address) {
  answered = page;
  if (address !== location.href) history.pushState(null, "", address);
  const refused = page.querySelector("#words .problem");
  const beats = refused ? [] : [...page.getElementById("beats").content.querySelectorAll("form.scene")];
  table.add([...beats.map((scene) => ({ scene })), { scene: page.querySelector("#table .scene"), rests: true }]);
}

function settle() {
  for (const part of ["#words", ".bar nav"]) document.querySelector(part).replaceWith(answered.querySelector(part));
  root.removeAttribute("aria-busy");
  speak([...document.querySelectorAll("#words :is(.told li, .say, .problem)"), root.querySelector(".sentence")]);
  document.querySelector("#words .main, #table button[data-pointed]")?.focus();
  reveal();
}

document.addEventListener("submit", (event) => {
  if (!event.submitter?.matches("[name=choice]")) return;
  event.preventDefault();
  post(event.target, event.submitter);
});

window.addEventListener("popstate", () => location.reload());

/** Scroll long text to its end, and on small screens scroll the highlighted element into view. */
function reveal() {
  const told = document.querySelector("#words .told");
  if (told) told.scrollTop = told.scrollHeight;
  root.querySelector("[data-pointed]")?.scrollIntoView({ block: "nearest" });
}

// After quick back and forward navigation the URL may have changed before this script ran.
const [arrival] = performance.getEntriesByType("navigation");
if (arrival.name !== location.href) location.reload();

rovingFocus(root);
follow(root);
offerPanels();
reveal();

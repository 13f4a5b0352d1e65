// A lesson, alive: what a form would post is posted, and the page that is answered takes the place of this one, after what
// happened has been told beat by beat, as at any table.

import { player } from "./beats.js";
import { follow } from "./follow.js";
import { rove } from "./keys.js";
import { update } from "./motion.js";
import { offerPanels } from "./panels.js";
import { speak } from "./speak.js";

const root = document.getElementById("table");
let answered = null; // the page whose words stand as soon as the table does

const table = player(root, {
  show(step) {
    update(root, step.scene);
    speak([...step.scene.querySelectorAll(".ask .told li")]);
  },
  pass() {},
  settle,
});

async function post(form, button) {
  if (root.hasAttribute("aria-busy")) return;
  root.setAttribute("aria-busy", "true");
  document.activeElement.blur(); // what is pressed from now on is meant for what is told
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), answer.url);
  } catch {
    location.reload(); // the browser says what is wrong, and the address knows where the lesson is
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

/** Of a long tale the end is what matters; and on a small screen what is meant is brought into sight. */
function reveal() {
  const told = document.querySelector("#words .told");
  if (told) told.scrollTop = told.scrollHeight;
  root.querySelector("[data-pointed]")?.scrollIntoView({ block: "nearest" });
}

// Whoever goes back and on again quickly may have left this step before anybody listened.
const [arrival] = performance.getEntriesByType("navigation");
if (arrival.name !== location.href) location.reload();

rove(root);
follow(root);
offerPanels();
reveal();

// A lesson, alive: what a form would post is posted, and the page that is answered takes the place of this one.

import { rove } from "./keys.js";
import { update } from "./motion.js";
import { speak } from "./speak.js";

const table = document.getElementById("table");
let waiting = false;

async function post(form, button) {
  if (waiting) return;
  waiting = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), answer.url);
  } catch {
    location.reload(); // the browser says what is wrong, and the address knows where the lesson is
  } finally {
    waiting = false;
  }
}

function show(page, address) {
  for (const part of ["#words", ".bar nav"]) document.querySelector(part).replaceWith(page.querySelector(part));
  update(table, page.querySelector("#table .scene"));
  speak([...document.querySelectorAll("#words :is(.told li, .say, .problem)"), table.querySelector(".sentence")]);
  document.querySelector("#words .main, #table button[data-pointed]")?.focus();
  reveal();
  if (address !== location.href) history.pushState(null, "", address);
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
  table.querySelector("[data-pointed]")?.scrollIntoView({ block: "nearest" });
}

// Whoever goes back and on again quickly may have left this step before anybody listened.
const [arrival] = performance.getEntriesByType("navigation");
if (arrival.name !== location.href) location.reload();

rove(table);
reveal();

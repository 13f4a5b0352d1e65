// A puzzle: post the answer in the background and show the verdict beside the table.

import "./choices.js";
import { follow } from "./follow.js";
import { rovingFocus } from "./keys.js";
import { update } from "./motion.js";
import { offerPanels } from "./panels.js";
import { speak } from "./speak.js";
import { record, showStreaks } from "./streaks.js";

const root = document.getElementById("table");

async function post(form, button) {
  if (root.hasAttribute("aria-busy")) return;
  root.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), answer.url);
  } catch {
    location.reload(); // the browser shows the error, and the URL keeps the puzzle
  }
}

function show(page, address) {
  history.replaceState(null, "", address);
  update(root, page.querySelector("#table .scene"));
  document.getElementById("words").replaceWith(page.getElementById("words"));
  root.removeAttribute("aria-busy");
  showResult();
  document.querySelector("#puzzle-title").focus();
  speak([...document.querySelectorAll("#words :is(h2, .say)")]);
}

function showResult() {
  const words = document.getElementById("words");
  record(words.dataset.game, Number(words.dataset.streak));
  showStreaks(words);
  words.scrollTop = 0;
}

document.addEventListener("submit", (event) => {
  if (!event.submitter?.matches("[name=choice]")) return;
  event.preventDefault();
  post(event.target, event.submitter);
});

rovingFocus(root);
follow(root);
offerPanels();
showResult();

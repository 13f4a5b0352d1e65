// Text-mode pages that update in place: fetch the next page and replace the parts that changed, so that screen readers
// announce only those. Without this script the links and forms load whole pages.

import { replace } from "../table/replace.js";

const leaf = document.getElementById("leaf");
const field = document.getElementById("words");

let turning = false;

async function turn(address, how = {}, fromHistory = false) {
  const from = document.activeElement;
  if (turning) return;
  turning = true;
  try {
    const answer = await fetch(address, how);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("leaf");
    if (!page) location.assign(answer.url); // the server's page shows the error
    else put(page, from);
    if (page && !fromHistory) history.pushState(null, "", page.dataset.here);
  } catch {
    location.reload(); // the browser shows the error, and the URL keeps the position
  } finally {
    turning = false;
  }
}

/** Replace each part. Live regions and forms stay, and only their contents change. */
function put(page, from) {
  const key = from?.closest("[data-leaf]")?.dataset.leaf;
  for (const part of [...page.children]) {
    const old = document.getElementById(part.id);
    if (part.matches("[data-alive]")) old.replaceChildren(...part.childNodes);
    else if (part.matches("form")) refill(old, part);
    else replace(old, part);
  }
  if (document.activeElement !== document.body) return;
  (leaf.querySelector(`[data-leaf="${key}"]:not([aria-disabled])`) ?? leaf.querySelector("[data-alive] h2")).focus();
}

/** Update a form's target and values. Typed text stays only if the server didn't understand it. */
function refill(old, form) {
  old.setAttribute("action", form.getAttribute("action"));
  old.hidden = form.hidden;
  for (const input of form.elements) {
    if (input.name && input.type !== "submit") old.elements[input.name].value = input.value;
  }
  if (old.contains(document.activeElement)) document.activeElement.select?.();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-leaf]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!link.hasAttribute("aria-disabled")) turn(link.href);
});

leaf.addEventListener("submit", (event) => {
  const form = event.target, typed = new URLSearchParams(new FormData(form, event.submitter));
  event.preventDefault();
  if (form.method === "post") turn(form.action, { method: "POST", body: typed });
  else turn(`${form.getAttribute("action")}?${typed}`);
});

addEventListener("popstate", () => turn(location.href, {}, true));

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, [role=region]")) return;
  const control = leaf.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (event.key === "/") field.focus();
  else if (event.key === "?") showKeys();
  else if (control) control.click();
  else return;
  event.preventDefault();
});

function showKeys() {
  const keys = document.getElementById("keys");
  keys.open = true;
  keys.querySelector("summary").focus();
}

// The log in the side panel, and which lines the viewer has seen. After an absence, a line summarises the new ones.

const log = document.getElementById("log");
const line = document.getElementById("meanwhile");
const MOST_LINES = 3;

let seen = 0; // lines

/** Replace the lines from entry `keep`. */
export function extend(lines) {
  const keep = Number(lines.dataset.keep);
  for (const old of [...log.children]) if (Number(old.dataset.entry) >= keep) old.remove();
  log.append(...lines.children);
  seen = Math.min(seen, log.children.length);
}

/** Draw a scene by `change`, and keep the log in its side panel, scrolled as before; new lines appear at its end. Return
 * what `change` returns. */
export function keepLog(root, change) {
  const at = historyOf(root).scrollTop;
  const result = change();
  historyOf(root).replaceChildren(log);
  historyOf(root).scrollTop = at;
  log.hidden = false;
  return result;
}

const historyOf = (root) => root.querySelector(".history");

/** Mark all lines as seen if the page is visible. */
export function see() {
  if (document.hidden) return;
  seen = log.children.length;
  sessionStorage.setItem(key(), seen);
}

/** Restore which lines were seen before this page was loaded. */
export function remember() {
  seen = Number(sessionStorage.getItem(key()) ?? log.children.length);
}

/** Summarise unseen lines, results first; empty if all have been seen. */
export function meanwhile() {
  const missed = [...log.children].slice(seen);
  const ordered = [...missed.filter((each) => each.className === "result"), ...missed.filter((each) => each.className !== "result")];
  const summary = missed.filter((each) => ordered.indexOf(each) < MOST_LINES).map((each) => each.textContent);
  const more = missed.length - summary.length;
  return missed.length ? `While you were away: ${summary.join(" ")}${more ? ` (${more} more in the log)` : ""}` : "";
}

export function tellMeanwhile() {
  line.textContent = meanwhile();
  line.hidden = !line.textContent;
}

export function forgetMeanwhile() {
  line.hidden = true;
}

const key = () => `seen ${location.pathname}`;

line?.addEventListener("click", forgetMeanwhile);

// The log panel, and which lines the viewer has seen. After an absence, a line summarises the new ones.

const log = document.getElementById("log");
const line = document.getElementById("meanwhile");
const MANY = 3;

let seen = 0; // lines

/** Replace the lines from entry `keep`. */
export function extend(lines) {
  const keep = Number(lines.dataset.keep);
  const closed = log.closest("[popover]:not(:popover-open)"); // the panel scrolls to the end when it opens
  const near = !closed && log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  for (const old of [...log.children]) if (Number(old.dataset.entry) >= keep) old.remove();
  log.append(...lines.children);
  seen = Math.min(seen, log.children.length);
  if (near) toTheEnd();
}

export const toTheEnd = () => (log.scrollTop = log.scrollHeight);

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
  const weighty = [...missed.filter((each) => each.className === "result"), ...missed.filter((each) => each.className !== "result")];
  const told = missed.filter((each) => weighty.indexOf(each) < MANY).map((each) => each.textContent);
  const more = missed.length - told.length;
  return missed.length ? `While you were away: ${told.join(" ")}${more ? ` (${more} more in the log)` : ""}` : "";
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

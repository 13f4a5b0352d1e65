// The log at the side, and what of it a person has seen: who was away is told in a line what happened meanwhile.

const log = document.getElementById("log");
const line = document.getElementById("meanwhile");
const MANY = 3;

let seen = 0; // lines

/** Lines from entry `keep` on are replaced by these. */
export function extend(lines) {
  const keep = Number(lines.dataset.keep);
  const closed = log.closest("[popover]:not(:popover-open)"); // it is opened at its end
  const near = !closed && log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  for (const old of [...log.children]) if (Number(old.dataset.entry) >= keep) old.remove();
  log.append(...lines.children);
  seen = Math.min(seen, log.children.length);
  if (near) toTheEnd();
}

export const toTheEnd = () => (log.scrollTop = log.scrollHeight);

/** All that stands in the log has been seen by somebody who looks. */
export function see() {
  if (document.hidden) return;
  seen = log.children.length;
  sessionStorage.setItem(key(), seen);
}

/** What was seen before this page was loaded. */
export function remember() {
  seen = Number(sessionStorage.getItem(key()) ?? log.children.length);
}

/** What has not been seen, in a line, what was decided before all else; empty if all has been seen. */
export function meanwhile() {
  const missed = [...log.children].slice(seen);
  const weighty = [...missed.filter((each) => each.className === "result"), ...missed.filter((each) => each.className !== "result")];
  const told = missed.filter((each) => weighty.indexOf(each) < MANY).map((each) => each.textContent);
  const more = missed.length - told.length;
  return missed.length ? `While you were away: ${told.join(" ")}${more ? ` (${more} more in the log.)` : ""}` : "";
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

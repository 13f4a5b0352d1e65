// The log in the side panel, and which lines the viewer has seen. After an absence, a line summarises the new ones.
// A line's number is its place: the server numbers the sentences of each viewer from 0 without gaps.

import { say } from "./say.js";

const log = document.getElementById("log");
const line = document.getElementById("meanwhile");
const MOST_LINES = 3;

let seen = 0; // lines
const waiting = []; // the new lines of events that aren't shown yet
let told = 0; // events

/** Replace the lines from number `keep`. Return false and change nothing if a line before it is missing. */
export function extend(lines) {
  const keep = Number(lines.dataset.keep);
  if (log.children.length < keep) return false;
  while (log.children.length > keep) log.lastElementChild.remove();
  log.append(...lines.children);
  seen = Math.min(seen, log.children.length);
  return true;
}

/** Keep an event's new lines until it is shown, so that the log doesn't get ahead of the animation. Return its number. */
export const expect = (lines) => told + waiting.push(lines);

/** Extend the log by the lines of all events up to a number, in order, however their steps were shown: one by one,
 * together, or not at all. Return whether the log is complete. */
export function tell(event) {
  let complete = true;
  for (; told < event; told++) complete = extend(waiting.shift());
  return complete;
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
  const lines = summary.join(" ");
  if (!missed.length) return "";
  return more
    ? say("While you were away: {lines} ({n} more in the log)", "While you were away: {lines} ({n} more in the log)", { lines, n: more })
    : say("While you were away: {lines}", { lines });
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

// Chat: lines arrive with the stream and are posted as JSON. While the panel is closed, the latest line appears for a
// moment beside its button and is announced to screen readers. Without this script the forms still work.

import { send } from "./post.js";
import { say } from "./say.js";

const NOTICE_TIME = 7000;
const BESIDE = ".described[data-exchange]";

const panel = document.getElementById("chat-panel");
const list = document.getElementById("chat");
const button = document.getElementById("chat-button");
const overheard = document.getElementById("overheard");
const described = new Map(); // move descriptions by exchange number

let unread = 0, timer = 0;

/** Return the chat version shown. */
export const chatVersion = () => (list ? Number(list.dataset.chatVersion) : 0);

/** Show new and changed lines, moves to describe, and the descriptions beside exchanges. */
export function showLines(html, root) {
  const parts = document.createElement("template");
  parts.innerHTML = html;
  const said = parts.content.querySelector("ol.said");
  const whole = "whole" in said.dataset, fresh = [];
  if (whole) {
    list.replaceChildren();
    described.clear();
  }
  const low = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  for (const line of [...said.children]) {
    const old = list.querySelector(`[data-line="${line.dataset.line}"]`);
    if (old) keepOpen(old, line);
    else fresh.push(line);
    old ? old.replaceWith(line) : list.append(line);
  }
  list.dataset.chatVersion = said.dataset.chatVersion;
  if (low || whole) toTheEnd();
  for (const id of ["describe", "muted"]) {
    const current = document.getElementById(id), update = parts.content.getElementById(id);
    if (update && current && current.outerHTML !== update.outerHTML) put(current, update);
  }
  for (const part of parts.content.querySelectorAll(".described")) described.set(part.dataset.exchange, part.innerHTML);
  if (whole) for (const place of root.querySelectorAll(BESIDE)) place.replaceChildren();
  fill(root);
  count();
  if (!whole) tell(fresh.filter((line) => !line.matches(".mine, .gone")));
}

/** Replace a part. Unposted words for a move stay, with the focus, until another move replaces it. */
function put(old, part) {
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  old.replaceWith(part);
  if (old.dataset.exchange === part.dataset.exchange)
    for (const field of old.querySelectorAll("[id]")) {
      const same = document.getElementById(field.id);
      if (same) same.value = field.value;
    }
  if (focused) document.getElementById(focused)?.focus();
}

/** Show move descriptions beside the exchanges on the table. */
export function fill(root) {
  for (const place of root.querySelectorAll(BESIDE)) {
    const content = described.get(place.dataset.exchange);
    if (content !== undefined && place.innerHTML !== content) place.innerHTML = content;
    if (place.dataset.exchange !== document.querySelector("#describe:has(form)")?.dataset.exchange) place.querySelector(".tell")?.remove();
  }
}

function keepOpen(old, line) {
  if (old.querySelector("details")?.open) line.querySelector("details")?.setAttribute("open", "");
}

const isOpen = () => !panel || panel.matches(":popover-open");

/** Scroll to the last line. On low screens the list and forms scroll together. */
function toTheEnd() {
  for (const scrolls of [list, list.parentElement]) scrolls.scrollTop = scrolls.scrollHeight;
}

function tell(lines) {
  if (!lines.length || isOpen()) return; // an open panel announces them itself
  unread += lines.length;
  count();
  overheard.replaceChildren(...[...lines.at(-1).querySelector("p").cloneNode(true).childNodes].filter((part) => !part.matches?.("button")));
  clearTimeout(timer);
  timer = setTimeout(() => overheard.replaceChildren(), NOTICE_TIME);
}

function count() {
  if (!button) return;
  button.textContent = unread ? say("Chat ({unread})", { unread }) : say("Chat");
}

/** Post chat forms without leaving the page. */
export function offerChat(root) {
  if (!list) return;
  for (const place of root.querySelectorAll(BESIDE)) described.set(place.dataset.exchange, place.innerHTML);
  toTheEnd();
  count();
  panel?.addEventListener("toggle", (event) => {
    if (event.newState !== "open") return;
    unread = 0;
    count();
    overheard.replaceChildren();
    toTheEnd();
  });
  const describing = document.getElementById("describe-panel");
  describing?.addEventListener("toggle", (event) => {
    if (event.newState === "open") describing.querySelector("#describe :is(input, select)")?.focus();
  });
  document.addEventListener("submit", async (event) => {
    const { submitter, target } = event;
    if (submitter?.matches(".scene button.main"))
      for (const form of document.querySelectorAll("#describe form")) if (form.elements[0].value) form.requestSubmit(form.querySelector("button")); // sent with the move
    if (!submitter || !("chat" in submitter.dataset || "chat" in target.dataset)) return;
    event.preventDefault();
    const inPanel = describing?.contains(target); // until the stream replaces the form
    const field = submitter.name ? null : target.elements.text;
    const path = submitter.getAttribute("formaction") ?? target.getAttribute("action");
    const answer = await send(`/api${path}`, bodyOf(submitter, target));
    if (answer?.accepted && field) field.value = "";
    if (answer?.accepted && inPanel) describing.hidePopover();
    if (answer?.accepted && path.endsWith("/report")) submitter.replaceWith(say("Reported. Thank you!"));
  });
}

const NUMBERS = ["line", "seat"];

/** Return the request body: the button's phrase or the typed text, and the seat. */
function bodyOf(submitter, form) {
  const said = new FormData(form);
  if (submitter.name) {
    said.delete("text");
    said.set(submitter.name, submitter.value);
  }
  const parts = said.getAll("part").filter(Boolean);
  said.delete("part");
  const body = Object.fromEntries([...said].map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]));
  return parts.length ? { ...body, parts } : body;
}

// Post choices with the version they were made for, and show why one was refused. Giving up, draws and pauses are posted
// the same way; the stream then delivers the result.

import { say } from "./say.js";

const UNANSWERED = say("No answer from the server. Once you're reconnected, you'll see whether your choice was made.");

const refusal = document.getElementById("refusal");

function tell(reason) {
  refusal.textContent = reason;
  refusal.hidden = !reason;
}

/** After a reconnection, remove the message about a missing answer: the table now shows whether the choice was made. */
export function reconnected() {
  if (refusal.textContent === UNANSWERED) tell("");
}

/** Post JSON or form fields; return the answer, or null without one. `refused` shows a refusal. */
export async function send(path, body, refused = tell) {
  refused("");
  const fields = body instanceof URLSearchParams;
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { Accept: "application/json", ...(fields ? {} : { "Content-Type": "application/json" }) },
      body: fields ? body : JSON.stringify(body),
    });
    const said = await answer.json();
    if (!said.accepted) refused(said.reason);
    return said;
  } catch {
    refused(UNANSWERED);
    return null;
  }
}

/** Post the choice forms in `root` for the shown `version` and `seat`, once for each, however often a button is pressed.
 * Calls `before`, then `after` with the new and the old version, or `unanswered`. */
export function offerPosts(root, { address, conceding, version, seat, before = () => {}, after, unanswered }) {
  let sent = null; // the seat and version of the last posted choice

  async function post(what, body) {
    const seen = version(), key = `${seat()} ${seen}`;
    if (sent === key) return true;
    sent = key;
    root.setAttribute("aria-busy", "true");
    before();
    const answer = await send(`/api${address}/${what}`, { version: seen, ...body });
    if (answer?.accepted) after(answer.version, seen);
    else if (sent === key) sent = null;
    if (!answer) unanswered();
    root.removeAttribute("aria-busy");
    return answer?.accepted;
  }

  /** Ask for a hint; until it is here, the button says that the bot is at work. */
  async function askHint(button) {
    const words = button.textContent;
    button.textContent = say("Thinking …");
    if (!(await post("hint", {}))) button.textContent = words;
  }

  root.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.dataset.post === "hint") {
      event.preventDefault();
      askHint(button);
    } else if (button?.dataset.post === "take-back") {
      event.preventDefault();
      post("take-back", {});
    } else if (button?.dataset.post === "screen") {
      event.preventDefault();
      post("screen", { seat: Number(button.value) });
    } else if (button?.name === "choice") {
      event.preventDefault();
      if (!conceding.includes(button.value) || confirm(say("{choice}: are you sure?", { choice: button.textContent.trim() })))
        post("choose", { choice: /^\d+$/.test(button.value) ? Number(button.value) : button.value });
    }
  });
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button || !("quiet" in button.dataset || "quiet" in event.target.dataset)) return;
  event.preventDefault();
  const { name, value } = button, body = name ? { [name]: { yes: true, no: false }[value] ?? value } : {};
  if (name === "agree") body.proposal = button.form.elements.proposal.value;
  send(`/api${button.getAttribute("formaction") ?? event.target.getAttribute("action")}`, body);
});

refusal.addEventListener("click", () => tell(""));

// Up: a choice is posted with the version it was made for; a refusal says why, and nothing has changed. Giving up, draws
// and pauses are posted too: the stream brings what comes of them, and the page stays.

const UNANSWERED = "No answer from the table. When the connection is back you see here whether your choice arrived.";

const refusal = document.getElementById("refusal");

function tell(reason) {
  refusal.textContent = reason;
  refusal.hidden = !reason;
}

/** The table is heard again: what got no answer has arrived if the table says so, and can be chosen anew if not. */
export function heardAgain() {
  if (refusal.textContent === UNANSWERED) tell("");
}

/** Post something as JSON, or as the fields of a form; the answer, or null where there was none. `refused` tells a refusal. */
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

/** Forms of choices in `root` are posted for the `version` and `seat` that are shown: one choice each, however often
 * somebody presses. `before` is called before, `after` with the version that the table then has and the one before it,
 * `unanswered` where no answer came. */
export function offerPosts(root, { address, conceding, version, seat, before = () => {}, after, unanswered }) {
  let sent = null; // seat and version a choice was last posted for

  async function post(what, body) {
    const made = version(), mine = `${seat()} ${made}`;
    if (sent === mine) return;
    sent = mine;
    root.setAttribute("aria-busy", "true");
    before();
    const said = await send(`/api${address}/${what}`, { version: made, ...body });
    if (said?.accepted) after(said.version, made);
    else if (sent === mine) sent = null;
    if (!said) unanswered();
    root.removeAttribute("aria-busy");
  }

  root.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (["take-back", "hint"].includes(button?.dataset.post)) {
      event.preventDefault();
      post(button.dataset.post, {});
    } else if (button?.dataset.post === "screen") {
      event.preventDefault();
      post("screen", { seat: Number(button.value) });
    } else if (button?.name === "choice") {
      event.preventDefault();
      if (!conceding.includes(button.value) || confirm(`${button.textContent.trim()}: are you sure?`))
        post("choose", { choice: Number(button.value) });
    }
  });
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button || !("quiet" in button.dataset || "quiet" in event.target.dataset)) return;
  event.preventDefault();
  const { name, value } = button, told = { yes: true, no: false }[value] ?? value;
  send(`/api${button.getAttribute("formaction") ?? event.target.getAttribute("action")}`, name ? { [name]: told } : {});
});

refusal.addEventListener("click", () => tell(""));

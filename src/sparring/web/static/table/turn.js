// Your turn: in the title, and as a notification of the browser for who has asked for it. A page that nobody looks at has
// no stream; it asks now and then whether its turn has come.

const KEPT = "sparring.notify", SOON = 5_000, LATER = 20_000;

const can = "Notification" in window && window.isSecureContext;
const title = document.title;
let mine = false, timer = 0;

function wanted() {
  try {
    return can && Notification.permission === "granted" && localStorage.getItem(KEPT) === "yes";
  } catch {
    return false; // a browser that keeps nothing tells nothing
  }
}

/** Say in the title whether it is this person's turn; when it has just become so while nobody looks, notify them. */
export function tellTurn(now) {
  const news = now && !mine && document.hidden;
  mine = now;
  document.title = now ? `Your choice: ${title}` : title;
  if (!news || !wanted()) return;
  const notification = new Notification(`Your choice: ${title}`, { body: "The table waits for you.", tag: location.pathname });
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
  });
}

/** While nobody looks at the page: ask whether the turn has come, often where clocks run. */
export function askMeanwhile(address, timed) {
  clearTimeout(timer);
  if (!document.hidden) return;
  timer = setTimeout(async () => {
    try {
      const answer = await fetch(`${address}/turn`, { headers: { Accept: "application/json" } });
      if (answer.ok && document.hidden) tellTurn((await answer.json()).yours);
    } catch {
      // no connection; it is asked again
    }
    askMeanwhile(address, timed);
  }, timed ? SOON : LATER);
}

/** A button that asks the browser for notifications, and lets them be again; hidden where there are none. */
export function offerNotifications(button) {
  if (!can) return;
  const tell = () => {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(wanted()));
    button.nextElementSibling.hidden = Notification.permission !== "denied";
  };
  button.addEventListener("click", async () => {
    const on = !wanted();
    if (on && Notification.permission !== "granted") await Notification.requestPermission();
    try {
      localStorage.setItem(KEPT, on ? "yes" : "no");
    } catch {
      // it cannot be kept, so nothing is told
    }
    tell();
  });
  tell();
}

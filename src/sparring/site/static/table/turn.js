// Announce the player's turn in the page title and, if they want that, as a browser notification. A hidden page has no
// stream, so it polls.

import { say } from "./say.js";

const STORAGE_KEY = "sparring.notify", TIMED_INTERVAL = 5_000, UNTIMED_INTERVAL = 20_000;

const supported = "Notification" in window && window.isSecureContext;
const title = document.title;
let yourTurn = false, timer = 0;

function wanted() {
  try {
    return supported && Notification.permission === "granted" && localStorage.getItem(STORAGE_KEY) === "yes";
  } catch {
    return false; // no storage, no notifications
  }
}

/** Show in the title whether it is the player's turn, and notify them if it has just become so on a hidden page. */
export function tellTurn(now) {
  const turnBegan = now && !yourTurn && document.hidden;
  yourTurn = now;
  document.title = now ? say("Your turn: {title}", { title }) : title;
  if (!turnBegan || !wanted()) return;
  const notification = new Notification(say("Your turn: {title}", { title: title.split(" · ")[0] }), { body: say("It's your turn to choose."), tag: location.pathname });
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
  });
}

/** While the page is hidden, poll for the player's turn, more often in timed matches. */
export function askMeanwhile(address, timed) {
  clearTimeout(timer);
  if (!document.hidden) return;
  timer = setTimeout(async () => {
    try {
      const answer = await fetch(`${address}/turn`, { headers: { Accept: "application/json" } });
      if (answer.ok && document.hidden) tellTurn((await answer.json()).yours);
    } catch {
      // no connection; try again later
    }
    askMeanwhile(address, timed);
  }, timed ? TIMED_INTERVAL : UNTIMED_INTERVAL);
}

/** Make a button switch notifications on and off; it stays hidden if the browser has none. */
export function offerNotifications(button) {
  if (!supported) return;
  const tell = () => {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(wanted()));
    button.nextElementSibling.hidden = Notification.permission !== "denied";
  };
  button.addEventListener("click", async () => {
    const on = !wanted();
    if (on && Notification.permission !== "granted") await Notification.requestPermission();
    try {
      localStorage.setItem(STORAGE_KEY, on ? "yes" : "no");
    } catch {
      // without storage, notifications stay off
    }
    tell();
  });
  tell();
}

// Players' clocks. The running one counts down locally from the server's start time, and every event updates them all.
// Screen readers announce the player's own clock at a minute, 30 seconds and 10 seconds.

import { say } from "./say.js";
import { speak } from "./speak.js";

const DAY = 86_400_000, TENTHS = 10_000;
const ANNOUNCED = [[60_000, say("One minute left.")], [30_000, say("30 seconds left.")], [TENTHS, say("10 seconds left.")]];

/** Format remaining milliseconds like `clock` in `tables/state/clock_state.py`. */
export function shown(left) {
  if (left >= 2 * DAY) return say("{n} day", "{n} days", { n: Math.ceil(left / DAY) });
  if (left < TENTHS) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Run the clocks in `root`; `now` is the server's time when it rendered the page, in milliseconds. */
export function runClocks(root, now) {
  const [loaded] = performance.getEntriesByType("navigation");
  const ahead = now - (loaded ? performance.timeOrigin + loaded.responseStart : Date.now());
  let before = null;

  function tick() {
    const clock = root.querySelector(".clock[data-from]");
    const left = clock ? Math.max(0, clock.dataset.left - Math.max(0, Date.now() + ahead - clock.dataset.from)) : null;
    if (clock) {
      const words = shown(left);
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("short", left < ANNOUNCED[0][0]);
      if (clock.closest(".seat.you")) announce(left);
    }
    before = clock ? left : null;
    setTimeout(tick, left !== null && left < TENTHS + 1000 ? 100 : 250);
  }

  function announce(left) {
    const passed = ANNOUNCED.filter(([at]) => before !== null && before > at && left <= at);
    if (passed.length) speak([passed.at(-1)[1]]);
  }

  tick();
}

// Clocks beside the seats: the one that runs counts down by itself, from when the server says it began; every event
// brings them anew. Those who listen hear their own at a minute, half a minute and ten seconds.

import { speak } from "./speak.js";

const DAY = 86_400_000, TENTHS = 10_000;
const ANNOUNCED = [[60_000, "One minute left."], [30_000, "30 seconds left."], [TENTHS, "10 seconds left."]];

/** What a clock shows with so many milliseconds left; `clocks/faces.py` draws it in the same way. */
export function shown(left) {
  if (left >= 2 * DAY) return `${Math.ceil(left / DAY)} days`;
  if (left < TENTHS) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Let the clocks in `root` go; `now` is what the server's clock said when the page was made (milliseconds). */
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
    if (passed.length) speak([{ textContent: passed.at(-1)[1] }]);
  }

  tick();
}

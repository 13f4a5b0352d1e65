// The longest streaks of puzzles in this browser, for guests.

import { say } from "./say.js";

const keyOf = (game) => `streak of ${game}`;

const stored = (game) => Number(localStorage.getItem(keyOf(game))) || 0;

/** Store a streak if it is the longest one, and return the longest. */
export function record(game, length) {
  const longest = Math.max(stored(game), length);
  if (longest) localStorage.setItem(keyOf(game), longest);
  return longest;
}

/** Show the longest streaks in `root`: this browser's or the account's. */
export function showStreaks(root) {
  for (const shown of root.querySelectorAll("[data-streak-of]")) {
    const here = stored(shown.dataset.streakOf), known = Number(shown.textContent.match(/\d+/)) || 0;
    if (here > known) shown.textContent = "number" in shown.dataset ? here : say("Your longest streak: {streak}.", { streak: here });
  }
}

showStreaks(document);

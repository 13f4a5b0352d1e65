// Wait for the other half, then go to the table.

import { offerCopies } from "./invite.js";

const EVERY = 2000;
const { half } = document.getElementById("half").dataset;

async function look() {
  try {
    const answer = await fetch(`/api/halves/${half}`);
    if (answer.status === 404) return location.reload();
    if (answer.ok && (await answer.json()).started) return location.replace(`/table/${half}`);
  } catch {
    // no connection; try again
  }
  setTimeout(look, EVERY);
}

offerCopies();
look();

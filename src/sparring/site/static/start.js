// Refresh the lists of the start page while it is visible, and announce new turns.

const EVERY = 15_000;

const news = document.getElementById("news");
const title = document.title.replace("Your turn: ", "");
const turns = () => Number(document.getElementById("mine").dataset.turns);

let timer = 0;

async function refresh() {
  clearTimeout(timer);
  if (document.hidden) return;
  try {
    const answer = await fetch("/lobby");
    if (answer.ok) take(await answer.text());
  } catch {
    // Without a connection, keep the lists and try again later.
  }
  timer = setTimeout(refresh, EVERY);
}

function take(html) {
  const before = turns();
  const parts = document.createElement("template");
  parts.innerHTML = html;
  for (const part of [...parts.content.children]) {
    const old = document.getElementById(part.id);
    if (old.outerHTML === part.outerHTML) continue;
    const focused = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
    old.replaceWith(part);
    if (focused) part.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  }
  document.title = turns() ? `Your turn: ${title}` : title;
  if (turns() > before) news.textContent = turns() === 1 ? "It's your turn at a table." : `It's your turn at ${turns()} tables.`;
}

timer = setTimeout(refresh, EVERY);
document.addEventListener("visibilitychange", refresh);

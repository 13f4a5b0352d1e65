// Challenges and friend requests, on any open page of a person with an account. Asking for news also shows friends that the
// person is online.

const VISIBLE = 10_000, HIDDEN = 60_000;

const panel = document.createElement("div");
panel.className = "friend-news";
panel.setAttribute("aria-live", "polite");
const content = document.querySelector(".page > main"); // above it; over a table, which fills the window
if (content) content.before(panel);
else document.body.append(panel);

let timer = 0, shown = "";
const later = new Set(sessionStorage.getItem("later")?.split(" ")); // challenges to leave in the list for now

async function ask() {
  clearTimeout(timer);
  try {
    const answer = await fetch("/friends/news", { headers: { Accept: "application/json" } });
    if (answer.ok) show(await answer.json());
  } catch {
    // no connection; try again later
  }
  timer = setTimeout(ask, document.hidden ? HIDDEN : VISIBLE);
}

function show(news) {
  const now = JSON.stringify(news);
  if (now === shown || panel.contains(document.activeElement)) return;
  shown = now;
  const open = ({ id }) => !later.has(id) && location.pathname !== "/friends"; // that page lists them
  panel.replaceChildren(
    ...news.challenges.filter(open).map(({ id, words }) =>
      line(words, form(`/challenges/${id}/accept`, "Accept", "main"), inPlace(`/challenges/${id}/end`, "Decline"), postpone(id))),
    ...news.requests.filter(open).map(({ id, words }) =>
      line(words, inPlace(`/friends/${id}/accept`, "Accept", "main"), inPlace(`/friends/${id}/decline`, "Decline"), postpone(id))),
    ...news.declined.filter(open).map(({ id, words }) => line(words, postpone(id))),
  );
  for (const link of document.querySelectorAll("[data-friend-requests]")) {
    const waiting = news.requests.length + news.challenges.length;
    link.textContent = waiting ? `Friends (${waiting})` : "Friends";
    const button = link.closest("nav")?.querySelector("[data-menu]");
    if (button) button.textContent = waiting ? `Menu (${waiting})` : "Menu";
  }
}

function line(words, ...forms) {
  const row = document.createElement("p"), text = document.createElement("span");
  text.textContent = words;
  row.append(text, ...forms);
  return row;
}

function form(address, words, kind = "") {
  const made = document.createElement("form"), button = document.createElement("button");
  made.method = "post";
  made.action = address;
  button.textContent = words;
  button.className = kind;
  made.append(button);
  return made;
}

/** A form that answers without leaving the page, which may be a table. The friends page tells what went wrong. */
function inPlace(address, words, kind) {
  const made = form(address, words, kind);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch(address, { method: "POST", redirect: "manual" }).catch(() => null);
    if (answer?.type !== "opaqueredirect") return location.assign("/friends");
    made.closest("p").remove();
    ask();
  });
  return made;
}

function postpone(id) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Later";
  button.addEventListener("click", () => {
    later.add(id);
    sessionStorage.setItem("later", [...later].join(" "));
    button.closest("p").remove();
  });
  return button;
}

ask();
document.addEventListener("visibilitychange", () => document.hidden || ask());

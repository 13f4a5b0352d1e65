// What a set is worth comes down while somebody looks: of the set as it is stored, and first of what is looked at.

const worth = document.getElementById("worth");
const { base } = worth.dataset;

const PAUSE = 300; // who types on waits no longer than this for a newer measurement
const LATER = 3000;

let stream = null;
let timer = 0;
let at = [];

/** Of this it is told first, and with this in hand one begins to play. */
function look(place) {
  at = place;
  document.querySelector("#play [name=at]").value = JSON.stringify(at);
  again(PAUSE);
}

function listen() {
  stream?.close();
  stream = new EventSource(`${base}/worth?at=${encodeURIComponent(JSON.stringify(at))}`);
  stream.onmessage = ({ data }) => show(data);
  stream.addEventListener("done", () => stream.close());
  stream.addEventListener("later", () => again(LATER));
  stream.onerror = () => stream.readyState === EventSource.CLOSED && again(LATER);
}

function again(pause) {
  clearTimeout(timer);
  stream?.close();
  timer = setTimeout(() => document.hidden || listen(), pause);
}

function show(data) {
  const drawn = new DOMParser().parseFromString(data, "text/html");
  for (const part of worth.querySelectorAll("[data-part]")) {
    const fresh = drawn.querySelector(`[data-part="${part.dataset.part}"]`).innerHTML;
    if (part.innerHTML !== fresh) part.innerHTML = fresh;
  }
}

document.addEventListener("stored", ({ detail }) => {
  look(detail.looked);
});
// On a set of somebody else nothing is stored, and what is looked at is what was opened.
document.getElementById("set-name") ??
  document.getElementById("bench").addEventListener("focusin", ({ target }) => {
    const place = target.closest("[data-at]");
    if (place) look(JSON.parse(place.dataset.at));
  });
document.addEventListener("visibilitychange", () => (document.hidden ? stream?.close() : listen()));
addEventListener("pagehide", () => stream?.close());
if (!document.hidden) listen();

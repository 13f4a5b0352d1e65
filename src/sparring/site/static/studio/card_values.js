// Stream the balance of the stored set while the page is visible, with the previewed item first.

const cardValues = document.getElementById("card-values");
const { base } = cardValues.dataset;

const PAUSE = 300; // ms before a new measurement, so that typing doesn't restart it constantly
const LATER = 3000;

let stream = null;
let timer = 0;
let at = [];

/** Show this item's balance first, and put it into the starting hand of a test match. */
function preview(place) {
  at = place;
  for (const field of document.querySelectorAll("#play [name=at], .tune-to [name=at]")) field.value = JSON.stringify(at);
  again(PAUSE);
}

function listen() {
  stream?.close();
  stream = new EventSource(`${base}/card-values?at=${encodeURIComponent(JSON.stringify(at))}`);
  stream.onmessage = ({ data }) => show(data);
  stream.addEventListener("failed", ({ data }) => cardValues.querySelector('[data-part="state"]').textContent = data);
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
  for (const part of cardValues.querySelectorAll("[data-part]")) {
    const fresh = drawn.querySelector(`[data-part="${part.dataset.part}"]`).innerHTML;
    if (part.innerHTML !== fresh) part.innerHTML = fresh;
  }
}

document.addEventListener("stored", ({ detail }) => {
  preview(detail.looked);
});
// A shared set is never stored, so follow the focus instead.
document.getElementById("set-name") ??
  document.getElementById("editor").addEventListener("focusin", ({ target }) => {
    const place = target.closest("[data-at]");
    if (place) preview(JSON.parse(place.dataset.at));
  });
document.addEventListener("visibilitychange", () => (document.hidden ? stream?.close() : listen()));
addEventListener("pagehide", () => stream?.close());
if (!document.hidden) listen();

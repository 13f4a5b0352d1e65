// Show the faults of a set at their fields, and those without a field at the top.

const editor = document.getElementById("editor");
const legal = document.getElementById("legal");

export function showFaults(faults) {
  for (const place of editor.querySelectorAll(".fault")) place.textContent = "";
  for (const field of editor.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const sign of editor.querySelectorAll("summary .wrong")) sign.hidden = true;
  const places = new Map([...editor.querySelectorAll("[data-fault]")].map((place) => [place.dataset.fault, place]));
  const nowhere = faults.filter((fault) => !showFault(places, fault)).map(({ words }) => words);
  legal.textContent = faults.length
    ? [`Not playable yet: ${faults.length} problem${faults.length > 1 ? "s" : ""} to fix.`, ...nowhere].join(" ")
    : "No problems: ready to play.";
  legal.classList.toggle("wrong", faults.length > 0);
  document.querySelector("#play .main").setAttribute("aria-disabled", String(faults.length > 0));
}

function showFault(places, { at, words }) {
  for (let depth = at.length; depth > 0; depth--) {
    const place = places.get(JSON.stringify(at.slice(0, depth)));
    if (!place) continue;
    place.textContent = `${place.textContent} ${words}`.trim();
    place.parentElement.querySelector(":scope > :is(input, select, textarea)")?.setAttribute("aria-invalid", "true");
    for (let thing = place.closest("details.thing"); thing; thing = thing.parentElement.closest("details.thing")) {
      const sign = thing.querySelector(":scope > summary .wrong");
      sign.hidden = false;
      sign.textContent = "has problems";
    }
    return true;
  }
  return false;
}

document.getElementById("play").addEventListener("submit", (event) => {
  if (event.submitter?.matches(".main[aria-disabled=true]")) {
    event.preventDefault();
    legal.scrollIntoView({ block: "nearest" });
    const first = editor.querySelector(".fault:not(:empty)");
    for (let thing = first?.closest("details"); thing; thing = thing.parentElement.closest("details")) thing.open = true;
    first?.parentElement.querySelector("input, select, textarea, button")?.focus();
  }
});

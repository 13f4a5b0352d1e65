// Refresh a review until it is finished.

const EVERY = 700;

async function fill() {
  const before = document.getElementById("review");
  if (!before?.hasAttribute("data-going")) return;
  try {
    const answer = await fetch(`${location.pathname}/now`);
    if (!answer.ok) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = document.importNode(page.getElementById("review"), true);
    const open = before.querySelector("#all-choices").open;
    fresh.querySelector("#all-choices").open = open;
    if (open && before.contains(document.activeElement)) return later(); // don't interrupt reading
    before.replaceWith(fresh);
    if (!fresh.hasAttribute("data-going") && fresh.querySelector(".problem")) location.reload();
  } catch {
    // no connection; try again
  }
  later();
}

const later = () => setTimeout(fill, EVERY);

fill();

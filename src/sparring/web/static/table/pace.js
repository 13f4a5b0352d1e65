// How long what happens is shown: a person's own setting, kept in their browser.

const SCALES = { calm: 1.6, usual: 1, quick: 0.5, "at once": 0 };
const KEPT = "sparring.pace";

let chosen = "usual";
try {
  chosen = localStorage.getItem(KEPT) ?? chosen;
} catch {
  // a browser that keeps nothing has the usual pace
}

/** What every time is multiplied by; 0 shows where things stand at once. */
export const pace = () => SCALES[chosen] ?? 1;

/** Let a form of radio buttons show the setting and change it. */
export function offerPaces(form) {
  form.hidden = false;
  for (const button of form.elements) if (button.name === "pace") button.checked = button.value === chosen;
  form.addEventListener("change", (event) => {
    chosen = event.target.value;
    try {
      localStorage.setItem(KEPT, chosen);
    } catch {
      // it holds for as long as the page is open
    }
  });
}

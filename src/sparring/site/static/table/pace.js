// The animation speed, stored in the browser.

const SCALES = { calm: 1.6, usual: 1, quick: 0.5, "at once": 0 };
const STORAGE_KEY = "sparring.pace";

let chosen = "usual";
try {
  chosen = localStorage.getItem(STORAGE_KEY) ?? chosen;
} catch {
  // without storage, use the normal speed
}

/** Return the factor for all animation times; 0 switches animations off. */
export const pace = () => SCALES[chosen] ?? 1;

/** Connect a form of radio buttons to the setting. */
export function offerPaces(form) {
  form.hidden = false;
  for (const button of form.elements) if (button.name === "pace") button.checked = button.value === chosen;
  form.addEventListener("change", (event) => {
    chosen = event.target.value;
    try {
      localStorage.setItem(STORAGE_KEY, chosen);
    } catch {
      // without storage, it lasts until the page is closed
    }
  });
}

// Buttons that copy the invite link, or open the device's share sheet with it.

import { say } from "./say.js";

export function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        document.execCommand("copy"); // the Clipboard API needs HTTPS, which a local network lacks
      }
      button.textContent = say("Copied");
    });
  }
  for (const button of document.querySelectorAll("[data-share]")) {
    const { title } = button.dataset, url = document.getElementById(button.dataset.share).value;
    button.hidden = !navigator.share; // a browser offers it on HTTPS only
    button.addEventListener("click", () =>
      navigator.share({ title, text: say("I invite you to a match of {title}.", { title }), url }).catch(() => {})); // cancelled
  }
}

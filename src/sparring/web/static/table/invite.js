// Buttons that copy the invite link.

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
      button.textContent = "Copied";
    });
  }
}

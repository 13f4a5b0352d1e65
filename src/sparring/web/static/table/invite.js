// The link for friends: a button beside each field that holds it copies it.

export function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        document.execCommand("copy"); // the clipboard wants a secure page, which a table in one's own network is not
      }
      button.textContent = "Copied";
    });
  }
}

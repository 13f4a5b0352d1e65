// Panels at the side: one at a time; Escape closes it and leads back to its button.

export function offerPanels() {
  const panels = [...document.querySelectorAll(".panel")];

  for (const panel of panels) {
    panel.addEventListener("beforetoggle", (event) => {
      if (event.newState === "open") for (const other of panels) if (other !== panel) other.hidePopover();
    });
  }

  document.addEventListener("keydown", (event) => {
    const open = panels.find((panel) => panel.matches(":popover-open"));
    if (event.key !== "Escape" || !open) return;
    open.hidePopover();
    document.querySelector(`[popovertarget="${open.id}"]`).focus();
  });
}

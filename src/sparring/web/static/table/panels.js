// Side panels: one at a time; Escape closes it and restores the focus. `?` shows the keyboard shortcuts.

export function offerPanels() {
  const panels = [...document.querySelectorAll(".panel")];
  const keys = document.getElementById("keys-panel");
  let before = null; // the element that had the focus before the shortcuts opened

  for (const panel of panels) {
    panel.addEventListener("beforetoggle", (event) => {
      if (event.newState === "open") for (const other of panels) if (other !== panel) other.hidePopover();
    });
  }

  document.addEventListener("keydown", (event) => {
    const open = panels.find((panel) => panel.matches(":popover-open"));
    if (event.key === "Escape" && open) {
      open.hidePopover();
      (open === keys && before ? before : document.querySelector(`[popovertarget="${open.id}"]`)).focus();
    } else if (event.key === "?" && keys && open !== keys && !event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) {
      before = document.activeElement;
      keys.showPopover();
      keys.querySelector("button").focus();
    }
  });
}

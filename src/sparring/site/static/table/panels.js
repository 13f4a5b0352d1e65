// Side panels: one at a time; Escape closes it and restores the focus. `?` shows the keyboard shortcuts.

const PANELS = ":is(.panel, .beside)"; // the history is drawn with the table, and is a panel on phones

export function offerPanels() {
  const opened = () => document.querySelector(`${PANELS}:popover-open`);
  const keys = document.getElementById("keys-panel");
  let before = null; // the element that had the focus before the shortcuts opened

  document.addEventListener("beforetoggle", (event) => {
    if (event.newState === "open" && event.target.matches(PANELS)) opened()?.hidePopover();
  }, true);

  document.addEventListener("keydown", (event) => {
    const open = opened();
    if (event.key === "Escape" && open) {
      open.hidePopover();
      (open === keys && before ? before : document.querySelector(`[popovertarget="${open.id}"]:not(.close)`)).focus();
    } else if (event.key === "?" && keys && open !== keys && !event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) {
      before = document.activeElement;
      keys.showPopover();
      keys.querySelector("button").focus();
    }
  });
}

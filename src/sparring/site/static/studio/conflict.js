// Edits from two windows: ask which version to keep before anything is overwritten.

const conflict = document.getElementById("conflict");
let decided = () => {};

/** Return whether the dialog is open. */
export const asking = () => conflict.open;

/** Show the differences and wait for "mine" or "theirs". */
export function ask(said) {
  document.getElementById("conflict-reason").textContent = `${said.reason} Nothing was overwritten. Differences:`;
  document.getElementById("conflict-differs").replaceChildren(
    ...said.differs.map((words) => Object.assign(document.createElement("li"), { textContent: words })),
  );
  conflict.showModal();
  return new Promise((resolve) => (decided = resolve));
}

conflict.addEventListener("click", ({ target }) => {
  if (!target.dataset.take) return;
  conflict.close();
  decided(target.dataset.take);
});
conflict.addEventListener("cancel", (event) => event.preventDefault());

// Two windows on one set: nothing is overwritten until somebody says which it is to be.

const conflict = document.getElementById("conflict");
let decided = () => {};

/** Whether somebody is being asked. */
export const asking = () => conflict.open;

/** Show what differs, and wait for "mine" or "theirs". */
export function ask(said) {
  document.getElementById("conflict-reason").textContent = `${said.reason} Nothing was overwritten. What differs:`;
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

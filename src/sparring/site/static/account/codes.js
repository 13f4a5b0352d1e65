// Buttons that copy and print recovery codes.

const list = document.getElementById("codes");
const copy = document.querySelector("[data-copy-codes]");
const print = document.querySelector("[data-print]");

function select() {
  const selection = getSelection();
  selection.removeAllRanges();
  selection.selectAllChildren(list);
}

copy.addEventListener("click", async () => {
  const codes = [...list.children].map((each) => each.textContent.trim());
  try {
    await navigator.clipboard.writeText(codes.join("\n"));
  } catch {
    select(); // the Clipboard API needs HTTPS, which a home server may lack
    document.execCommand("copy");
  }
  copy.textContent = "Copied";
});
print.addEventListener("click", () => window.print());
copy.hidden = print.hidden = false;

// Recovery codes: buttons that copy and print them. Without a script they are on the page all the same.

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
    select(); // the clipboard needs a secure page, which a server at home is not
    document.execCommand("copy");
  }
  copy.textContent = "Copied";
});
print.addEventListener("click", () => window.print());
copy.hidden = print.hidden = false;

// A part of the page is put in place of an older one.

/** What was opened in it stays open, and what is typed in one that is the same. */
export function replace(old, part) {
  if (old.outerHTML === part.outerHTML) return;
  const open = [...old.querySelectorAll("details")].filter((each) => each.open).map(called);
  for (const each of part.querySelectorAll("details")) if (open.includes(called(each))) each.open = true;
  old.replaceWith(part);
}

const called = (details) => details.querySelector("summary").textContent;

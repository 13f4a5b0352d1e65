// Replace a part of the page with a newer version.

/** Keep open details open, and leave an identical part alone so that typed text stays. */
export function replace(old, part) {
  if (old.outerHTML === part.outerHTML) return;
  const open = [...old.querySelectorAll("details")].filter((each) => each.open).map(called);
  for (const each of part.querySelectorAll("details")) if (open.includes(called(each))) each.open = true;
  old.replaceWith(part);
}

const called = (details) => details.querySelector("summary").textContent;

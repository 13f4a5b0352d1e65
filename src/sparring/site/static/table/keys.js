// Roving tabindex for hands, boards and players: Tab reaches each group once, arrow keys move to the nearest neighbour in
// their direction. A group's stops are its buttons and all elements with explanations.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Give each group in `root` one tab stop; call it after every change. */
export function rovingFocus(root) {
  for (const group of root.querySelectorAll("[data-roving]")) {
    const all = stops(group);
    stopAt(group, all.find((stop) => stop.name === "choice") ?? all[0]);
  }
}

function stops(group) {
  const own = (stop) => stop.closest("[data-roving]") === group && popover(stop) === popover(group) && stop.getClientRects().length;
  return [...group.querySelectorAll("button, [tabindex]")].filter(own);
}

const popover = (element) => element.closest("[popover]:not(.choices)");

function stopAt(group, stop) {
  for (const each of stops(group)) each.tabIndex = each === stop ? 0 : -1;
}

document.addEventListener("keydown", (event) => {
  const group = event.target.closest?.("[data-roving]");
  if (!group || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = stops(group);
  const next = event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : nearest(event.target, all, WAYS[event.key]);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// Tab returns to the last choice that had the focus.
document.addEventListener("focusin", (event) => {
  const group = event.target.closest?.("[data-roving]");
  if (group && event.target.matches("button[name=choice]")) stopAt(group, event.target);
});

function nearest(from, others, way) {
  if (!way) return null;
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const other of others) {
    if (other === from) continue;
    const [a, b] = middle(other);
    const ahead = (a - x) * way[0] + (b - y) * way[1];
    const aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
    const distance = ahead + 2 * aside;
    if (ahead > 1 && ahead >= aside * 0.5 && distance < least) [best, least] = [other, distance];
  }
  return best;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

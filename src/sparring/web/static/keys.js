// Arrow keys inside a hand or on a board: Tab comes to it once, the arrows go to the nearest neighbour on that side.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Make each group of `root` one stop for Tab; called after every change. */
export function rove(root) {
  for (const group of root.querySelectorAll("[data-roving]")) {
    stopAt(group, group.querySelector("button[name=choice]") ?? group.querySelector("button"));
  }
}

function stopAt(group, stop) {
  for (const button of group.querySelectorAll("button")) button.tabIndex = button === stop ? 0 : -1;
}

document.addEventListener("keydown", (event) => {
  const group = event.target.closest?.("[data-roving]");
  if (!group || event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...group.querySelectorAll("button")];
  const next = event.key === "Home" ? buttons[0] : event.key === "End" ? buttons.at(-1) : nearest(event.target, buttons, WAYS[event.key]);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// Tab comes back to where one was, or else to something that can be chosen.
document.addEventListener("focusin", (event) => {
  const group = event.target.closest?.("[data-roving]");
  if (group && event.target.matches("button[name=choice]")) stopAt(group, event.target);
});

function nearest(from, buttons, way) {
  if (!way) return null;
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const button of buttons) {
    if (button === from) continue;
    const [a, b] = middle(button);
    const ahead = (a - x) * way[0] + (b - y) * way[1];
    const aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
    const distance = ahead + 2 * aside;
    if (ahead > 1 && ahead >= aside * 0.5 && distance < least) [best, least] = [button, distance];
  }
  return best;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

// Sliders that share a budget: raising one lowers the others, the largest first.

const number = (slider) => slider.parentElement.querySelector("input[data-do=set]");
const has = (slider) => Number(number(slider).value) || 0;
const lowest = (slider) => Number(slider.dataset.keeps);

/** Move the other sliders to keep the total; return the paths and new values of those that changed. */
export function shared(slider) {
  const sliders = [...slider.closest(".fields").querySelectorAll("input[data-keeps]")];
  const others = sliders.filter((one) => one !== slider);
  const set = new Map(sliders.map((one) => [one, has(one)]));
  const most = has(slider) + others.reduce((sum, one) => sum + Math.max(has(one) - lowest(one), 0), 0);
  const wanted = Math.max(lowest(slider), Math.min(Number(slider.value), most));
  let rest = wanted - has(slider);
  while (rest) {
    const free = others.filter((one) => (rest > 0 ? set.get(one) > lowest(one) : set.get(one) < Number(one.max)));
    if (!free.length) break;
    const order = free.sort((one, other) => (set.get(other) - set.get(one)) * Math.sign(rest));
    set.set(order[0], set.get(order[0]) - Math.sign(rest));
    rest -= Math.sign(rest);
  }
  set.set(slider, wanted - rest);
  const changed = [...set].filter(([one, value]) => has(one) !== value);
  for (const [one, value] of set) one.value = value;
  for (const [one, value] of changed) number(one).value = value;
  return changed.map(([one, value]) => ({ at: JSON.parse(one.closest("[data-at]").dataset.at), value: String(value) }));
}

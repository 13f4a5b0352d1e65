// Measure the page of a table once. Findings are elements with their figures; texts are returned with what their
// contrast is computed from.
() => {
  const box = (each) => each.getBoundingClientRect();
  const all = (names) => [...document.querySelectorAll(names)];
  const round = ({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round);
  const common = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const meet = (a, b, across = 1, down = 1) => {
    const { left, top, right, bottom } = common(a, b);
    return right - left > across && bottom - top > down;
  };
  const remembered = (compute) => {
    const known = new Map();
    return (each) => known.get(each) ?? known.set(each, compute(each)).get(each);
  };
  const style = remembered((each) => getComputedStyle(each));
  const name = (each) => {
    const own = [each.localName, ...each.classList].join("."), part = each.parentElement.closest("[class]:not(ul)");
    return `${part ? `.${part.classList[0]} ` : ""}${own} "${(each.ariaLabel ?? each.textContent).trim().slice(0, 40)}"`;
  };

  // Parts for screen readers only are clipped; tests' pages are unpainted as a whole.
  const root = document.documentElement;
  const hidden = remembered((each) => each !== root && (
    style(each).clipPath.startsWith("inset") || style(each).opacity === "0" || hidden(each.parentElement)));
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && !hidden(each)
    && box(each).width > 1 && box(each).height > 1;

  // What may scroll, and in which direction: the history, many answers, a large hand.
  const freedom = (each) => each.matches(".history, .buttons:has(> :nth-child(13))") ? "y"
    : each.matches(".held ul") ? "x" : "";
  const roomOf = (isScrolled) => {
    const room = remembered((each) => {
      if (!each || each === root) return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const around = room(each.matches(":popover-open") ? null : each.parentElement), edge = box(each);
      const { overflowX, overflowY } = style(each), free = isScrolled ? freedom(each) : "";
      const [left, right] = overflowX === "visible" ? [-1e6, 1e6] : [edge.left, edge.right];
      const [top, bottom] = overflowY === "visible" ? [-1e6, 1e6] : [edge.top, edge.bottom];
      const inside = common(around, { left, right, top, bottom });
      if (free === "x") return { ...inside, left: -1e6, right: 1e6 };
      return free === "y" ? { ...inside, top: -1e6, bottom: 1e6 } : inside;
    });
    return room;
  };
  const shownIn = roomOf(false), roomFor = roomOf(true);
  const beyond = (part, room, slack) => part.left < room.left - slack || part.right > room.right + slack
    || part.top < room.top - slack || part.bottom > room.bottom + slack;
  const overlaps = [], cut = [], scrolled = [], targets = [], lines = [];

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = remembered((colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });
  const numbered = remembered((each) => getComputedStyle(each, "::before").content.startsWith('"'));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, parent = text.parentElement;
    if (!text.textContent.trim() || !parent.closest(".scene, .bar") || !seen(parent)) continue;
    // The face of a card is a picture, which the closer look enlarges; but fighters are picked by what is on it. On
    // phones a number takes the place of a name.
    if (parent.closest(".face") && !parent.closest("[data-key=roster]") || numbered(parent)) continue;
    const drawing = parent.closest("svg"), colour = rgba(style(parent)[drawing ? "fill" : "color"]);
    const { a, b } = drawing?.getScreenCTM && parent.getScreenCTM ? parent.getScreenCTM() : { a: 1, b: 0 };
    const size = parseFloat(style(parent).fontSize) * Math.hypot(a, b), weight = Number(style(parent).fontWeight);
    const range = document.createRange();
    range.selectNodeContents(text);
    const rows = drawing ? [box(parent)] : range.getClientRects(); // a range doesn't know how far a drawing condenses it
    for (const { left, right, top, bottom } of size && colour[3] ? rows : []) {
      if (right - left < 1) continue;
      // Letters are less high than their lines, which overlap.
      const spare = (bottom - top) * 0.2, line = { left, right, top: top + spare, bottom: bottom - spare };
      if (beyond(line, roomFor(parent), 2)) cut.push([name(parent), round(line), round(roomFor(parent))]);
      const shown = common(line, shownIn(parent));
      if (shown.right - shown.left < 3 || shown.bottom - shown.top < 3) continue;
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      lines.push({ parent, shown, drawing, size, weight, colour, box: round(line),
        isCovered: !above || !(parent.contains(above) || above.contains(parent)) });
    }
  }

  // Nothing overlaps: the parts of the table, texts, cards of different rows, and buttons and marks on cards.
  const collide = (one, two) => overlaps.push([`${name(one)} and ${name(two)}`, round(box(one)), round(box(two))]);
  const unit = remembered((each) => each.closest(".place, .pile"));
  const row = remembered((each) => each.closest(".row, .pile"));
  const parts = all(".bar, .status, .seat, .side, .beside, .latest, .ask, .held")
    .filter((each) => seen(each) && each.children.length && !each.matches(":popover-open"));
  const cards = all(".scene .card").filter(seen).map((card) => ({ card, shown: common(box(card), shownIn(card)) }));
  const loose = lines.filter(({ drawing }) => !drawing);
  const pairs = (many, check) => many.forEach((one, n) => many.slice(n + 1).forEach((two) => check(one, two)));
  pairs(parts, (one, two) => meet(box(one), box(two)) && collide(one, two));
  pairs(loose, (one, two) => meet(one.shown, two.shown) && one.parent !== two.parent
    && unit(one.parent) === unit(two.parent) && collide(one.parent, two.parent));
  pairs(cards, (one, two) => meet(one.shown, two.shown) && row(one.card) !== row(two.card) && collide(one.card, two.card));
  for (const { card, shown } of cards) {
    for (const line of loose) if (meet(line.shown, shown, 1, 2) && !unit(line.parent)) collide(line.parent, card);
    for (const button of all(".choices:not([popover]) button").filter(seen))
      if (meet(box(button), shown) && !unit(button).contains(card)) collide(button, card);
  }
  for (const mark of all(".lanes .marks i").filter(seen))
    for (const part of unit(mark).querySelectorAll(".face :is(.full, .empty, .foot, .name)"))
      if (meet(box(mark), box(part), 1, 2)) collide(mark, part);

  for (const each of all(".scene :is(.card, .pile, .track, .token, .cell, .tag, button, a)").filter(seen))
    if (beyond(box(each), roomFor(each), 3)) cut.push([name(each), round(box(each)), round(roomFor(each))]);

  for (const each of [root, document.body, ...all("main, .scene, .scene *")]) {
    const down = each.scrollHeight - each.clientHeight, across = each.scrollWidth - each.clientWidth;
    const mayNot = (axis, over) => over > 1 && freedom(each) !== axis
      && (each === root || ["auto", "scroll"].includes(style(each)[`overflow${axis.toUpperCase()}`]));
    if ((mayNot("y", down) || mayNot("x", across)) && seen(each)) scrolled.push([name(each), across, down]);
  }

  // How far a press hits a thing, across and down: the longest runs of points.
  const enough = 24, step = 2, spare = 12;
  const run = (each, from, to, point) => {
    let [longest, middle, length] = [0, (from + to) / 2, 0];
    for (let at = from + 0.5; at < to && longest < enough; at += step) {
      length = each.contains(document.elementFromPoint(...point(at))) ? length + step : 0;
      if (length > longest) [longest, middle] = [length, at - length / 2];
    }
    return [longest, middle];
  };
  const reach = (each) => {
    const hand = each.closest(".held ul"), place = each.closest(".place"), before = hand?.scrollLeft;
    if (hand && place) hand.scrollLeft = place.offsetLeft - hand.offsetLeft - (hand.clientWidth - place.offsetWidth) / 2;
    const { left, top, right, bottom } = box(each);
    let best = [0, 0];
    for (const share of [0.5, 0.25, 0.75]) {
      const y = top + share * (bottom - top), [across, x] = run(each, left - spare, right + spare, (at) => [at, y]);
      const [down] = run(each, top - spare, bottom + spare, (at) => [x, at]);
      if (Math.min(across, down) > Math.min(...best)) best = [across, down];
      if (Math.min(...best) >= enough) break;
    }
    if (hand) hand.scrollLeft = before;
    return best;
  };
  const lit = ".scene :is(button[name=choice]:not([aria-disabled]), .pick, .direct button, .look, .latest),"
    + " .buttons :is(button, a), .bar nav button";
  for (const each of all(lit).filter((one) => seen(one) && !one.closest("[popover]:not(:popover-open)"))) {
    const found = reach(each);
    if (Math.min(...found) < enough) targets.push([name(each), ...found]);
  }

  const areas = all(".scene > :is(.side, .ask, .held)").filter(seen).map(box).map(({ width, height }) => width * height);
  return {
    overlaps, cut, scrolled, targets,
    share: areas.reduce((sum, area) => sum + area, 0) / (innerWidth * innerHeight),
    texts: lines.map(({ parent, size, weight, colour, box, isCovered, drawing }) => ({ name: name(parent), size, weight,
      colour, box, skip: isCovered || !!drawing || colour[3] < 255 || !!parent.closest("[aria-disabled]") })),
    places: [".side.middle", ".held", ".beside", ".latest"].map((each) => all(each).map(box).map(round)),
  };
}

// Pointer strokes on the drawing pad.

import { FILL, PEN, SHAPE, course, drawn, points, thinned } from "./strokes.js";

const NEAR = 5; // the shortest step kept
const TAP = 12; // the longest movement that counts as a tap

export function beginStroke(sheet, on) {
  let now = null; // the stroke or part in progress

  function place({ clientX, clientY }) {
    const box = sheet.getBoundingClientRect();
    const within = (value) => Math.max(-500, Math.min(1500, Math.round(value)));
    return [within(((clientX - box.left) / box.width) * 1000), within(((clientY - box.top) / box.height) * 1000)];
  }

  sheet.addEventListener("pointerdown", (event) => {
    if (event.button || now) return;
    event.preventDefault();
    sheet.setPointerCapture(event.pointerId);
    const [from, tool] = [place(event), on.tool()];
    const n = on.under(event.target);
    now = { id: event.pointerId, tool, from, through: [from], pressed: [pressure(event)], n, trail: [] };
    if (tool !== "move") return;
    const corner = on.corner(event.target);
    if (corner) Object.assign(now, { turning: true, before: corner, n: on.picked() });
    else if (n >= 0) Object.assign(now, { before: on.stroke(n) });
    if (!corner) on.pick(n);
  });

  sheet.addEventListener("pointermove", (event) => {
    if (event.pointerId !== now?.id) return;
    if (now.tool === "move") return now.before && on.preview(now.n, now.turning ? turned(now, place(event)) : moved(now, place(event)));
    const between = event.getCoalescedEvents?.() ?? [];
    for (const each of between.length ? between : [event]) {
      const [there, last] = [place(each), now.through.at(-1)];
      if (Math.hypot(there[0] - last[0], there[1] - last[1]) < NEAR) continue;
      now.through.push(there);
      now.pressed.push(pressure(each));
    }
    trail();
  });

  for (const end of ["pointerup", "pointercancel"]) {
    sheet.addEventListener(end, (event) => {
      if (event.pointerId !== now?.id) return;
      const done = now;
      now = null;
      for (const path of done.trail) path.remove();
      if (done.tool === "move") return done.before && on.moved(done.n, done.before);
      if (end === "pointercancel") return;
      finish(done);
    });
  }

  function finish({ tool, through, pressed, from, n }) {
    const far = Math.max(...through.map(([x, y]) => Math.hypot(x - from[0], y - from[1])));
    if (tool === "fill" && far < TAP) return on.pour(n);
    on.add(stroke(tool, through, pressed));
  }

  /** Return a line's stroke: a dot for a single point, with pressures only if they vary. */
  function stroke(tool, through, pressed) {
    if (through.length === 1) through = [through[0], [through[0][0] + 1, through[0][1]]];
    const kept = thinned(through);
    const steps = course(kept.map((n) => through[n]));
    if (tool === "fill") return [FILL, on.ink(), steps];
    const hard = kept.map((n) => pressed[n] ?? pressed[0]);
    return new Set(hard).size > 1 ? [PEN, on.ink(), on.width(), steps, hard] : [PEN, on.ink(), on.width(), steps];
  }

  function trail() {
    for (const path of now.trail) path.remove();
    now.trail = drawn(stroke(now.tool, now.through, now.pressed), on.paints);
    for (const path of now.trail) {
      path.setAttribute("stroke-linecap", "round");
      path.setAttribute("stroke-linejoin", "round");
      if (now.tool === "pen") path.setAttribute("fill", "none");
    }
    sheet.append(...now.trail);
  }
}

/** Return a pen's pressure from 1 to 9; 5 for a mouse or finger. */
function pressure({ pointerType, pressure: hard }) {
  return pointerType === "pen" && hard > 0 ? Math.max(1, Math.min(9, Math.round(hard * 9))) : 5;
}

const fits = (value) => Math.max(-500, Math.min(1500, value));

function moved({ before, from }, there) {
  return shifted(before, there[0] - from[0], there[1] - from[1]);
}

/** Move a stroke within the drawing limits. */
export function shifted(stroke, right, down) {
  if (stroke[0] === SHAPE) return stroke.with(3, fits(stroke[3] + right)).with(4, fits(stroke[4] + down));
  const place = stroke[0] === PEN ? 3 : 2;
  const through = points(stroke[place]);
  const [x, y] = [0, 1].map((axis) => through.map((point) => point[axis]));
  const within = (by, all) => Math.max(-500 - Math.min(...all), Math.min(1500 - Math.max(...all), by));
  const steps = [...stroke[place]];
  steps[0] += within(right, x);
  steps[1] += within(down, y);
  return stroke.with(place, steps);
}

/** Resize and rotate a shape so that its corner follows the pointer. */
function turned({ before }, [x, y]) {
  const [right, down] = [x - before[3], y - before[4]];
  const size = Math.max(20, Math.min(2000, Math.round(Math.hypot(right, down) * Math.SQRT2)));
  const turn = (Math.round((Math.atan2(down, right) * 180) / Math.PI - 45) + 720) % 360;
  const snapped = Math.round(turn / 15) * 15;
  return [...before.slice(0, 5), size, (Math.abs(snapped - turn) < 5 ? snapped : turn) % 360, before[7] ?? 0];
}

// Sound: short, made here, off at first. A person's own setting, kept in their browser.

const KEPT = "sparring.sound";

// Each note: pitch (Hz), when it begins and how long it sounds (seconds).
const SOUNDS = {
  turn: { wave: "sine", notes: [[660, 0, 0.1], [880, 0.1, 0.16]] },
  hit: { wave: "triangle", notes: [[150, 0, 0.16]] },
  result: { wave: "sine", notes: [[440, 0, 0.08]] }, // a miss or a block, say
  end: { wave: "sine", notes: [[523, 0, 0.16], [659, 0.16, 0.16], [784, 0.32, 0.34]] },
};
const LOUD = 0.16;

let wanted = false;
try {
  wanted = localStorage.getItem(KEPT) === "on";
} catch {
  // a browser that keeps nothing is silent at first
}
let context = null;
let before = null; // how the table stood when it last rested

/** Play a hit that is told, or else a result that is told. */
export function hearTold(scene) {
  if (scene.querySelector(".told .result[data-hit]")) play("hit");
  else if (scene.querySelector(".told .result")) play("result");
}

/** The table rests: somebody's turn that has begun, and the end, are heard once. */
export function hearRest(scene) {
  const now = scene.classList.contains("over") ? "end" : scene.querySelector(".ask.mine") ? "turn" : "";
  if (now && before !== null && now !== before) play(now);
  before = now;
}

function play(name) {
  if (!wanted || !awake()) return;
  const { wave, notes } = SOUNDS[name];
  for (const [pitch, begins, lasts] of notes) {
    const from = context.currentTime + begins, tone = context.createOscillator(), loud = context.createGain();
    tone.type = wave;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(LOUD, from);
    loud.gain.exponentialRampToValueAtTime(0.001, from + lasts);
    tone.connect(loud).connect(context.destination);
    tone.start(from);
    tone.stop(from + lasts);
  }
}

// A browser lets a page sound only after somebody has touched it.
function awake() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context.state === "running";
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => wanted && awake());

/** Let a checkbox show the setting and change it. */
export function offerSound(box) {
  box.closest("form").hidden = false;
  box.checked = wanted;
  box.addEventListener("change", () => {
    wanted = box.checked;
    try {
      localStorage.setItem(KEPT, wanted ? "on" : "off");
    } catch {
      // it holds for as long as the page is open
    }
    if (wanted) awake();
  });
}

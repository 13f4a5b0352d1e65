// Short synthesised sounds, low and on by default; browsers allow them after the first press. The setting is stored in the
// browser.

import { effectsOf, isLost } from "./effects.js";

const STORAGE_KEY = "sparring.sound";

// Notes: pitch in Hz, start and duration in seconds.
const SOUNDS = {
  turn: { wave: "sine", notes: [[660, 0, 0.1], [880, 0.1, 0.16]] },
  hit: { wave: "triangle", notes: [[150, 0, 0.16], [75, 0.02, 0.14]] },
  block: { wave: "square", notes: [[240, 0, 0.05]] },
  miss: { wave: "sine", notes: [[440, 0, 0.05], [330, 0.05, 0.09]] },
  destroy: { wave: "sawtooth", notes: [[110, 0, 0.1], [82, 0.08, 0.18]] },
  score: { wave: "sine", notes: [[587, 0, 0.09], [784, 0.08, 0.14]] },
  call_out: { wave: "triangle", notes: [[196, 0, 0.08], [294, 0.08, 0.12]] },
  draw: { wave: "triangle", notes: [[1200, 0, 0.02]] },
  move: { wave: "triangle", notes: [[520, 0, 0.03]] },
  result: { wave: "sine", notes: [[392, 0, 0.08]] }, // of a game without effects
  lost: { wave: "sine", notes: [[392, 0, 0.16], [330, 0.16, 0.3]] },
  end: { wave: "sine", notes: [[523, 0, 0.16], [659, 0.16, 0.16], [784, 0.32, 0.34]] },
};
const VOLUME = 0.08;

let wanted = true;
try {
  wanted = localStorage.getItem(STORAGE_KEY) !== "off";
} catch {
  // without storage, it is on
}
let context = null;
let before = null; // the state of the table after the last animation

/** Play the sounds of a step's effects, each kind once; without effects, that of its result. */
export function hearTold(scene) {
  const kinds = new Set(effectsOf(scene).map(({ kind }) => kind));
  if (kinds.size) for (const kind of kinds) play(kind);
  else if (scene.querySelector(".told .result[data-hit]")) play("hit");
  else if (scene.querySelector(".told .result")) play("result");
}

/** Play the sound of the player's turn or the end, once. */
export function hearRest(scene) {
  const now = scene.classList.contains("over") ? "end" : scene.querySelector(".ask.mine") ? "turn" : "";
  if (now && before !== null && now !== before) play(isLost(scene) ? "lost" : now);
  before = now;
}

function play(name) {
  if (!wanted || !(name in SOUNDS) || !awake()) return;
  const { wave, notes } = SOUNDS[name];
  for (const [pitch, begins, lasts] of notes) {
    const from = context.currentTime + begins, tone = context.createOscillator(), gain = context.createGain();
    tone.type = wave;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(VOLUME, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + lasts);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + lasts);
  }
}

// Browsers allow sound only after user interaction.
function awake() {
  if (!navigator.userActivation.hasBeenActive) return false;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context.state === "running";
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => wanted && awake());

/** Connect a checkbox and a mute button to the setting. */
export function offerSound(box, mute) {
  box.closest("form").hidden = mute.hidden = false;
  const show = () => {
    box.checked = wanted;
    mute.setAttribute("aria-pressed", !wanted);
  };
  const set = (on) => {
    wanted = on;
    show();
    try {
      localStorage.setItem(STORAGE_KEY, wanted ? "on" : "off");
    } catch {
      // without storage, it lasts until the page is closed
    }
    if (wanted) awake();
  };
  box.addEventListener("change", () => set(box.checked));
  mute.addEventListener("click", () => set(!wanted));
  show();
}

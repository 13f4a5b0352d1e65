// Short synthesised sounds, off by default. The setting is stored in the browser.

const STORAGE_KEY = "sparring.sound";

// Notes: pitch in Hz, start and duration in seconds.
const SOUNDS = {
  turn: { wave: "sine", notes: [[660, 0, 0.1], [880, 0.1, 0.16]] },
  hit: { wave: "triangle", notes: [[150, 0, 0.16]] },
  result: { wave: "sine", notes: [[440, 0, 0.08]] }, // such as a miss or a block
  end: { wave: "sine", notes: [[523, 0, 0.16], [659, 0.16, 0.16], [784, 0.32, 0.34]] },
};
const VOLUME = 0.16;

let wanted = false;
try {
  wanted = localStorage.getItem(STORAGE_KEY) === "on";
} catch {
  // without storage, start silent
}
let context = null;
let before = null; // the state of the table after the last animation

/** Play the sound of a step with a hit or another result. */
export function hearTold(scene) {
  if (scene.querySelector(".told .result[data-hit]")) play("hit");
  else if (scene.querySelector(".told .result")) play("result");
}

/** Play the sound of the player's turn or the end, once. */
export function hearRest(scene) {
  const now = scene.classList.contains("over") ? "end" : scene.querySelector(".ask.mine") ? "turn" : "";
  if (now && before !== null && now !== before) play(now);
  before = now;
}

function play(name) {
  if (!wanted || !awake()) return;
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
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context.state === "running";
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => wanted && awake());

/** Connect a checkbox to the setting. */
export function offerSound(box) {
  box.closest("form").hidden = false;
  box.checked = wanted;
  box.addEventListener("change", () => {
    wanted = box.checked;
    try {
      localStorage.setItem(STORAGE_KEY, wanted ? "on" : "off");
    } catch {
      // without storage, it lasts until the page is closed
    }
    if (wanted) awake();
  });
}

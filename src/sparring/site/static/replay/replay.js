// Replay: fetch moments in groups and play each beat by beat at the chosen animation speed. Without this script the links
// and forms load whole pages.

import { player } from "../table/beats.js";
import { prepare } from "../table/effects.js";
import { follow } from "../table/follow.js";
import { offerCopies } from "../table/invite.js";
import { rovingFocus } from "../table/keys.js";
import { keepLog } from "../table/log.js";
import { update } from "../table/motion.js";
import { offerPaces, pace } from "../table/pace.js";
import { offerPanels } from "../table/panels.js";
import { catchPresses } from "../table/press.js";
import { say } from "../table/say.js";
import { speak } from "../table/speak.js";

const root = document.getElementById("table");
const slider = document.getElementById("at");
const play = document.getElementById("play");
const view = document.getElementById("view");
const log = document.getElementById("log");
const refusal = document.getElementById("refusal");
const address = new URL(root.dataset.moments, location.href);
const last = Number(root.dataset.last);

const PER_REQUEST = 4; // moments per request
const MOST_GROUPS = 30; // groups cached
const PAUSE = 350; // ms between moments during playback

let at = Number(root.dataset.at);
let wanted = at; // the requested moment, which may still be loading
let playing = false;
let timer = 0;

// Loading moments

const groups = new Map(); // promises of moments, by the group's first moment

function group(first) {
  const found = groups.get(first) ?? load(first);
  groups.delete(first);
  groups.set(first, found);
  if (groups.size > MOST_GROUPS) groups.delete(groups.keys().next().value);
  found.catch(() => groups.delete(first));
  return found;
}

async function load(first) {
  const from = new URL(`${address.pathname}/moments${address.search}`, address);
  from.searchParams.set("at", first);
  const answer = await fetch(from);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) throw new Error(page.querySelector(".problem")?.textContent ?? "");
  return [...page.querySelectorAll("article")];
}

async function moment(number) {
  const first = number - (number % PER_REQUEST);
  return (await group(first))[number - first];
}

// Capture keys before the table does, because it would skip to the next beat.

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

document.addEventListener("keydown", (event) => {
  const key = KEYS[event.key], from = event.target;
  const elsewhere = from.closest(`[data-roving], input, select, .panel${key === "play" ? ", button, a" : ""}`);
  if (!key || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (key !== "play") walk(key);
  else if (!event.repeat) toggle();
}, { capture: true });

// Moving between moments

const table = player(root, {
  show(step) {
    const animate = prepare(root, step.scene);
    const arrival = keepLog(root, () => update(root, step.scene));
    animate(arrival);
    speak([...step.scene.querySelectorAll(".told li")]);
  },
  pause: 0,
  settle() {
    if (playing) timer = setTimeout(go, PAUSE * Math.max(pace(), 0.3), at + 1, true);
  },
});

/** Go to a moment; `animated` plays its beats. */
async function go(to, animated = false) {
  wanted = Math.max(0, Math.min(last, to));
  if (to > last) stop();
  clearTimeout(timer);
  const mine = wanted;
  try {
    const found = await moment(mine);
    if (mine !== wanted) return; // another moment has been requested meanwhile
    const changed = mine !== at;
    at = mine;
    table.skip();
    clearTimeout(timer);
    if (changed) arrive(found, animated);
    if (at < last) moment(at + 1).catch(() => {}); // preload the next group
  } catch (problem) {
    stop();
    refusal.textContent = problem.message || say("No answer from the server. Please try again.");
    refusal.hidden = false;
  }
}

function arrive(found, animated) {
  const scenes = [...found.querySelectorAll("form.scene")].map((scene) => document.importNode(scene, true));
  const steps = scenes.map((scene) => ({ scene }));
  steps.at(-1).rests = !animated;
  log.replaceChildren(...[...found.querySelector(":scope > ol").children].map((line) => line.cloneNode(true)));
  showPosition(found.dataset.choices);
  table.add(animated ? steps : steps.slice(-1));
}

/** Update the URL, slider, links and forms to the current moment. */
function showPosition(choices) {
  refusal.hidden = true;
  slider.value = at;
  slider.setAttribute("aria-valuetext", `${at} of ${last}`);
  slider.form.querySelector("output").textContent = `${at} of ${last}`;
  if (view) view.form.elements.choices.value = choices;
  history.replaceState(null, "", link(at));
  document.getElementById("link-here").value = location.href;
  for (const [key, to] of Object.entries(targets())) {
    const way = document.querySelector(`[data-go="${key}"]`);
    way.href = link(to);
    to === at ? way.setAttribute("aria-disabled", "true") : way.removeAttribute("aria-disabled");
  }
}

function link(to) {
  const there = new URL(address);
  there.searchParams.set("at", to);
  return there.href;
}

const targets = () => ({ first: 0, back: Math.max(0, at - 1), on: Math.min(last, at + 1), last });

// Playback

function start() {
  playing = true;
  showState();
  if (at === last) at = -1; // restart
  go(at + 1, at >= 0);
}

function stop() {
  playing = false;
  clearTimeout(timer);
  showState();
}

function showState() {
  play.setAttribute("aria-pressed", String(playing));
  play.querySelector("span").textContent = playing ? say("Pause") : say("Play");
}

function toggle() {
  playing ? stop() : start();
}

play.hidden = false;
showState();
play.addEventListener("click", toggle);

slider.addEventListener("input", () => {
  stop();
  go(Number(slider.value));
});

view?.addEventListener("change", () => view.form.submit());

document.querySelector(".ways").addEventListener("click", (event) => {
  const key = event.target.closest("[data-go]")?.dataset.go;
  if (!key || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  walk(key);
});

function walk(key) {
  stop();
  go({ first: 0, back: wanted - 1, on: wanted + 1, last }[key], key === "on" && wanted < last);
}

// On phones the history ends above the playback controls, which take two or three lines.
const reel = document.querySelector(".reel");
new ResizeObserver(() => document.body.style.setProperty("--reel", `${reel.offsetHeight}px`)).observe(reel);

offerPaces(document.getElementById("pace"));
offerCopies();
offerPanels();
catchPresses(root);
rovingFocus(root);
follow(root);
keepLog(root, () => {});

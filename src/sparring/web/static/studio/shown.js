// A set that somebody else shares: its faults stand where they arise; nothing can be changed.

import { showFaults } from "./faults.js";
import "./paint.js";
import "./arena.js";

showFaults(JSON.parse(document.getElementById("bench").dataset.state).faults);

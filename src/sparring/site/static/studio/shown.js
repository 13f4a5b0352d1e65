// A shared set: show its faults; nothing can be edited.

import { showFaults } from "./faults.js";
import "./paint.js";
import "./arena.js";

showFaults(JSON.parse(document.getElementById("editor").dataset.state).faults);

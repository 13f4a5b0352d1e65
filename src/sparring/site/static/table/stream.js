// The event stream of a table. It shows a lost connection and reconnects.

import { tellPeople } from "./people.js";
import { reconnected } from "./post.js";
import { say } from "./say.js";

const PATIENCE = 2000;

const link = document.getElementById("link");

/** Open a stream at the URL from `where(away)`; `away` means that events may have been missed. Calls `message` for each
 * version in order, `latest` for the current table after too many missed versions, and `chat` for the chat. */
export function openStream(where, { message, latest, chat }) {
  let source = null, failure = ""; // the sentence with which the server ended the stream

  function listen(away = false) {
    source?.close();
    source = new EventSource(where(away));
    source.onopen = () => {
      link.textContent = failure = "";
      reconnected();
    };
    source.onmessage = message;
    source.addEventListener("latest", latest);
    source.addEventListener("chat", chat);
    source.addEventListener("people", (event) => tellPeople(event.data));
    source.addEventListener("failed", ({ data }) => failure = data);
    source.onerror = () => {
      link.textContent = `${failure || say("Connection lost.")} ${say("Reconnecting …")}`;
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, PATIENCE, true);
    };
  }

  return {
    listen,
    stop: () => source?.close(),
    get silent() { return !source || source.readyState === EventSource.CLOSED; },
  };
}

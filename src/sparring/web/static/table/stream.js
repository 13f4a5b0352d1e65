// Down: the stream of a table. A lost connection is said, and taken up again.

import { tellPeople } from "./people.js";
import { heardAgain } from "./post.js";

const PATIENCE = 2000;

const link = document.getElementById("link");

/** A stream at the address that `where` names (`away`: its listener may have missed something): `message` for every
 * version in its order, `latest` for the table at rest, to somebody who has missed too much, `talk` for what is said. */
export function tune(where, { message, latest, talk }) {
  let source = null;

  function listen(away = false) {
    source?.close();
    source = new EventSource(where(away));
    source.onopen = () => {
      link.textContent = "";
      heardAgain();
    };
    source.onmessage = message;
    source.addEventListener("latest", latest);
    source.addEventListener("talk", talk);
    source.addEventListener("people", (event) => tellPeople(event.data));
    source.onerror = () => {
      link.textContent = "Connection lost, trying again …";
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, PATIENCE, true);
    };
  }

  return {
    listen,
    stop: () => source?.close(),
    get silent() { return !source || source.readyState === EventSource.CLOSED; },
  };
}

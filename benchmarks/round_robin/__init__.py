"""Play matches at several processes behind a plain round robin, and check that they answer like one.

`PYTHONPATH=tests python -m benchmarks.round_robin` starts PostgreSQL and three processes. Simulated people, who know
HTTP only, send every request and open every stream at the next process. Their streams reconnect at random times. They
play, chat, take back, propose, ask for hints and hide their hands. It prints counts, and a line for each violation of
these rules:

* A stream gets each version and each chat line once and in order. After a reconnect it begins with `latest`.
* A page is never older than what its viewer has seen or done before, wherever that was.
* A click that was valid for what its viewer saw is accepted, and no process answers 404 or fails.
* Once "Hide all hands" is acknowledged, no process shows a hand.
* After a match, pages, records and chat are equal at all processes, and hold what was acknowledged, once.
"""

from .matches import play_matches

__all__ = ["play_matches"]

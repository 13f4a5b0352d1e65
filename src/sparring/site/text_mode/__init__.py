"""Text mode: tables, replays and lessons for screen readers and keyboards.

The sections of a page (`text_sections.py`) come from the same scenes as the pictures, through `scene.screen_reader`,
and the sentences from the games' `tell`; a game can add spoken forms (`ALOUD`). `text_routes.py` serves a table's page,
its event stream and its typed input; `typed_queries.py` answers queries, which change nothing; `text_lessons.py` is
the tutorial.

What must hold:

* Only a few parts are live regions: the new sentences, answers, clocks at thresholds, and arrivals.
* The preference for text mode is stored with the person, guest or not. For ten seconds after a change the browser
  sends it too, since another process may not know it yet.
"""

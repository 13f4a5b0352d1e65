"""Text mode: tables, replays and lessons for screen readers and keyboards.

`text_sections.py` renders the text views of `sparring.text` as sections of a page; `text_routes.py` serves a table's
page, its event stream and its typed input, and the tutorial. What must hold:

* Only a few parts are live regions: the new sentences, answers, clocks at thresholds, and arrivals.
* The preference for text mode is stored with the person, guest or not. For ten seconds after a change the browser
  sends it too, since another process may not know it yet.
"""

"""Replays and reviews of matches, and uploaded match records.

A `ReplaySubject` (`replay_access.py`) is a match to replay and what its viewer may see of it. A `ReplayTimeline`
(`timeline.py`) replays the match; it has a `ViewerTimeline` per viewer, made of `TimelineMoment`s. Records are
untrusted, so they are replayed and rendered in a sandbox process (`TimelineSandbox`, `record_sandbox.py`).
`stored_matches.py` keeps uploaded records, and the lines of finished matches. `MatchReviews` computes reviews in
batches (`review_process.py`), and `win_chart.py` renders them.

What must hold:

* During a match, viewers replay only what they have seen. Moments are counted for each viewer separately, so that a
  choice they can't see has no moment.
* After the match every view is available, including the open-information view (`open_information.py`).
* A match is reviewed once: the key of a review is a digest of the record.
"""

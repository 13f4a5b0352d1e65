"""What is asked and answered when a match is reviewed piece by piece: all that a process needs to know for that."""

import msgspec

from sparring.bots.match_review import ReviewedChoice

#: What a process runs in which matches are reviewed, and how long a piece may take (seconds).
MODULE, LONGEST_PIECE = "sparring.web.replay.review_process", 120.0


class ReviewRequest(msgspec.Struct, frozen=True):
    """Some choices of a match that are to be reviewed; those in `closer` are looked at once more."""

    record: str
    numbers: list[int]
    closer: list[ReviewedChoice] = []


class ReviewPart(msgspec.Struct, frozen=True):
    """What was found of them, or why nothing was."""

    found: list[ReviewedChoice] = []
    problem: str = ""

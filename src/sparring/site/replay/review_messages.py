"""Messages to and from the process that reviews matches."""

import msgspec

from sparring.bots.match_review import ReviewedChoice

#: The module of the review process, and the longest time for a batch, in seconds.
MODULE, BATCH_TIMEOUT = "sparring.site.replay.review_process", 120.0


class ReviewRequest(msgspec.Struct, frozen=True):
    """Choices of a match to review; `closer` has results to refine. `glance`: only a first impression is wanted."""

    record: str
    numbers: list[int]
    closer: list[ReviewedChoice] = []
    glance: bool = False


class ReviewPart(msgspec.Struct, frozen=True):
    """The results of a batch or the problem."""

    found: list[ReviewedChoice] = []
    problem: str = ""

"""The process that reviews matches, with compiled rules if they are cached, otherwise interpreted; and its messages."""

from functools import lru_cache

import msgspec

from sparring import bots
from sparring.bots.match_review import MatchReviewer, ReviewedChoice
from sparring.tables.workers.bot_worker import JOB_MEMORY, answer_all, bound_memory

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


def main() -> None:
    """Answer until the input ends."""
    bound_memory(JOB_MEMORY)
    answer_all(ReviewRequest, review)


def review(request: ReviewRequest) -> ReviewPart:
    """Review a batch of choices."""
    try:
        reviewer = _reviewer(request.record)
        if request.closer:
            pairs = zip(request.numbers, request.closer, strict=True)
            return ReviewPart([reviewer.refine(number, reviewed) for number, reviewed in pairs])
        review_one = reviewer.glance if request.glance else reviewer.choice
        return ReviewPart([review_one(number) for number in request.numbers])
    except Exception as problem:  # noqa: BLE001 - a bug in a game must reach the page
        return ReviewPart(problem=f"{type(problem).__name__}: {problem}")


@lru_cache(maxsize=2)
def _reviewer(record: str) -> MatchReviewer:
    reviewer = MatchReviewer(record)
    reviewer.quick = not bots.is_ready(reviewer.setup.game)
    return reviewer


if __name__ == "__main__":
    main()

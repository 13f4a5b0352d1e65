"""Reviews of matches that are over: asked for, worked out piece by piece in a process of its own, and kept.

A review belongs to a match, wherever that is found: its name is a digest of the record. So it is worked out once.
"""

import asyncio
import contextlib
import hashlib
import logging
import math
from collections.abc import Sequence
from importlib.metadata import version

import msgspec

from sparring.bots.match_review import LOOKED_AT, WORST, ReviewedChoice, costliest
from sparring.engine.errors import SparringError
from sparring.web.bots.worker_pool import RemoteWorkers, WorkerPool
from sparring.web.security.rate_limits import RateLimits, Requester
from sparring.web.security.uploads import Busy
from sparring.web.storage import ReplayStore, StoreError
from sparring.web.storage.schema import ReviewRow

from .replay_access import ReplaySubject
from .review_messages import LONGEST_PIECE, MODULE, ReviewPart, ReviewRequest

log = logging.getLogger(__name__)

#: Changes when reviews are worked out or kept in another way.
FORMAT = 1
#: How many choices are looked at before others get a turn.
PIECE = 5
#: How many reviews may wait, and how many choices a match may have.
MOST_WAITING, MOST_CHOICES = 20, 5000


class CostlyChoice(msgspec.Struct, frozen=True):
    """One of the choices that cost most, by its number, counted from 0."""

    number: int
    reviewed: ReviewedChoice


class MatchReview(msgspec.Struct):
    """What was found so far of a match of so many choices."""

    choices: int
    found: list[ReviewedChoice] = []
    worst: list[CostlyChoice] = []
    done: bool = False
    #: Why it stopped, in a sentence.
    problem: str = ""


def half(places: int) -> int:
    """How many workers elsewhere may review at once: bots have the others."""
    return max(1, places // 2)


def number_of(record: str) -> str:
    """What the review of a match is called."""
    made_with = f"{FORMAT} {version('sparring')} "
    return hashlib.blake2b((made_with + record).encode(), digest_size=16).hexdigest()


def fits(found: Sequence[ReviewedChoice], piece: ReviewRequest, seats: int) -> bool:
    """Whether this is a piece of such a match, with the hopes of every seat: it may come from another machine."""
    weighed = [each.hope for one in found for each in (one.chosen, one.best) if each]
    hopes = [*weighed, *(hope for one in found for hope in one.hopes)]
    return (
        len(found) == len(piece.numbers)
        and all(1 <= one.seat <= seats == len(one.hopes) for one in found)
        and all(math.isfinite(number) for hope in hopes for number in (hope.value, hope.low, hope.high))
    )


class MatchReviews:
    """The reviews of a server: one is worked out at a time, more by workers elsewhere; who had least of it is next."""

    def __init__(self, store: ReplayStore, quotas: RateLimits, elsewhere: RemoteWorkers | None = None) -> None:
        self._store, self._quotas = store, quotas
        self.pool = WorkerPool(MODULE, 1, elsewhere, half)
        self._going: dict[str, MatchReview] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def find(self, record: str) -> MatchReview | None:
        """What was found of a match so far; None if nobody has asked."""
        number = number_of(record)
        if number in self._going:
            return self._going[number]
        kept = await self._store.review(number)
        if kept is None:
            return None
        await self._store.use(ReviewRow, number)
        return msgspec.msgpack.decode(kept, type=MatchReview)

    async def begin(self, kept: ReplaySubject, asking: Requester) -> None:
        """Ask for the review of a match, unless somebody has."""
        found = await self.find(kept.record)
        if found is not None and not found.problem:
            return
        if kept.choices > MOST_CHOICES:
            raise SparringError(f"A match of more than {MOST_CHOICES:,} choices is too long to be reviewed.")
        if len(self._tasks) >= MOST_WAITING:
            raise Busy("Many matches are being reviewed at this moment; please try again soon.")
        self._quotas.ask_review(asking)
        number = number_of(kept.record)
        self._going[number] = MatchReview(kept.choices)
        task = self._tasks[number] = asyncio.create_task(self._work(number, kept, asking.address or asking.person))
        task.add_done_callback(lambda _: self._tasks.pop(number, None))

    async def _work(self, number: str, kept: ReplaySubject, who: str) -> None:
        review, record, seats = self._going[number], kept.record, len(kept.names)
        try:
            for first in range(0, review.choices, PIECE):
                numbers = list(range(first, min(first + PIECE, review.choices)))
                review.found += await self._ask(ReviewRequest(record, numbers), seats, who)
            numbers = costliest(review.found, LOOKED_AT)
            closer = await self._ask(
                ReviewRequest(record, numbers, [review.found[each] for each in numbers]), seats, who
            )
            review.worst = [CostlyChoice(numbers[each], closer[each]) for each in costliest(closer, WORST)]
            review.done = True
            await self._store.keep_review(number, msgspec.msgpack.encode(review))
            del self._going[number]
        except (SparringError, StoreError) as problem:
            review.problem = str(problem)
        if len(self._tasks) == 1:
            await self.pool.stop()  # it takes room while it waits

    async def _ask(self, piece: ReviewRequest, seats: int, who: str) -> list[ReviewedChoice]:
        answer = await self.pool.ask(piece, ReviewPart, LONGEST_PIECE, who)
        if answer is not None and not answer.problem and fits(answer.found, piece, seats):
            return answer.found
        log.warning("A review stopped: %s", answer.problem if answer else "its process died or took too long")
        raise SparringError("This review could not be finished; you can ask for it again.")

    async def close(self) -> None:
        """Stop what is going on, and end the process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(ProcessLookupError):
            await self.pool.stop()

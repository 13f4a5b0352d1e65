"""Reviews of finished matches: requested by people, computed in batches by a worker process, and stored.

A glance at all choices comes first, so that costly ones soon show; then the review itself, which starts with those.
A review's key is a digest of the record, so every match is reviewed only once.
"""

import asyncio
import contextlib
import hashlib
import logging
import math
from collections.abc import Sequence
from importlib.metadata import version

import msgspec

from sparring.bots.match_review import MAX_LISTED, REFINED_CHOICES, ReviewedChoice, costliest
from sparring.engine.errors import SparringError
from sparring.people.rate_limits import RateLimits, Requester
from sparring.scene.sentences import say
from sparring.store.finished_matches import ReplayStore
from sparring.store.group_commit import StoreError
from sparring.store.processes import SharedJobs
from sparring.store.schema import ReviewRow
from sparring.tables.workers.worker_pool import RemoteWorkers, WorkerPool

from .replay_access import ReplaySubject
from .review_process import BATCH_TIMEOUT, MODULE, ReviewPart, ReviewRequest

log = logging.getLogger(__name__)

#: The version of the review format; a new version invalidates stored reviews.
FORMAT = 3
#: The number of choices in a batch, after which other reviews get a turn.
BATCH = 5
#: The most reviews in progress, and the most choices in a match.
MOST_WAITING, MOST_CHOICES = 20, 5000


class CostlyChoice(msgspec.Struct, frozen=True):
    """One of the costliest choices, by its number from 0."""

    number: int
    reviewed: ReviewedChoice


class MatchReview(msgspec.Struct):
    """The review so far of a match with `choices` choices."""

    choices: int
    #: The first choices, reviewed, and first impressions of all until the review is done.
    found: list[ReviewedChoice] = []
    glanced: list[ReviewedChoice] = []
    #: The choices that are reviewed out of turn, because their first impressions are the costliest.
    ahead: dict[int, ReviewedChoice] = {}
    #: The costliest choices of each seat, worst first.
    worst: list[CostlyChoice] = []
    done: bool = False
    #: Why the review stopped.
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Return whether the review has finished or failed."""
        return self.done or bool(self.problem)

    def worst_of(self, seat: int) -> list[CostlyChoice]:
        """Return a seat's costliest choices (0: those of all seats), as far as they are reviewed.

        First impressions are left out: they are too rough to be shown.
        """
        known = {**self.ahead, **dict(enumerate(self.found))}
        worst = self.worst if self.done else [CostlyChoice(*each) for each in known.items()]
        numbers = [costly.number for costly in worst if seat in (0, costly.reviewed.seat)]
        of_number = {costly.number: costly for costly in worst}
        ranked = costliest([of_number[number].reviewed for number in numbers], MAX_LISTED)
        return [of_number[numbers[place]] for place in ranked]


def review_share(places: int) -> int:
    """Return how many of the remote workers may review at once; the others serve bots."""
    return max(1, places // 2)


def review_key(record: str) -> str:
    """Return the key of a match's review."""
    made_with = f"{FORMAT} {version('sparring')} "
    return hashlib.blake2b((made_with + record).encode(), digest_size=16).hexdigest()


def is_valid_batch(found: Sequence[ReviewedChoice], request: ReviewRequest, seats: int) -> bool:
    """Validate a batch of results, because it may come from another machine."""
    of_actions = [each.hope for one in found for each in (one.chosen, one.best) if each]
    estimates = [*of_actions, *(estimate for one in found for estimate in one.hopes)]
    return (
        len(found) == len(request.numbers)
        and all(1 <= one.seat <= seats == len(one.hopes) for one in found)
        and all(
            math.isfinite(number) for estimate in estimates for number in (estimate.value, estimate.low, estimate.high)
        )
    )


class MatchReviews:
    """The reviews of a server. One runs locally at a time, more on remote workers, with a fair queue."""

    def __init__(
        self, jobs: SharedJobs[MatchReview], store: ReplayStore, rate_limits: RateLimits,
        elsewhere: RemoteWorkers | None = None,
    ) -> None:  # fmt: skip
        self._jobs, self._store, self._rate_limits = jobs, store, rate_limits
        busy = "The server is busy reviewing matches. Try again soon."
        self.pool = WorkerPool(MODULE, 1, elsewhere, review_share, MOST_WAITING, busy)
        self._running = jobs.here
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def find(self, record: str) -> MatchReview | None:
        """Return the review of a match so far, or None if it hasn't been requested."""
        key = review_key(record)
        if running := await self._jobs.find(key):
            return running
        stored = await self._store.review(key)
        if stored is None:
            return None
        await self._store.use(ReviewRow, key)
        return msgspec.msgpack.decode(stored, type=MatchReview)

    async def begin(self, subject: ReplaySubject, requester: Requester) -> None:
        """Start the review of a match unless there is one.

        Raises a SparringError for a match that is too long, and Busy if too many reviews are in progress.
        """
        key = review_key(subject.record)
        found = await self.find(subject.record)
        found = self._running.get(key, found)  # a second click was faster
        if found is not None and not found.problem:
            return
        if subject.choices > MOST_CHOICES:
            raise SparringError(say("Matches with more than {n:,} choices are too long to review.", n=MOST_CHOICES))
        self.pool.turns.check()
        self._rate_limits.take("reviews", requester)
        review = MatchReview(subject.choices)
        if not await self._jobs.claim(key, review):
            return
        self._running[key] = review
        run = self._jobs.run(key, review, lambda: self._work(key, subject))
        task = self._tasks[key] = asyncio.create_task(run)
        task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def _work(self, key: str, subject: ReplaySubject) -> None:
        review, record, seats = self._running[key], subject.record, len(subject.names)
        try:
            while (first := len(review.glanced)) < review.choices:
                numbers = list(range(first, min(first + BATCH, review.choices)))
                review.glanced += await self._ask(ReviewRequest(record, numbers, glance=True), seats)
            reviewed = review.ahead
            for number in costliest(review.glanced, MAX_LISTED):
                (reviewed[number],) = await self._ask(ReviewRequest(record, [number]), seats)
            while (first := len(review.found)) < review.choices:
                numbers = list(range(first, min(first + BATCH, review.choices)))
                if others := [number for number in numbers if number not in reviewed]:
                    found = await self._ask(ReviewRequest(record, others), seats)
                    reviewed.update(zip(others, found, strict=True))
                review.found += [reviewed[number] for number in numbers]
            for seat in range(1, seats + 1):
                own = [number for number, each in enumerate(review.found) if each.seat == seat]
                numbers = [own[place] for place in costliest([review.found[each] for each in own], REFINED_CHOICES)]
                request = ReviewRequest(record, numbers, [review.found[each] for each in numbers])
                refined = await self._ask(request, seats) if numbers else []
                review.worst += map(CostlyChoice, numbers, refined)
            review.done, review.glanced, review.ahead = True, [], {}
            await self._store.save_review(key, msgspec.msgpack.encode(review))
            await self._jobs.drop(key)
        except (SparringError, StoreError) as problem:
            review.problem = str(problem)
        if len(self._tasks) == 1:
            await self.pool.stop()  # an idle process still holds memory

    async def _ask(self, request: ReviewRequest, seats: int) -> list[ReviewedChoice]:
        answer = await self.pool.ask(request, ReviewPart, BATCH_TIMEOUT)
        if answer is not None and not answer.problem and is_valid_batch(answer.found, request, seats):
            return answer.found
        log.warning("A review stopped: %s", answer.problem if answer else "its process died or took too long")
        raise SparringError("The review failed. You can try again.")

    async def close(self) -> None:
        """Cancel reviews in progress and stop the process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(ProcessLookupError):
            await self.pool.stop()

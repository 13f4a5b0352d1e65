"""Matches that bots learn from: played between equal bots, with what each seat saw, hoped and chose written down."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import value_features_of
from sparring.bots.search import bounds, thinking
from sparring.bots.search_trees import child_of, favourite, plant
from sparring.bots.value_models import ValueModel
from sparring.engine.chance import BOT, CHOICES, DEAL, below, seed
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.game import Box, Game
from sparring.engine.rule import rule

Array = np.ndarray[Any, Any]

#: So many positions of a match are kept, each as likely as any other; and so many of one that priors are learned from.
KEPT, KEPT_OF_PRIORS = 16, 128

#: Of a question so many choices at most teach a prior.
MOST_CHOICES = 48

#: One choice in so many is made at random.
WILD = 8

#: Of so many matches one is held out.
HELD_OUT = 5

#: Matches are played in so many portions, after each of which progress is told.
PORTIONS = 50

#: What hears what is being done, and how much of all of it is done, from 0 to 1.
Told = Callable[[str, float], None]

T = TypeVar("T")
#: Something that goes on a portion at a time, telling that, and has a result at its end.
Course = Generator[tuple[str, float], None, T]


def finish(course: Course[T], progress: Told = lambda what, done: None) -> T:
    """Go on to the end, and tell of each portion."""
    while True:
        try:
            progress(*next(course))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class SelfPlayRound(NamedTuple):
    """So many matches, with so many iterations a choice (0: random play); whether a prior is learned from them."""

    matches: int
    iterations: int
    prior: bool = False

    @property
    def work(self) -> int:
        """How much there is to think about, for a bar that tells progress."""
        return self.matches * (1 + self.iterations)


class ProgressPart(NamedTuple):
    """A part of what is to be done: what it is called, what share of all is done before it, and what share it is."""

    title: str = ""
    before: float = 0.0
    share: float = 1.0

    def told(self, done: float) -> tuple[str, float]:
        """What is being done, and how much of all of it, where so much of this part is."""
        return self.title, self.before + self.share * done

    def parted(self, share: float) -> tuple["ProgressPart", "ProgressPart"]:
        """So much of it, and the rest."""
        first = share * self.share
        return ProgressPart(self.title, self.before, first), ProgressPart(
            self.title, self.before + first, self.share - first
        )


WHOLE = ProgressPart()


class PolicySamples(NamedTuple):
    """What seats were asked: what they knew, what they could choose (-1: nothing more), and how often it was tried."""

    seen: Array
    choices: Array
    tries: Array

    def part(self, mine: Array) -> "PolicySamples":
        """Some of the questions."""
        return PolicySamples(*(column[mine] for column in self))


@dataclass(frozen=True)
class TrainingData:
    """What matches tell: what each seat saw of a position, what the match brought it, and which match it was.

    And what was asked there, if a prior is learned from them.
    """

    seen: Array
    worth: Array
    match: Array
    asked: PolicySamples | None = None

    @property
    def held_out(self) -> Array:
        """Whether a position is of a match that is held out."""
        return np.asarray(self.match % HELD_OUT == 0)

    @property
    def can_be_learned_from(self) -> bool:
        """Whether there are positions to learn from, and others to measure it by."""
        return bool(self.held_out.any() and not self.held_out.all())

    def part(self, held_out: bool) -> "TrainingData":
        """The matches that are held out, or the others."""
        mine = self.held_out == held_out
        return TrainingData(self.seen[mine], self.worth[mine], self.match[mine])


@rule
def note_choices(out, n, choices):  # type: ignore[no-untyped-def]
    """Write down what there is to choose from; what finds no room is left out."""
    choices[:] = -1
    for i in range(min(n, len(choices))):
        choices[i] = out[i]


@rule
def note_tries(nodes, node, choices, tries):  # type: ignore[no-untyped-def]
    """Write down how often a search tried these choices at a node."""
    for i in range(len(choices)):
        child = child_of(nodes, node, choices[i]) if choices[i] >= 0 else 0
        tries[i] = nodes[child].visits if child != 0 else 0


def lessons(game: Game) -> Driver:
    """Matches between equal bots, and what they tell of `len(seen) // len(ends)` positions of each, as many as fit.

    `count` gets the choices of each match, `seen` what the seats saw, `hoped` what the search expected, `ends` what the
    match brought; `mover` who was asked, `choices` what there was to choose from and `tries` how often it was tried.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    redact = game.rules.redact
    _, value_features = value_features_of(game)
    keep, think, span = without_conceding(game), thinking(game), bounds(game)

    def lessons(  # type: ignore[no-untyped-def]
        kit, work, octets, out, nodes, desk, mind, first_seed, seats, iterations, wild, seen, hoped, ends, count,
        mover, choices, tries,
    ):  # fmt: skip
        s = work[2]
        kept = len(seen) // len(ends)
        g = np.zeros(4, np.int64)
        for match in range(len(ends)):
            work[2] = work[3]
            seed(s.rng, first_seed + match, DEAL)
            seed(g, first_seed + match, CHOICES)
            seed(desk.g, first_seed + match, BOT)
            s.seats = seats
            setup(kit, s)
            count[match] = 0
            while not s.over:
                n = keep(out, legal(kit, s, out))
                action = out[0]
                if n > 1:
                    place = count[match] if count[match] < kept else below(g, count[match] + 1)
                    place = match * kept + place if place < kept else -1
                    count[match] += 1
                    if place >= 0:
                        for seat in range(seats):
                            work[0] = work[2]
                            redact(kit, work[0], seat)
                            value_features(kit, work[0], seat, seen[place, seat])
                            hoped[place, seat] = -1.0
                        mover[place] = s.player
                        note_choices(out, n, choices[place])  # type: ignore[no-untyped-call]
                    action = out[below(g, n)]
                    if iterations:
                        player = s.player
                        work[0] = work[2]
                        redact(kit, work[0], player)
                        plant(nodes, desk, seats)
                        think(kit, work, octets, out, nodes, desk, mind, player, iterations)
                        if place >= 0:
                            for seat in range(seats):
                                root = nodes[1 + seat]
                                hoped[place, seat] = root.value / max(1, root.visits)
                            note_tries(nodes, 1 + player, choices[place], tries[place])  # type: ignore[no-untyped-call]
                        if below(g, wild):
                            action = favourite(nodes, 1 + player)
                step(kit, s, action)
            low, width = span(seats)
            for seat in range(seats):
                ends[match, seat] = (s.payoff[seat] - low) / width

    return lessons


def play(
    box: Box, seats: int, plan: SelfPlayRound, first_seed: int, judgement: ValueModel | None, part: ProgressPart = WHOLE
) -> Course[TrainingData]:
    """The matches of a round, which is a part of what is to be done, and what they tell."""
    from sparring.engine.compilation.machine_code import compiled

    game = box.game
    desk = Workspace(game, nodes_for(seats, plan.iterations), states=4)
    if judgement:
        judgement.fill(desk.mind)
        desk.mind["stops"] = 1
    driver = compiled(game, lessons)
    parts, kept = [], KEPT_OF_PRIORS if plan.prior else KEPT
    size = -(-plan.matches // PORTIONS)
    for first in range(0, plan.matches, size):
        matches = min(size, plan.matches - first)
        seen = np.zeros((matches * kept, seats, value_features_of(game)[0]), np.float32)
        hoped, ends = np.zeros((matches * kept, seats)), np.zeros((matches, seats))
        count, mover = np.zeros(matches, np.int64), np.zeros(matches * kept, np.int64)
        choices = np.zeros((matches * kept, MOST_CHOICES if plan.prior else 0), np.int16)
        tries = np.zeros(choices.shape, np.int32)
        driver(
            box.kit, desk.work, desk.octets, desk.out, desk.nodes, desk.notes, desk.mind, first_seed + first, seats,
            plan.iterations, WILD, seen, hoped, ends, count, mover, choices, tries,
        )  # fmt: skip
        worth = np.repeat(ends, kept, axis=0)
        worth = np.where(hoped >= 0, (worth + hoped) / 2, worth)
        match = np.repeat(np.arange(first, first + matches), kept)
        mine = (np.arange(kept) < count[:, None]).ravel()
        if plan.prior:  # what tells is who was asked
            places = np.arange(len(seen))
            seen, worth, mine = seen[places, mover][:, None], worth[places, mover][:, None], mine & tries.any(axis=1)
        parts.append((seen[mine].astype(np.float16), worth[mine], match[mine], choices[mine], tries[mine]))
        yield part.told((first + matches) / plan.matches)
    seen, worth, match, choices, tries = (np.concatenate(column) for column in zip(*parts, strict=True))
    return TrainingData(seen, worth, match, PolicySamples(seen[:, 0], choices, tries) if plan.prior else None)

"""Learn to judge the positions of a game from matches that it plays against itself.

Round by round: the first matches are random play; the next ones are played by a search that judges as was learned
from the round before, with a choice at random now and then so that it sees more than its own habits. What is learned
from a position is how the match ended and, from the second round on, in equal parts what the search expected there.
Every fifth match is held out: whichever model judges those best is kept, a weighted sum or one with hidden units
besides. In the end some matches are thought about ten times as long, and what was tried most often there is learned as
the prior of the judgement (`priors`).
"""

import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sparring.bots.bot import Desk, nodes_for
from sparring.bots.judgements import Judgement
from sparring.bots.judging import CURIOSITY_IN_JUDGING, HIDDEN, clues_of
from sparring.bots.search import bounds, thinking
from sparring.bots.trees import child_of, favourite, plant
from sparring.engine.chance import BOT, CHOICES, DEAL, below, seed
from sparring.engine.drivers import Driver, without_conceding
from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import Box, Game
from sparring.engine.rule import rule

from . import priors

Array = np.ndarray[Any, Any]

#: How many matches the last round has, and how long is thought about each choice of them, where nobody says otherwise.
MATCHES, ITERATIONS = 1000, 100

#: So many positions of a match are kept, each as likely as any other; and so many of one that priors are learned from.
KEPT, KEPT_OF_PRIORS = 16, 128

#: Priors are learned from one match for so many of the last round, each choice with so many times the iterations.
FEWER, LONGER = 4, 10

#: Of a question so many choices at most teach a prior.
MOST_CHOICES = 48

#: One choice in so many is made at random.
WILD = 8

#: Of so many matches one is held out.
HELD_OUT = 5

#: How strongly weights are held back, tried in turn (scikit-learn's C: the larger the freer).
FREEDOM = (0.003, 0.03, 0.3)

#: Matches are played in so many portions, after each of which progress is told.
PORTIONS = 50


#: What hears what is being done, and how much of all of it is done, from 0 to 1.
Told = Callable[[str, float], None]

T = TypeVar("T")
#: Something that goes on a portion at a time, telling that, and has a result at its end.
Course = Generator[tuple[str, float], None, T]


class Round(NamedTuple):
    """So many matches, with so many iterations a choice (0: random play); whether a prior is learned from them."""

    matches: int
    iterations: int
    prior: bool = False

    @property
    def work(self) -> int:
        """How much there is to think about, for a bar that tells progress."""
        return self.matches * (1 + self.iterations)


class Part(NamedTuple):
    """A part of what is to be done: what it is called, what share of all is done before it, and what share it is."""

    title: str = ""
    before: float = 0.0
    share: float = 1.0


WHOLE = Part()


@dataclass(frozen=True)
class Lesson:
    """What matches tell: what each seat saw of a position, what the match brought it, and which match it was.

    And what was asked there, if a prior is learned from them.
    """

    seen: Array
    worth: Array
    match: Array
    asked: priors.Asked | None = None

    @property
    def held_out(self) -> Array:
        """Whether a position is of a match that is held out."""
        return np.asarray(self.match % HELD_OUT == 0)

    def part(self, held_out: bool) -> "Lesson":
        """The matches that are held out, or the others."""
        mine = self.held_out == held_out
        return Lesson(self.seen[mine], self.worth[mine], self.match[mine])


class Learned(NamedTuple):
    """A judgement, and its mean log loss in matches that it has not seen, beside that of knowing nothing.

    The same of its prior, in foretelling choices. Both are 0 for what was not learned.
    """

    judgement: Judgement
    loss: float = 0.0
    loss_of_none: float = 0.0
    of_prior: float = 0.0
    of_lots: float = 0.0


def rounds(matches: int, iterations: int, for_prior: int | None = None) -> tuple[Round, ...]:
    """The rounds of a training that learns a judgement from so many matches in the end, and then its prior from others.

    `for_prior`: how many these are; 0: no prior is learned.
    """
    half = Round(max(1, matches // 2), iterations)
    judging = Round(2 * matches, 0), half, half, Round(matches, iterations)
    others = max(HELD_OUT, matches // FEWER) if for_prior is None else for_prior
    return (*judging, Round(others, LONGER * iterations, prior=True)) if others else judging


def train(
    box: Box, seats: int, plan: Sequence[Round], *, first_seed: int = 0, ahead: int = 0,
    curiosity: float = CURIOSITY_IN_JUDGING, known: Judgement | None = None,
    progress: Told = lambda what, done: None,
) -> Learned:  # fmt: skip
    """Learn a judgement for a table; the same seed gives the same one. `progress` hears what is done, from 0 to 1.

    `known`: where the plan has rounds for a prior only, the judgement that gets it.
    """
    course = training(box, seats, plan, first_seed=first_seed, ahead=ahead, curiosity=curiosity, known=known)
    return finish(course, progress)


def training(
    box: Box, seats: int, plan: Sequence[Round], *, first_seed: int = 0, ahead: int = 0,
    curiosity: float = CURIOSITY_IN_JUDGING, known: Judgement | None = None,
) -> Course[Learned]:  # fmt: skip
    """The same, a portion at a time."""
    check(box.game)
    learned = Learned(replace(known, prior=None)) if known else None
    before: Lesson | None = None
    judging, random_state = sum(not each.prior for each in plan), first_seed % 2**31
    whole = sum(each.work for each in plan)
    for number, each in enumerate(plan):
        first, judgement = first_seed + number * 10_000_000, learned and learned.judgement
        part = Part(
            f"Round {number + 1} of {len(plan)}", sum(done.work for done in plan[:number]) / whole, each.work / whole
        )
        lesson = yield from play(box, seats, each, first, judgement, part)
        if each.prior and learned:
            learned = _with_prior(learned, lesson, len(box.game.rules.ACTIONS), random_state)
        else:
            together = _joined(before, lesson) if number > 1 and before else lesson
            learned = learn(together, ahead, curiosity, network=number == judging - 1, random_state=random_state)
            before = lesson
    assert learned is not None
    return learned


def _with_prior(learned: Learned, lesson: Lesson, choices: int, random_state: int) -> Learned:
    """What was learned, and besides what good players choose, if that can be told in matches not seen before."""
    assert lesson.asked is not None
    prior, loss, lots = priors.learn(lesson.asked, lesson.held_out, choices, random_state)
    return learned._replace(judgement=replace(learned.judgement, prior=prior), of_prior=loss, of_lots=lots)


def finish(course: Course[T], progress: Told = lambda what, done: None) -> T:
    """Go on to the end, and tell of each portion."""
    while True:
        try:
            progress(*next(course))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def check(game: Game) -> None:
    """Whether shares of what there is to win can be learned, and here."""
    if find_spec("sklearn") is None:
        raise SparringError('Training needs scikit-learn: pip install "sparring[train]".')
    paid = game.payoffs
    if paid is not None and not (paid.zero_sum and game.seats == (2,) and paid.low == -paid.high):
        raise BadOption(f"{game.title} pays other than wins and losses; a judgement can only be learned of those.")


def _joined(first: Lesson, second: Lesson) -> Lesson:
    """Two lessons as one; their matches are numbered on."""
    return Lesson(
        np.concatenate([first.seen, second.seen]),
        np.concatenate([first.worth, second.worth]),
        np.concatenate([first.match, second.match + first.match.max() + 1]),
    )


# Playing


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
    _, clues = clues_of(game)
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
                            clues(kit, work[0], seat, seen[place, seat])
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
    box: Box, seats: int, plan: Round, first_seed: int, judgement: Judgement | None, part: Part = WHOLE
) -> Course[Lesson]:
    """The matches of a round, which is a part of what is to be done, and what they tell."""
    from sparring.engine.compiled import compiled

    game = box.game
    desk = Desk(game, nodes_for(seats, plan.iterations), states=4)
    if judgement:
        judgement.fill(desk.mind)
        desk.mind["stops"] = 1
    driver = compiled(game, lessons)
    parts, kept = [], KEPT_OF_PRIORS if plan.prior else KEPT
    size = -(-plan.matches // PORTIONS)
    for first in range(0, plan.matches, size):
        matches = min(size, plan.matches - first)
        seen = np.zeros((matches * kept, seats, clues_of(game)[0]), np.float32)
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
        yield part.title, part.before + part.share * (first + matches) / plan.matches
    seen, worth, match, choices, tries = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Lesson(seen, worth, match, priors.Asked(seen[:, 0], choices, tries) if plan.prior else None)


# Learning


def learn(lesson: Lesson, ahead: int, curiosity: float, *, network: bool, random_state: int) -> Learned:
    """The model that judges the matches best that were held out."""
    known, unknown = lesson.part(held_out=False), lesson.part(held_out=True)
    none = np.zeros((lesson.seen.shape[2], 0), np.float32), np.zeros(0, np.float32)
    hidden = [none, _hidden_units(known, random_state)] if network else [none]
    tried: list[tuple[float, int, Judgement]] = []
    for into, bias in hidden:
        for freedom in FREEDOM:
            straight, out_of = _weigh(known, into, bias, freedom)
            judgement = Judgement(straight, into, bias, out_of, ahead, curiosity)
            tried.append((loss(judgement, unknown), len(tried), judgement))
    best, _, judgement = min(tried, key=lambda each: each[:2])
    even = np.full(unknown.worth.shape, 1 / unknown.worth.shape[1])
    return Learned(judgement, best, _cross_entropy(even, unknown.worth))


def loss(judgement: Judgement, lesson: Lesson) -> float:
    """How badly a judgement foretells matches: the mean log loss."""
    told = np.stack([_told(lesson.seen[:, seat], judgement) for seat in range(lesson.seen.shape[1])], axis=1)
    told -= told.max(axis=1, keepdims=True)
    shares = np.exp(told)
    return _cross_entropy(shares / shares.sum(axis=1, keepdims=True), lesson.worth)


def _told(seen: Array, judgement: Judgement) -> Array:
    seen = seen.astype(np.float32)
    felt = np.maximum(seen @ judgement.into + judgement.bias, 0)
    return np.asarray(seen @ judgement.straight + felt @ judgement.out_of, np.float64)


def _cross_entropy(shares: Array, worth: Array) -> float:
    return float(-(worth * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean())


def _hidden_units(lesson: Lesson, random_state: int) -> tuple[Array, Array]:
    """Hidden units that tell from what a seat sees whether it will win."""
    from sklearn.neural_network import MLPClassifier

    seats = lesson.seen.shape[1]
    seen = lesson.seen.reshape(-1, lesson.seen.shape[2]).astype(np.float32)
    won = lesson.worth.ravel() > 1 / seats
    network = MLPClassifier(
        (HIDDEN,), alpha=1e-3, batch_size=256, learning_rate_init=2e-3, max_iter=40, early_stopping=True,
        n_iter_no_change=3, random_state=random_state,
    )  # fmt: skip
    _fit(network, seen, won)
    return _without_constants(network.coefs_[0], network.intercepts_[0], seen)


def _without_constants(into: Array, bias: Array, seen: Array) -> tuple[Array, Array]:
    """The same hidden units, in which numbers that are always the same (the map of a board) have no weight."""
    constant = seen.min(axis=0) == seen.max(axis=0)
    bias = bias + seen[0, constant] @ into[constant]
    return np.where(constant[:, None], 0.0, into).astype(np.float32), bias.astype(np.float32)


def _fit(model: Any, *known: Any) -> None:
    """Fit a model; one that could still become a little better is good enough."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(*known)


def _weigh(lesson: Lesson, into: Array, bias: Array, freedom: float) -> tuple[Array, Array]:
    """What is seen and the hidden units, weighed so that seats compare as they ended: by pairs of seats."""
    from scipy.sparse import csr_matrix, vstack
    from sklearn.linear_model import LogisticRegression

    seats, features = lesson.seen.shape[1:]
    told, labels, weights = [], [], []
    for one in range(seats):
        for other in range(one + 1, seats):
            first, second = (lesson.seen[:, seat].astype(np.float32) for seat in (one, other))
            felt = np.maximum(first @ into + bias, 0) - np.maximum(second @ into + bias, 0)
            rows = csr_matrix(np.hstack([first - second, felt]))
            for label, seat in ((1, one), (0, other)):
                mine = lesson.worth[:, seat] > 0
                told.append(rows[mine])
                labels.append(np.full(mine.sum(), label))
                weights.append(lesson.worth[mine, seat])
    model = LogisticRegression(C=freedom, fit_intercept=False, max_iter=200)
    _fit(model, vstack(told), np.concatenate(labels), np.concatenate(weights))
    found = model.coef_[0].astype(np.float32)
    return found[:features], found[features:]

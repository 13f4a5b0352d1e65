"""A bot, and how it comes to its choice: compiled, or interpreted while nothing is compiled yet."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver
from sparring.engine.errors import BadBot
from sparring.engine.game import Box, Game
from sparring.engine.hints import Hint
from sparring.engine.views import View

from . import value_models
from .evaluation import ITERATIONS_BY_THE_CLOCK, curiosity, plain_minds
from .hint_reader import read_hint
from .search import desk_dtype, thinking
from .search_trees import NODE, add_node, favourite, plant

#: How long a search without compiled code thinks (seconds): it is a hundredth as strong, but it plays at once.
QUICK = 0.3

#: A search by the clock looks at it after so many seconds, and keeps so many nodes at most.
GLANCE = 0.02
MOST_NODES = 2_000_000

#: So many nodes of a tree there is room for by each iteration.
ROOM = 8

#: After so many tries in vain nothing is tried any more.
TIRED_OF = 1 << 30

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Bot:
    """An opponent. `iterations`, `seconds` or a `level` say what a search spends on a choice; none: it plays at random.

    A search `judges` by what was learned of the game, where something was; one that does not plays imagined matches on
    at random to their end.
    """

    #: How it is written, and what it is called at a table.
    text: str
    title: str
    iterations: int = 0
    seconds: float = 0.0
    judges: bool = False
    level: str = ""
    #: How many choices deep its trees are at most; 0: as they grow.
    sight: int = 0
    #: Whether it tries first what good players choose, where that was learned.
    prior: bool = True

    @property
    def searches(self) -> bool:
        """Whether it thinks at all."""
        return bool(self.iterations or self.seconds or self.level)

    @property
    def remembers(self) -> bool:
        """Whether it thinks of what its seat saw before: such a bot wants views with a memory."""
        return False

    @property
    def plays_compiled(self) -> bool:
        """Whether whole matches with it can be played in machine code."""
        return not self.seconds

    def called_at(self, box: Box, seats: int) -> str:
        """What it is called at a table; where no judgement was made for these rules and cards, it says so."""
        if not self.judges or not value_models.misses(box, seats):
            return self.title
        if value_models.find(box, seats):
            return f"{self.title}, by a judgement of the usual rules"
        return f"{self.title}, without a judgement of these rules"

    def at_table(self, box: Box, seats: int) -> "Bot":
        """The same bot with what its level means at a table."""
        if not self.level:
            return self
        level = box.game.levels[self.level]
        judges = self.judges and value_models.find(box, seats) is not None
        iterations = level.judging if judges else level.plain
        prior = self.prior and level.prior
        return replace(self, level="", iterations=iterations, sight=level.sight, prior=prior)

    def prepare(self, mind: Any, box: Box, seats: int, *, even: bool = False) -> None:
        """Write what it thinks with at a table into a mind that judges nothing; `even` as in `choose`."""
        mind["sight"] = self.sight
        mind["curiosity"] = curiosity(box.game, self.iterations or ITERATIONS_BY_THE_CLOCK)
        learned = value_models.find(box, seats) if self.judges else None
        if learned:
            learned.fill(mind, prior=self.prior)
            mind["patience"] = box.game.patience
            mind["stops"] = bool(self.iterations) and not even

    def choose(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> int:
        """One of the choices of a view; `stream` is the bot's own generator, which moves on.

        `quick` asks for a choice at once, without waiting for anything to be compiled. Otherwise the same view, stream
        and iterations give the same choice. `even` thinks about the only choice as long as about one of many, so that
        the time does not tell which it was.
        """
        return self.answer(view, stream, quick=quick, even=even).action

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> "BotChoice":
        """The same choice, with what the bot makes of the others."""
        shown = kept(view.box.game, view.legal)
        if len(shown) == 1 and not even:
            return BotChoice(shown[0], view)
        bot = self.at_table(view.box, int(view.state.seats))
        desk = grow(bot, view, stream, quick, even) if self.searches else None
        if desk:
            chosen = int(favourite(desk.nodes, view.seat))
            if chosen in shown:
                return BotChoice(chosen, view, desk)
        return BotChoice(drawn(shown, stream), view, desk)

    def advise(self, view: View, *, quick: bool = False) -> Hint:
        """What it makes of the choices of a view; the same view gives the same hint.

        It goes by no prior: whoever asks wants to know of each choice, also of those that no good player looks at.
        """
        hint = replace(self, prior=False).answer(view, stream(0, view.seat), quick=quick, even=True).hint
        if hint is None:
            raise BadBot(f"{self.title} has no hint to give; ask a search.")
        return hint


@dataclass(frozen=True)
class BotChoice:
    """What a bot chose; while somebody holds it, the trees that it grew for that are kept."""

    action: int
    view: View
    desk: "Workspace | None" = None

    @cached_property
    def hint(self) -> Hint | None:
        """What it makes of each choice, and what it expects to follow; None if it grew no trees for that."""
        return read_hint(self.view, self.desk.nodes, self.desk.notes.g.copy()) if self.desk else None


def kept(game: Game, legal: Sequence[int]) -> list[int]:
    """What a bot chooses from: it gives up only where nothing else is left."""
    return [action for action in legal if action not in game.conceding] or list(legal)


def drawn(choices: Sequence[int], stream: Array) -> int:
    """One of some choices, as chance has it."""
    return choices[int(chance.below(stream, len(choices)))]


def stream(seed: int, seat: int) -> Array:
    """The generator of the bot on a seat (counted from 1): four words, which every choice moves on."""
    words = np.zeros(4, np.int64)
    chance.seed(words, seed, chance.BOT + seat - 1)
    return words


class Workspace:
    """Room for a search: so many states and one to spare, trees of so many nodes, and what it notes."""

    def __init__(self, game: Game, nodes: int, states: int = 2) -> None:
        self.work = np.zeros(states + 1, game.rules.STATE)
        self.octets = self.work.view(np.uint8).reshape(states + 1, -1)
        self.out = np.zeros(len(game.rules.ACTIONS), np.int16)
        self.nodes = np.zeros(nodes, NODE)
        self.notes = np.zeros(1, desk_dtype(game))[0]
        self.mind = plain_minds(game, 1)[0]


def nodes_for(seats: int, iterations: int) -> int:
    """How many nodes a search has room for.

    An iteration adds one of a choice and one of news to a seat's tree, and where that goes by a prior one of every
    choice there is. Trees that are full grow no more.
    """
    return 1 + seats * (ROOM * iterations + 1)


def grow(bot: Bot, view: View, stream: Array, quick: bool, even: bool = False, *, only: int | None = None) -> Workspace:
    """The trees of a search; seat k's begins at node k. With `only`: as if the seat could choose nothing else."""
    seats = int(view.state.seats)
    most = nodes_for(seats, bot.iterations) + len(view.legal) if bot.iterations else MOST_NODES
    desk = Workspace(view.box.game, min(most, MOST_NODES))
    desk.work[0] = view.state
    desk.notes.g[:] = stream
    (replace(bot, iterations=0) if quick else bot).prepare(desk.mind, view.box, seats, even=even)
    plant(desk.nodes, desk.notes, seats)
    for other in view.legal if only is not None else ():
        if other != only:  # what seems to have been tried so often, and for nothing, is never tried
            desk.nodes[add_node(desk.nodes, desk.notes, view.seat, other)]["visits"] = TIRED_OF
    think = _interpreted(view.box.game) if quick else _compiled(view.box.game)
    seat = view.seat - 1

    def spend(iterations: int) -> None:
        think(view.box.kit, desk.work, desk.octets, desk.out, desk.nodes, desk.notes, desk.mind, seat, iterations)

    if quick:
        by_the_clock(spend, min(QUICK, bot.seconds or QUICK), bot.iterations)
    elif bot.seconds:
        by_the_clock(spend, bot.seconds)
    else:
        spend(bot.iterations)
    stream[:] = desk.notes.g
    return desk


def by_the_clock(spend: Any, seconds: float, most: int = 0) -> None:
    """Spend iterations, one by one at first, until the time is up or (unless 0) `most` are spent."""
    end = time.perf_counter() + seconds
    step = 1
    spent = 0
    while (not most or spent < most) and (before := time.perf_counter()) < end:
        step = min(step, most - spent) if most else step
        spend(step)
        spent += step
        took = time.perf_counter() - before
        step = max(1, min(2 * step, int(step * GLANCE / max(took, 1e-6))))


@cache
def _interpreted(game: Game) -> Driver:
    return thinking(game)


def _compiled(game: Game) -> Driver:
    from sparring.engine.compilation.machine_code import compiled  # Numba: not needed before a bot thinks

    return compiled(game, thinking)

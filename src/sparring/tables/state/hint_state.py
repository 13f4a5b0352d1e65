"""Stored hints of a casual table: who asked, and the hint that a player still sees."""

from typing import Annotated, Self

import msgspec

from sparring.engine.hints import Hint
from sparring.engine.messages import StoredText, say
from sparring.engine.views import View
from sparring.scene.locations import text_of_choice
from sparring.scene.model import Board, Scene
from sparring.scene.screen_reader import flatten
from sparring.tables.state.table_settings import JsonColumn

from .clock_state import Seat

#: How many choices a hint shows.
SHOWN = 3
#: The most hints that an uploaded record may contain.
MOST = 100_000


class HintTaken(msgspec.Struct, frozen=True):
    """A hint that was taken: the seat, and after how many choices of the match."""

    seat: Seat
    after: Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class HintedAction(msgspec.Struct, frozen=True):
    """A bot's rating of a choice: the chance to win (or the payoff) with its 95% confidence interval."""

    action: int
    words: str
    value: float | None
    low: float
    high: float


class HintGiven(msgspec.Struct, frozen=True):
    """The hint that a player sees; `place` is an opaque name of the position."""

    seat: Seat
    place: str
    promises: tuple[HintedAction, ...]
    #: The unit of payoffs, such as chips; empty if the hint gives chances to win.
    unit: str = ""
    #: What the best choice leads to, in one sentence; None if the bot gave none.
    why: StoredText | None = None

    @classmethod
    def of(cls, hint: Hint, view: View, place: str) -> Self:
        """Return the best choices of a bot's hint, in the words that the seat sees."""
        words, payoffs = dict(view.choices), view.setup.game.payoffs
        shown = [
            HintedAction(choice.action, words[choice.action], choice.value, choice.low, choice.high)
            for choice in hint.choices[:SHOWN]
        ]
        return cls(hint.seat, place, tuple(shown), payoffs.unit if payoffs else "", hint.why)

    @property
    def reason(self) -> str:
        """Return `why` in the reader's language; empty if the bot gave none."""
        return str(self.why.text) if self.why else ""

    def lines(self, scene: Scene) -> list[tuple[str, str, str]]:
        """Return what each choice is called in the seat's scene, with its value and its interval in words."""
        return [(text_of_choice(scene, one.action, one.words), *_worth(one, self.unit)) for one in self.promises]


class TableHints(JsonColumn, frozen=True):
    """All hints taken at a table, and the one that its player still sees."""

    taken: tuple[HintTaken, ...] = ()
    given: HintGiven | None = None


AllTaken = Annotated[tuple[HintTaken, ...], msgspec.Meta(max_length=MOST)]


def _worth(one: HintedAction, unit: str) -> tuple[str, str]:
    if one.value is None:
        return say("not tried"), ""
    if unit:
        return f"{one.value:+.1f} {unit}", say("({low} to {high})", low=f"{one.low:+.1f}", high=f"{one.high:+.1f}")
    values = {"low": f"{one.low:.0%}", "high": f"{one.high:.0%}"}
    return say("{chance} to win", chance=f"{one.value:.0%}"), say("({low} to {high})", **values)


def place_of(scene: Scene, action: int) -> str:
    """Return where the space is that an action leads to, such as `2 hexes left`; often nothing.

    It is what its label says besides its name: coordinates alone are hard to find on a board.
    """
    boards = [part for area in scene.middle for part in flatten(area) if isinstance(part, Board)]
    cells = [cell for board in boards for cell in board.cells if cell.action == action and cell.name]
    return cells[0].label.partition(cells[0].name)[2].removeprefix(", ") if cells else ""

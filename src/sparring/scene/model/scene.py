"""The scene: all that a seat sees."""

from functools import cached_property

from msgspec import Struct

from .areas import Area, Banner, Fact, Prompt, Seat, Track
from .base import Choosable, Picture, Shortcut
from .boards import Board, Cell, Token
from .cards import Card, Pile, Row, Slot
from .effects import Effect
from .parts import things


class Scene(Struct, frozen=True, dict=True, omit_defaults=True):
    """Everything that a seat sees of a match at one time."""

    #: The game's name, for its theme.
    game: str
    title: str
    #: The state of the match in a few words: `Turn 5`.
    status: str
    seats: tuple[Seat, ...]
    prompt: Prompt
    middle: tuple[Area, ...] = ()
    left: tuple[Area, ...] = ()
    right: tuple[Area, ...] = ()
    hand: tuple[Area, ...] = ()
    banner: Banner | None = None
    #: The exchange decided at this beat, with its cards; it stays beside the table until the next one.
    exchange: Area | None = None
    over: bool = False
    #: What the beat that this scene shows does to objects on the table, in order.
    effects: tuple[Effect, ...] = ()
    #: When a forfeit by this seat would take effect: `at the end of the Round`; empty if it can't forfeit.
    forfeit: str = ""
    #: The game's card backs, each 63 x 88; the first is the default.
    backs: tuple[Picture, ...] = ()

    @cached_property
    def _on_table(self) -> tuple[object, ...]:
        return tuple(things((self.seats, self.left, self.middle, self.right, self.hand)))

    @cached_property
    def choosable(self) -> tuple[Choosable, ...]:
        """All objects that represent a choice, in reading order."""
        objects = (*self._on_table, *things(self.prompt))
        return tuple(thing for thing in objects if isinstance(thing, Choosable) and thing.action is not None)

    @cached_property
    def shortcuts(self) -> tuple[Shortcut, ...]:
        """All shortcuts, in reading order."""
        return tuple(thing for thing in (*self._on_table, *things(self.prompt)) if isinstance(thing, Shortcut))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys that effects can name: of objects with a key, `seat 2`, `banner KEY`, and `3,0` for a space."""
        found = set[str]() if self.banner is None else {f"banner {self.banner.key}"}
        for thing in self._on_table:
            match thing:
                case Seat():
                    found.add(f"seat {thing.number}")
                case Cell():
                    found.add(f"{thing.at[0]},{thing.at[1]}")
                case Card() | Slot() | Row() | Pile() | Track() | Fact() | Token() | Board():
                    found.add(thing.key)
        return frozenset(found)

    def actions(self) -> list[int]:
        """Return the actions in the scene in reading order; each legal one appears exactly once."""
        return [thing.action for thing in self.choosable if thing.action is not None]

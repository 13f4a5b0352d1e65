"""What a game hands in, and how games are found.

A game is a folder of modules, all of the same shape; `Game` holds them together with the facts that the laws
verify. Installed packages add games through the entry point `sparring.games`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from .errors import BadContent, BadOption, UnknownGame
from .formats.spelling import plain
from .formats.toml_reader import read_toml
from .glossary import Glossary, read_glossary
from .options import Option, Value, read_options
from .plugins import load_all
from .rule import ActionSpace, blank
from .schema import RecordField, inferred

#: The result of `observe_action` when a seat sees that an action was made, but not which.
HIDDEN_ACTION = -1

#: The variant in which every option stands as the rules have it.
LETTER = "by the letter"

#: The seat number of a spectator, for `redact`, `scene` and `tell`.
SPECTATOR = -1


#: Where this stands in a paper, what holds for the positions of every game comes in its place.
COMMON = "<!-- what holds in every game -->"
COMMON_FILE = Path(__file__).parent / "positions.md"

#: The content that comes with a game.
CONTENT = "content.toml"


class RulesModule(Protocol):
    """`rules.py`: the game itself. `kit` and `s` are records, `seat` counts from 0 (SPECTATOR: -1).

    Every function is a rule (see `rule`), so that it runs interpreted and compiled.
    """

    PHASES: tuple[str, ...]
    ENDINGS: tuple[str, ...]
    #: What `beat` may mark (see `beats`), by name; empty for a game whose choices need nothing in between.
    BEATS: tuple[str, ...]
    #: The phases in which everybody can see whether there is one choice only, which the table may make then.
    OPEN: tuple[int, ...]
    ACTIONS: ActionSpace
    KIT: np.dtype[Any]
    STATE: np.dtype[Any]
    FEATURES: int

    def setup(self, kit: Any, s: Any) -> None:
        """Deal; `s` is blank but for its seeded generator and the number of seats."""

    def legal(self, kit: Any, s: Any, out: Any) -> int:
        """Write the legal actions of `s.player` into `out`, ascending, return their number; works on its view too."""

    def step(self, kit: Any, s: Any, action: int) -> None:
        """Carry out one legal action and every automatic step after it."""

    def redact(self, kit: Any, s: Any, seat: int) -> None:
        """Erase what the seat may not know, including the generator."""

    def determinize(self, kit: Any, s: Any, seat: int, g: Any) -> None:
        """Fill a redacted state with a random full state consistent with all the seat has seen, drawn from `g`."""

    def observe_action(self, kit: Any, s: Any, action: int, seat: int) -> int:
        """Return what the seat sees of another's action: the action, or a negative number (HIDDEN_ACTION or a kind)."""

    def features(self, kit: Any, s: Any, seat: int, out: Any) -> None:
        """Write FEATURES numbers (float32, -1 to 1) that encode what the seat knows, from its redacted state."""

    # Optional rules:
    #
    # `private_observation(kit, s, seat) -> int`: what the seat has just learned other than another's action, a number
    # up to 2**30 by which a search tells information sets apart; 0 for nothing (`no_private_observation` is always 0).
    # Without it every change of the seat's view counts (see `bots.search`).
    #
    # `value_features(kit, s, seat, out)` with VALUE_FEATURES, their number: the input of a value model, in the form of
    # `features`. Without it the value model takes `features` (see `bots.judging`).
    #
    # `is_quiescent(kit, s) -> bool`: whether a full state can be evaluated as it stands. A blow without its answer says
    # little, so a search with a policy prior plays on until a state is quiescent (Shannon 1950). Without it every state
    # with a legal action can be evaluated.


class KitModule(Protocol):
    """`kit.py`: options and content."""

    OPTIONS: tuple[Option, ...]

    # A game with content may have its FORM too (see `form`): what a file holds, declared once, from which it is read,
    # and the bench of the studio is made. Without it the bench has the form of the game's own file.

    def read_content(self, data: Mapping[str, Any], where: str) -> Any:
        """Check a content file (parsed TOML); BadContent names `where`, the card and the field."""

    def pack(self, content: Any, kit: Any) -> None:
        """Write the content into the kit record; the options stand in it already."""


class SceneModule(Protocol):
    """`scene.py`: the table as a seat sees it, in things and in words. `s` is always a redacted state."""

    #: Why there is only one choice, for each phase of OPEN: `There is nowhere to move.` stands alone, `Only one
    #: target:` goes before the sentence of that choice, `(the only free square)` into it, after its main clause.
    ONLY: dict[int, str]

    # A game may have ALOUD too: the short words of its sentences and choices, and how they are read out to people who
    # listen, as `QS` and `Queen of spades`. Without it everything is read out as it is written.

    def words(self, box: "Box", s: Any, action: int) -> str:
        """The stable words of a choice; empty if the action means nothing in this state."""

    def aliases(self, box: "Box", s: Any, action: int) -> tuple[str, ...]:
        """Other words for it. Choices that share an alias are interchangeable."""

    def why_not(self, box: "Box", s: Any, action: int) -> str:
        """One kind sentence: why `s.player` may not choose this now. Nobody asks when the match is over."""

    def scene(self, box: "Box", s: Any, seat: int, choices: list[int], beat: str = "") -> Any:
        """The table as a `sparring.scene.Scene`; `choices` are the legal actions if this seat is to choose.

        At a `beat` (one of BEATS) nobody is asked anything: the sentence of the prompt is empty.
        """

    def tell(self, box: "Box", before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
        """What happened between two states that a seat saw one after the other, in sentences.

        `before` and `after` are redacted. `action` is the seat's glimpse of the choice that was made in `before`; None
        if `before` is a beat, from which things went on by themselves. `beat` is which of BEATS `after` is; empty if
        the table is at rest again.
        """

    # A game may have `deeds(box, s, beat)` too: at a beat with a result, what was done (`sparring.scene.Deed`: by which
    # seat, and what it is called), as people may describe it then in their own words beside that name. It names as many
    # for every seat, and what all know.


class PositionModule(Protocol):
    """`position.py`: a state as people write it (TOML or a dict)."""

    def read(self, box: "Box", s: Any, position: Mapping[str, Any], g: Any) -> None:
        """Set up `s` by a position; what it leaves open comes from the generator `g`. Raises BadPosition."""

    def write(self, box: "Box", s: Any) -> dict[str, Any]:
        """The whole true state as a position; reading it again gives the same bytes."""

    def pieces(self, box: "Box", s: Any) -> list[str]:
        """Every card and token, once for each place it is in: no two alike, and the same all through a match."""


class Item(NamedTuple):
    """Something to ask about: what sort of thing it is, and its name, which no other of its sort has."""

    sort: str
    name: str

    def __str__(self) -> str:
        return f"{self.sort} {self.name}"


class ItemsModule(Protocol):
    """`items.py`, which a game need not have: what its designer asks about (see `items`). All but `names` are rules."""

    def names(self, box: "Box") -> tuple[Item, ...]:
        """The items, in the order of their numbers."""

    def held(self, kit: Any, s: Any, seat: int, marks: Any) -> None:
        """Count up `marks` by one at each item that the seat holds; `s` is no view. Twice does no harm."""

    def played(self, kit: Any, s: Any, action: int, marks: Any) -> None:
        """Count up `marks` by one at each item that `s.player` plays with a legal choice. It held all of them."""

    # There may be a rule `ahead(kit, s, seat) -> float` too: how far a seat is on its way to win, from 0 to 1. And
    # BY_LOT, the names of phases in which a seat picks what it plays with: in the studio it does so at random, so that
    # what bots never pick is measured too.


class InventoryModule(Protocol):
    """`inventory.py`, which a game need not have: what it consists of when it is made of paper."""

    def inventory(self, box: "Box", seats: int) -> Any:
        """Everything as `sparring.scene.Inventory`; its pieces are those of `Positions.pieces`, each exactly once."""


class PreviewModule(Protocol):
    """`bench.py`, which a game need not have: what stands beside a set of content while somebody designs it."""

    def beside(self, data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Any:
        """Return what to show beside a set, at one place in it: faces, boards, things of `sparring.scene.preview`.

        The data has the form of the game, and may have faults; the options are all of them, with their values.
        """

    # There may be `calm(data, options, at)` too: for the place that somebody looks at, the values that do not fit any
    # more, each as the way to its field, the value, and why not.


@dataclass(frozen=True)
class Credit:
    """Whose game it is."""

    title: str
    author: str
    source: str
    licence: str


@dataclass(frozen=True)
class Preset:
    """Settings of options that go by a name, and in one sentence what they change."""

    options: Mapping[str, Value]
    summary: str


class Level(NamedTuple):
    """How a bot of a level thinks about a choice: in so many iterations, where it judges positions and where not."""

    judging: int
    plain: int
    #: How many choices deep its trees are at most; 0: as they grow.
    sight: int = 0
    #: Whether it tries first what good players choose, where that was learned.
    prior: bool = False


#: The levels of bots, the weakest first, as they are in a game that says nothing else.
LEVELS: Mapping[str, Level] = {
    "first-match": Level(20, 20, sight=2), "gentle": Level(100, 100), "steady": Level(1000, 1000),
    "strong": Level(5000, 5000, prior=True), "master": Level(20_000, 20_000, prior=True),
}  # fmt: skip


@dataclass(frozen=True)
class Payoffs:
    """What a seat can win or lose in a game that pays other than wins and losses: between `low` and `high` units."""

    low: float
    high: float
    #: What is paid: chips, penalty points.
    unit: str
    #: Whether what some win others lose.
    zero_sum: bool = True


def winners_of(payoffs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Who won, by the payoffs of the seats (or of many matches, a row each): the highest, unless all are equal."""
    best, least = (bound(payoffs, axis=-1, keepdims=True) for bound in (np.max, np.min))
    return (payoffs == best) & (best > least)  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game: its facts, and its modules."""

    name: str
    title: str
    version: int
    seats: tuple[int, ...]
    summary: str
    credit: Credit
    folder: Path
    rules: RulesModule
    kit: KitModule
    scene: SceneModule
    position: PositionModule
    #: What its designer asks about; None: the kinds of choice.
    items: ItemsModule | None = None
    #: What is printed of it; None: what can be seen on its table (see `sparring.printing`).
    inventory: InventoryModule | None = None
    #: What is shown on its bench in the studio; None: the bench is plain.
    bench: PreviewModule | None = None
    #: A bound on the number of choices of a match.
    longest: Callable[["Box", int], int]
    #: Whether seats know different things.
    hidden: bool
    #: Actions that concede: legal for people, never picked by random play.
    conceding: tuple[int, ...] = ()
    #: Whether one best choice can be read, since seats choose in secret or bluff: then bots that mix are offered.
    mixes: bool = False
    #: Whether the clues of a judgement mean the same at every table: then the one for the usual rules serves where none
    #: was learned for the options or content in play.
    judged_alike: bool = False
    #: What a choice of delay leaves of all that goes beyond an even end, for bots that judge; less than 1 in a game in
    #: which to wait looks as good as to act, so that they would wait for ever.
    patience: float = 1.0
    #: What is paid; None: the losers pay 1 each, and the winners share it.
    payoffs: Payoffs | None = None
    #: What each level of bots is in this game, set so that each is worth playing after the one below (opponents.md).
    levels: Mapping[str, Level] = field(default_factory=lambda: LEVELS)
    #: Named settings of options; LETTER (all defaults) is always there.
    presets: Mapping[str, Preset] = field(default_factory=dict)
    #: The variant that makes a good first match, and what there is to say of the letter.
    recommended: str = LETTER
    letter: str = "Every rule as it is written, with the rulings where it is silent."

    @cached_property
    def content(self) -> Any:
        """The content that comes with the game; without a `content.toml` what `read_content` makes of nothing."""
        return self.read_content(self.folder / CONTENT) if self.has_content else self.kit.read_content({}, self.title)

    @property
    def has_content(self) -> bool:
        """Whether it has content that somebody may change."""
        return (self.folder / CONTENT).exists()

    @property
    def content_text(self) -> str:
        """The file of its own content as it stands; empty if it has none."""
        return (self.folder / CONTENT).read_text(encoding="utf-8") if self.has_content else ""

    @cached_property
    def form(self) -> RecordField:
        """The form of its content: as it is declared, or that of its own file."""
        declared: RecordField | None = getattr(self.kit, "FORM", None)
        return declared or inferred(read_toml(self.content_text, CONTENT))

    @cached_property
    def glossary(self) -> Glossary:
        """The words of its table, explained in `glossary.toml`; empty if it has no such file."""
        return read_glossary(self.folder / "glossary.toml")

    @property
    def aloud(self) -> Mapping[str, str]:
        """The short words of its sentences and choices, and how they are read out (`ALOUD` of `scene.py`)."""
        return getattr(self.scene, "ALOUD", {})

    @property
    def describes(self) -> bool:
        """Whether it names what was done, so that people can describe it (`scene.deeds`)."""
        return hasattr(self.scene, "deeds")

    def read_content(self, file: str | Path) -> Any:
        """Read and check a content file of the same form as the game's own `content.toml`."""
        path = Path(file)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as problem:
            raise BadContent(f"{path} cannot be read: {problem.strerror or problem}.") from None
        except UnicodeDecodeError as problem:
            raise BadContent(f"{path.name} is not TOML: {problem}.") from None
        return self.kit.read_content(read_toml(text, path.name), path.name)

    def paper(self, name: str) -> str | None:
        """A paper that comes with the game: `rules`, or `positions` for programs; None if there is no such one."""
        file = self.folder / f"{name}.md"
        if not file.exists():
            return None
        return file.read_text(encoding="utf-8").replace(COMMON, COMMON_FILE.read_text(encoding="utf-8"))

    def box(self, options: Mapping[str, Any] | None = None, content: Any = None) -> "Box":
        """What a match is played with. `content` is what `read_content` gave, None for the game's own."""
        chosen = read_options(self.name, self.kit.OPTIONS, options or {})
        return Box(self, chosen, content) if content else self._own_box(tuple(chosen.items()))

    @cached_property
    def _own_box(self) -> Callable[[tuple[tuple[str, Value], ...]], "Box"]:
        """Opens a box with the game's own content; nothing in a box changes, so one serves many matches."""
        return lru_cache(maxsize=32)(lambda options: Box(self, dict(options), self.content))

    def check_seats(self, seats: int | None) -> int:
        """How many seats play; the smallest number if nothing is said."""
        if seats is None:
            return self.seats[0]
        if seats not in self.seats:
            raise BadOption(f"{self.title} is for {self.seats_in_words} seats, not {seats}.")
        return seats

    @property
    def seats_in_words(self) -> str:
        """How many can play, in words: `2`, `2 or 4`, `2 to 6`."""
        first, last = self.seats[0], self.seats[-1]
        if len(self.seats) > 2 and self.seats == tuple(range(first, last + 1)):
            return f"{first} to {last}"
        return " or ".join(map(str, self.seats))

    @cached_property
    def variants(self) -> Mapping[str, Preset]:
        """All that can be played by name: the one for a first match first, then the letter and the other presets."""
        all_of_them = {LETTER: Preset({}, self.letter), **self.presets}
        return {self.recommended: all_of_them[self.recommended], **all_of_them}

    def preset(self, name: str) -> Mapping[str, Value]:
        """The options of a variant by its name."""
        if name not in self.variants:
            raise BadOption(f"{self.title} has no preset {name}; there is {', '.join(self.variants)}.")
        return self.variants[name].options


class Box:
    """What is in the box: a game with its options and content, and the kit record that the rules read."""

    def __init__(self, game: Game, options: dict[str, Value], content: Any) -> None:
        self.game = game
        self.options = options
        self.content = content
        self.kit: Any = blank(game.rules.KIT)
        for option in game.kit.OPTIONS:
            self.kit[option.name] = option.number(options[option.name])
        game.kit.pack(content, self.kit)

    @property
    def own_content(self) -> bool:
        """Whether somebody brought other cards, boards or fighters than the game's own."""
        return self.content is not self.game.content


@cache
def games() -> dict[str, Game]:
    """Return all installed games by name, sorted by title; broken ones are named on stderr and skipped."""
    found = [game for _, game in load_all("sparring.games", Game)]
    return {game.name: game for game in sorted(found, key=lambda game: game.title)}


def game(name: str) -> Game:
    """The game of that name or title."""
    found = next((game for game in games().values() if plain(name) in (plain(game.name), plain(game.title))), None)
    if found is None:
        raise UnknownGame(f"There is no game called {name}; there is {', '.join(games()) or 'none installed'}.")
    return found

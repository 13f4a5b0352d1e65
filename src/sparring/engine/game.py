"""Define the contract of a game, and find the installed games.

A game is a package of modules, usually named `rules.py`, `params.py`, `scene.py` and `position.py`, and optional ones.
The protocols below specify each module: signatures, shapes, dtypes, who calls each function and when, and what must
hold. `Game` bundles the modules with facts about the game, which the laws verify (`sparring.engine.laws`). Installed
packages add games through the entry point `sparring.games`.

Terms: *seats* count from 0 inside rules and from 1 everywhere else; `SPECTATOR` (-1) is the seat of a spectator. An
*action* is a number from 0 to `len(ACTIONS) - 1`. A *state* is a full state; a *view* is a state from which `redact`
has erased what one seat may not know. A *moment* is the time in which a player can still take actions back.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from pickle import PicklingError  # nosec B403
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from .errors import CONVERT, BadOption, BadRecord, UnknownGame
from .formats import normalize
from .formats.toml import read_toml, read_toml_file, write_toml
from .glossary import Glossary, read_glossary
from .messages import AnyText, property_by_language
from .options import Option, Value, complete, in_params, read_options, split_options
from .plugins import load_all
from .rule import ActionSpace, blank
from .schema import RecordField, inferred, read
from .tiered_rules import TieredRules
from .types import Floats, Generator, Numbers

#: What `observe_action` returns when a seat sees that an action was taken, but not which one.
HIDDEN_ACTION = -1

#: The variant in which every option has its default value.
STANDARD = "standard"

#: The preset that takes the document of a game at its word. STANDARD had this name in earlier versions.
DOCUMENT = "by the letter"

#: The seat number of a spectator, for `redact` and `SeatTable`.
SPECTATOR = -1


#: A placeholder in a game's `positions.md`, replaced by the text that holds for every game.
COMMON = "<!-- what holds in every game -->"
COMMON_FILE = Path(__file__).parent / "positions.md"

#: The content that comes with a game.
CONTENT = "content.toml"


class RulesModule(Protocol):
    """`rules.py`: the rules of the game, without input, output, drawing or learning code.

    Every function is a rule (see `sparring.engine.rule.rule`): it runs as plain Python and compiled by Numba, with
    identical results. Rules change only the records and arrays named as outputs below. They hold no state between
    calls, and all chance comes from `s.rng` or the generator they are given.

    Parameters that several functions share:

    * `params`: a record of dtype `Params.dtype`, read-only: the options by name, and the content as `pack` in
      `params.py` wrote it.
    * `s`: a record of dtype `State.dtype`; its header (`types.AnyState`) holds `rng`, `seats`, `player`, `phase`,
      `turn`, `moment`, `over`, `ending` and `payoff`.
    * `seat`: an integer from 0 to `s.seats - 1`; also SPECTATOR (-1) for `redact`, `determinize` and `observe_action`.
    * `g`: a generator, an int64 array of shape (4,) (see `sparring.engine.chance`); each draw advances it.
    """

    #: Names of the phases; `s.phase` is an index.
    PHASES: tuple[str, ...]
    #: The ways a match can end, in words that people read; `s.ending` is an index once the match is over.
    ENDINGS: tuple[str, ...]
    #: Names of the intermediate states that `beat` marks (see `sparring.engine.rule`); may be empty.
    BEATS: tuple[str, ...]
    #: The action numbers, in named blocks.
    ACTIONS: ActionSpace
    #: The state, a subclass of `state.Header`. Equal situations must have equal bytes.
    State: Any
    #: The number of values that `features` writes.
    FEATURES: int

    def setup(self, params: Any, s: Any, /) -> None:
        """Deal a match: turn a blank state into the first state in which a player must act.

        Called once per match. On entry `s` is all zeros except `s.rng` (seeded) and `s.seats` (one of `Game.seats`). On
        return `s.player` has a legal action. The same params, generator and number of seats must give the same bytes.
        """

    def legal(self, params: Any, s: Any, out: Numbers, /) -> int:
        """Write the legal actions of `s.player` into `out` in ascending order, and return how many there are.

        `out` is an int16 array of shape (len(ACTIONS),). Called by matches, searches and laws on full states and on the
        view of `s.player`, which must give the same actions; never called when `s.over`. There must be at least one
        action that does not concede. `s` does not change.
        """

    def step(self, params: Any, s: Any, action: int, /) -> None:
        """Apply one legal action of `s.player`, then every automatic step up to the next decision or the end.

        `action` is one of those that `legal` wrote; callers check this. On return, either `s.player` has a legal
        action, or `finish` or `close` has ended the match, exactly once. Call `end_moment` when a seat learns something
        hidden, when chance is used, or when another seat must act: while `s.moment` is unchanged, actions can be taken
        back (law 9).
        """

    def redact(self, params: Any, s: Any, seat: int, /) -> None:
        """Erase from `s`, in place, everything that the seat may not know, including the generator.

        Called on a copy of a full state for every view, and by searches on determinized states. Hidden cards become
        UNKNOWN (-1), and `s.rng` becomes zero (`chance.forget`). The result depends only on what the seat knows: two
        states that the seat cannot tell apart give the same bytes. Redacting a view again for the same seat changes
        nothing.
        """

    def determinize(self, params: Any, s: Any, seat: int, g: Generator, /) -> None:
        """Fill the view `s` of a seat, in place, with a random full state consistent with the seat's information set.

        Called once per search iteration. Every random draw comes from `g`, which also reseeds `s.rng`
        (`chance.reseed`). Afterwards `redact(params, s, seat)` must give the same view byte for byte. The state has the
        same pieces and, for `s.player`, the same legal actions as the real one, and can be played on (law 4).
        """

    def observe_action(self, params: Any, s: Any, action: int, seat: int, /) -> int:
        """Return what the seat sees of another seat's action: the action itself, or a negative number.

        Called on the full state `s` before `step`, for SPECTATOR and every seat except the one that acts. The negative
        number is HIDDEN_ACTION, or a different one above -1000 for each kind of action that the seat can distinguish.
        The result must not reveal more than the seat's view after the action (law 9). `s` does not change.
        """

    def features(self, params: Any, s: Any, seat: int, out: Floats, /) -> None:
        """Encode what the seat knows as FEATURES values from -1 to 1, for learning algorithms.

        `s` is the seat's view and does not change. `out` is a float32 or float64 array of shape (FEATURES,); every
        entry must be written. The constant LAYOUT (optional) describes the values (see `sparring.engine.features`).
        """

    # Optional rules:
    #
    # `private_observation(params, s, seat) -> int`: what the seat has just learned other than from an action, as a
    # number from 1 to 2**30; 0, or the same number again, for nothing new. Searches use it to distinguish information
    # sets. Called on full states after the deal and after each `step`; the seat's view must give the same number
    # (law 4). `s` does not change. `no_private_observation` always returns 0. Without the rule, a hash of the seat's
    # view is used (see `bots.search`).
    #
    # `value_features(params, s, seat, out)` with VALUE_FEATURES, the number of values: the input of value models and
    # policy priors, specified like `features`. Without it they use `features` (see `bots.evaluation`).
    #
    # `is_quiescent(params, s) -> bool`: whether a full state can be evaluated as it is. An attack that is not answered
    # yet says little, so a search with a policy prior plays on until the state is quiescent (Shannon 1950). `s` does
    # not change. Without the rule, every state with more than one legal action can be evaluated.
    #
    # `relative_action(params, s, seat, action) -> int` and its inverse `absolute_action`: an action in the frame of the
    # seat's features. A game whose features count seats from the seat itself, or turn the board to it, has both if
    # actions name seats or squares. The research environments use them (`sparring.research`). `s` does not change.


class ParamsModule(Protocol):
    """`params.py`: the options and the content of the game."""

    #: The options and what else rules know, a subclass of `state.Parameters`.
    Params: Any

    # Optional: `text_values(setup)` returns a mapping with more values for the game's texts (`sparring.engine.texts`).
    #
    # Optional: FORM, the schema of a content file (see `sparring.engine.schema`), and Content, the class of the
    # content, a dataclass with the fields of FORM. The studio builds its editor from FORM; without it, the editor's
    # schema is inferred from the game's own file.
    #
    # Optional, in place of Content: `read_content(data, where)` validates parsed TOML and returns the content in the
    # form that `pack`, scenes and positions use. Called with `{}` if the game has no `content.toml`. `where` is the
    # name of the file for messages. Raises BadContent, whose messages name the file, the entry and the field.
    #
    # Optional: `pack(content, params)` writes the content into `params`, a record of dtype `Params.dtype` that already
    # holds the options.
    #
    # Optional: `merged(first, second)` returns the data of a content file in which two seats bring their own cards,
    # from the data of two files. Raises BadContent. What becomes of it has `hidden = True`: until the
    # match is over, a player may know only the cards that they brought or have seen. Then `words` and `aliases` are
    # empty, and `why_not` is the same, for other cards and for numbers that mean nothing.


class SceneModule(Protocol):
    """`scene.py`: the table as a seat sees it, as objects and in words. `s` is always a view; `seat` counts from 0."""

    @property
    def PHASES(self) -> Sequence[Any]:  # noqa: N802 - a constant of the module
        """One `sparring.scene.Phase` for each of PHASES in `rules.py`, in this order.

        The number of legal actions, apart from conceding ones, is public in those with a `forced_text` (law 10): the
        table may then take the only one.
        """

    # Optional: SPOKEN, a mapping of abbreviations in sentences and choices to spoken forms, such as `QS` to `Queen of
    # spades`. Without it, screen readers get the text as written.

    def words(self, setup: "GameSetup", s: Any, action: int) -> str:
        """Return the words that name an action, unique among the legal ones; empty if it means nothing in this state.

        The words must be stable: bots and people use them, and reading them gives the action back (law 8).
        """

    def aliases(self, setup: "GameSetup", s: Any, action: int) -> tuple[str, ...]:
        """Return other words for an action. Actions that share an alias must be interchangeable."""

    @property
    def SeatTable(self) -> Callable[["GameSetup", Any, int, list[int], str], "SeatTable"]:  # noqa: N802 - a class
        """The class of what a seat sees of a view and reads about it, usually a subclass of `sparring.scene.Layout`.

        It is called with the setup, the view, the seat, its legal actions (empty unless it must act) and the beat (one
        of BEATS; empty if a player must act, or the match is over).
        """

    # Optional: `named_moves(setup, s, beat)` returns the moves on the table, as `sparring.scene.NamedMove` (the seat,
    # the name of the move, and words to compose a description from), so that players can describe them. They belong to
    # one exchange, up to the beat that shows its result. It must return the same for every seat: what all may know.


class SeatTable(Protocol):
    """What a seat sees of a view and reads about it: an object of the class of this name in `scene.py`."""

    def scene(self) -> Any:
        """Return the table as a `sparring.scene.PrintableScene`.

        It offers each legal action exactly once. At a beat the sentence of the prompt is empty.
        """

    def outline(self) -> Any:
        """Return the scene without the areas on the table."""

    def tell(self, before: Any, action: int | None, /) -> Sequence[AnyText]:
        """Return sentences about what happened since the seat's view `before`.

        `action` is what the seat observed of the action taken in `before` (`observe_action`); None if `before` is a
        beat, after which the rules continued automatically.
        """

    def animate(self, before: Any, action: int | None, /) -> Sequence[Any]:
        """Return what has happened to objects on the table since the view `before` (`sparring.scene.Effect`).

        The browser animates the effects and plays sounds. They name only objects that the scene shows before or now.
        """


class PositionModule(Protocol):
    """`position.py`: a state in a form that people read and write (TOML or a dict)."""

    def read(self, setup: "GameSetup", s: Any, position: Mapping[str, Any], g: Generator) -> None:
        """Set up `s` from a position; draw what the position leaves open from the generator `g`.

        On entry `s` is blank except for `s.rng` and `s.seats`. Raises BadPosition, whose message names the field and
        what would be right.
        """

    def write(self, setup: "GameSetup", s: Any) -> dict[str, Any]:
        """Return the full state as a position. Reading it must give the same bytes (law 6)."""

    def components(self, setup: "GameSetup", s: Any) -> list[str]:
        """Return the name of every card and token in a full state, once for each place where it is.

        Names are unique and do not change during a match, so that law 3 detects lost and duplicated pieces.
        """


class Item(NamedTuple):
    """Something whose strength a designer measures: its sort, and its name, unique within that sort."""

    sort: str
    name: str

    def __str__(self) -> str:
        return f"{self.sort} {self.name}"


class ItemsModule(Protocol):
    """The items of the game (optional; see `sparring.engine.items`). All but `names` are rules."""

    def names(self, setup: "GameSetup") -> tuple[Item, ...]:
        """Return the items in the order of their numbers."""

    def held(self, params: Any, s: Any, seat: int, marks: Numbers, /) -> None:
        """Add 1 to `marks` for each item that the seat holds in the full state `s`.

        `marks` is an unsigned integer array with one entry per item. Callers test only whether a mark is above 0.
        """

    def played(self, params: Any, s: Any, action: int, marks: Numbers, /) -> None:
        """Add 1 to `marks` for each item that `s.player` plays with a legal action.

        The seat must hold all of them (law 11).
        """

    # Optional: a rule `progress(params, s, seat) -> float`, how close a seat is to winning, from 0 to 1; and BY_LOT,
    # the names of phases in which seats pick what they play with. When the studio measures a content set, these picks
    # are random, so that items which bots would never pick are measured too.


class InventoryModule(Protocol):
    """The components of the printed game (optional; usually in `components.py`)."""

    def inventory(self, setup: "GameSetup", seats: int) -> Any:
        """Return the components as `sparring.scene.PaperInventory`.

        Its pieces are those of `PositionModule.components`, each once.
        """


class PreviewModule(Protocol):
    """The preview beside a content set in the studio (optional; usually in `components.py`)."""

    def preview(self, data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Any:
        """Return what to show beside the field being edited: faces, boards, objects of `sparring.scene.components`.

        `data` has the shape of the game's content file and may be invalid; `options` maps every option to its value;
        `at` is the path to the field.
        """

    # Optional: `misfits(data, options, at)` returns the values that no longer fit after the field at `at` was edited,
    # each with its path, the value, and the reason.


class ReasonsModule(Protocol):
    """Why one action may be better than another, for hints and puzzles (optional)."""

    def reasons_for(self, setup: "GameSetup", s: Any, action: int, other: int) -> Sequence[AnyText]:
        """Return reasons to prefer `action` to `other`, the most important first.

        `s` is the view of `s.player`, for whom both actions are legal. Each sentence must be true in every state that
        is consistent with the view; it says what an action does, not whether it is good. Empty if nothing simple
        distinguishes the two actions.
        """


def modules(*parts: ModuleType) -> Any:
    """Return several modules of a game as one, for a field of `Game`; a name means that of the first that has it."""
    whole = ModuleType(parts[0].__name__)
    for part in reversed(parts):
        vars(whole).update(vars(part))
    return whole


#: What licences ask for, by a part of their names.
CONDITIONS = {
    "BY-NC-SA": "You may share and adapt this with the credit and the link (Attribution), not for commercial purposes "
    "(NonCommercial), and under the same licence (ShareAlike).",
}


@dataclass(frozen=True)
class Credit:
    """Who made a game, where it comes from, its licence, and what was changed."""

    title: str
    author: str
    source: str
    licence: str
    #: The address of the licence.
    link: str = ""
    #: What differs from the source, in a sentence.
    changes: str = ""

    @property
    def conditions(self) -> str:
        """What the licence asks for, in words; empty if nothing is known."""
        return next((words for name, words in CONDITIONS.items() if name in self.licence), "")

    @property
    def text(self) -> str:
        """The whole credit on one line, for pages, files and the terminal."""
        licence = f"{self.licence} ({self.link})" if self.link else self.licence
        parts = [f"{self.title} by {self.author}.", f"Source: {self.source}.", f"Licence: {licence}."]
        return " ".join([*parts, *filter(None, [self.conditions, self.changes])])

    @property
    def short(self) -> str:
        """Author, licence, link and changes, for the edge of a printed sheet."""
        licence = f"{self.licence}, {self.link}" if self.link else f"Licence: {self.licence}"
        return f"{self.title} by {self.author}. {licence}. {self.changes}".strip()


@dataclass(frozen=True)
class Preset:
    """A named set of option values, with a summary that says what it changes and how it plays."""

    options: Mapping[str, Value]
    summary: str
    #: For DOCUMENT: the words of the document, at most five, that each option follows more closely than its default.
    quotes: Mapping[str, str] = field(default_factory=dict)


class Level(NamedTuple):
    """A bot level: the iterations per decision, with and without a value model."""

    with_model: int
    without_model: int
    #: The maximum depth of the trees, in actions; 0: no limit.
    max_depth: int = 0
    #: Whether the search uses a policy prior, where one was trained.
    prior: bool = False


#: The default levels of bots, weakest first.
LEVELS: Mapping[str, Level] = {
    "first-match": Level(20, 20, max_depth=2), "gentle": Level(100, 100), "steady": Level(1000, 1000),
    "strong": Level(5000, 5000, prior=True), "master": Level(20_000, 20_000, prior=True),
}  # fmt: skip


@dataclass(frozen=True)
class Payoffs:
    """The payoffs of a game that is not only won or lost: from `low` to `high` units per seat."""

    low: float
    high: float
    #: The unit, such as chips or penalty points.
    unit: str
    #: Whether the payoffs of a match sum to zero.
    zero_sum: bool = True


def winners_of(payoffs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a boolean array of the winners: the seats with the highest payoff, unless all are equal.

    `payoffs` has shape (..., seats): one match, or one row per match.
    """
    best, least = (bound(payoffs, axis=-1, keepdims=True) for bound in (np.max, np.min))
    return (payoffs == best) & (best > least)  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game: facts about it, and its modules. Fields without a default are required."""

    #: The name in commands and addresses, such as `high-card`, and the title for people.
    name: str
    title: str
    #: The version of the rules. Records of another version cannot be replayed.
    version: int
    #: The possible numbers of seats, ascending.
    seats: tuple[int, ...]
    #: One sentence for lists of games.
    summary: str
    credit: Credit
    #: The folder with `content.toml`, `rules.md` and other files; by default, that of `rules.py`.
    folder: Path = Path()
    rules: RulesModule
    params: ParamsModule
    scene: SceneModule
    position: PositionModule
    #: The items that designers measure; None: the blocks of ACTIONS.
    items: ItemsModule | None = None
    #: The components of the printed game; None: those shown on its table (see `sparring.printing`).
    inventory: InventoryModule | None = None
    #: The preview in the studio; None: no preview.
    preview: PreviewModule | None = None
    #: Reasons to prefer one action to another; None: hints only say what an action leads to.
    reasons: ReasonsModule | None = None
    #: An upper bound on the number of actions in a match, from the setup and the number of seats.
    max_choices: Callable[["GameSetup", int], int]
    #: Whether seats have hidden information.
    hidden: bool
    #: All first states of a small game, equally likely, from the setup and the number of seats; no chance may follow
    #: them. None: too many to list. Exact solvers need them (`lab.game_tree`, `research.openspiel`).
    deals: Callable[["GameSetup", int], Sequence[Any]] | None = None
    #: Actions that concede: legal for people, never chosen by random play or searches.
    conceding: tuple[int, ...] = ()
    #: Whether a pure strategy can be exploited, because seats choose in secret or bluff. Tables then also offer the
    #: mixed-strategy bot.
    needs_mixed_strategies: bool = False
    #: Whether value features mean the same under all options and content. The value model for the default rules is then
    #: used where none was trained for the ones in play.
    shared_value_model: bool = False
    #: The discount per action of returns toward a draw, for bots with a value model. Less than 1 in a game in which
    #: waiting looks as good as acting, so that bots do not wait for ever.
    discount: float = 1.0
    #: Whether it is a template for designers' own games, which is listed after the games.
    template: bool = False
    #: The range of payoffs; None: each loser pays 1, and the winners share it.
    payoffs: Payoffs | None = None
    #: The bot levels of this game, weakest first (docs/strength.md has results between them).
    levels: Mapping[str, Level] = field(default_factory=lambda: LEVELS)
    #: Named sets of option values; STANDARD (all defaults) always exists.
    presets: Mapping[str, Preset] = field(default_factory=dict)
    #: The variant recommended for a first match, and the description of STANDARD.
    recommended: str = STANDARD
    default_summary: str = "The rules as the numbered rulings read them."
    #: Where the default options come from, for texts that name them beside others: `in the document`; empty: nowhere.
    document_word: str = ""

    def __post_init__(self) -> None:
        """Find the folder, and refuse a game that was written before each phase had a record, and the table a class."""
        if self.folder == Path():
            object.__setattr__(self, "folder", Path(self.rules.__file__).parent)  # type: ignore[attr-defined]
        for name, declared in (("PHASES", "each phase"), ("SeatTable", "its table as a class")):
            if not hasattr(self.scene, name):
                raise ImportError(f"{self.title} has no {name} in its scene: a game declares {declared}. {CONVERT}")
        if hasattr(self.scene, "tell"):  # nothing would call it, and the log would lose its sentences
            raise ImportError(f"{self.title} has tell in its scene: its SeatTable says what happens. {CONVERT}")
        room = self.rules.State.dtype["payoff"].shape[0]
        if max(self.seats) > room:
            raise ValueError(f"{self.title} has up to {max(self.seats)} seats, but its State is declared for {room}.")

    @cached_property
    def content(self) -> Any:
        """The content that comes with the game; without a `content.toml`, that of an empty file."""
        return self.read_content(self.folder / CONTENT) if self.has_content else self.content_from({}, self.title)

    @property
    def has_content(self) -> bool:
        """Whether the game has content that people can replace."""
        return (self.folder / CONTENT).exists()

    @property
    def content_text(self) -> str:
        """The text of the game's own content file; empty if it has none."""
        return (self.folder / CONTENT).read_text(encoding="utf-8") if self.has_content else ""

    @cached_property
    def form(self) -> RecordField:
        """The schema of the content: the declared FORM, or one inferred from the game's own file."""
        declared: RecordField | None = getattr(self.params, "FORM", None)
        return declared or inferred(read_toml(self.content_text, CONTENT))

    @cached_property
    def glossary(self) -> Glossary:
        """The terms on the table, explained in `glossary.toml`; empty without that file."""
        return read_glossary(self.folder / "glossary.toml")

    @cached_property
    def forced_texts(self) -> Mapping[int, str]:
        """Why there is only one choice, by phase; only phases in which every seat can tell how many there are."""
        return {number: phase.forced_text for number, phase in enumerate(self.scene.PHASES) if phase.forced_text}

    @property_by_language
    def spoken_forms(self) -> Mapping[str, str]:
        """The spoken forms of abbreviations in sentences and choices (`SPOKEN` in `scene.py`)."""
        return {short: str(spoken) for short, spoken in getattr(self.scene, "SPOKEN", {}).items()}

    @property
    def has_named_moves(self) -> bool:
        """Whether the game names moves that players can describe (`named_moves` in `scene.py`)."""
        return hasattr(self.scene, "named_moves")

    @property
    def has_halves(self) -> bool:
        """Whether each of two players can bring their own cards (`merged` in `params.py`)."""
        return hasattr(self.params, "merged")

    def merged(self, first: str, second: str) -> str:
        """Return two content files as one, of which seat 1 has brought the first and seat 2 the second."""
        texts = (first, "The first half"), (second, "The second half")
        halves = [split_options(read_toml(text, where), self.options(), where)[0] for text, where in texts]
        return write_toml(self.params.merged(*halves))  # type: ignore[attr-defined]

    def read_content(self, file: str | Path) -> Any:
        """Read and validate a content file in the format of the game's own `content.toml`. Raises BadContent.

        `file_options` returns the options in the file, if it has any.
        """
        return self.content_from(self._read_file(file)[0], Path(file).name)

    def content_from(self, data: Mapping[str, Any], where: str) -> Any:
        """Validate the data of a content file and return the content. Raises BadContent; `where` names the file in it.

        It is what `read_content` of `params.py` returns; without it, the class Content there with what FORM reads; None
        for a game with neither.
        """
        if hasattr(self.params, "read_content"):
            return self.params.read_content(data, where)
        declared: RecordField | None = getattr(self.params, "FORM", None)
        return msgspec.convert(read(declared, data, where), self.params.Content) if declared else None  # type: ignore[attr-defined]

    def file_options(self, file: str | Path) -> dict[str, Any] | None:
        """Return the options in a set's file (`[options]`), or None if it has no such table. Raises BadContent."""
        return self._read_file(file)[1]

    def _read_file(self, file: str | Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
        return split_options(read_toml_file(Path(file)), self.options(), Path(file).name)

    @property
    def positions(self) -> str | None:
        """The format of positions, for programs (`positions.md`); None if the game doesn't describe it."""
        file = self.folder / "positions.md"
        if not file.exists():
            return None
        return file.read_text(encoding="utf-8").replace(COMMON, COMMON_FILE.read_text(encoding="utf-8"))

    def options(self, content: object = None) -> tuple[Option, ...]:
        """Return the options, with the names that the content has as values (default: the game's own content)."""
        declared: tuple[Option, ...] = self.params.Params.options
        return tuple(option.with_content(content) for option in declared) if content else declared

    def setup(self, options: Mapping[str, Any] | None = None, content: object = None) -> "GameSetup":
        """Return a setup with these options; the others have their default values.

        `content` is a result of `read_content`; None: the game's own. Raises BadOption for an unknown option or value.
        """
        if not options and not content:
            return self._default_setup
        chosen = read_options(self.title, self.options(content), options or {})
        return GameSetup(self, chosen, content) if content else self._own_setup(tuple(chosen.items()))

    def stored_setup(self, options: Mapping[str, Any], content: object = None) -> "GameSetup":
        """Return the setup of a stored match; options that it doesn't name are as they were then. Raises BadOption."""
        return self.setup(complete(self.options(content), options), content)

    @property
    def recommended_setup(self) -> "GameSetup":
        """The setup of the variant recommended for a first match."""
        return self.setup(self.preset(self.recommended))

    @cached_property
    def _default_setup(self) -> "GameSetup":
        """The setup with the game's own content and default options."""
        return self._own_setup(tuple(read_options(self.title, self.options(), {}).items()))

    @cached_property
    def _own_setup(self) -> Callable[[tuple[tuple[str, Value], ...]], "GameSetup"]:
        """Cache setups with the game's own content: a setup never changes, and matches share it."""
        return lru_cache(maxsize=32)(lambda options: GameSetup(self, dict(options), self.content))

    def check_seats(self, seats: int | None) -> int:
        """Return `seats` if the game allows this number, and the smallest number for None. Raises BadOption."""
        if seats is None:
            return self.seats[0]
        if seats not in self.seats:
            raise BadOption(f"{self.title} needs {self.seats_in_words} seats, not {seats}.")
        return seats

    @property
    def seats_in_words(self) -> str:
        """The possible numbers of seats in words: `2`, `2 or 4`, `2 to 6`."""
        first, last = self.seats[0], self.seats[-1]
        if len(self.seats) > 2 and self.seats == tuple(range(first, last + 1)):
            return f"{first} to {last}"
        return " or ".join(map(str, self.seats))

    @cached_property
    def variants(self) -> Mapping[str, Preset]:
        """All named variants: the recommended one first, then STANDARD and the other presets.

        A preset stays as it was when the default of an option that it doesn't name changes.
        """
        before = {
            each.name: each.when_missing for each in self.options() if each.when_missing not in (None, each.default)
        }
        presets = {name: replace(preset, options={**before, **preset.options}) for name, preset in self.presets.items()}
        all_of_them = {STANDARD: Preset({}, self.default_summary), **presets}
        return {self.recommended: all_of_them[self.recommended], **all_of_them}

    def preset(self, name: str) -> Mapping[str, Value]:
        """Return the options of a variant by its name. Raises BadOption.

        A game that declares no DOCUMENT has the defaults by that name too, as all games had.
        """
        if name == DOCUMENT and DOCUMENT not in self.variants:
            name = STANDARD
        if name not in self.variants:
            known = ", ".join(f"“{variant}”" for variant in self.variants)
            raise BadOption(f"{self.title} has no preset {name}; its presets are {known}.")
        return self.variants[name].options

    @property
    def by_the_letter(self) -> Preset:
        """The preset that takes the document at its word; without one, a preset that changes nothing."""
        return self.presets.get(DOCUMENT) or Preset({}, "")

    def describe_options(self, options: Mapping[str, Any]) -> str:
        """Return the closest variant and the options that differ from it: `“longer”`, or `“longer” with life 5`."""

        def differences(name: str) -> list[str]:
            own = self.setup(dict(self.preset(name))).options
            return [f"{option} {value}" for option, value in options.items() if own[option] != value]

        name = min(self.variants, key=lambda name: len(differences(name)))
        other = differences(name)
        return f"“{name}” with {', '.join(other)}" if other else f"“{name}”"

    def __deepcopy__(self, _memo: object) -> "Game":
        return self

    def __reduce__(self) -> Any:
        """Pickle the game as the package that defines it, its name and its version."""
        package = self.rules.__name__.rpartition(".")[0]  # type: ignore[attr-defined]
        if _defined_in(package, self.name) is not self:
            raise PicklingError(f"Can't pickle {self.title}: no variable of the package {package} is this game.")
        return _unpickled_game, (package, self.name, self.version)


def _defined_in(package: str, name: str) -> Game | None:
    """Return the game of that name among the variables of a package; None if there is none."""
    values = vars(import_module(package)).values() if package else ()
    return next((value for value in values if isinstance(value, Game) and value.name == name), None)


def _unpickled_game(package: str, name: str, version: int) -> Game:
    found = _defined_in(package, name)
    if found is None:
        raise UnknownGame(f"The package {package} has no game called {name}.")
    if found.version != version:
        raise BadRecord(
            f"This pickle is from version {version} of {found.title}; version {found.version} is installed."
        )
    return found


class GameSetup:
    """A game with options, content, and the params record that the rules read. It never changes."""

    def __init__(self, game: Game, options: dict[str, Value], content: object) -> None:
        self.game = game
        self.options = options
        self.content: Any = content
        #: The rules that matches call: the game's own, or those of `machine_code`.
        self.rules: RulesModule | TieredRules = game.rules
        self.params: Any = blank(game.params.Params.dtype)
        for option in filter(in_params, game.options(content)):
            self.params[option.name] = option.number(options[option.name])
        if hasattr(game.params, "pack"):
            game.params.pack(content, self.params)

    @property
    def own_content(self) -> bool:
        """Whether the content is a custom set instead of the game's own."""
        return self.content is not self.game.content

    @property
    def hides_content(self) -> bool:
        """Whether players may know only the cards that they brought or have seen (`merged` in `params.py`)."""
        return getattr(self.content, "hidden", False)

    @cached_property
    def without_hidden_content(self) -> "GameSetup":
        """This setup, or if it hides its content one with the game's own, for texts and pictures that all may see."""
        return self.game.setup(self.options) if self.hides_content else self

    def why_not(self, s: Any, action: int) -> str:
        """Return one sentence that says why `s.player` may not take this action now, before the match is over."""
        return str(self.game.scene.PHASES[s.phase].why_not(self, s, *self.game.rules.ACTIONS.name_of(action)))

    @property
    def title(self) -> str:
        """The title for people: that of the content, if it has a name, or that of the game."""
        return getattr(self.content, "name", "") or self.game.title

    @property
    def is_of_template(self) -> bool:
        """Whether this is a designer's own game, made from a template."""
        return self.game.template and self.own_content

    @property
    def credit(self) -> Credit:
        """Who made the game; the cards of a designer's own game are the designer's."""
        credit = self.game.credit
        if not self.is_of_template:
            return credit
        licence = f"{credit.licence} for the rules; the cards are their designer’s"
        return replace(credit, title=self.title, author="its designer, with rules of Sparring", licence=licence)

    @property
    def marks_beats(self) -> bool:
        """Whether the rules mark beats when a match calls them: machine code does not."""
        return not isinstance(self.rules, TieredRules) or self.rules.marks_beats

    @cached_property
    def machine_code(self) -> "GameSetup":
        """The same setup, except that matches call the rules as machine code after the first actions."""
        twin = object.__new__(GameSetup)
        vars(twin).update(vars(self), rules=TieredRules(self.game, self.params))
        return twin

    def __deepcopy__(self, _memo: object) -> "GameSetup":
        return self

    def __reduce__(self) -> Any:
        """Pickle the setup as its game, its options, and its content if that is a custom set."""
        content = msgspec.to_builtins(self.content) if self.own_content else None
        return _unpickled_setup, (self.game, self.options, content, self.rules is not self.game.rules)


def _unpickled_setup(
    game: Game, options: Mapping[str, Any], content: Mapping[str, Any] | None, machine_code: bool
) -> GameSetup:
    setup = game.setup(options, None if content is None else game.content_from(content, "the pickle"))
    return setup.machine_code if machine_code else setup


@cache
def games() -> dict[str, Game]:
    """Return all installed games by name, sorted by title, templates last; broken ones are reported and skipped."""
    found = [game for _, game in load_all("sparring.games", Game)]
    return {game.name: game for game in sorted(found, key=lambda game: (game.template, game.title))}


def game(name: str) -> Game:
    """Return the installed game with this name or title. Raises UnknownGame."""
    found = games().get(name) or next(
        (game for game in games().values() if normalize(name) in (normalize(game.name), normalize(game.title))), None
    )
    if found is None:
        raise UnknownGame(f"There is no game called {name}; installed games: {', '.join(games()) or 'none'}.")
    return found

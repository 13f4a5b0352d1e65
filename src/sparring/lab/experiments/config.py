"""Read and write experiment configs (`lab.toml`), durations such as `10m`, questions of `--ask`, and times per action.

An experiment config that asks questions needs no other settings; settings that it has anyway take precedence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sparring.engine.errors import BadOption
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import Game

_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}

#: Shorter times are those of bots and of actions that were chosen at once (in tenths of a second).
SHORTEST_TIME = 3


@dataclass(frozen=True)
class ExperimentConfig:
    """An experiment config: the fields of a `lab.toml`, as in `lab.compare`; None means the default."""

    game: str | None = None
    bots: list[str] | None = None
    seats: int | None = None
    seed: int | None = None
    #: Measures (names or prefixes of names) whose intervals must reach the precision.
    measures: list[str] | None = None
    #: The target half-width of the 95% intervals: absolute for shares (0.01 is one percentage point), otherwise
    #: relative to the mean.
    precision: float | None = None
    #: The number of matches of each variant, and the time limit ("90s", "10m", "2h").
    matches: int | None = None
    at_most: str | None = None
    #: Whether to also measure how much more a bot wins with ten times the search budget.
    skill: bool | None = None
    #: Whether to train value models for variants that lack one first.
    learn: bool | None = None
    #: Phases in which all bots choose at random.
    by_lot: list[str] | None = None
    #: Questions that choose bots, measures and details (see `questions`).
    ask: list[str] | None = None
    #: Seconds that people take for an action, for estimates in minutes.
    action_seconds: float | None = None
    #: Options of all variants (`preset`, `options`); options with the values to try (`vary`), in all combinations or,
    #: with `each`, one at a time; content files to try; and named variants.
    preset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    vary: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    each: bool | None = None
    content: list[str] | None = None
    variant: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def merged_over(self, other: "ExperimentConfig") -> "ExperimentConfig":
        """Merge two configs: fields set here override those of `other`, and tables are merged key by key."""
        merged: dict[str, Any] = {}
        for setting in fields(self):
            own, others = getattr(self, setting.name), getattr(other, setting.name)
            merged[setting.name] = {**others, **own} if isinstance(own, dict) else others if own is None else own
        return ExperimentConfig(**merged)

    def with_preset(self, game: Game) -> "ExperimentConfig":
        """Return the config with the recommended preset, unless it or a content file chooses options."""
        own = any(game.file_options(file) is not None for file in self.content or ())
        return self if self.preset or own else replace(self, preset=game.recommended)


#: The type of each field, and how an error describes it.
FIELD_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "game": (str, "a name in quotes"), "bots": (list, "a list of bots"), "seats": (int, "a whole number"),
    "seed": (int, "a whole number"), "preset": (str, "a name in quotes"),
    "precision": ((float, int), "a number"), "matches": (int, "a whole number"),
    "at_most": (str, 'a time such as "10m"'), "measures": (list, "a list of names"),
    "each": (bool, "true or false"), "skill": (bool, "true or false"), "learn": (bool, "true or false"),
    "ask": (list, "a list of questions"), "action_seconds": ((float, int), "a number of seconds"),
    "by_lot": (list, "a list of phases"),
    "content": (list, "a list of files"), "options": (dict, "a table"), "vary": (dict, "a table of lists"),
    "variant": (dict, "tables [variant.NAME]"),
}  # fmt: skip


def read_text(file: Path) -> str:
    """Return the text of a file; raise BadOption if it can't be read."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadOption(f"{file} is not a UTF-8 text file.") from None
    except OSError as problem:
        raise BadOption(f"Can't read {file}: {problem.strerror or problem}.") from None


def read_config(file: Path) -> ExperimentConfig:
    """Read a `lab.toml`; raise BadOption if it is not valid."""
    return parse_config(read_toml(read_text(file), file.name), file, [field.name for field in fields(ExperimentConfig)])


def parse_config(data: Mapping[str, Any], file: Path, known: Sequence[str]) -> ExperimentConfig:
    """Check parsed TOML and return it as a config; content paths are relative to the folder of `file`.

    Raises BadOption for a field that is not in `known` or has the wrong type.
    """
    given = {key.replace("-", "_"): value for key, value in data.items()}
    for key, value in given.items():
        if key not in known:
            raise BadOption(f'{file.name}: unknown field "{key}"; known fields are {", ".join(known)}.')
        kind, form = FIELD_TYPES[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadOption(f"{file.name}: {key} must be {form}.")
    for key in ("bots", "measures", "content", "by_lot", "ask"):
        if not all(isinstance(entry, str) for entry in given.get(key, ())):
            raise BadOption(f"{file.name}: {key} must be {FIELD_TYPES[key][1]}, each in quotes.")
    for name, values in given.get("vary", {}).items():
        if not isinstance(values, list) or not values:
            raise BadOption(f'{file.name}: vary {name} must be a list of values, such as {name} = ["a", "b"].')
    for name, table in given.get("variant", {}).items():
        if not isinstance(table, dict):
            raise BadOption(f"{file.name}: variant {name} must be a table [variant.{name}].")
    if "content" in given:
        given["content"] = [str(file.parent / entry) for entry in given["content"]]
    return ExperimentConfig(**given)


def as_toml(config: ExperimentConfig) -> str:
    """Return the text of a `lab.toml` for this config."""
    values = {setting.name: getattr(config, setting.name) for setting in fields(config)}
    return write_toml({name: value for name, value in values.items() if value is not None and value != {}})


def parse_duration(text: str) -> float:
    """Parse a duration such as `90`, `90s`, `10m` or `2h` and return seconds.

    >>> parse_duration("10m")
    600.0
    """
    match = _TIME.fullmatch(text.strip())
    if not match or not float(match[1]):
        raise BadOption(f"A time must look like 90s, 10m or 2h, not {text}.")
    return float(match[1]) * _UNITS[match[2]]


#: The bots that play, and those of `skill`, which are the weakest of its ladder.
BOT, SKILL_BOT = "search:iterations=50", "search:iterations=25"

#: Questions that are asked without any settings.
DEFAULT_QUESTIONS = ("fair", "length", "cards")


class Question(NamedTuple):
    """What a question measures: measures with their precision, and the details that are played afterwards."""

    meaning: str
    measures: tuple[str, ...] = ("wins/seat",)
    precision: float = 0.02
    #: Names of `DETAILS` (`runner.py`).
    details: tuple[str, ...] = ()


QUESTIONS = {
    "fair": Question("Does every seat, and the player who begins, win an even share?", ("wins/seat", "wins/place")),
    "length": Question("How many actions and minutes do matches last?", ("length/choices",), 0.05),
    "cards": Question("Which cards, fighters or other items are too strong or too weak?", details=("pairs",)),
    "match-ups": Question("Which fighter, deck or card beats which?", details=("match-ups",)),
    "skill": Question("How much more does a bot win with each doubling of thought?", details=("skill-ladder", "deals")),
    "tension": Question(
        "How long is a match open, and how much do decisions matter?", ("comeback/half",),
        details=("tension", "decisions"),
    ),
}  # fmt: skip


def with_questions(config: ExperimentConfig, game: Game) -> ExperimentConfig:
    """Fill in the bots, measures and random phases that the questions of a config imply.

    Raises BadOption for an unknown question.
    """
    if not config.ask:
        return config
    asked = [_question(name) for name in config.ask]
    return replace(
        config,
        bots=config.bots or [SKILL_BOT if "skill" in config.ask else BOT],
        measures=config.measures or list(dict.fromkeys(name for question in asked for name in question.measures)),
        by_lot=config.by_lot if config.by_lot is not None else list(getattr(game.items, "BY_LOT", ())) or None,
    )


def precision_for(ask: Sequence[str]) -> float:
    """Return the precision at which questions are answered, the finest of all."""
    return min(_question(name).precision for name in ask)


def details_of(ask: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the details that questions need, without duplicates."""
    return tuple(dict.fromkeys(detail for name in ask for detail in _question(name).details))


def _question(name: str) -> Question:
    if name not in QUESTIONS:
        raise BadOption(f'Unknown question "{name}"; known questions are {", ".join(QUESTIONS)}.')
    return QUESTIONS[name]


class _TablePart(msgspec.Struct):
    #: Thinking time of each choice since its seat's turn began, in tenths of a second.
    spent: list[int] = []


class _Record(msgspec.Struct):
    table: _TablePart = msgspec.field(default_factory=_TablePart)


def action_seconds(files: Sequence[Path]) -> float:
    """Return the mean time per action of people, in seconds, over all records; raise BadOption.

    Raises BadOption if a file is no record, or if the records have no times: only matches at a server's tables do.
    """
    times: list[int] = []
    for file in files:
        try:
            spent = msgspec.json.decode(file.read_bytes(), type=_Record).table.spent
        except OSError as problem:
            raise BadOption(f"Can't read {file}: {problem.strerror or problem}.") from None
        except msgspec.DecodeError:
            raise BadOption(f"{file} is not a saved match.") from None
        # Within a turn the times add up; a smaller time than before starts a new turn.
        times += [
            later - before if later >= before else later for before, later in zip([0, *spent], spent, strict=False)
        ]
    people = [time for time in times if time >= SHORTEST_TIME]
    if not people:
        raise BadOption("The saved matches have no thinking times; download them from tables where people played.")
    return sum(people) / len(people) / 10

"""Build the variants of an experiment, each with its options and content."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadOption
from sparring.engine.game import Game

from .content_changes import apply_changes, content_data, describe_changes

#: The name of the unchanged variant.
UNCHANGED = "unchanged game"

#: The maximum number of variants in an experiment, because every pair is compared.
MAX_VARIANTS = 64


@dataclass(frozen=True)
class Variant:
    """A variant: its name, all its options, its content as read by the game, and its changes as text."""

    name: str
    options: Mapping[str, Any]
    content: Any
    changes: tuple[str, ...] = ()


def parse_vary(text: str) -> tuple[str, list[str]]:
    """Parse `option=a,b,c` into the option and its values; raise BadOption if it does not fit."""
    name, equals, values = text.partition("=")
    value_list = [value.strip() for value in values.split(",")]
    if not equals or not name.strip() or not all(value_list):
        raise BadOption(f"Write values to try as option=value,value, not {text}.")
    return name.strip(), value_list


def variants(
    game: Game, given: Mapping[str, Any], varied: Mapping[str, Sequence[Any]], contents: Sequence[Path],
    named: Mapping[str, Mapping[str, Any]], *, each: bool,
) -> list[Variant]:  # fmt: skip
    """Return all variants: the varied options for every content file, then the named variants.

    The values in `varied` are combined in all ways, or with `each` tried one at a time. Named variants change `given`
    options and the first of `contents`. Options in a content file apply unless `given` ones
    override them. Raises BadOption and BadContent.
    """
    files: list[Path | None] = list(contents) or [None]
    found = []
    for file in files:
        content = game.read_content(file) if file else None
        stem = [file.stem] if file and len(files) > 1 else []
        options = {**((file and game.file_options(file)) or {}), **given}
        for change in _one_at_a_time(game, options, varied) if each else _combined(varied):
            words = [f"{name} {value}" for name, value in change.items()] + stem
            box = game.box({**options, **change}, content)
            found.append(Variant(", ".join(words) or UNCHANGED, box.options, content))
    for name, table in named.items():
        own = (files[0] and game.file_options(files[0])) or {}
        found.append(_named(game, {**own, **given}, files[0], name, table))
    return _distinct(found)


def _combined(varied: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]


def _one_at_a_time(game: Game, options: Mapping[str, Any], varied: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return no change, then every value of every option on its own."""
    defaults = game.box(options).options
    changes: list[dict[str, Any]] = [{}]
    for name, values in varied.items():
        changes += [{name: value} for value in values if game.box({**options, name: value}).options != defaults]
    return changes


def _named(game: Game, options: Mapping[str, Any], file: Path | None, name: str, table: Mapping[str, Any]) -> Variant:
    """Build a named variant of a `lab.toml` from `options`, `preset`, `remove` and content changes."""
    where = f"variant {name}"
    settings = {key: table[key] for key in ("options", "preset", "remove") if key in table}
    changes = {key: value for key, value in table.items() if key not in settings}
    set_here, remove = settings.get("options", {}), settings.get("remove", [])
    if not isinstance(set_here, dict):
        raise BadOption(f"{where}: options must be a table, such as options.name = 3.")
    if not isinstance(remove, list) or not all(isinstance(one, str) for one in remove):
        raise BadOption(f'{where}: remove must be a list of names, such as remove = ["Rolling Thunder"].')
    preset = game.preset(str(settings["preset"])) if "preset" in settings else {}
    content = game.read_content(file) if file else None
    if changes or remove:
        data = apply_changes(game.form, content_data(game, file), changes, remove, where)
        content = game.kit.read_content(data, where)
    box = game.box({**options, **preset, **set_here}, content)
    words = [f"{option} {value}" for option, value in {**preset, **set_here}.items()]
    return Variant(name, box.options, content, (*words, *describe_changes(changes, remove)))


def _distinct(found: list[Variant]) -> list[Variant]:
    """Check that the names are unique and that there are not too many variants."""
    if len(found) > MAX_VARIANTS:
        raise BadOption(f"At most {MAX_VARIANTS} variants can be compared at once, not {len(found)}.")
    names = [variant.name for variant in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadOption(f'Two variants have the same name "{twice}"; rename one.')
    return found

"""Build the variants of an experiment, with changes such as `fighters."Milton Brown".punch = 3`, `remove = [...]`.

A change is a dotted path through the content file; in a list of named entries (cards, fighters, boards) the name
selects the entry. The game validates the changed content.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent, BadOption
from sparring.engine.formats import normalize
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import CONTENT, Game
from sparring.engine.options import split_options
from sparring.engine.schema import Field, Part
from sparring.engine.schema.field import get, put, walk

#: The maximum number of names in an error message.
MAX_NAMES = 12


def content_data(game: Game, file: Path | None) -> dict[str, Any]:
    """Return a content file as plain data, by default the game's own. The game validates it elsewhere."""
    text, name = (file.read_text(encoding="utf-8"), file.name) if file else (game.content_text, CONTENT)
    return split_options(read_toml(text, name), game.options(), name)[0]


def apply_changes(
    form: Field, data: Mapping[str, Any], changes: Mapping[str, Any], removed: Sequence[str], where: str
) -> dict[str, Any]:
    """Return content with changes applied and entries removed; raise BadContent for an unknown name.

    `form` is the schema of the content. `where` names the source of the changes in errors.
    """
    new = deepcopy(dict(data))
    for name in removed:
        _remove(form, new, name, where)
    for name, change in changes.items():
        _change(form, new, name, change, where)
    return new


def value_at(form: Field, data: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the value at a path of the content, or None."""
    part = Part("", form, data)
    for name in path:
        parts = _parts(part.field, part.value)
        key = _find_name(parts, name)
        if key is None:
            return None
        part = parts[key][0]
    return part.value


def describe_changes(changes: Mapping[str, Any], remove: Sequence[str]) -> list[str]:
    """Describe the changes, one line each."""
    updates = [f"{' '.join(path)}: {value}" for path, value in _leaves(changes, ())]
    return [*updates, *(f"without {name}" for name in remove)]


def _change(field: Field | None, holder: dict[str, Any], name: str, change: Any, where: str) -> None:
    """Set the value of a name, or recurse into it with a table of changes."""
    parts = _parts(field, holder)
    key = _find_name(parts, name)
    if key is None:
        raise BadContent(f'{where}: unknown name "{name}"; known names are {_join_names(parts)}.')
    _, inside, value = parts[key][0]
    entries = _parts(inside, value)
    if not isinstance(change, dict):
        if entries:
            raise BadContent(f"{where}: {name} contains {_join_names(entries)}; name the one to change.")
        return put(holder, key, change)
    if not entries:
        raise BadContent(f"{where}: {name} is a single value, so it has no named parts to change.")
    for part, new in change.items():
        if isinstance(value, dict):
            _change(inside, value, part, new, where)
            continue
        if not isinstance(new, dict):
            raise BadContent(f"{where}: name the field of {part} to change, such as {part}.FIELD = 3.")
        entry = _find_name(entries, part)
        if entry is None:
            raise BadContent(f'{where}: {name} has no "{part}"; it has {_join_names(entries)}.')
        for _, record, row in entries[entry]:
            _set_fields(record, row, new, where)
    return None


def _set_fields(record: Field | None, row: dict[str, Any], values: Mapping[str, Any], where: str) -> None:
    """Set fields of a named entry."""
    fields = [str(part.step) for part in record.children(row)] if record else []
    for name, value in values.items():
        key = _find_name(fields, name)
        if key is None:
            raise BadContent(f'{where}: {row["name"]} has no field "{name}"; it has {_join_names(fields)}.')
        put(row, key, value)


def _remove(form: Field, data: dict[str, Any], name: str, where: str) -> None:
    """Remove the entries of a name from all lists, and references to the name (as in decks)."""
    lists = [_parts(part.field, part.value) for part in form.children(data) if isinstance(part.value, list)]
    known = [entry for entries in lists for entry in entries]
    if _find_name(known, name) is None:
        raise BadContent(f'{where}: remove: there is no "{name}"; known names are {_join_names(known)}.')
    for _, field, holder in [*walk(form, data)][1:]:  # the lists of the content themselves stay
        for step, _, value in reversed([*field.children(holder)]):
            named = step if isinstance(holder, dict) else get(value, "name") or value
            if value is not None and isinstance(named, str) and normalize(named) == normalize(name):
                put(holder, step, None)


def _parts(field: Field | None, value: Any) -> dict[str, list[Part]]:
    """Return the parts of a value by name: those of a table, or the entries of a list grouped by name."""
    parts: dict[str, list[Part]] = {}
    for part in field.children(value) if field else ():
        name = part.step if isinstance(value, dict) else get(part.value, "name")
        if isinstance(name, str) and part.value is not None:
            parts.setdefault(name, []).append(part)
    return parts


def _find_name(names: Iterable[str], name_given: str) -> str | None:
    return next((name for name in names if normalize(name) == normalize(name_given)), None)


def _leaves(changes: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, change in changes.items():
        if isinstance(change, dict):
            yield from _leaves(change, (*path, name))
        else:
            yield (*path, name), change


def _join_names(names: Mapping[str, Any] | Sequence[str]) -> str:
    """Join the first few names, so that messages stay short."""
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - MAX_NAMES} more" if len(unique) > MAX_NAMES else ""
    return ", ".join(unique[:MAX_NAMES]) + more if unique else "nothing"


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
            setup = game.setup({**options, **change}, content)
            found.append(Variant(", ".join(words) or UNCHANGED, setup.options, content))
    for name, table in named.items():
        own = (files[0] and game.file_options(files[0])) or {}
        found.append(_named(game, {**own, **given}, files[0], name, table))
    return _distinct(found)


def _combined(varied: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]


def _one_at_a_time(game: Game, options: Mapping[str, Any], varied: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return no change, then every value of every option on its own."""
    defaults = game.setup(options).options
    changes: list[dict[str, Any]] = [{}]
    for name, values in varied.items():
        changes += [{name: value} for value in values if game.setup({**options, name: value}).options != defaults]
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
        content = game.content_from(data, where)
    setup = game.setup({**options, **preset, **set_here}, content)
    words = [f"{option} {value}" for option, value in {**preset, **set_here}.items()]
    return Variant(name, setup.options, content, (*words, *describe_changes(changes, remove)))


def _distinct(found: list[Variant]) -> list[Variant]:
    """Check that the names are unique and that there are not too many variants."""
    if len(found) > MAX_VARIANTS:
        raise BadOption(f"At most {MAX_VARIANTS} variants can be compared at once, not {len(found)}.")
    names = [variant.name for variant in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadOption(f'Two variants have the same name "{twice}"; rename one.')
    return found

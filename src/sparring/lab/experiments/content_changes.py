"""Apply a designer's changes to content: `fighters."Milton Brown".punch = 3`, `remove = [...]`.

A change is a dotted path through the content file; in a list of named entries (cards, fighters, boards) the name
selects the entry. The game validates the changed content.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.formats.spelling import plain
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.game import CONTENT, Game

#: The most names in one error message.
SHOWN = 12


def content_data(game: Game, file: Path | None) -> dict[str, Any]:
    """Return a content file as plain data, by default the game's own. The game validates it elsewhere."""
    return read_toml(file.read_text(encoding="utf-8"), file.name) if file else read_toml(game.content_text, CONTENT)


def apply_changes(
    data: Mapping[str, Any], changes: Mapping[str, Any], remove: Sequence[str], where: str
) -> dict[str, Any]:
    """Return content with changes applied and entries removed; raise BadContent for an unknown name.

    `where` names the source of the changes in errors.
    """
    new = deepcopy(dict(data))
    for name in remove:
        _take_out(new, name, where)
    for name, change in changes.items():
        _change(new, name, change, where)
    return new


def value_at(data: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the value at a path of the content, or None."""
    inside: Any = data
    for name in path:
        things, several = _things(inside), _named(inside)
        key = _known(things, name)
        if key is None:
            return None
        inside = things[key][0] if several else things[key]
    return inside


def describe_changes(changes: Mapping[str, Any], remove: Sequence[str]) -> list[str]:
    """Describe the changes, one line each."""
    updates = [f"{' '.join(path)}: {value}" for path, value in _leaves(changes, ())]
    return [*updates, *(f"without {name}" for name in remove)]


def _change(inside: dict[str, Any], name: str, change: Any, where: str) -> None:
    """Set the value of a name, or recurse into it with a table of changes."""
    key = _known(inside, name)
    if key is None:
        raise BadContent(f'{where}: unknown name "{name}"; known names are {_some(inside)}.')
    if not isinstance(change, dict):
        if isinstance(inside[key], dict) or _named(inside[key]):
            raise BadContent(f"{where}: {name} contains {_some(_things(inside[key]))}; name the one to change.")
        inside[key] = change
        return
    things = _things(inside[key])
    if not things:
        raise BadContent(f"{where}: {name} is a single value, so it has no named parts to change.")
    for part, value in change.items():
        if not isinstance(inside[key], dict):
            if not isinstance(value, dict):
                raise BadContent(f"{where}: name the field of {part} to change, such as {part}.FIELD = 3.")
            thing = things.get(_known(things, part) or "")
            if thing is None:
                raise BadContent(f'{where}: {name} has no "{part}"; it has {_some(things)}.')
            for each in thing:
                for field, new in value.items():
                    _set_field(each, field, new, inside[key], where)
        else:
            _change(inside[key], part, value, where)


def _set_field(thing: dict[str, Any], field: str, value: Any, among: Sequence[Any], where: str) -> None:
    """Set a field of a named entry; a field is known if any entry of the list has it."""
    fields = {name: None for one in among for name in one}
    key = _known(fields, field)
    if key is None:
        raise BadContent(f'{where}: {thing["name"]} has no field "{field}"; it has {_some(fields)}.')
    thing[key] = value


def _take_out(data: dict[str, Any], name: str, where: str) -> None:
    """Remove the entries of a name from all lists, and references to the name (as in decks)."""
    known = [thing["name"] for value in data.values() if _named(value) for thing in value]
    if not any(plain(one) == plain(name) for one in known):
        raise BadContent(f'{where}: remove: there is no "{name}"; known names are {_some(known)}.')
    data.update(_without(data, plain(name)))


def _without(value: Any, name: str) -> Any:
    """Return a value without any entry or reference of that name."""
    if isinstance(value, dict):
        return {key: _without(one, name) for key, one in value.items() if plain(key) != name}
    if isinstance(value, list):
        called = [one.get("name") if isinstance(one, dict) else one for one in value]
        return [
            _without(one, name)
            for one, word in zip(value, called, strict=True)
            if not (isinstance(word, str) and plain(word) == name)
        ]
    return value


def _things(value: Any) -> dict[str, Any]:
    """Return the named parts of a value: the entries of a table, or the entries of a list grouped by name."""
    if isinstance(value, dict):
        return value
    things: dict[str, Any] = {}
    for thing in value if _named(value) else ():
        things.setdefault(thing["name"], []).append(thing)
    return things


def _named(value: Any) -> bool:
    """Return whether a value is a list of entries with names."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) and "name" in one for one in value)


def _known(names: Mapping[str, Any], wanted: str) -> str | None:
    return next((name for name in names if plain(name) == plain(wanted)), None)


def _leaves(changes: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, change in changes.items():
        if isinstance(change, dict):
            yield from _leaves(change, (*path, name))
        else:
            yield (*path, name), change


def _some(names: Mapping[str, Any] | Sequence[str]) -> str:
    """Join a few of the names, so that the message stays short."""
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - SHOWN} more" if len(unique) > SHOWN else ""
    return ", ".join(unique[:SHOWN]) + more if unique else "nothing"

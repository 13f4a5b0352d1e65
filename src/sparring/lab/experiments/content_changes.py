"""Changes of content, written as a designer thinks of them: `fighters."Milton Brown".punch = 3`, `remove = [...]`.

A change follows the form of the content file: names with dots lead to a value, and in a list of named things (cards,
fighters, boards) the name leads to the thing. What the changed content must keep is the game's own to check.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.formats.spelling import plain
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.game import CONTENT, Game

#: So many names stand in a sentence.
SHOWN = 12


def content_data(game: Game, file: Path | None) -> dict[str, Any]:
    """A content file as plain data; the game's own if none is named. The game has checked it, or will."""
    return read_toml(file.read_text(encoding="utf-8"), file.name) if file else read_toml(game.content_text, CONTENT)


def changed(data: Mapping[str, Any], changes: Mapping[str, Any], remove: Sequence[str], where: str) -> dict[str, Any]:
    """Content with changes made to it and some of its things taken out; BadContent names what is not there."""
    new = deepcopy(dict(data))
    for name in remove:
        _take_out(new, name, where)
    for name, change in changes.items():
        _change(new, name, change, where)
    return new


def value_of(data: Mapping[str, Any], path: Sequence[str]) -> Any:
    """What stands in content where a change of this path would be made; None if nothing does."""
    inside: Any = data
    for name in path:
        things, several = _things(inside), _named(inside)
        key = _known(things, name)
        if key is None:
            return None
        inside = things[key][0] if several else things[key]
    return inside


def told(changes: Mapping[str, Any], remove: Sequence[str]) -> list[str]:
    """The changes in words, one line for each."""
    set_anew = [f"{' '.join(path)}: {value}" for path, value in _leaves(changes, ())]
    return [*set_anew, *(f"without {name}" for name in remove)]


def _change(inside: dict[str, Any], name: str, change: Any, where: str) -> None:
    """Set what a name leads to; a table of changes goes further in."""
    key = _known(inside, name)
    if key is None:
        raise BadContent(f"{where}: there is no {name}; there is {_some(inside)}.")
    if not isinstance(change, dict):
        if isinstance(inside[key], dict) or _named(inside[key]):
            raise BadContent(f"{where}: {name} holds {_some(_things(inside[key]))}; say which of them is to change.")
        inside[key] = change
        return
    things = _things(inside[key])
    if not things:
        raise BadContent(f"{where}: {name} is one value and holds nothing that could be changed by name.")
    for part, value in change.items():
        if not isinstance(inside[key], dict):
            if not isinstance(value, dict):
                raise BadContent(f"{where}: say which field of {part} is to change, as in {part}.FIELD = 3.")
            thing = things.get(_known(things, part) or "")
            if thing is None:
                raise BadContent(f"{where}: there is no {part} in {name}; there is {_some(things)}.")
            for each in thing:
                for field, new in value.items():
                    _set_field(each, field, new, inside[key], where)
        else:
            _change(inside[key], part, value, where)


def _set_field(thing: dict[str, Any], field: str, value: Any, among: Sequence[Any], where: str) -> None:
    """Set a field of a named thing; any of those like it may have the field."""
    fields = {name: None for one in among for name in one}
    key = _known(fields, field)
    if key is None:
        raise BadContent(f"{where}: {thing['name']} has no {field}; it has {_some(fields)}.")
    thing[key] = value


def _take_out(data: dict[str, Any], name: str, where: str) -> None:
    """Remove the things of a name from all lists, and the name from wherever else it stands (as in decks)."""
    known = [thing["name"] for value in data.values() if _named(value) for thing in value]
    if not any(plain(one) == plain(name) for one in known):
        raise BadContent(f"{where}: there is no {name} to remove; there is {_some(known)}.")
    data.update(_without(data, plain(name)))


def _without(value: Any, name: str) -> Any:
    """What is left of a value when all that goes by a name is gone."""
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
    """What can be named inside a value: entries of a table, or all things of each name in a list."""
    if isinstance(value, dict):
        return value
    things: dict[str, Any] = {}
    for thing in value if _named(value) else ():
        things.setdefault(thing["name"], []).append(thing)
    return things


def _named(value: Any) -> bool:
    """Whether it is a list of things with names."""
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
    """A few of the names, so that the sentence stays short."""
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - SHOWN} more" if len(unique) > SHOWN else ""
    return ", ".join(unique[:SHOWN]) + more if unique else "nothing"

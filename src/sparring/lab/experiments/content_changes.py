"""Apply changes to content: `fighters."Milton Brown".punch = 3`, `remove = [...]`.

A change is a dotted path through the content file; in a list of named entries (cards, fighters, boards) the name
selects the entry. The game validates the changed content.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.formats.spelling import normalize
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.game import CONTENT, Game
from sparring.engine.set_file import split_options

#: The maximum number of names in an error message.
MAX_NAMES = 12


def content_data(game: Game, file: Path | None) -> dict[str, Any]:
    """Return a content file as plain data, by default the game's own. The game validates it elsewhere."""
    text, name = (file.read_text(encoding="utf-8"), file.name) if file else (game.content_text, CONTENT)
    return split_options(read_toml(text, name), game.kit.OPTIONS, name)[0]


def apply_changes(
    data: Mapping[str, Any], changes: Mapping[str, Any], remove: Sequence[str], where: str
) -> dict[str, Any]:
    """Return content with changes applied and entries removed; raise BadContent for an unknown name.

    `where` names the source of the changes in errors.
    """
    new = deepcopy(dict(data))
    for name in remove:
        _remove(new, name, where)
    for name, change in changes.items():
        _change(new, name, change, where)
    return new


def value_at(data: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the value at a path of the content, or None."""
    container: Any = data
    for name in path:
        entries, is_list = _parts(container), _is_named_list(container)
        key = _find_name(entries, name)
        if key is None:
            return None
        container = entries[key][0] if is_list else entries[key]
    return container


def describe_changes(changes: Mapping[str, Any], remove: Sequence[str]) -> list[str]:
    """Describe the changes, one line each."""
    updates = [f"{' '.join(path)}: {value}" for path, value in _leaves(changes, ())]
    return [*updates, *(f"without {name}" for name in remove)]


def _change(container: dict[str, Any], name: str, change: Any, where: str) -> None:
    """Set the value of a name, or recurse into it with a table of changes."""
    key = _find_name(container, name)
    if key is None:
        raise BadContent(f'{where}: unknown name "{name}"; known names are {_join_names(container)}.')
    if not isinstance(change, dict):
        if isinstance(container[key], dict) or _is_named_list(container[key]):
            raise BadContent(f"{where}: {name} contains {_join_names(_parts(container[key]))}; name the one to change.")
        container[key] = change
        return
    entries = _parts(container[key])
    if not entries:
        raise BadContent(f"{where}: {name} is a single value, so it has no named parts to change.")
    for part, value in change.items():
        if not isinstance(container[key], dict):
            if not isinstance(value, dict):
                raise BadContent(f"{where}: name the field of {part} to change, such as {part}.FIELD = 3.")
            entry = entries.get(_find_name(entries, part) or "")
            if entry is None:
                raise BadContent(f'{where}: {name} has no "{part}"; it has {_join_names(entries)}.')
            for each in entry:
                for field, new in value.items():
                    _set_field(each, field, new, container[key], where)
        else:
            _change(container[key], part, value, where)


def _set_field(entry: dict[str, Any], field: str, value: Any, among: Sequence[Any], where: str) -> None:
    """Set a field of a named entry; valid fields are those of any entry of the list (`among`)."""
    fields = {name: None for item in among for name in item}
    key = _find_name(fields, field)
    if key is None:
        raise BadContent(f'{where}: {entry["name"]} has no field "{field}"; it has {_join_names(fields)}.')
    entry[key] = value


def _remove(data: dict[str, Any], name: str, where: str) -> None:
    """Remove the entries of a name from all lists, and references to the name (as in decks)."""
    known = [entry["name"] for value in data.values() if _is_named_list(value) for entry in value]
    if not any(normalize(item) == normalize(name) for item in known):
        raise BadContent(f'{where}: remove: there is no "{name}"; known names are {_join_names(known)}.')
    data.update(_without(data, normalize(name)))


def _without(value: Any, name: str) -> Any:
    """Return a value without any entry or reference of that name."""
    if isinstance(value, dict):
        return {key: _without(item, name) for key, item in value.items() if normalize(key) != name}
    if isinstance(value, list):
        names = [item.get("name") if isinstance(item, dict) else item for item in value]
        return [
            _without(item, name)
            for item, word in zip(value, names, strict=True)
            if not (isinstance(word, str) and normalize(word) == name)
        ]
    return value


def _parts(value: Any) -> dict[str, Any]:
    """Return the named parts of a value: the entries of a table, or the entries of a list grouped by name."""
    if isinstance(value, dict):
        return value
    entries: dict[str, Any] = {}
    for entry in value if _is_named_list(value) else ():
        entries.setdefault(entry["name"], []).append(entry)
    return entries


def _is_named_list(value: Any) -> bool:
    """Return whether a value is a list of entries with names."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "name" in item for item in value)


def _find_name(names: Mapping[str, Any], name_given: str) -> str | None:
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

"""A set's file: content in the format of `content.toml`, with the options of the variant in a table `[options]`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import BadContent, BadOption
from .formats.toml import write_toml
from .options import Option, read_options

#: The name of the table of options.
OPTIONS = "options"
#: The line with the name, above the first table.
_NAME = re.compile(r"\A((?:(?!\[)[^\n]*\n)*?)name[ \t]*=[^\n]*\n")
_TABLE = re.compile(rf"^\[{OPTIONS}\][ \t]*\n(?:(?!\[).*\n?)*", re.MULTILINE)


def split_options(
    data: Mapping[str, Any], known: Sequence[Option], where: str
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the content and the options of a set's file; the options are None if the file has none.

    `known` are the game's options. Raises BadContent, which names the file as `where`, for an unknown option or value.
    """
    content = dict(data)
    if OPTIONS not in content:
        return content, None
    options = content.pop(OPTIONS)
    if not isinstance(options, Mapping):
        raise BadContent(f"{where}: options must be a table, as in [options].")
    try:
        read_options("the game", [option.with_content(content) for option in known], options)
    except BadOption as problem:
        raise BadContent(f"{where}: {problem}") from None
    return content, dict(options)


def with_options(toml: str, options: Mapping[str, Any]) -> str:
    """Return a content file with the options of its variant; the file's own text stays as it is."""
    return f"{toml.rstrip()}\n\n{write_toml({OPTIONS: dict(options)})}"


def with_name(toml: str, name: str) -> str:
    """Return a content file with what the game is called (empty: without it); the rest stays as it is."""
    text = _NAME.sub(r"\1", toml)
    return f"{write_toml({'name': name})}{text}" if name else text


def without_options(toml: str) -> str:
    """Return a valid set's file without its table of options; the rest stays as it is."""
    return f"{_TABLE.sub('', toml).rstrip()}\n"

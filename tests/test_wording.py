"""Keep words out of texts that plain English has better words for, and old names out of code."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from sparring.store.schema import Base

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/sparring"
#: Words to avoid, and what to write instead. Identifiers and quotations are not checked.
BETTER = {
    "somebody": "someone, or who it is: a player, a spectator, an operator",
    "nobody": "no one, or who doesn't: no player",
    "whoever": "the player who, anyone who",
    "anew": "again, from scratch",
    "so many": "the number: 30 matches",
    "goes before": "overrides, takes precedence over",
    "it is told": "say who tells whom: the log shows",
    "comes in by": "signs in with, joins with",
    "stands there": "is there, is shown",
    "may be had": "can be downloaded, is available",
    "what is asked": "the prompt, the question",
    "by itself": "automatically",
    "takes along": "exports, downloads",
    "lays a card": "plays a card",
}
#: Old names of tables and columns, of keys of JSON and forms, and of identifiers in JavaScript, and today's.
OLD_NAMES = {
    "tables": {
        "allowances": "rate_limits", "chapters": "checkpoints", "drawn": "picture_uses", "lines": "chat_lines",
        "pulse": "heartbeats", "sightings": "last_seen",
    },
    "columns": {
        "asked": "turn_seat", "edition": "row_version", "opener": "creator", "spent": "thinking_times",
        "terms": "settings", "told": "description", "way": "channel",
    },
    "keys": {
        "anew": "full or reset", "asked": "is_turn", "bench": "editor", "beside": "local_player",
        "edition": "row_version", "may_talk": "may_chat", "out": "remove", "reach": "uncertainty", "terms": "settings",
        "talk": "chat", "told": "sentences", "watchers": "spectators", "watchers_talk": "spectators_chat",
        "way": "direction", "worths": "balances",
    },
    "identifiers": {
        "bench": "editor", "edition": "rowVersion", "hear": "showLines", "heard": "received", "offerTalk": "offerChat",
        "rove": "rovingFocus", "talk": "chat", "tune": "openStream", "worth": "cardValues",
    },
    "names": {
        "ALOUD": "SPOKEN", "Box": "GameSetup", "KIT": "Params.dtype", "LETTER": "DOCUMENT",
        "as_compiled": "compiled_form", "calm": "misfits", "curiosity": "exploration", "deeds": "named_moves",
        "kit": "params", "longest": "max_choices", "mixes": "needs_mixed_strategies", "widened": "widen_arguments",
    },
}  # fmt: skip
#: The rooms whose structs are bodies of requests and answers.
ROOMS = ("people", "server", "site", "studio", "tables")
#: Comments, and strings other than templates, which have code.
NOT_CODE = re.compile(r"""/\*.*?\*/|(?<![:\w])//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
TEXTS = ["*.py", "*.html", "*.js", "*.css", "*.md", "*.toml", "*.cjs", "Makefile", ".ci/run", "deploy/*"]
#: A quotation, code in backticks, or an address.
QUOTED = re.compile(r"“[^”]*”|`[^`]*`|https?://\S+")


def texts() -> Iterator[Path]:
    """Yield the tracked files that people read."""
    listed = subprocess.run(["git", "ls-files", "-z", *TEXTS], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and not name.startswith("tests/"):
            yield ROOT / name


def prose(path: Path) -> str:
    """Return a file's text; of Python only comments and strings, at their lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_word = token.type == tokenize.STRING and " " not in token.string  # a value, not a sentence
        if token.type != tokenize.NAME and not is_word:
            for number, line in enumerate(token.string.split("\n"), token.start[0]):
                lines[number - 1] += line
    return "\n".join(lines)


def found(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the word of each hit in a text."""
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, BETTER))})(?![\w-])", re.IGNORECASE)
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, match[1].lower()) for match in pattern.finditer(QUOTED.sub("", line)))


def test_texts_use_plain_words() -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {word!r}: better {BETTER[word]}"
        for path in texts()
        for number, word in found(prose(path))
    ]
    assert hits == []


def test_banned_words_are_found_outside_quotations_only() -> None:
    assert list(found("Whoever has it\nmay `somebody` say “nobody”, nobody_else anew")) == [(1, "whoever"), (2, "anew")]


def tables() -> Iterator[tuple[str, str]]:
    """Yield the names of the database's tables, each with the place that it is from."""
    yield from ((table.name, "schema") for table in Base.metadata.sorted_tables)


def columns() -> Iterator[tuple[str, str]]:
    """Yield the names of the database's columns."""
    yield from ((column.name, table.name) for table in Base.metadata.sorted_tables for column in table.columns)


def keys() -> Iterator[tuple[str, str]]:
    """Yield the keys of JSON, which are fields of structs, and the names of form fields."""
    for path in (each for room in ROOMS for each in SOURCE.glob(f"{room}/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and "Struct" in "".join(map(ast.unparse, node.bases)):
                fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
                yield from ((ast.unparse(field), path.name) for field in fields)
    for path in (*SOURCE.glob("site/templates/*.html"), *SOURCE.glob("site/**/*.py"), *SOURCE.glob("studio/**/*.py")):
        yield from ((name, path.name) for name in re.findall(r'\bname="(\w+)"', path.read_text(encoding="utf-8")))


def identifiers() -> Iterator[tuple[str, str]]:
    """Yield the identifiers in the site's scripts."""
    for path in SOURCE.glob("site/static/**/*.js"):
        code = NOT_CODE.sub("", path.read_text(encoding="utf-8"))
        yield from ((name, path.name) for name in re.findall(r"(?<![\w.-])[a-zA-Z]\w*(?![\w-])", code))


def names() -> Iterator[tuple[str, str]]:
    """Yield the names in the rules' side of the code: classes, functions, parameters and fields of games."""
    for path in (each for part in ("bots", "engine", "games") for each in SOURCE.glob(f"{part}/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.ClassDef(name=name)
                    | ast.FunctionDef(name=name)
                    | ast.arg(arg=name)
                    | ast.keyword(arg=str(name))
                ):
                    yield name, path.name
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.Attribute(attr=name):
                    yield name, path.name


@pytest.mark.parametrize(
    ("names", "known"),
    [(tables, "chat_lines"), (columns, "row_version"), (keys, "is_turn"), (keys, "row_version"),
     (identifiers, "openStream"), (names, "max_choices"), (names, "GameSetup")],
)  # fmt: skip
def test_names_are_the_words_of_the_field(names: Callable[[], Iterable[tuple[str, str]]], known: str) -> None:
    found, better = list(names()), OLD_NAMES[names.__name__]
    assert known in dict(found)
    assert {f"{place}: {name}: better {better[name]}" for name, place in found if name in better} == set()

"""Collect the templates of texts in source code, for a game's catalogue, and for that of the site.

In Python, a template is a literal: an argument of `Text`, `say` or `Voice.text`, the word of a `Colour` or an `Effect`,
or in the value of a name that ends in `forms`, `text`, `texts` or `endings`, such as `forced_text` or `refusal_texts`,
or that is an argument itself: `say(RULE)`, `say(LEFT[why])`. In a page's template, it is an argument of `_` or `html`,
in a script one of `say`.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes

import sparring
from sparring.site.texts import said_in_scripts

#: Functions and methods whose literal arguments are templates, and the ends of names whose values are.
CALLS = ("Text", "say", "text", "gettext", "html_part")
NAMES = ("forms", "text", "texts", "endings")
#: Those that can have a second template, for other numbers than 1.
WITH_PLURAL = ("Text", "say", "html_part")
SOURCE = Path(sparring.__file__).parent
#: The parts of the server that say something to players.
SERVER = (
    "monitoring.py", "people", "server", "settings", "site", "store", "tables", "bots", "engine", "scene", "tutorials",
)  # fmt: skip


def templates(folder: Path) -> dict[str, str]:
    """Return the templates in the Python files of a folder, each with the one for other numbers than 1, if any."""
    return _in_python(sorted(folder.glob("*.py")))


@cache
def site_templates() -> dict[str, str]:
    """Return the templates of the server: in its Python files, in its pages and in its scripts."""
    server = [path for name in SERVER for path in (SOURCE / name).rglob("*.py")] + [SOURCE / SERVER[0]]
    found = _in_python(server) | said_in_scripts()
    for path in sorted((SOURCE / "site" / "templates").glob("*.html")):
        found |= dict(_in_page(path.read_text(encoding="utf-8")))
    return found


def _in_python(paths: Iterable[Path]) -> dict[str, str]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    said = {name for tree in trees for node in ast.walk(tree) for name in _said_names(node)}
    return dict(pair for tree in trees for node in ast.walk(tree) for pair in _templates(node, said))


def _in_page(source: str) -> Iterator[tuple[str, str]]:
    for call in Environment(autoescape=True).parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in ("_", "html"):
            template, *plural = [each.value for each in call.args if isinstance(each, nodes.Const)]
            yield template, "".join(plural)


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def _said_names(node: ast.AST) -> Iterator[str]:
    """Yield the names of the values that a call shows: of `TEXT`, `TEXTS[key]` and `self._text`."""
    if isinstance(node, ast.Call) and _called(node) in CALLS:
        for each in node.args:
            value = each
            while isinstance(value, ast.Subscript):
                value = value.value
            if name := getattr(value, "id", getattr(value, "attr", "")):
                yield name.removeprefix("_")


def _templates(node: ast.AST, said: set[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Call):
        literals = [*_literals(node.args)] if _called(node) in CALLS else []
        if _called(node) in ("Colour", "Effect"):
            words = [field.value for field in node.keywords if field.arg == "word"]
            words += node.args[1:2] if _called(node) == "Colour" else []
            yield from ((word, "") for word in _literals(words))
        elif _called(node) in WITH_PLURAL and len(node.args) == 2 and len(literals) == 2:
            yield literals[0], literals[1]
        else:
            yield from ((each, "") for each in literals)
        yield from ((each, "") for field in node.keywords if field.arg in said for each in _literals([field.value]))
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [*map(_name, targets)]
    if any(name.lower().endswith(NAMES) or name in said for name in names) and node.value:  # type: ignore[attr-defined]
        yield from ((each, "") for each in _literals([node.value]))  # type: ignore[attr-defined]


def _name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""


def _literals(values: list[ast.expr]) -> Iterator[str]:
    """Yield the strings among some values, and inside tuples, conditions, mappings without their keys, and records."""
    for value in values:
        match value:
            case ast.Constant(value=str(text)) if text:
                yield text
            case ast.Tuple(elts=parts):
                yield from _literals(parts)
            case ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, right=second):
                yield from _literals([first, second])
            case ast.Dict(values=parts):
                yield from _literals(parts)
            case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[_, text]):
                yield from _literals([text])
            case ast.Call(func=ast.Name(), args=parts):
                yield from _literals(parts)

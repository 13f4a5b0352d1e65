"""Collect the templates of texts in source code, for a game's catalogue.

A template is a literal: an argument of `Text`, `say` or `Voice.text`, the word of a `Colour`, or in the value of a name
that ends in `forms`, `text`, `texts` or `endings`, such as `forced_text` or `refusal_texts`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

#: Functions and methods whose literal arguments are templates, and the ends of names whose values are.
CALLS = ("Text", "say", "text", "gettext")
NAMES = ("forms", "text", "texts", "endings")


def templates(folder: Path) -> dict[str, str]:
    """Return the templates in the Python files of a folder, each with the one for other numbers than 1, if any."""
    found = dict[str, str]()
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found |= dict(_templates(node))
    return found


def _templates(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        literals = [*_literals(node.args)] if name in CALLS else []
        if name == "Colour":
            yield from ((word, "") for word in _literals(node.args[1:2]))
        elif name in ("Text", "say") and len(node.args) == 2 and len(literals) == 2:
            yield literals[0], literals[1]
        else:
            yield from ((each, "") for each in literals)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    if any(_name(target).lower().endswith(NAMES) for target in targets) and node.value:  # type: ignore[attr-defined]
        yield from ((each, "") for each in _literals([node.value]))  # type: ignore[attr-defined]


def _name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""


def _literals(values: list[ast.expr]) -> Iterator[str]:
    """Yield the strings among some values, and inside tuples, conditions and mappings, without the keys."""
    for value in values:
        match value:
            case ast.Constant(value=str(text)) if text:
                yield text
            case ast.Tuple(elts=parts):
                yield from _literals(parts)
            case ast.IfExp(body=first, orelse=second):
                yield from _literals([first, second])
            case ast.Dict(values=parts):
                yield from _literals(parts)
            case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[_, text]):
                yield from _literals([text])

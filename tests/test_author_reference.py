"""The reference for game authors documents every name that games import, and shows an example of each subject."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
AUTOMODULE = re.compile(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", re.MULTILINE)
ONE_NAME = re.compile(r"^\.\. auto(?:class|function):: (\S+)", re.MULTILINE)
#: Names that games use only as what documented functions return or take.
ELSEWHERE = {"PileEntry", "deal", "games"}
SUBJECTS = (
    "Rules", "Chance", "Cards", "Squares", "Hexes", "Beats", "Features", "Options", "Schema", "Positions", "Scene",
    "Laws",
)  # fmt: skip


def imports_of_games() -> set[tuple[str, str]]:
    """Return (module, name) for every name of the engine and the scene that a game of this repository imports."""
    return {
        (node.module, alias.name)
        for path in (ROOT / "src" / "sparring" / "games").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        and node.module.startswith(("sparring.engine.", "sparring.scene"))
        for alias in node.names
    }  # fmt: skip


def members_of(module: ModuleType, options: str) -> Iterator[str]:
    """Yield the names that an `automodule` directive documents: those listed, or all with a docstring."""
    listed = re.search(r":members: (.+)", options)
    if listed:
        yield from re.split(r",\s*", listed[1])
    elif ":members:" in options:
        for name, value in vars(module).items():
            if getattr(value, "__module__", "") == module.__name__ and getattr(value, "__doc__", None):
                yield name


def documented() -> set[str]:
    """Return every name that the reference or the Python API documents by a directive or mentions as code."""
    names = {name.rpartition(".")[2] for page in (REFERENCE, API) for name in ONE_NAME.findall(page)}
    for page in (REFERENCE, API):
        for module, options in AUTOMODULE.findall(page):
            names |= set(members_of(importlib.import_module(module), options))
    return names | set(re.findall(r"`([A-Za-z_]+)", REFERENCE))


def test_every_name_that_games_import_is_documented() -> None:
    used = imports_of_games()
    assert len(used) > 80
    missing = {f"{module}.{name}" for module, name in used if name not in documented() | ELSEWHERE}
    assert missing == set()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_subject_has_an_example(subject: str) -> None:
    section = re.split(r"^## ", REFERENCE, flags=re.MULTILINE)
    assert any(part.startswith(f"{subject}\n") and ">>> " in part for part in section)


@pytest.mark.parametrize("optional", ["private_observation", "value_features", "is_quiescent"])
def test_the_contract_table_has_every_rule(optional: str) -> None:
    contract = importlib.import_module("sparring.engine.game").RulesModule
    rules = [name for name, value in vars(contract).items() if callable(value) and not name.startswith("_")]
    for name in [*rules, optional]:
        assert re.search(rf"^\| `{name}\(", REFERENCE, re.MULTILINE), name

"""Each phase of a game is declared in one record, and only rules and positions decide by the phase."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.shipped_games import GAMES, find
from sparring.engine.game import Game
from sparring.scene import Phase

#: A function with more cases than these is a chain.
MOST_CASES = 2


def records(game: Game) -> tuple[Phase, ...]:
    return tuple(game.scene.PHASES)


def trees(game: Game) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the syntax trees of a game's modules, other than those about positions."""
    for path in sorted(game.folder.glob("*.py")):
        if not path.name.startswith("position"):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def is_rule(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "rule" for each in function.decorator_list)


def names_phase(node: ast.expr) -> bool:
    """Return whether an expression is the phase of a state: `s.phase`, `int(s.phase)`, `phase`."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return names_phase(node.args[0])
    return (isinstance(node, ast.Attribute) and node.attr == "phase") or (
        isinstance(node, ast.Name) and node.id == "phase"
    )


def cases_by_phase(function: ast.FunctionDef) -> int:
    """Return how many cases of a function depend on the phase."""
    compared = sum(isinstance(node, ast.Compare) and names_phase(node.left) for node in ast.walk(function))
    matched = [
        len(node.cases) for node in ast.walk(function) if isinstance(node, ast.Match) and names_phase(node.subject)
    ]
    return compared + sum(matched)


def chains(tree: ast.AST) -> list[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not is_rule(node)]
    return [function.name for function in functions if cases_by_phase(function) > MOST_CASES]


@GAMES
def test_each_phase_has_one_record(name: str) -> None:
    game = find(name)
    assert tuple(phase.name for phase in records(game)) == game.rules.PHASES
    names = Counter(
        node.value.value
        for _, tree in trees(game)
        for record in ast.walk(tree)
        if isinstance(record, ast.ClassDef)
        for node in record.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and ast.unparse(node.targets[0]) == "name"
    )
    assert names == Counter(game.rules.PHASES)


@GAMES
def test_each_record_says_what_the_player_does_and_is_asked(name: str) -> None:
    game = find(name)
    for phase in records(game):
        kind = type(phase)
        assert getattr(phase, "waiting_text", "") or kind.waiting is not Phase.waiting
        assert phase.question_text or kind.question is not Phase.question


@GAMES
def test_only_rules_and_positions_decide_by_the_phase(name: str) -> None:
    game = find(name)
    found = {path.name: chains(tree) for path, tree in trees(game)}
    assert {name: functions for name, functions in found.items() if functions} == {}


@pytest.mark.parametrize("chain", [
    "def f(s):\n if s.phase == A: return 1\n if s.phase == B: return 2\n if s.phase in (C, D): return 3",
    "def f(s):\n match int(s.phase):\n  case R.A: return 1\n  case R.B: return 2\n  case _: return 3",
])  # fmt: skip
def test_a_chain_of_cases_is_found(chain: str) -> None:
    assert chains(ast.parse(chain)) == ["f"]
    assert chains(ast.parse(f"@rule\n{chain}")) == []

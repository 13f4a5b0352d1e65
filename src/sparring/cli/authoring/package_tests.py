"""The tests that a new game's package starts with: the engine's laws, its documents, and a first case."""

from typing import Any

FILE = "tests/test_{package}.py"

#: The text of the file.
TESTS = '''"""Tests of {title}: the engine's laws, its documents and a first case. Run them with `pytest`."""

from {package} import GAME
from sparring import Match
from sparring.cli.document_checks import document_faults
from sparring.engine.laws import check_game


def test_the_laws() -> None:
    """One match with every number of seats and every pair of option values; `sparring check` plays many more."""
    check_game(GAME, matches=1, compiled=False)


def test_the_documents_agree_with_the_code() -> None:
    assert list(document_faults(GAME)) == []


def test_{case} -> None:
    """A first case: set up a position, take an action, and say what the table looks like. Add one for each ruling."""
    match = Match.from_position({position}, game=GAME)
{steps}'''

#: The first case of the example game.
HIGH_CARD_CASE = (
    "the_highest_card_takes_the_trick()", {"hands": [[16], [8]], "deck": []},
    ('match.play("lay 9")', 'match.play("lay 5")', 'assert match.position()["tricks"] == [1, 0]'),
)  # fmt: skip

Case = tuple[str, dict[str, Any], tuple[str, ...]]


def test_files(title: str, name: str, package: str, case: Case) -> dict[str, str]:
    """Return the test file of a package by its path; the case is a name, a position and statements."""
    case_name, position, steps = case
    lines = ", ".join(f'"{key}": {_literal(value)}' for key, value in {"game": name, **position}.items())
    text = TESTS.format(
        title=title, package=package, case=case_name, position=f"{{{lines}}}",
        steps="".join(f"    {step}\n" for step in steps),
    )  # fmt: skip
    return {FILE.format(package=package): text}


def set_case(content: Any) -> Case:
    """Return a first case with a card of a Card Duel set: a character takes a slot, or else the turn passes."""
    plain = [
        card for card in content.cards
        if card.kind == "character" and card.copies_of(0) and "Fast" not in card.traits
        and all(effect.when != "played" for effect in card.effects)
    ]  # fmt: skip
    if not plain:
        return "the_turn_passes()", {"turn": 5, "hands": [[], []]}, ('match.play("done")', "assert match.seat == 2")
    card = min(plain, key=lambda card: card.cost)
    return (
        "a_character_takes_a_slot()", {"turn": 5, "energy": [card.cost, 0], "hands": [[card.name], []]},
        (
            f"match.play({_literal(card.name)})",
            f'assert match.position()["rows"][0] == [{_literal(f"1 {card.name} (arrived)")}]',
            'assert match.position()["energy"] == [0, 0]',
        ),
    )  # fmt: skip


def _literal(value: Any) -> str:
    """Return a value as Python source with double quotes."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)

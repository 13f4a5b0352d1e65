"""A declared state: its dtype, what `redact` hides, its positions, and what the type checker finds in rules."""

import dataclasses
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sparring import Game, Match
from sparring.engine import plugins
from sparring.engine.cards import empty, in_order, put
from sparring.engine.errors import BadPosition
from sparring.engine.game import modules
from sparring.engine.hiding import default_redact
from sparring.engine.plugins import load_all
from sparring.engine.rule import blank, rule
from sparring.engine.state import (
    CHOOSER,
    EVERYONE,
    NO_ONE,
    OWNER,
    Components,
    Header,
    Parameters,
    array,
    choice_option,
    flag,
    integer,
    number_option,
    per_seat,
    pile,
    scalar,
    seat_number,
    slot,
    table,
)  # fmt: skip
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.games.high_card import rules as high_card_rules

ROOT = Path(__file__).parents[2]
PACK = Components(lambda _setup: {card: (str(card),) for card in range(9)}, numbered=True)


@rule
def shown(state: "State") -> bool:
    """Return whether the cards are shown."""
    return state.open


class State(Header, seats=3):
    """Each way of seeing a pile or slot."""

    deck = pile(9, of=PACK, seen_by=NO_ONE, dtype="i1")
    table = pile(9, of=PACK, seen_by=EVERYONE)
    hand = per_seat(pile(9, of=PACK, seen_by=OWNER))
    laid = per_seat(pile(9, of=PACK, seen_by=shown))
    picked = pile(9, of=PACK, seen_by=CHOOSER, hidden_as=empty)
    kept = per_seat(slot(of=PACK, none=-2, seen_by=OWNER))
    trump = slot(of=PACK, none=-2, seen_by=shown)
    open = flag()
    leader = seat_number()
    score = per_seat(integer(0, 9))
    seen = array(4, "u1")
    total = scalar("i4")


redact = default_redact(State)


def test_the_dtype_has_the_declared_fields_of_the_declared_types() -> None:
    dtype = State.dtype
    fields = {name: (dtype[name].base.str[1:], dtype[name].shape) for name in dtype.names or () if name != "filler"}
    assert fields == {
        "rng": ("i8", (4,)), "payoff": ("f8", (3,)), "moment": ("i4", ()), "turn": ("i4", ()), "seats": ("i2", ()),
        "player": ("i2", ()), "phase": ("i2", ()), "over": ("i2", ()), "ending": ("i2", ()), "deck": ("i1", (10,)),
        "table": ("i2", (10,)), "hand": ("i2", (3, 10)), "laid": ("i2", (3, 10)), "picked": ("i2", (10,)),
        "kept": ("i2", (3,)), "trump": ("i2", ()),
        "open": ("i2", ()), "leader": ("i2", ()), "score": ("i2", (3,)), "seen": ("u1", (4,)), "total": ("i4", ()),
    }  # fmt: skip


def test_parameters_are_options_arrays_and_tables() -> None:
    class Params(Parameters):
        cards = number_option(3, 1, 5, "How many")
        side = choice_option(("left", "right"), "Which side", title="Side")
        value = array(4)
        steps = table(2, 3)

    assert [(option.name, option.default) for option in Params.options] == [("cards", 3), ("side", "left")]
    assert set(Params.dtype.names or ()) - {"filler"} == {"cards", "side", "value", "steps"}
    assert Params.dtype["steps"].shape == (2, 3)


def test_a_pile_with_an_owner_belongs_to_a_seat() -> None:
    with pytest.raises(ValueError, match="hand has no owner: it needs per_seat"):
        type("Wrong", (Header,), {"hand": pile(3, of=PACK, seen_by=OWNER)}, seats=2)


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_redact_hides_each_pile_from_those_who_do_not_see_it(seat: int, is_open: bool) -> None:
    s: Any = blank(State.dtype)
    s.rng[:] = 1, 2, 3, 4
    s.seats, s.player, s.open, s.trump = 2, 1, is_open, 7
    s.kept[:] = 8, -2, 0
    for card, one in enumerate((s.deck, s.table, s.hand[0], s.hand[1], s.laid[0], s.laid[1], s.picked)):
        put(one, card)
    redact(None, s, seat)
    assert s.rng.tolist() == [0, 0, 0, 0]
    assert in_order(s.deck) == [-1]
    assert in_order(s.table) == [1]
    assert [in_order(s.hand[i]) for i in range(2)] == [[2] if seat == 0 else [-1], [3] if seat == 1 else [-1]]
    assert [in_order(s.laid[i]) for i in range(2)] == [
        [4] if is_open or seat == 0 else [-1], [5] if is_open or seat == 1 else [-1],
    ]  # fmt: skip
    assert in_order(s.picked) == ([6] if seat == 1 else [])
    assert s.trump == (7 if is_open else -1)
    assert s.kept.tolist()[:2] == [8 if seat == 0 else -1, -2]


def high_card(**fields: Any) -> dict[str, Any]:
    return Match.from_position({"game": "high-card", **fields}, game=HIGH_CARD).position()


def test_what_a_position_leaves_out_has_its_default() -> None:
    read = high_card(options={"call": "leader"}, turn=1, hands=[None, [3, 1]])
    assert (read["hands"], read["laid"], read["tricks"], read["low"]) == ([[], [1, 3]], [[], []], [0, 0], False)
    assert read["player"] == 2  # the lead passes clockwise
    assert sorted(read["deck"]) == [card for card in range(20) if card not in (1, 3)]
    assert high_card(hands=[[1], [2]], deck=[5, 4])["deck"] == [5, 4]
    assert high_card(hands=[[1], [2]], deck=[5, "..."])["deck"][0] == 5


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"hands": [[1], [1]]}, "hands: there is no 1 left; it is already somewhere else"),
        ({"hands": [[-1], []]}, "hands must be a list of words"),
        ({"hands": [[1, 2, 3, 4, 5, 6], []]}, "hands must have at most 5 cards, not 6"),
        ({"laid": [[1, 2], []]}, "laid must have at most 1 cards, not 2"),
        ({"gone": 3}, "gone must be a list of words"),
        ({"tricks": [0, 6]}, "tricks must be a whole number from 0 to 5, not 6"),
        ({"turn": 9}, "turn must be a whole number from 0 to 5, not 9"),
        ({"moment": -1}, "moment must be a whole number from 0"),
        ({"player": 3}, "player: there is no seat 3"),
        ({"low": 1}, "low must be true or false"),
        ({"lwo": True}, "no field lwo"),
        ({"phase": "call"}, "needs the option call=leader"),
        ({"hands": [[], [1]]}, "Seat 1 must have a card to play."),
    ],
)
def test_a_position_that_breaks_a_limit_is_refused_in_a_sentence(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        high_card(**fields)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (
            "from sparring.engine.rule import state_dtype",
            "ImportError: cannot import name 'state_dtype' from 'sparring.engine.rule' (.*)",
        ),
        ("from sparring.engine.beats import beat", "ModuleNotFoundError: No module named 'sparring.engine.beats'"),
        ("from sparring import Box", "ImportError: cannot import name 'Box' from 'sparring' (.*)"),
        (
            "import sparring; GAME = sparring.Game(kit=None)",
            "TypeError: Game.__init__() got an unexpected keyword argument 'kit'",
        ),
        (
            "import sparring.scene; scene = type('Mine', (sparring.scene.Layout,), {}).draw",
            "AttributeError: type object 'Mine' has no attribute 'draw'",
        ),
    ],
)
def test_a_game_of_an_older_form_is_refused_in_a_sentence(
    code: str,
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = f"old_game_{len(code)}"
    (tmp_path / f"{game}.py").write_text(f"{code}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("old", f"{game}:GAME", "sparring.games")
    monkeypatch.setattr(plugins, "entry_points", lambda _group: [point])
    assert list(load_all("sparring.games", Game)) == []
    section = "Convert an older game"
    said = re.sub(r"\(\S*(rule|__init__)\.py\)", "(.*)", capsys.readouterr().err)
    assert said == (
        f'Skipping the game "old" of package ?: {error}. See “{section}” in docs/authors.md. '
        f"({tmp_path / game}.py, line 1)\n"
    )
    assert f"\n## {section}\n" in (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")


def test_a_package_that_lacks_another_one_is_not_called_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lacking.py").write_text("import no_such_package\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "entry_points", lambda _group: [EntryPoint("new", "lacking:GAME", "sparring.games")])
    assert list(load_all("sparring.games", Game)) == []
    assert "Convert" not in capsys.readouterr().err


@pytest.mark.parametrize(("name", "kept"), [("PHASES", {}), ("SeatTable", {"PHASES": HIGH_CARD.scene.PHASES})])
def test_a_game_whose_scene_is_of_an_older_form_is_refused_in_a_sentence(name: str, kept: Any) -> None:
    with pytest.raises(ImportError, match=rf"^High Card has no {name} in its scene: .* See “Convert an older game”"):
        dataclasses.replace(HIGH_CARD, scene=SimpleNamespace(**kept))


def test_a_function_that_nothing_calls_any_more_is_refused_in_a_sentence() -> None:
    scene = modules(HIGH_CARD.scene, SimpleNamespace(__name__="old", tell=print))  # type: ignore[arg-type]
    with pytest.raises(ImportError, match=r"^High Card has tell in its scene: .* See “Convert an older game”"):
        dataclasses.replace(HIGH_CARD, scene=scene)


#: Mistakes in a rule of High Card: the old and the new code, and what the type checker says.
MISTAKES = {
    "a misspelt field": ("put(state.gone, ", "put(state.goen, ", '"State" has no attribute "goen"'),
    "a misspelt option": ("params.tie == 0", "params.tei == 0", '"Params" has no attribute "tei"'),
    "numbers as a pile": ("shuffle(g, state.deck)", "shuffle(g, state.tricks)", 'expected "CardPile"'),
    "all hands as a pile": ("remove(state.hand[state.player], ", "remove(state.hand, ", 'expected "CardPile"'),
    "a number in a flag": ("state.low = False", "state.low = 2", 'variable has type "bool"'),
    "a pile as a card": ("params.value[state.laid[seat, 1]]", "params.value[state.laid[seat]]", "No overload variant"),
}


def test_the_type_checker_finds_wrong_fields_in_rules(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    text = (
        Path(high_card_rules.__file__)
        .read_text(encoding="utf-8")
        .replace("from .params", "from sparring.games.high_card.params")
    )
    for number, (old, new, _) in enumerate(MISTAKES.values()):
        assert text.count(old) == 1, old
        (tmp_path / f"wrong_{number}.py").write_text(text.replace(old, new), encoding="utf-8")
    (tmp_path / "right.py").write_text(text, encoding="utf-8")
    files = sorted(map(str, tmp_path.glob("*.py")))
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if ": error:" in line]
    for number, (_, _, expected) in enumerate(MISTAKES.values()):
        assert any(f"wrong_{number}.py" in line and expected in line for line in said), (expected, done.stdout)
    assert not any("right.py" in line for line in said), done.stdout

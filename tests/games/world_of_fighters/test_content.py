"""The content file: the default fighters, custom fighters, and errors."""

from pathlib import Path
from typing import Any

import pytest

from games.world_of_fighters.content_files import read, rows
from games.world_of_fighters.table import NAME, ROSTER, Table
from sparring import Match
from sparring.engine.errors import BadContent
from sparring.engine.game import game

#: Section 2 of the rulings: reach, stats, super move, requirement.
SHEET = """
Hai Wu | long | 1 | 2 | 2 | 2 | Climbing Monkey | G.R3
Milton Brown | close | 2 | 1 | 1 | 3 | Stone Wall | B.R1
Beatriz Lima | long | 1 | 3 | 1 | 2 | Cartwheel Kick | K.R2
Duke Rafferty | close | 3 | 1 | 1 | 2 | Haymaker | P.R1
Ingrid Solberg | close | 1 | 1 | 3 | 2 | Glacier Slam | G.R1
Kenji Aoki | close | 2 | 2 | 2 | 1 | Rising Elbow | P.R2
Amara Diallo | long | 2 | 3 | 0 | 2 | Heron Kick | K.R3
Rosa Quintero | long | 1 | 2 | 3 | 1 | Comet Press | G.R2
"""


def toml(fighters: list[dict[str, Any]]) -> str:
    lines = []
    for row in fighters:
        lines += ["[[fighters]]", *(f"{key} = {value!r}" for key, value in row.items())]
    return "\n".join(lines)


def test_the_default_fighters() -> None:
    fighters = game(NAME).content.fighters
    assert [fighter.name for fighter in fighters] == ROSTER
    for fighter, line in zip(fighters, SHEET.strip().splitlines(), strict=True):
        stats = map(str, fighter.stats)
        assert [fighter.name, fighter.reach, *stats, fighter.super, fighter.requirement] == line.split(" | ")


def test_sixteen_custom_fighters(tmp_path: Path) -> None:
    fighters = rows(16)
    fighters[15] |= {"reach": "long", "kick": 9, "requirement": "K.R3"}
    file = tmp_path / "mine.toml"
    file.write_text(toml(fighters))
    match = Match.new(NAME, seed=3, content=str(file))
    t = Table(match)
    assert len(match.choices()) == 16
    t.play("P1: pick Fighter P; P2: Fighter A")
    panel = match.view(2).scene.seats[0]
    assert panel.title == "Fighter P"
    again = Match.from_record(match.record())
    assert again.state.tobytes() == match.state.tobytes()
    assert again.setup.content == match.setup.content


def test_a_custom_stat_is_used(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(toml(rows(3, grapple=7)))
    position = {"game": NAME, "fighters": ["Fighter C", "Fighter A"], "squares": ["c3", "d3"], "phase": "show",
                "action": ["Grapple", "Kick"]}  # fmt: skip
    match = Match.from_position(position, content=str(file))
    assert match.position()["health"] == [20, 11]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": None}, "fighter 3: name is missing"),
        ({"reach": None}, r"fighter 3 \(Fighter C\): reach is missing"),
        ({"super": None}, r"fighter 3 \(Fighter C\): super is missing"),
        ({"kick": None}, r"fighter 3 \(Fighter C\): kick is missing"),
        ({"height": 3}, r"fighter 3 \(Fighter C\): there is no field height; a fighter has name, reach"),
        ({"name": ""}, "fighter 3: name: a name must have 1 to 24 characters"),
        ({"name": "x" * 25}, "name: a name must have 1 to 24 characters"),
        ({"name": "two\nlines"}, "name: a name must have 1 to 24 characters"),
        ({"name": 7}, "fighter 3: name: a name must have 1 to 24 characters"),
        ({"name": "--"}, "name: -- can't be typed"),
        ({"name": "A; B"}, "name: A; B can't be typed"),
        ({"name": "Kick"}, "name: Kick already means something else"),
        ({"name": "c4"}, "name: c4 already means something else"),
        ({"name": "Seat 2"}, "name: Seat 2 already means something else"),
        ({"name": "fighter-a"}, "fighter 3: name: fighter-a is already the name of fighter 1"),
        ({"reach": "wide"}, "reach: a reach must be close or long, not wide"),
        ({"reach": ["long"]}, "reach: "),
        ({"punch": -1}, "punch: a stat must be a whole number from 0 to 9, not -1"),
        ({"punch": 10}, "punch: .* not 10"),
        ({"grapple": 1.0}, "grapple: .* not 1.0"),
        ({"block": True}, "block: .* not True"),
        ({"block": "2"}, "block: .* not 2"),
        ({"super": "pass"}, "super: pass already means something else"),
        ({"super": 3}, "super: a name must have 1 to 24 characters"),
        ({"requirement": "G.R4"}, "requirement: a requirement must be P.R1, P.R2, .* or B.R3, not G.R4"),
        ({"requirement": "X.R1"}, "requirement: .* not X.R1"),
        ({"requirement": "G3"}, "requirement: .* not G3"),
        ({"requirement": 3}, "requirement: .* not 3"),
    ],
)
def test_bad_fighters_are_refused_with_a_reason(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadContent, match=f"^mine.toml: .*{message}"):
        read({"fighters": rows(**changed)})


@pytest.mark.parametrize("data", [{}, {"fighters": 3}, {"fighter": []}])
def test_a_file_without_fighters_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(BadContent, match=r"^mine.toml: a roster is a list called fighters"):
        read(data)


def test_unknown_fields_of_a_roster_are_refused() -> None:
    with pytest.raises(BadContent, match=r"^mine.toml: there is no field boards; a roster has fighters"):
        read({"fighters": rows(), "boards": []})


@pytest.mark.parametrize("count", [0, 1, 17])
def test_too_few_or_too_many_fighters(count: int) -> None:
    with pytest.raises(BadContent, match=f"2 to 16 fighters, not {count}"):
        read({"fighters": rows(count)})


def test_a_fighter_must_be_a_table() -> None:
    with pytest.raises(BadContent, match=r"^mine.toml: fighter 2 must be a table"):
        read({"fighters": [rows()[0], "Kenji"]})

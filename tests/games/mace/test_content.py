"""Content files: the default pack and start hexes, custom ones, and the errors of bad ones."""

from pathlib import Path
from typing import Any

import pytest

from games.mace.content_files import STARTS, VALUES, read
from games.mace.table import NAME, Table
from sparring import BadContent, Match
from sparring.engine.game import game

GAME = game(NAME)


def test_the_default_pack() -> None:
    assert GAME.content.values == VALUES
    params = GAME.setup().params
    assert {name: int(params.value[number]) for number, name in enumerate(GAME.content.names) if number < 52} == {
        f"{rank}{suit}": value for rank, value in VALUES.items() for suit in "CSDH"
    }


def test_a_custom_pack() -> None:
    values = {"A": 1} | {str(n): n for n in range(2, 10)} | {"Z": 20}
    content = read(values=values, starts=STARTS | {"2": [[0, 0], [1, 0]]})
    position = {"game": NAME, "hands": ["ZS 2H ZH", "9D 8D 7D 6D 5D"], "momentum": ["AC", "AD"]}
    match = Match.from_position(position, content)
    t = Table(match).play("strike ZS; target 2; S2: take; pay 9D; pay 8D; pay 7D")
    assert t.field("knock")["length"] == 10
    assert t.at(2) == "6,0"
    assert t.is_down(2)
    assert t.play("boost ZH").field("steps") == 19


def test_a_custom_pack_is_saved_with_the_match() -> None:
    values = {str(n): n for n in range(1, 10)}
    match = Match.new(NAME, seats=4, seed=1, content=read(values=values))
    for _ in range(60):
        match.choose(match.legal()[0])
    again = Match.from_record(match.record())
    assert again.state.tobytes() == match.state.tobytes()
    assert again.setup.content == match.setup.content


def test_the_default_content_file_can_be_edited(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text((GAME.folder / "content.toml").read_text().replace("A = 14", "A = 1"))
    assert list(GAME.read_content(file).values)[:2] == ["A", "2"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cards": []}, "mine.toml.*cards"),
        ({"values": {}}, "values.*9 to 13 ranks"),
        ({"values": [1, 2]}, "values.*9 to 13 ranks"),
        ({"values": VALUES | {"B": 15}}, "values.*9 to 13 ranks"),
        ({"values": VALUES | {"A": 21}}, "A: .*1 to 20, not 21"),
        ({"values": VALUES | {"A": 0}}, "A: .*1 to 20, not 0"),
        ({"values": VALUES | {"A": 13}}, "A: K already has the value 13"),
        ({"values": VALUES | {"A": "high"}}, "A: .*not high"),
        ({"values": {"X" if rank == "A" else rank: value for rank, value in VALUES.items()}}, "rank.*not X"),
        ({"values": {"Ace" if rank == "A" else rank: value for rank, value in VALUES.items()}}, "rank.*not Ace"),
        ({"starts": {"2": STARTS["2"]}}, "starts.*3"),
        ({"starts": STARTS | {"3": STARTS["2"]}}, "starts.*3 Fighters"),
        ({"starts": STARTS | {"2": [[0, 0], [0, 0]]}}, "starts.*2.*two Fighters can't start on the same hex"),
        ({"starts": STARTS | {"2": [[0, 0], [6, 0]]}}, "at most 5 from the middle"),
        ({"starts": STARTS | {"2": [[0, 0], [1]]}}, "hex"),
        ({"starts": STARTS | {"2": [[0, 0], "1,0"]}}, "hex"),
        ({"starts": STARTS | {"2": [[0, 0], [1.5, 0]]}}, "hex"),
    ],
)
def test_bad_content_is_refused_with_a_reason(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadContent, match=message):
        read(**changed)

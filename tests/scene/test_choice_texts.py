"""Choices are named as the table shows them, not by the words to type."""

import pytest

from sparring import Match
from sparring.scene.locations import text_of_choice

CIRCLES = {
    "game": "five-circles", "phase": "resources", "active": 1, "player": 1, "ready": [{}, {}],
    "hands": [["Kite Archer", "Green"], []],
}  # fmt: skip
SLEEP = {
    "game": "five-circles", "phase": "main", "active": 1, "player": 1, "rows": [["Lullaby Owl"], ["Market Bear"]],
    "ready": [{"Red": 4, "Blue": 4, "Green": 4}, {}], "hands": [["Kite Archer"], []],
}  # fmt: skip
ATTACK = {"game": "make-your-moves", "phase": "attack", "attack": "Piledriver", "hands": ["Skull, Red1", "Green1"]}
STRIKE = {"game": "mace", "phase": "turn", "fighters": ["0,0", "1,0"], "hands": ["KS 2H 10C", "7D"]}


@pytest.mark.parametrize(
    ("position", "words", "shown"),
    [
        (CIRCLES, "resource green", "Green resource"),
        (CIRCLES, "done", "Skip and end turn"),
        (SLEEP, "use Lullaby Owl: Sleep", "Sleep (Lullaby Owl)"),
        (SLEEP, "play Kite Archer", "Play Kite Archer"),
        (ATTACK, "done", "End your attack"),
        (ATTACK, "Skull", "Skull"),
        (STRIKE, "strike KS", "Strike (King of spades)"),
    ],
)
def test_a_choice_is_called_what_the_table_shows(position: dict[str, object], words: str, shown: str) -> None:
    match = Match.from_position(position)
    assert text_of_choice(match.view(match.seat or 0).scene, match.read(words), words) == shown

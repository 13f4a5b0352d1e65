"""Nothing moves between rare states of a table; `test_invariants.py` compares the usual ones."""

from collections.abc import Callable, Sequence

import pytest

from games.five_circles.table import table as circles
from sparring.scene import PrintableScene, Prompt, Row, Seat, without_choices
from sparring.scene.html import Exchange
from sparring.scene.sentences import Text, result
from web.browser.pages import BOXES, DESK, LAPTOP, LAY, PHONE, SIDEWAYS, SIZES, Open, resize
from web.browser.scenes import at, drawn
from web.browser.states import DICE, countered

pytestmark = pytest.mark.browser

PARTS = [".side.middle", ".held", ".beside", ".latest"]
#: For many scenes, the boxes of these parts.
ALL_BOXES = f"([scenes, parts]) => scenes.map(scene => {{ ({LAY})(scene); return ({BOXES})(parts); }})"


def resources() -> list[str]:
    """However many resources both players have, and when the top of the deck is known."""
    more = {"game": "five-circles", "phase": "resources", "active": 1, "hands": ["2 Red", "2 Red"], "player": 1}
    return [at({**more, "ready": [ready, ready], "known_top": [known, 0]})
            for ready in ("1 Red", "3 Red, 3 Blue, 3 Green") for known in (0, 2)]  # fmt: skip


def abilities() -> list[str]:
    """With and without buttons of abilities."""
    match = circles("1 Ash 1/2 [Fireball]; 2 Bob 2/2 [Fireball]", "1 Dot 1/2; 2 Eve 1/3", "1 Red").match
    view = match.view(match.seat or 1)
    return [drawn(view.past.scene), drawn(view.scene)]


def quiet_rounds() -> list[str]:
    turn = {"game": "mace", "seats": 2, "round": 40, "phase": "turn", "player": 1}
    scenes = [at({**turn, "quiet": quiet}) for quiet in (14, 15)]
    assert ["Quiet Rounds" in scene for scene in scenes] == [False, True]
    return scenes


def results(*, told: bool) -> list[str]:
    """A result and a prompt with few words and with many."""
    dice, middle = Row("dice", "Yours", DICE), Row("table", "On the table", DICE)
    seats = tuple(Seat(number=number, you=number == 1, turn=number == 1) for number in (1, 2))
    scene = PrintableScene("dice", "Dice", "Bid 1", seats, Prompt("Bid more."), middle=(middle,), hand=(dice,))
    decided = Exchange(without_choices(Row("bids", "Bids", DICE, total="7")), [result(Text("You bid well."))])
    few, many = (
        ["They roll."],
        ["They roll.", "You bid three fives, and one falls on the floor, which counts.", "Again!"],
    )
    return [drawn(scene, **{"animated" if told else "events": lines}, exchange=decided) for lines in (few, many)]


@pytest.mark.parametrize(
    ("name", "scenes", "parts", "sizes"),
    [
        ("five-circles", resources, PARTS, [PHONE]),
        ("five-circles", abilities, PARTS, SIZES),
        ("make-your-moves", countered, PARTS, SIZES),
        ("make-your-moves", lambda: results(told=True), [".exchange", ".go-on"], SIZES),
        ("make-your-moves", lambda: results(told=False), [".exchange"], SIZES),
        ("mace", quiet_rounds, [".right .row"], [LAPTOP, DESK]),
    ],
)
def test_nothing_moves(
    open_page: Open, name: str, scenes: Callable[[], Sequence[str]], parts: list[str], sizes: list[tuple[int, int]]
) -> None:
    page, shown = open_page(name), scenes()
    assert len(set(shown)) > 1
    for size in sizes:
        resize(page, size)
        boxes = page.evaluate(ALL_BOXES, [shown, parts])
        assert len({str(each) for each in boxes}) == 1, (size, boxes)
        assert size in (PHONE, SIDEWAYS) or any(boxes[0]), "on phones the side panel is closed"

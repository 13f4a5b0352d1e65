"""Scenes as standalone SVG."""

import re
from html import unescape
from xml.dom.minidom import parseString

import pytest

from pseudo_language import pseudo_language
from scene.sample_scenes import JAB, hexes, squares, table
from sparring import games
from sparring.engine.squares import SIDE, square_name
from sparring.games.world_of_fighters.components import roster_face
from sparring.scene import Board, Button, Card, Cell, Face, Label, Prompt, Row, Token, replace
from sparring.scene.boards import HEX, SQUARE, board_svg, centre
from sparring.scene.card_faces import HEIGHT, WIDTH, face_svg, wrap
from sparring.scene.markup import SeatNames
from sparring.scene.svg import CARD, render


def test_a_picture_is_self_contained() -> None:
    text = render(table(squares(), hexes()), names=("Ann & Co", "<Bo>"), style=".game-toy { color: red; }")
    picture = parseString(text).documentElement
    assert picture is not None
    assert picture.getAttribute("xmlns") == "http://www.w3.org/2000/svg"
    assert "Ann &amp; Co" in text
    assert "&lt;Bo&gt;" in text
    assert ".game-toy" in text
    assert "url(http" not in text
    assert "@import" not in text


def test_a_picture_shows_every_card_and_grows_with_the_board() -> None:
    text = render(table())
    for name in ("JAB", "CHOP", "POKE"):
        assert f">{name}</text>" in text
    assert "#back-ring" in text

    def height(svg: str) -> float:
        root = parseString(svg).documentElement
        assert root is not None
        return float(root.getAttribute("viewBox").split()[3])

    assert height(render(table(squares()))) > height(text)


def test_marks_cover_a_cards_picture_but_not_its_name() -> None:
    card = Card("card", JAB, count=2, marks=("at a player with a long name",))
    text = render(replace(table(), middle=(Row("row", cards=(card,)),)), parts=("middle",))
    chips = re.findall(
        r'<g class="on-card"><rect x="(.+?)" y="(.+?)" width="(.+?)"[^>]*/?>(?:</rect>)?<text[^>]*>(.+?)<', text
    )
    assert [words for *_, words in chips] == ["&#215;2", "at a player with a long name"]
    for left, top, width, _ in chips:
        assert float(left) >= 0
        assert float(left) + float(width) <= CARD
        assert float(top) + 14 < CARD * HEIGHT / WIDTH / 2


def test_cards_in_a_picture_keep_their_own_ink_in_the_dark() -> None:
    text = render(table())
    assert ":where(.picture text) { fill: var(--ink); }" in text
    assert ".face text { text-anchor: middle; fill: var(--card-ink); }" in text
    assert ".picture text {" not in text


def test_many_cards_take_several_lines() -> None:
    many = Row("many", "Many", tuple(Card(f"card {n}", JAB) for n in range(12)), "hand")
    text = render(replace(table(), hand=(many,)), parts=("hand",), width=480)
    assert len(set(re.findall(r'transform="(translate\(0 [\d.]+\))"><g transform="translate\(', text))) >= 3
    assert "Done" not in text


@pytest.mark.parametrize("turns", range(4))
def test_every_column_and_row_is_labelled_as_drawn(turns: int) -> None:
    """Each square is where the letter below it and the number beside it say, or the other way round."""
    cells = tuple(Cell((column, row)) for column in range(4) for row in range(3))
    drawn = str(board_svg(Board("board", "", cells, turns=turns, coordinates=True), SeatNames()))
    labels = re.findall(r'<text x="([-.\d]+)" y="([-.\d]+)" font-size="5">(\w+)</text>', drawn)
    assert sorted(text for _, _, text in labels) == ["1", "2", "3", "a", "b", "c", "d"]
    board = Board("", "", (), turns=turns)
    for cell in cells:
        x, y = centre(board, cell.at)
        near = {text for a, b, text in labels if abs(float(a) - x) < SQUARE / 2 or abs(float(b) - y) < SQUARE / 2}
        assert set(square_name(cell.at[1] * SIDE + cell.at[0])) <= near


@pytest.mark.parametrize("turns", range(6))
def test_every_hex_shows_its_name(turns: int) -> None:
    cells = tuple(Cell((q, r), name=f"{q},{r}") for q in range(-1, 2) for r in range(-1, 2) if abs(q + r) < 2)
    board = Board("board", "", cells, hexes=True, turns=turns, coordinates=True)
    drawn = re.findall(
        r'<text x="([-.\d]+)" y="([-.\d]+)" font-size="4">([-,\d]+)</text>', str(board_svg(board, SeatNames()))
    )
    shown = {name: (float(x), float(y)) for x, y, name in drawn}
    for cell in cells:
        x, y = centre(board, cell.at)
        assert shown[cell.name] == pytest.approx((x, y + 0.66 * HEX), abs=0.02)


def test_marks_ring_the_chosen_and_the_better_space_with_arrows_from_the_token_that_moves() -> None:
    cells = tuple(Cell((column, 0), action=column or None, words=f"to {column}") for column in range(4))
    board = Board("board", "The board", cells, (Token("token", (0, 0), 1), Token("other", (3, 0), 2)))
    text = render(table(board), marks={1: "chosen", 2: "better"})
    marked = re.findall(r'<polygon points="([-.\d]+),[^"]*" class="mark (\w+)">', text)
    assert marked == [("10.00", "chosen"), ("30.00", "better")]
    assert re.findall(r'class="mark (\w+) arrow"', text) == ["chosen", "better"]
    assert 'class="mark' not in render(table(board))


def test_marks_show_which_button_and_which_use_of_a_card() -> None:
    uses = (Button(text="Strike", action=5), Button(text="Boost", action=6))
    card = Card("card", JAB, choices=uses)
    prompt = Prompt("Which?", (Button(text="Pass", action=7), Button(text="Wait", action=8)))
    scene = replace(table(), hand=(Row("hand", cards=(card,), layout="hand"),), prompt=prompt)
    text = unescape(render(scene, marks={6: "better", 7: "chosen"}, parts=("prompt", "hand")))
    assert "✓ Boost" in text
    assert "✗ Pass" in text
    assert "Wait" not in text
    assert text.count('class="outline mark better"') == 1


def test_long_lines_of_a_card_break_at_spaces() -> None:
    assert wrap("Fast", 12) == ["Fast"]
    assert wrap("Played: 2 damage to the weakest enemy", 12) == ["Played: 2 damage to the", "weakest enemy"]
    assert wrap("Donaudampfschifffahrtsgesellschaft", 12) == ["Donaudampfschifffahrtsgesellschaft"]


def test_the_name_of_an_ability_is_legible_on_a_phone() -> None:
    """A card is at least 80 pixels wide in a lane, and its drawing 63 units."""
    for lines in (("Fireball",), ("Heal 1", "Future Vision")):
        drawn = re.findall(r'font-size="([\d.]+)"[^>]*class="line"', str(face_svg(Face("Moonlit Medic", lines=lines))))
        assert len(drawn) == len(lines)
        assert all(float(size) * 80 / 63 > 7.5 for size in drawn)


def test_a_fighters_name_can_be_read_above_its_lines() -> None:
    """Three lines over the stats shrank the name of Milton Brown to 2.5 mm of letters 4 points high."""
    content = games()["world-of-fighters"].content
    faces = [roster_face(fighter) for fighter in content.fighters]
    sizes = [
        float(size) for drawn in map(face_svg, faces)
        for size in re.findall(r'font-size="([\d.]+)"[^>]*class="name"', str(drawn))
    ]  # fmt: skip
    assert len(sizes) >= len(faces)
    assert min(sizes) >= 6


def test_labels_name_empty_seats_in_the_language_of_each_reader() -> None:
    cells = (Cell((0, 0), "a1"), Cell((1, 0), "b1"))
    board = Board("b", "Board", cells, labels=(Label(((0, 0), (1, 0)), "Start of Seat 1"),))
    assert ">Start of Seat 1<" in board_svg(board, SeatNames())
    with pseudo_language() as language:
        assert ">Start of Seat 1<" not in board_svg(board, SeatNames())
    assert "Seat {number}" in language.used


def test_the_readers_own_name_is_one_text() -> None:
    """Other languages may put `you` first."""
    with pseudo_language() as language:
        render(table(), names=("Ann", "Bo"))
    assert "{name} (you)" in language.used

"""Positions of cards on paper, and of their backs when the sheet is turned over or folded."""

import pytest

from sparring.engine.errors import CannotPrint
from sparring.printing.sheets import (
    CARDS,
    MARGIN,
    PAPERS,
    CutLine,
    PaperSheet,
    PaperSize,
    PrintedPiece,
    PrintOptions,
    SheetSide,
    TwoSided,
    card_sheets,
    read_card,
)


def cards(many: int) -> list[TwoSided]:
    return [TwoSided(SheetSide(f"face {n}", "#fff"), SheetSide(f"back {n}", "#fff")) for n in range(many)]


def lying(sheet: PaperSheet) -> dict[str, PrintedPiece]:
    return {thing.svg: thing for thing in sheet.contents if isinstance(thing, PrintedPiece) and thing.svg}


def place(thing: PrintedPiece) -> tuple[float, float]:
    return thing.spot.x, thing.spot.y


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_cards_fit_on_a_sheet_within_the_printers_margins(paper: str) -> None:
    faces, backs, more, behind = card_sheets(cards(10), PrintOptions(paper=paper))
    assert (len(lying(faces)), len(lying(backs)), len(lying(more)), len(lying(behind))) == (9, 9, 1, 1)
    page = PAPERS[paper]
    for spot in (thing.spot.extended(1.5) for thing in lying(faces).values()):
        assert spot.x >= MARGIN
        assert spot.x + spot.width <= page.width - MARGIN
        assert spot.y >= MARGIN
        assert spot.y + spot.height <= page.height - MARGIN


@pytest.mark.parametrize("size", CARDS.values())
@pytest.mark.parametrize(("duplex", "beside"), [("long-edge", True), ("short-edge", False)])
def test_backs_are_behind_their_faces(size: PaperSize, duplex: str, beside: bool) -> None:
    """Turning an upright sheet about its long edge swaps left and right; about its short edge, top and bottom."""
    faces, backs = card_sheets(cards(3), PrintOptions(card=size, duplex=duplex))[:2]
    page = faces.size
    for n in range(3):
        face, back = lying(faces)[f"face {n}"], lying(backs)[f"back {n}"]
        across, down = page.width - face.spot.x - size.width, page.height - face.spot.y - size.height
        mirrored = beside == (page.height > page.width)
        assert place(back) == pytest.approx((across, face.spot.y) if mirrored else (face.spot.x, down))
        assert back.turned == (not mirrored)


def test_folded_sheets_have_faces_and_backs_on_either_side_of_the_fold() -> None:
    sheet, more = card_sheets(cards(6), PrintOptions(duplex="fold"))
    fold = sheet.size.width / 2
    assert CutLine((fold, 0, fold, sheet.size.height), dashed=True) in sheet.contents
    for n in range(4):
        face, back = lying(sheet)[f"face {n}"].spot, lying(sheet)[f"back {n}"].spot
        assert fold - (face.x + face.width) == pytest.approx(back.x - fold)
        assert face.y == back.y
    assert set(lying(more)) == {"face 4", "back 4", "face 5", "back 5"}


def test_without_backs_only_faces_are_printed() -> None:
    (sheet,) = card_sheets(cards(9), PrintOptions(duplex="none"))
    assert set(lying(sheet)) == {f"face {n}" for n in range(9)}


def test_crop_marks_mark_every_edge_and_cross_no_card() -> None:
    sheet = card_sheets(cards(4), PrintOptions())[0]
    spots = [thing.spot for thing in lying(sheet).values()]
    marks = [thing.ends for thing in sheet.contents if isinstance(thing, CutLine)]
    for spot in spots:
        assert any(x == a == spot.x for x, _, a, _ in marks)
        assert any(y == b == spot.y + spot.height for _, y, _, b in marks)
        for x, y, a, b in marks:
            apart = max(x, a) <= spot.x or min(x, a) >= spot.x + spot.width
            assert apart or max(y, b) < spot.y or min(y, b) > spot.y + spot.height


def test_the_colour_of_a_card_extends_into_the_bleed() -> None:
    sheet = card_sheets(cards(1), PrintOptions(bleed=2))[0]
    ground = next(thing for thing in sheet.contents if isinstance(thing, PrintedPiece) and not thing.svg)
    face = lying(sheet)["face 0"].spot
    assert ground.spot == face.extended(2)


@pytest.mark.parametrize(
    ("text", "size"), [("poker", (63.5, 88.9)), (" Tarot ", (70, 120)), ("44x67.5", (44, 67.5)), ("50 x 50", (50, 50))]
)
def test_valid_sizes(text: str, size: tuple[float, float]) -> None:
    assert read_card(text) == size


@pytest.mark.parametrize("text", ["", "tarrot", "63", "63x", "10x80", "900x900", "-63x88", "1e2x88", "63x88x2"])
def test_an_invalid_size_gets_one_sentence(text: str) -> None:
    with pytest.raises(CannotPrint, match=r"card size must be usual, poker, bridge, tarot, or width and height"):
        read_card(text)


def test_a_card_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(CannotPrint, match="doesn't fit on a4 paper"):
        card_sheets(cards(1), PrintOptions(card=PaperSize(200, 200), bleed=10))

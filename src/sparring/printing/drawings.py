"""Draw cards, boards, counters and scales for print, as SVG with resolved styles."""

import io
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files

from markupsafe import Markup

from sparring.engine.formats.card_pictures import Photo, read_picture
from sparring.engine.game import Game
from sparring.engine.glossary import GlossaryEntry
from sparring.scene import Board, CounterScale, Face, PaperCounter, PaperDeck, Picture, PrintableScene, Token
from sparring.scene.boards import HEX, SQUARE, board_svg, disc
from sparring.scene.card_faces import HEIGHT, WIDTH, face_svg, measure
from sparring.scene.html import PLAIN_BACK
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.patterns import DEFS
from sparring.scene.pictures import embed_pictures
from sparring.scene.svg import render, sized, styles

from .sheets import PaperSize, SheetSide
from .styles import Styles


def to_greyscale(text: str) -> str:
    """Return a photo in greyscale; sketches stay as they are, because `Styles` greys their strokes."""
    picture = read_picture(text)
    if not isinstance(picture, Photo):
        return text
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(picture.data)) as image:
        image.convert("LA").convert("RGBA").save(out, "WEBP", quality=80, method=4)
    return Photo(out.getvalue(), picture.width, picture.height).text


#: The radius of a token's drawing.
TOKEN_RADIUS = 10.0
#: The distance in mm between a card's edge and its drawing, so that a cut that is slightly off does not damage the
#: frame, and all text is in the safe area.
CUT_CLEARANCE = 1.9
#: The side of a space on a scale, in mm.
SCALE_STEP = 12.0
#: Font size and line width of turn summary cards.
FONT_SIZE, LINE_WIDTH = 5.0, 55.0
#: Font size of reference cards (in mm), and where their text ends.
REFERENCE_SIZE, TEXT_END = 2.6, 83.0

_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')
#: The fill of a card's first rectangle is its paper.
_FILL = re.compile(r'<(?:\w+:)?rect[^>]*? fill="(#[0-9a-f]{6})"')

PLAIN_BACK_PICTURE = Picture("plain", str(PLAIN_BACK).partition(">")[2].removesuffix("</symbol>"))


def sheet_of(name: str) -> str:
    """Return the text of a style sheet of this package."""
    return (files("sparring.printing") / f"{name}.css").read_text(encoding="utf-8")


class Drawings:
    """Draws a game's components in one ink, with custom `pictures` (texts by name); drawings are cached."""

    def __init__(self, game: Game, ink: str = "colour", pictures: Mapping[str, str] | None = None) -> None:
        self.game, self.black = game, ink == "black"
        self.pictures = {name: to_greyscale(text) if self.black else text for name, text in (pictures or {}).items()}
        theme = game.folder / "theme.css"
        self.sheets = [styles(), theme.read_text(encoding="utf-8") if theme.exists() else "", sheet_of("paper")]
        if self.black:
            self.sheets.append(sheet_of("black"))
        self._cache: dict[object, str] = {}

    @cached_property
    def styles(self) -> Styles:
        """The parsed style sheets."""
        return Styles(self.sheets, grey=self.black)

    def resolved_svg(self, inside: Markup, left: float, top: float, size: PaperSize) -> str:
        """Return a drawing as a complete SVG with resolved styles; its upper left corner is at `left`, `top`."""
        return self._styled(str(el(
            "svg", el("defs", DEFS), inside, xmlns="http://www.w3.org/2000/svg",
            viewBox=f"{left:g} {top:g} {size.width:g} {size.height:g}", width=f"{size.width:g}",
            height=f"{size.height:g}", class_=f"picture print game-{self.game.name}",
        )))  # fmt: skip

    def _styled(self, svg: str) -> str:
        return self.styles.resolved_svg(embed_pictures(svg, self.pictures))

    # Cards

    def face(self, face: Face, card: PaperSize) -> SheetSide:
        """Draw the face of a card."""
        return self._side(face, sized(face_svg(face), WIDTH, HEIGHT), card)

    def back(self, deck: PaperDeck, card: PaperSize) -> SheetSide:
        """Draw the back of a deck's cards."""
        back = deck.back or PLAIN_BACK_PICTURE
        drawn = el("symbol", Markup(back.svg), id=f"back-{back.name}")
        return self._side(back, drawn, card)

    def _side(self, what: Face | Picture, drawn: Markup, card: PaperSize) -> SheetSide:
        """Fit a 63 x 88 drawing to a card of any size, clear of the cut; its paper fills the rest."""
        if (what, card) not in self._cache:
            scale = min((card.width - 2 * CUT_CLEARANCE) / WIDTH, (card.height - 2 * CUT_CLEARANCE) / HEIGHT)
            left, top = (WIDTH - card.width / scale) / 2, (HEIGHT - card.height / scale) / 2
            self._cache[what, card] = self.resolved_svg(
                drawn, left, top, PaperSize(card.width / scale, card.height / scale)
            )
        svg = self._cache[what, card]
        ground = _FILL.search(svg)
        return SheetSide(svg, ground[1] if ground else "#ffffff")

    def turn_face(self, lines: tuple[str, ...]) -> Face:
        """Return the face of a turn summary card; long texts get smaller letters."""
        size = FONT_SIZE
        while len(rows := _rows(lines, LINE_WIDTH / size)) * size * 1.28 + 2 * len(lines) > 68:
            size *= 0.95
        drawn, y = [], 17.0
        for number, row in rows:
            y += size * 1.28 + (2 if number else 0)
            sign = el("text", number, x=4.5, y=f"{y:.2f}", font_size=f"{size:.2f}", class_="number") if number else ""
            drawn += [sign, el("text", row, x=9, y=f"{y:.2f}", font_size=f"{size:.2f}", class_="told")]
        return _text_face("Your turn", "a turn", drawn)

    def reference_faces(self, entries: Sequence[GlossaryEntry], title: str = "Reference") -> list[Face]:
        """Return the faces of reference cards that explain terms, as many as the text needs."""
        size, pages = REFERENCE_SIZE, list[list[Markup]]()
        y = 999.0
        for entry in entries:
            rows = [row for _, row in _rows((entry.text,), LINE_WIDTH / size)]
            if y + (len(rows) + 1) * size * 1.28 > TEXT_END:
                pages.append([])
                y = 15.0
            for row in (entry.word, *rows):
                y += size * 1.28
                weight = {"font_weight": 700} if row is entry.word else {}
                pages[-1].append(el("text", row, x=4.5, y=f"{y:.2f}", font_size=f"{size:.2f}", class_="told", **weight))
            y += 1.2
        return [_text_face(title, f"{title.lower()} {number}", page) for number, page in enumerate(pages, 1)]

    # Boards, counters and scales

    def board(self, board: Board) -> tuple[str, PaperSize]:
        """Draw an empty board; return it with its size in drawing units (see `space_width`)."""
        drawn = board_svg(board, SeatNames())
        box = _BOX.search(drawn)
        if box is None:  # can't happen: every board has a viewBox
            raise ValueError(board.title)
        left, top, width, height = map(float, box.groups())
        size = PaperSize(width + 2, height + 2)  # half of the edge's line width is outside
        return self.resolved_svg(el("g", sized(drawn, width, height).replace(
            "<svg ", Markup(f'<svg x="{left:g}" y="{top:g}" overflow="visible" '), 1), class_="board"),
            left - 1, top - 1, size), size  # fmt: skip

    def counter(self, counter: PaperCounter) -> str:
        """Draw a round counter."""
        token = Token(counter.title, (0, 0), counter.seat, counter.text or ("" if counter.seat else " "))
        drawn = Markup(counter.picture.svg) if counter.picture else disc(token)
        turned = el("g", drawn, transform=f"scale({1 if counter.picture else 1.28})")
        inside = el("g", el("g", turned, class_=f"token s{counter.seat}"), class_="board")
        return self.resolved_svg(inside, -TOKEN_RADIUS, -TOKEN_RADIUS, PaperSize(2 * TOKEN_RADIUS, 2 * TOKEN_RADIUS))

    def scale(self, scale: CounterScale, columns: int) -> tuple[str, PaperSize]:
        """Draw a scale in rows of `columns` numbers, in its seat's colour; the start is framed; return its size too."""
        columns_used = min(columns, scale.top + 1)
        rows = -(-(scale.top + 1) // columns_used)
        places = join(self._place(scale, number, columns_used) for number in range(scale.top + 1))
        size = PaperSize(columns_used * SCALE_STEP + 1, rows * SCALE_STEP + 1)
        return self.resolved_svg(el("g", places, class_=f"scale s{scale.seat}"), -0.5, -0.5, size), size

    def _place(self, scale: CounterScale, number: int, columns_used: int) -> Markup:
        x, y = number % columns_used * SCALE_STEP, number // columns_used * SCALE_STEP
        start = " start" if number == scale.start else ""
        return join([
            el("rect", x=f"{x:g}", y=f"{y:g}", width=SCALE_STEP, height=SCALE_STEP, class_=f"place{start}"),
            el("text", str(number), x=f"{x + SCALE_STEP / 2:g}", y=f"{y + SCALE_STEP / 2 + 2:g}", font_size=5.5),
        ])  # fmt: skip

    def scene(self, scene: PrintableScene, parts: tuple[str, ...], width: float) -> str:
        """Draw some parts of a scene, for an example in the rules."""
        return self._styled(render(scene, parts=parts, width=width).replace(
            'class="picture ', 'class="picture print '))  # fmt: skip


def _text_face(title: str, name: str, drawn: Sequence[str]) -> Face:
    """Return the face of a card with a title above its text."""
    head = el("text", title, x=31.5, y=13.5, font_size=9, class_="name")
    return Face(title, picture=Picture(name, str(join([head, *drawn]))), layout="pack")


def _rows(lines: tuple[str, ...], width: float) -> list[tuple[str, str]]:
    """Wrap lines; the first row of each comes with its number."""
    rows: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        row, sign = "", str(number) if len(lines) > 1 else ""
        for word in line.split():
            if row and 0.98 * measure(f"{row} {word}") > width - 4.5 / FONT_SIZE:
                rows.append((sign, row))
                row, sign = "", ""
            row = f"{row} {word}".strip()
        rows.append((sign, row))
    return rows


def space_width(board: Board) -> float:
    """Return the width of a board space in drawing units."""
    return HEX * 3**0.5 if board.hexes else SQUARE

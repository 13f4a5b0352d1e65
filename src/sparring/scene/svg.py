"""Render a scene as a standalone SVG, for documents and notebooks."""

import math
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from textwrap import wrap
from typing import NamedTuple

from markupsafe import Markup

from .boards import Marks, board_svg, marked_board
from .card_faces import HEIGHT, WIDTH, back_svg, face_svg, measure, tone
from .html import definitions
from .markup import NOTHING, SeatNames, el, join
from .model import Area, Board, Button, Card, Choosable, Facts, Group, Pile, Row, Scene, Seat, Slot, Track
from .patterns import fill, seat_pattern
from .sentences import enumerated, say, titled

#: The width of the picture, the gap between parts, the height of a line, the width of a card in a row and in a hand.
PAGE, GAP, LINE, CARD, HAND = 960.0, 14.0, 22.0, 84.0, 112.0


class DrawnPart(NamedTuple):
    """A part of the picture, drawn from (0, 0), and its height."""

    svg: Markup
    height: float


#: The bottom of the chips on a card as a share of its height, and the width of their letters relative to a face's.
CHIPS, BROAD = 0.44, 1.2

#: The minimum visible share of overlapping cards.
MIN_VISIBLE_SHARE = 0.66

#: The parts of a scene, from top to bottom.
PARTS = ("title", "seats", "banner", "left", "middle", "right", "prompt", "hand")


#: The marks of choices and their signs: an action that was chosen, and a better one.
SIGNS = {"chosen": "✗", "better": "✓"}
NO_MARKS: Marks = {}


def render(
    scene: Scene, *, names: Sequence[str] = (), style: str = "", parts: Sequence[str] = PARTS, width: float = PAGE,
    marks: Marks = NO_MARKS,
) -> str:  # fmt: skip
    """Return a scene, or some of its PARTS, as a standalone SVG.

    `names` are the players' names by seat, `style` is the game's CSS (`theme.css`), and `width` is in pixels. With
    `marks`, only those choices are marked, each in its own way (a key of SIGNS); otherwise all are.
    """
    return _Picture(scene, SeatNames(names), width, marks).page(styles() + style, parts)


def styles() -> str:
    """Return the colours and the styles of cards and boards, from the files that browsers get."""
    folder = files("sparring") / "scene" / "styles"
    sheets = ("palette.css", "cards.css", "boards.css")
    return "".join((folder / name).read_text(encoding="utf-8") for name in sheets) + PICTURE


#: Styles for pictures only.
PICTURE = """
.picture { background: var(--paper); font-family: var(--font); }
:where(.picture text) { fill: var(--ink); }
.picture .soft { fill: var(--ink-soft); }
.picture .panel { fill: var(--surface); stroke: var(--line); }
.picture .panel.turn { stroke: var(--seat); stroke-width: 2.5; }
.picture .stripe, .picture .pip.on, .picture .disc { fill: var(--seat, var(--accent)); }
.picture [class^="tone-"] > .pip.on, .picture [class^="tone-"] > .stripe { fill: var(--tone); }
.picture .pip { fill: none; stroke: var(--ink-soft); stroke-width: 1.6; }
.picture .on-card rect { fill: var(--card-ink); }
.picture .on-card text { fill: var(--card-paper); }
.picture .hole { fill: none; stroke: var(--ink-soft); stroke-dasharray: 5 4; }
.picture .choose { fill: none; stroke: var(--choose); stroke-width: 2.5; }
.picture .mark { fill: none; stroke-width: 2; stroke-linejoin: round; }
.picture .mark.chosen { --mark: light-dark(#b3261e, #ff8a80); stroke: var(--mark); stroke-dasharray: 5 3; }
.picture .mark.better { --mark: light-dark(#12752f, #6ee08b); stroke: var(--mark); stroke-width: 3; }
.picture .mark.better { filter: drop-shadow(0 0 3px var(--mark)); }
.picture .outline.mark { stroke-width: 5; }
.picture .mark.arrow polygon { fill: var(--mark); stroke: none; }
"""


class _Picture:
    """Draws one scene from top to bottom at a given width."""

    def __init__(self, scene: Scene, names: SeatNames, width: float, marks: Marks = NO_MARKS) -> None:
        self._scene, self.names, self.width, self.marks = scene, names, width, marks
        self.back = scene.backs[0].name if scene.backs else "plain"

    def page(self, style: str, parts: Sequence[str]) -> str:
        scene = self._scene
        flow = self.down([drawn for part in PARTS if part in parts for drawn in self.part(part)])
        height = round(flow.height + 2 * GAP)
        return str(el(
            "svg", el("style", Markup(style)), definitions(scene),
            el("rect", width="100%", height="100%", fill="var(--paper)"),
            el("g", flow.svg, transform=f"translate({GAP} {GAP})"), xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width + 2 * GAP:g} {height}", class_=f"picture game-{scene.game}", role="img",
            aria_label=enumerated([scene.title, scene.status]),
        ))  # fmt: skip

    def part(self, part: str) -> list[DrawnPart]:
        """Return one of PARTS as drawings to stack."""
        scene = self._scene
        match part:
            case "title":
                return [DrawnPart(self.text(f"{scene.title} · {scene.status}", 0, 16, 16, bold=True), LINE)]
            case "seats":
                panels = [lambda width, seat=seat: self.seat(seat, width) for seat in scene.seats]
                return [self.across(panels, self.width)]
            case "banner" if scene.banner:
                detail = self.sentence(scene.banner.detail, 15) if scene.banner.detail else []
                return [self.centred(self.names.text(scene.banner.text), 26, bold=True), *detail]
            case "prompt":
                shown = [button for button in scene.prompt.buttons if not self.marks or button.action in self.marks]
                signs = (SIGNS[self.marks[button.action]] if self.marks else "" for button in shown)
                buttons = " · ".join(
                    f"{sign} {button.text or button.words}".strip() for sign, button in zip(signs, shown, strict=True)
                )
                return [*self.sentence(scene.prompt.sentence, 17, bold=True), *self.sentence(buttons, 15)]
            case "left" | "middle" | "right" | "hand":
                return [self.area(area, self.width) for area in getattr(scene, part)]
        return []

    # Layout

    def down(self, parts: Sequence[DrawnPart]) -> DrawnPart:
        """Stack parts one below the other."""
        y, drawn = 0.0, []
        for part in parts:
            drawn.append(el("g", part.svg, transform=f"translate(0 {y:g})"))
            y += part.height + GAP
        return DrawnPart(join(drawn), max(0.0, y - GAP))

    def across(self, parts: Sequence[Callable[[float], DrawnPart]], width: float) -> DrawnPart:
        """Place parts side by side with equal widths."""
        each = (width - GAP * (len(parts) - 1)) / max(1, len(parts))
        drawn = [part(each) for part in parts]
        svg = join(el("g", part.svg, transform=f"translate({i * (each + GAP):g} 0)") for i, part in enumerate(drawn))
        return DrawnPart(svg, max((part.height for part in drawn), default=0.0))

    def text(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        bold: bool = False,
        soft: bool = False,
        middle: bool = False,
    ) -> Markup:
        return el("text", words, x=f"{x:g}", y=f"{y:g}", font_size=size, font_weight=700 if bold else None,
                  class_="soft" if soft else None, style="text-anchor:middle" if middle else None)  # fmt: skip

    def sentence(self, words: str, size: float, *, bold: bool = False) -> list[DrawnPart]:
        """Draw a centred sentence on as many lines as it needs."""
        lines = wrap(self.names.text(words), int(self.width / (0.58 * size)))
        drawn = [self.centred(line, size, bold=bold) for line in lines]
        return [line._replace(height=line.height - GAP) for line in drawn[:-1]] + drawn[-1:]

    def centred(self, words: str, size: float, *, bold: bool = False) -> DrawnPart:
        return DrawnPart(self.text(words, self.width / 2, size, size, bold=bold, middle=True), size * 1.2)

    # Seats

    def seat(self, seat: Seat, width: float) -> DrawnPart:
        name = self.names.of(seat.number)
        name = say("{name} (you)", name=name) if seat.you else name
        details = enumerated(filter(None, (seat.title, *seat.tags, say("out") if seat.out else "")))
        tracks = self.down([self.track(track, width) for track in seat.tracks])
        height = 36 + (18 if details else 0) + tracks.height
        return DrawnPart(el(
            "g",
            el("rect", width=f"{width:g}", height=f"{height:g}", rx=8, class_=f"panel{' turn' if seat.turn else ''}"),
            el("rect", width=7, height=f"{height:g}", rx=3, class_="stripe"),
            el("rect", width=7, height=f"{height:g}", rx=3, fill=fill(seat_pattern(seat.number))),
            self.text(name, 16, 21, 15, bold=True),
            self.text(details, 16, 39, 12, soft=True) if details else NOTHING,
            self.outline(seat, width, height) if seat.action in self.marks else NOTHING,
            el("g", tracks.svg, transform=f"translate(16 {28 + (18 if details else 0)})"),
            class_=f"s{seat.number}",
        ), height)  # fmt: skip

    def track(self, track: Track, width: float) -> DrawnPart:
        label = self.text(f"{track.title} {track.value}", 0, 11, 12, soft=True)
        start = measure(f"{track.title} {track.value}") * 12 + 14
        if track.style == "pips" and track.goal:
            pips = join(
                el("circle", cx=f"{start + 14 * i:g}", cy=7, r=5, class_="pip on" if i < track.value else "pip")
                for i in range(track.goal)
            )
        elif track.style == "bar" and track.goal:
            room = max(20.0, width - start - 30)
            full = room * max(0, min(track.value, track.goal)) / track.goal
            pips = join([
                el("rect", x=f"{start:g}", y=2, width=f"{room:g}", height=10, rx=4, class_="pip"),
                el("rect", x=f"{start:g}", y=2, width=f"{full:g}", height=10, rx=4, class_="stripe"),
            ])  # fmt: skip
        else:
            pips = NOTHING
        return DrawnPart(label + (el("g", pips, class_=tone(track.colour)) if track.colour else pips), 16)

    # Areas

    def area(self, area: Area, width: float) -> DrawnPart:
        match area:
            case Row():
                return self.row(area, width)
            case Pile():
                return self.pile(area)
            case Board():
                return self.board(area, width)
            case Track():
                return self.track(area, width)
            case Facts():
                return self.down([DrawnPart(self.text(titled(fact.title, self.names.text(fact.text)), 0, 13, 13), 14)
                                  for fact in area.facts])  # fmt: skip
            case Group():
                if area.down:
                    return self.down([self.area(part, width) for part in area.parts])
                return self.across([lambda each, part=part: self.area(part, each) for part in area.parts], width)  # type: ignore[misc]

    def row(self, row: Row, width: float) -> DrawnPart:
        """Draw a row: title and sum, and below them the cards, overlapping or on several lines if there are many."""
        card = HAND if row.layout == "hand" else CARD / 2 if row.layout == "small" else CARD
        head = " ".join(part for part in (self.names.text(row.title), row.total) if part)
        lines = math.ceil(len(row.cards) * card * MIN_VISIBLE_SHARE / width) or 1
        many = math.ceil(len(row.cards) / lines)
        step = min(card + 8, (width - card) / (many - 1)) if many > 1 else 0.0
        left = (width - card - step * (many - 1)) / 2 if row.layout == "hand" else 0.0
        height = card * HEIGHT / WIDTH
        cards = join(
            el(
                "g",
                self.card_or_slot(thing, card, left + step * (i % many)),
                transform=f"translate(0 {i // many * (height + 6):g})",
            )
            for i, thing in enumerate(row.cards)
        )
        if not many:
            cards = el("rect", width=card, height=f"{height:g}", rx=5, class_="hole")
        return DrawnPart(join([self.text(head, left, 13, 13, bold=True), el("g", cards, transform="translate(0 22)")]),
                     lines * (height + 6) + 16)  # fmt: skip

    def card_or_slot(self, thing: Card | Slot, width: float, x: float) -> Markup:
        height = width * HEIGHT / WIDTH
        if isinstance(thing, Slot):
            inside = el("rect", width=f"{width:g}", height=f"{height:g}", rx=5, class_="hole")
        else:
            inside = self.card(thing, width)
        turn = f" rotate(90 {width / 2:g} {height / 2:g})" if isinstance(thing, Card) and thing.sideways else ""
        return el("g", inside, self.outline(thing, width, height), transform=f"translate({x:g} 0){turn}")

    def outline(self, thing: Choosable, width: float, height: float) -> Markup:
        """Draw the outline of a card, slot or seat that can be chosen, or of one whose choices are marked."""
        size = {"x": -2, "y": -2, "width": f"{width + 4:g}", "height": f"{height + 4:g}", "rx": 7}
        if not self.marks:
            return el("rect", **size, class_="choose") if thing.action is not None else NOTHING
        drawn = []
        for choice in (thing, *(thing.choices if isinstance(thing, Card) else ())):
            if mark := self.marks.get(choice.action):
                text = f"{SIGNS[mark]} {choice.text}".strip() if isinstance(choice, Button) else SIGNS[mark]
                chip = self.chip(text, width, height * (0.2 if choice is thing else 0.62 if mark == "better" else 0.8))
                drawn += [el("rect", **size, class_=f"outline mark {mark}"), chip]
        return join(drawn)

    def card(self, card: Card, width: float) -> Markup:
        """Draw a card, with its marks and count on chips over the picture so that its name stays readable."""
        height = width * HEIGHT / WIDTH
        drawing = face_svg(card.face) if card.face else back_svg(card.back or self.back)
        labels = (*card.marks, *([f"×{card.count}"] if card.count > 1 else []))
        chips = (self.chip(words, width, CHIPS * height - 15 * n) for n, words in enumerate(reversed(labels)))
        return join([sized(drawing, width, height), *chips])

    def chip(self, words: str, width: float, bottom: float) -> Markup:
        """Draw a few words on a card, smaller if they are long."""
        size = min(11.0, (width - 8) / (BROAD * measure(words)))
        chip_width, middle = BROAD * measure(words) * size + 8, width / 2
        left, top = middle - chip_width / 2, bottom - 14
        under = el("rect", x=f"{left:.1f}", y=f"{top:.1f}", width=f"{chip_width:.1f}", height=14, rx=7)
        over = self.text(words, middle, bottom - 7 + 0.36 * size, round(size, 1), bold=True, middle=True)
        return el("g", under, over, class_="on-card")

    def pile(self, pile: Pile) -> DrawnPart:
        top = pile.cards[-1] if pile.cards else Card(pile.key, back=pile.back)
        none = el("rect", width=CARD * 0.7, height=82, rx=5, class_="hole")
        drawing = self.card(top, CARD * 0.7) if pile.count else none
        return DrawnPart(join([self.text(titled(self.names.text(pile.title), str(pile.count)), 0, 13, 13, bold=True),
                           el("g", drawing, transform="translate(0 22)")]), 106)  # fmt: skip

    def board(self, board: Board, width: float) -> DrawnPart:
        seat = next((seat.number for seat in self._scene.seats if seat.you), 0)
        drawing = marked_board(board, self.names, self.marks, seat) if self.marks else board_svg(board, self.names)
        box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing)
        across, height = (float(box[1]), float(box[2])) if box else (1.0, 1.0)
        scale = min(width / across, 460 / height)
        left = (width - across * scale) / 2
        svg = sized(drawing, across * scale, height * scale)
        return DrawnPart(el("g", svg, class_="board", transform=f"translate({left:.0f} 0)"), height * scale)


def sized(drawing: Markup, width: float, height: float) -> Markup:
    """Return an SVG with a fixed width and height."""
    return Markup(str(drawing).replace("<svg ", f'<svg width="{width:g}" height="{height:g}" ', 1))

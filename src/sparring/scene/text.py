"""A scene as text for a terminal of 80 columns; colour (rich markup) adds to it and is never needed."""

import re
from collections.abc import Iterable, Sequence
from math import sqrt
from textwrap import wrap

from rich.markup import escape

from .boards import HEX, SQUARE, middle
from .markup import Names
from .model import Area, Board, Card, Cell, Facts, Group, Pile, Row, Scene, Seat, Slot, Token, Track

WIDTH = 80

#: How squares and hexes look by their tone; anything else is open ground.
GROUND = {"wall": "#", "edge": ":", "start": "o", "goal": "o", "none": " "}

STYLES = {"red": "red", "green": "green", "blue": "blue", "yellow": "yellow", "black": "bold"}
SEATS = ("blue", "red", "green", "magenta", "yellow", "cyan")


def render(scene: Scene, *, colour: bool = False, names: Sequence[str] = (), choices: bool = True) -> str:
    """The table in lines of text: seats, what lies there, what is asked, and (unless `choices` is off) every choice.

    With `colour` the text is rich markup; without it is plain.
    """
    return _Lines(colour, Names(names)).scene(scene, choices)


def excerpt(scene: Scene, parts: Sequence[str]) -> str:
    """Some parts of the table (see `svg.PARTS`) in plain lines."""
    draw, lines = _Lines(False, Names()), list[str]()
    for part in parts:
        if part in ("left", "middle", "right", "hand"):
            lines += [line for area in getattr(scene, part) for line in draw.area(area)]
        elif part == "seats":
            lines += [draw.seat(seat, len("Seat 1")) for seat in scene.seats]
        elif part == "banner" and scene.banner:
            lines.append(f"*** {scene.banner.text} ***")
        elif part == "prompt":
            lines += wrap(scene.prompt.sentence, WIDTH)
    return "\n".join(line.rstrip() for line in lines)


class _Lines:
    """One rendering; knows the names and whether there is colour."""

    def __init__(self, colour: bool, names: Names) -> None:
        self.colour, self.names = colour, names

    def paint(self, text: str, style: str) -> str:
        """A text in a style, if there is colour."""
        return f"[{style}]{escape(text)}[/]" if self.colour and style and text else self.plain(text)

    def plain(self, text: str) -> str:
        return escape(text) if self.colour else text

    def say(self, sentence: str) -> str:
        return self.plain(self.names.text(sentence))

    def scene(self, scene: Scene, choices: bool) -> str:
        lines = [self.paint(f"{scene.title} · {scene.status}", "bold")]
        widest = max(len(self.names.of(seat.number)) for seat in scene.seats)
        lines += [self.seat(seat, widest) for seat in scene.seats]
        lines.append("")
        if scene.banner:
            detail = f" ({self.names.text(scene.banner.detail)})" if scene.banner.detail else ""
            lines += [self.paint(f"*** {self.names.text(scene.banner.text)} ***{detail}", "bold"), ""]
        for areas in (scene.left, scene.middle, scene.right, scene.hand):
            for area in areas:
                lines += self.area(area)
        asked = wrap(self.names.text(scene.prompt.sentence), WIDTH)
        lines += ["", *(self.paint(line, "bold") if scene.over else self.plain(line) for line in asked)]
        if choices and scene.choosable:
            lines += self.choices(scene)
        return "\n".join(line.rstrip() for line in lines)

    def choices(self, scene: Scene) -> list[str]:
        """Every choice in words, those of equal words once."""
        words = dict.fromkeys(thing.words for thing in scene.choosable)
        spaced = " · ".join(words).replace(" ", "\0").replace("\0·\0", " · ")
        return [self.plain(f"  {line}").replace("\0", " ") for line in wrap(spaced, WIDTH - 2, break_long_words=False)]

    # Who plays

    def seat(self, seat: Seat, width: int) -> str:
        arrow = ">" if seat.turn else " "
        you = " (you)" if seat.you else "      "
        name = self.paint(f"{self.names.of(seat.number):<{width}}", SEATS[(seat.number - 1) % len(SEATS)])
        facts = [self.track(track) for track in seat.tracks]
        sheets = [part for part in seat.parts if isinstance(part, Facts)]
        facts += [line.strip() for part in seat.parts if part not in sheets for line in self.area(part) if line.strip()]
        tags = ", ".join((*([seat.title] if seat.title else []), *seat.tags, *(["out"] if seat.out else [])))
        line = f"{arrow} {seat.number} {name}{you}  {'  '.join(facts)}{'  ' if tags else ''}{self.say(tags)}"
        return "\n".join([line, *(below for sheet in sheets for below in self.flow("   ", self.area(sheet)))])

    # What lies on the table

    def area(self, area: Area) -> list[str]:
        match area:
            case Row():
                return self.row(area)
            case Pile():
                top = area.cards[-1] if area.cards else None
                lying = f", {self.card(top)} on top" if top else ""
                return [f"{self.plain(area.title)}: {area.count}{lying}"]
            case Board():
                return self.board(area)
            case Track():
                return [self.track(area)]
            case Facts():
                return [f"{self.plain(fact.title)}: {self.say(fact.text)}" for fact in area.facts]
            case Group():
                return self.group(area)

    def group(self, group: Group) -> list[str]:
        """Piles and tracks share a line, the rest stands one below the other."""
        lines = [self.area(part) for part in group.parts]
        title = [self.paint(group.title, "bold")] if group.title else []
        if all(isinstance(part, Pile | Track) for part in group.parts):
            return [*title, "   ".join(line for part in lines for line in part)]
        return [*title, *(line for part in lines for line in part)]

    def row(self, row: Row) -> list[str]:
        if row.cards and all(isinstance(card, Card) and _is_plain_back(card) for card in row.cards):
            title = f"{self.say(row.title)}: " if row.title else ""
            return [f"{title}{len(row.cards)} card{'' if len(row.cards) == 1 else 's'}"]
        total = f"= {row.total.rpartition('=')[2].strip()}" if row.total else ""
        cards = [self.slot(card) if isinstance(card, Slot) else self.card(card) for card in row.cards]
        head = f"{self.names.text(row.title)}:" if row.title else ""
        if not cards:
            return [self.plain(" ".join(part for part in (head, row.empty or "-", total) if part))]
        return self.flow(self.plain(head), [*cards, *([self.plain(total)] if total else [])])

    def flow(self, head: str, parts: Iterable[str]) -> list[str]:
        """Parts one after the other, on as many lines as they need."""
        lines, line, used = [], head, len(head)
        for part in parts:
            shown = len(_without_markup(part)) if self.colour else len(part)
            if used + 2 + shown > WIDTH:
                lines.append(line)
                line, used = "  ", 2
            line, used = f"{line}  {part}", used + 2 + shown
        return [*lines, line]

    def card(self, card: Card) -> str:
        """`R3 Piledriver`; one that cannot be chosen from a hand stands in brackets."""
        marked = [*card.marks, *(choice.text for choice in card.choices)]
        marks = f" <{', '.join(marked)}>" if marked else ""
        count = f" x{card.count}" if card.count > 1 else ""
        if card.face is None:
            return self.plain(f"[ ]{count}{marks}")
        face = card.face
        sign = f"{face.colour.letter if face.colour else ''}{face.value}"
        shown = " ".join(part for part in (sign, face.name) if part)
        style = STYLES.get(face.colour.key, "") if face.colour else ""
        painted = self.paint(shown, style)
        feet = " " + "/".join(value for _, value in face.feet) if face.feet else ""
        feet += " " + "".join(circle.letter for circle in face.circles if circle) if face.circles else ""
        return f"({painted}{feet}{count}{marks})" if card.why_not else f"{painted}{feet}{count}{marks}"

    def slot(self, slot: Slot) -> str:
        return self.plain(f"[{slot.text or '-'}]")

    def track(self, track: Track) -> str:
        if track.style == "pips" and track.goal:
            pips = "●" * min(track.value, track.goal) + "○" * max(0, track.goal - track.value)
            return self.plain(f"{pips} {track.title.lower()}")
        drawn = ""
        if track.style == "bar" and track.goal:
            full = round(10 * max(0, track.value) / track.goal)
            drawn = "█" * full + "░" * (10 - full)
        return self.plain(" ".join(part for part in (drawn, str(track.value), track.title.lower()) if part))

    # Boards

    def board(self, board: Board) -> list[str]:
        """The board in signs: pieces as their seat's number, what can be chosen by the last of its words."""
        step = HEX * sqrt(3) if board.hexes else SQUARE
        down = HEX * 1.5 if board.hexes else SQUARE
        spots = {cell.at: middle(board, cell.at) for cell in board.cells}
        left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
        columns = (max(x for x, _ in spots.values()) - left) / step + 1
        pitch = max(4, min(6, int((WIDTH - 2) / columns)))
        if board.hexes:
            pitch -= pitch % 2  # rows of hexes are shifted by half a place
        pieces = {token.at: token for token in board.tokens}
        written = {tuple(map(round, label.ends[0])): label.text for label in board.labels if len(set(label.ends)) == 1}
        lines: dict[int, dict[int, str]] = {}
        for cell in board.cells:
            x, y = spots[cell.at]
            line = lines.setdefault(round((y - top) / down), {})
            line[round((x - left) / step * pitch)] = self.place(
                cell, pieces.get(cell.at), written.get(cell.at, cell.text), pitch
            )
        drawn = [self.line(lines[number]) for number in sorted(lines)]
        return [self.paint(board.title, "bold"), *drawn]

    def line(self, places: dict[int, str]) -> str:
        line, used = "  ", 0
        for start in sorted(places):
            line += " " * (start - used) + places[start]
            used = start + (len(_without_markup(places[start])) if self.colour else len(places[start]))
        return line

    def place(self, cell: Cell, token: Token | None, text: str, pitch: int) -> str:
        wide = pitch - 1
        if token is not None:
            sign = token.text or str(token.seat)
            shown = f"<{sign}>" if token.action is not None or cell.action is not None else f"({sign})"
            return self.centred(shown, wide, f"bold {SEATS[(token.seat - 1) % len(SEATS)]}")
        if cell.action is not None:
            word = cell.words.split()[-1] if cell.words else "*"
            return self.centred(word if len(word) <= wide else "*", wide, "bold")
        return self.centred(GROUND.get(cell.tone, text if 0 < len(text) <= 2 else "."), wide, "")

    def centred(self, sign: str, wide: int, style: str) -> str:
        """A sign in the middle of its place."""
        left = max(0, wide - len(sign)) // 2
        return " " * left + self.paint(sign, style) + " " * max(0, wide - len(sign) - left)


def _is_plain_back(card: Card) -> bool:
    """Whether there is nothing to say of a card but that it lies there."""
    return card.face is None and not card.marks and card.action is None and card.count == 1


def _without_markup(text: str) -> str:
    """What a piece of rich markup shows."""
    return re.sub(r"(?<!\\)\[/?[a-z ]*\]", "", text).replace("\\[", "[")

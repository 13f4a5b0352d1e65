"""Render a scene as text for a terminal of 80 columns, with optional colour (Rich markup).

If there are few rows, blank lines are omitted and short areas share a line. Areas are beside a board if there is room.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from math import sqrt
from textwrap import wrap

from rich.markup import escape

from sparring.engine.formats.choice_parser import summarized

from .boards import HEX, SQUARE, centre, edge_names
from .markup import SeatNames
from .model import Area, Board, Card, Cell, Facts, Group, Pile, Row, Scene, Seat, Slot, Token, Track
from .sentences import enumerated, say, titled


WIDTH = 80

#: The characters for spaces, by their tone; all others are open ground.
GROUND = {"wall": "#", "edge": ":", "start": "o", "goal": "o", "none": " "}

STYLES = {"red": "red", "green": "green", "blue": "blue", "yellow": "yellow", "black": "bold"}
SEATS = ("blue", "red", "green", "magenta", "yellow", "cyan")


#: The minimum number of columns for areas beside a board.
BESIDE = 22


def render(
    scene: Scene, *, colour: bool = False, names: Sequence[str] = (), choices: bool = True, rows: int | None = None
) -> str:
    """Return the table as text: seats, areas, prompt and (unless `choices` is false) every choice.

    With `colour` the text is Rich markup, otherwise plain. `names` are the players' names by seat. If the text has more
    than `rows` lines, it is drawn compactly.
    """
    drawn = _Lines(colour, SeatNames(names)).scene(scene, choices)
    if rows is not None and len(drawn) > rows:
        drawn = _Lines(colour, SeatNames(names), compact=True).scene(scene, choices)
    return "\n".join(drawn)


def render_area(area: Area, *, colour: bool = False, names: Sequence[str] = (), indent: str = "") -> list[str]:
    """Return one area as lines of text, drawn compactly."""
    lines = _Lines(colour, SeatNames(names), compact=True, width=WIDTH - len(indent)).area(area)
    return [indent + line for line in lines]


def wrapped(text: str, width: int = WIDTH, before: str = "", after: str = "") -> list[str]:
    """Wrap text at whole words; `before` precedes the first line and `after` the others."""
    return wrap(text, width, initial_indent=before, subsequent_indent=after, break_long_words=False,
                break_on_hyphens=False)  # fmt: skip


def excerpt(scene: Scene, parts: Sequence[str]) -> str:
    """Return some parts of the table (see `svg.PARTS`) as plain text."""
    draw, lines = _Lines(False, SeatNames()), list[str]()
    for part in parts:
        if part in ("left", "middle", "right", "hand"):
            lines += [line for area in getattr(scene, part) for line in draw.area(area)]
        elif part == "seats":
            lines += [line for seat in scene.seats for line in draw.seat(seat, len("Seat 1"))]
        elif part == "banner" and scene.banner:
            lines.append(f"*** {scene.banner.text} ***")
        elif part == "prompt":
            lines += wrapped(draw.names.text(scene.prompt.sentence))
    return "\n".join(line.rstrip() for line in lines)


class _Lines:
    """One rendering, with its names, colour, compactness and width."""

    def __init__(self, colour: bool, names: SeatNames, *, compact: bool = False, width: int = WIDTH) -> None:
        self.colour, self.names, self.compact, self.width = colour, names, compact, width
        #: Whether cards are shown by their symbols alone.
        self.brief = False

    def paint(self, text: str, style: str) -> str:
        """Return text in a style, if colour is on."""
        return f"[{style}]{escape(text)}[/]" if self.colour and style and text else self.plain(text)

    def plain(self, text: str) -> str:
        return escape(text) if self.colour else text

    def say(self, sentence: str) -> str:
        return self.plain(self.names.text(sentence))

    def scene(self, scene: Scene, choices: bool) -> list[str]:
        blank = [] if self.compact else [""]
        lines = self.head(scene)
        widest = max(len(self.names.of(seat.number)) for seat in scene.seats)
        lines += [line for seat in scene.seats for line in self.seat(seat, widest)]
        lines += [*blank, *self.around(scene), *self.areas(scene.hand)]
        prompt_lines = wrapped(self.names.text(scene.prompt.sentence))
        lines += [*blank, *(self.paint(line, "bold") if scene.over else self.plain(line) for line in prompt_lines)]
        if choices and scene.choosable:
            lines += self.choices(scene)
        return [line.rstrip() for line in lines]

    def head(self, scene: Scene) -> list[str]:
        """Return the title, status and banner."""
        title = self.paint(f"{scene.title} · {scene.status}", "bold")
        if not scene.banner:
            return [title]
        detail = f" ({self.names.text(scene.banner.detail)})" if scene.banner.detail else ""
        banner = self.paint(f"*** {self.names.text(scene.banner.text)} ***{detail}", "bold")
        fits = self.display_width(title) + 3 + self.display_width(banner) <= WIDTH
        return [f"{title}   {banner}"] if fits else [title, banner]

    def choices(self, scene: Scene) -> list[str]:
        """Return the choices in words, without duplicates; a run of board spaces becomes one range."""
        words = [word for word, _ in summarized(list(dict.fromkeys(thing.words for thing in scene.choosable)))]
        spaced = " · ".join(words).replace(" ", "\0").replace("\0·\0", " · ")
        return [self.plain(f"  {line}").replace("\0", " ") for line in wrapped(spaced, WIDTH - 2)]

    def around(self, scene: Scene) -> list[str]:
        """Return the areas on the table, beside a board if there is one and enough room."""
        on_table = [area for side in (scene.left, scene.middle, scene.right) for area in side]
        board = next((area for area in on_table if isinstance(area, Board)), None)
        if board is None:
            return self.areas(on_table)
        drawn, others = self.board(board), [area for area in on_table if area is not board]
        width = max(map(self.display_width, drawn)) + 2
        if WIDTH - width < BESIDE:
            return [*self.areas(others), *drawn]
        beside = _Lines(self.colour, self.names, width=WIDTH - width).areas(others)
        pairs = zip_longest(drawn, beside, fillvalue="")
        return [line + " " * (width - self.display_width(line)) + other for line, other in pairs]

    def areas(self, areas: Iterable[Area]) -> list[str]:
        """Return areas one below the other; when compact, short ones share a line."""
        lines: list[str] = []
        for each in areas:
            drawn = self.area(each)
            joined = f"{lines[-1]}   {drawn[0]}" if lines and drawn else ""
            if self.compact and joined and len(drawn) == 1 and self.display_width(joined) <= self.width:
                lines[-1] = joined
            else:
                lines += drawn
        return lines

    def display_width(self, text: str) -> int:
        """Return the number of columns that text takes."""
        return len(_without_markup(text)) if self.colour else len(text)

    # Seats

    def seat(self, seat: Seat, width: int) -> list[str]:
        arrow = ">" if seat.turn else " "
        you = f" {say('(you)')}"
        if not seat.you:
            you = " " * len(you)
        name = self.paint(f"{self.names.of(seat.number):<{width}}", SEATS[(seat.number - 1) % len(SEATS)])
        facts = [self.track(track) for track in seat.tracks]
        sheets = [part for part in seat.parts if isinstance(part, Facts)]
        self.brief = self.compact
        facts += [line.strip() for part in seat.parts if part not in sheets for line in self.area(part) if line.strip()]
        self.brief = False
        tags = enumerated(filter(None, (seat.title, *seat.tags, say("out") if seat.out else "")))
        lines = self.flow(f"{arrow} {seat.number} {name}{you}", [*facts, *([self.say(tags)] if tags else [])])
        return [*lines, *(below for sheet in sheets for below in self.flow("   ", self.area(sheet)))]

    # Areas

    def area(self, area: Area) -> list[str]:
        match area:
            case Row():
                return self.row(area)
            case Pile():
                top = area.cards[-1] if area.cards else None
                values = {"pile": self.say(area.title), "count": area.count}
                if top is None:
                    return [say("{pile}: {count}", **values)]
                return [say("{pile}: {count}, {card} on top", **values, card=self.card(top))]
            case Board():
                return self.board(area)
            case Track():
                return [self.track(area)]
            case Facts():
                facts = [titled(self.plain(fact.title), self.say(fact.text)) for fact in area.facts]
                return self.flow("", facts, gap="   ") if self.compact else facts
            case Group():
                return self.group(area)

    def group(self, group: Group) -> list[str]:
        """Return a group; piles and tracks share a line if they fit."""
        title = [self.paint(group.title, "bold")] if group.title else []
        if all(isinstance(part, Pile | Track) for part in group.parts):
            parts = [line for part in group.parts for line in self.area(part)]
            joined = "   ".join(parts)
            return [*title, joined] if self.display_width(joined) <= self.width else [*title, *parts]
        return [*title, *self.areas(group.parts)]

    def row(self, row: Row) -> list[str]:
        if row.cards and all(isinstance(card, Card) and _is_plain_back(card) for card in row.cards):
            cards = self.plain(say("{n} card", "{n} cards", n=len(row.cards)))
            return [titled(self.say(row.title), cards) if row.title else cards]
        total = f"= {row.total.rpartition('=')[2].strip()}" if row.total else ""
        drawn = [self.slot(card) if isinstance(card, Slot) else self.card(card) for card in row.cards]
        head = f"{self.names.text(row.title)}:" if row.title else ""
        if not drawn:
            return [self.plain(" ".join(part for part in (head, row.empty or "-", total) if part))]
        return self.flow(self.plain(head), [*drawn, *([self.plain(total)] if total else [])])

    def flow(self, head: str, parts: Iterable[str], gap: str = "  ") -> list[str]:
        """Return parts side by side, on as many lines as they need."""
        lines, line = [], head
        for part in parts:
            longer = f"{line}{gap}{part}" if line else part
            if line and self.display_width(longer) > self.width:
                lines.append(line)
                longer = f"    {part}"
            line = longer
        return [*lines, line]

    def card(self, card: Card) -> str:
        """Return a card such as `R3 Piledriver`, in brackets if it is in hand and can't be played."""
        marked = [*card.marks, *(choice.text for choice in card.choices)]
        marks = f" <{', '.join(marked)}>" if marked else ""
        count = f" x{card.count}" if card.count > 1 else ""
        if card.face is None:
            return self.plain(f"[ ]{count}{marks}")
        face = card.face
        sign = f"{face.colour.letter if face.colour else ''}{face.value}"
        name = "" if face.name == face.value else face.name
        shown = sign if sign and self.brief else " ".join(part for part in (sign, name) if part)
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
            full = min(10, round(10 * max(0, track.value) / track.goal))
            drawn = "█" * full + "░" * (10 - full)
        return self.plain(" ".join(part for part in (drawn, str(track.value), track.title.lower()) if part))

    # Boards

    def board(self, board: Board) -> list[str]:
        """Return the board in characters: tokens as their seat's number, spaces that can be chosen by name.

        If no space can be chosen, all show their names, except between numbered borders. A row of hexes starts with
        the second coordinate; its hexes show the first.
        """
        step = HEX * sqrt(3) if board.hexes else SQUARE
        down = HEX * 1.5 if board.hexes else SQUARE
        spots = {cell.at: centre(board, cell.at) for cell in board.cells}
        left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
        columns = (max(x for x, _ in spots.values()) - left) / step + 1
        pitch = max(4, min(4 if board.hexes else 6, int((WIDTH - 2) / columns)))
        tokens = {token.at: token for token in board.tokens}
        names = edge_names(board.turns, tuple(spots)) if board.coordinates and not board.hexes else {}
        bordered = any(cell.tone == "border" for cell in board.cells)  # otherwise names would cover empty spaces
        written = {at: next(filter(None, edges)) for at, edges in names.items()} if bordered else {}
        choosing = any(cell.action is not None for cell in board.cells)
        lines: dict[int, dict[int, str]] = {}
        rows: dict[int, set[int]] = {}
        for cell in board.cells:
            x, y = spots[cell.at]
            row, column = round((y - top) / down), round((x - left) / step * pitch)
            name = str(cell.at[0]) if board.hexes else cell.name
            shows_name = cell.action is not None or not (
                choosing or (written and cell.tone not in GROUND) or cell.tone == "wall"
            )
            rows.setdefault(row, set()).add(cell.at[1])
            lines.setdefault(row, {})[column] = self.place(
                cell, tokens.get(cell.at), pitch - 1, name if shows_name else "", written.get(cell.at, cell.text)
            )
        heads = {row: f"{min(numbers):>2} " if board.hexes and len(numbers) == 1 else "  "
                 for row, numbers in rows.items()}  # fmt: skip
        return [(heads[row] + self.line(lines[row])).rstrip() for row in sorted(lines)]

    def line(self, places: dict[int, str]) -> str:
        line, used = "", 0
        for start in sorted(places):
            line += " " * (start - used) + places[start]
            used = start + self.display_width(places[start])
        return line

    def place(self, cell: Cell, token: Token | None, width: int, name: str, text: str) -> str:
        """Return a space: its token, else its name, else its ground."""
        if token is not None:
            sign = token.text or str(token.seat)
            shown = f"<{sign}>" if token.action is not None or cell.action is not None else f"({sign})"
            return self.centred(shown, width, f"bold {SEATS[(token.seat - 1) % len(SEATS)]}")
        if cell.action is not None:
            return self.centred(name if 0 < len(name) <= width else "*", width, "bold")
        ground = next((GROUND[word] for word in cell.tone.split() if word in GROUND), "")
        signs = (f"{ground}{name}" if name else "", ground, text if text != cell.name and len(text) < 3 else "", ".")
        return self.centred(next(sign for sign in signs if 0 < len(sign) <= width), width, "")

    def centred(self, sign: str, width: int, style: str) -> str:
        """Return a symbol centred in its space."""
        left = max(0, width - len(sign)) // 2
        return " " * left + self.paint(sign, style) + " " * max(0, width - len(sign) - left)


def _is_plain_back(card: Card) -> bool:
    """Return whether a card is face down without marks or choices."""
    return card.face is None and not card.marks and card.action is None and card.count == 1


def _without_markup(text: str) -> str:
    """Return Rich markup as plain text."""
    return re.sub(r"(?<!\\)\[/?[a-z ]*\]", "", text).replace("\\[", "[")


class PrintableScene(Scene, frozen=True):
    """What a seat sees of a match at one time; `print` shows it as text."""

    def __str__(self) -> str:
        return render(self)

"""Render a scene in words for screen readers, without pictures, symbols or positions.

It covers everything that `html.py` draws: parts with headings and lines, and choices in groups. `sparring/text.py` and
text mode (`site/text_mode/`) build answers and pages from them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from .boards import centre
from .markup import SeatNames
from .model import (
    Area, Board, Button, Card, Cell, Choosable, Fact, Facts, Group, Pile, Place, Row, Scene, Seat, Slot, Stroke, Token,
    Track, things,
)  # fmt: skip
from .sentences import AnyText, enumerated, face_down, mention, say, titled

#: The maximum number of choices in a single list; a board with more choices gets a list for each row.
MAX_IN_LIST = 12

#: The minus sign of a negative number, which screen readers often skip.
_MINUS = re.compile(r"(,?)(?<![\w)])-(\d+)")

#: A tag of a seat with the points that it has just lost.
_LOSS = re.compile(r"-(\d+)")

#: For games without abbreviations.
NO_ABBREVIATIONS: Mapping[str, str] = MappingProxyType({})


class SpokenPart(NamedTuple):
    """A part of the table in words: a heading, lines and subparts."""

    title: str
    lines: tuple[str, ...] = ()
    parts: tuple["SpokenPart", ...] = ()
    #: The spaces of a board, row by row as the viewer sees them.
    places: tuple[tuple[str, ...], ...] = ()
    #: Whether it is long and shown collapsed.
    folded: bool = False

    def sentences(self, under: str = "") -> Iterator[str]:
        """Yield the part as sentences, without the spaces of a board; `under` is the heading above it."""
        title = enumerated(filter(None, (under, self.title)))
        if title and self.lines:
            yield as_sentence(titled(title, say("; ").join(self.lines)))
        else:
            yield from (line if line.endswith((".", "!", "?")) else as_sentence(line) for line in self.lines)
        for part in self.parts:
            yield from part.sentences(title)


class SpokenChoice(NamedTuple):
    """A choice: its number, its spoken name, and the words to type for it."""

    action: int
    said: str
    words: str


#: A group of choices with its heading.
ChoiceGroup = tuple[str, tuple[SpokenChoice, ...]]


class SceneSpeaker:
    """Puts a table into words; `short` maps a game's abbreviations to spoken words (`Game.spoken_forms`)."""

    def __init__(self, names: SeatNames, abbreviations: Mapping[str, str] = NO_ABBREVIATIONS) -> None:
        self.names, self.short = names, abbreviations
        self._short = _whole_words(tuple(abbreviations))

    def spoken(self, text: AnyText) -> str:
        """Return text as it is read out: abbreviations and minus signs in words, names for seats."""
        text = str(text)
        if self._short:
            text = self._short.sub(lambda found: self.short[found[0]], text)
        return self.names.text(_MINUS.sub(_negative, text))

    # Sections of the page

    def seats(self, scene: Scene) -> list[SpokenPart]:
        """Return a part for each player."""
        return [self.seat(seat) for seat in scene.seats]

    def hand(self, scene: Scene) -> list[SpokenPart]:
        """Return the viewer's hand."""
        return self.areas(scene.hand)

    def table(self, scene: Scene) -> list[SpokenPart]:
        """Return the parts of the table, starting with the banner and the status."""
        banner = scene.banner
        banner_text = enumerated(filter(None, (banner.text, banner.detail))) if banner else ""
        lines = [banner_text, "" if scene.status in banner_text else scene.status]
        first = SpokenPart("", tuple(self.spoken(line) for line in lines if line))
        return [first, *self.areas((*scene.left, *scene.middle, *scene.right))]

    def seat(self, seat: Seat) -> SpokenPart:
        """Return a player with their state, tracks, tags and cards."""
        states = ((say("you"), seat.you), (say("choosing"), seat.turn), (say("out"), seat.out))
        title = enumerated([self.names.of(seat.number), *(state for state, holds in states if holds)])
        label = seat.label.partition(", ")[2]  # without the name, with which it begins
        lines = [label] if label else [seat.title, *map(self.track, seat.tracks)]
        within = [line for area in seat.parts for line in self.seat_lines(area, label)]
        tags = [_loss(tag) for tag in seat.tags if tag.casefold() not in label.casefold()]
        return SpokenPart(title, tuple(self.spoken(line) for line in (*lines, *tags) if line) + tuple(within))

    def seat_lines(self, area: Area, label: str) -> Iterator[str]:
        """Yield a line for each object that belongs to a seat, but for cards that its `label` describes.

        Those are cards that it names, such as a portrait, and all that lie face down.
        """
        for part in self.area(area):
            if not isinstance(area, Row) or part.title:
                yield from _within(part)
            elif area.cards and not (label and _only_backs(area)) and (cards := enumerated(part.lines)) not in label:
                yield say("Has {cards}", cards=cards)

    def areas(self, areas: Sequence[Area]) -> list[SpokenPart]:
        """Return the parts of areas in order; untitled ones that follow each other are merged."""
        result: list[SpokenPart] = []
        for part in (part for area in areas for part in self.area(area)):
            if result and not part.title and not result[-1].title and not part.parts:
                result[-1] = result[-1]._replace(lines=result[-1].lines + part.lines)
            else:
                result.append(part)
        return result

    def area(self, area: Area) -> list[SpokenPart]:
        """Return the parts of one area; a group without a title gets no part of its own."""
        match area:
            case Row():
                return [self.row(area)]
            case Pile():
                return self.pile(area)
            case Board():
                return [self.board(area)]
            case Track():
                return [SpokenPart("", (self.track(area),))]
            case Facts():
                return [SpokenPart(self.spoken(area.title), tuple(self.spoken(_fact(fact)) for fact in area.facts))]
            case Group():
                parts = self.areas(area.parts)
                return [SpokenPart(self.spoken(area.title), parts=tuple(parts))] if area.title else parts

    def track(self, track: Track) -> str:
        """Return a track with its value and goal."""
        if track.label:
            return self.spoken(track.label)
        value = say("{value} of {goal}", value=track.value, goal=track.goal) if track.goal else str(track.value)
        return self.spoken(titled(track.title, value))

    def row(self, row: Row) -> SpokenPart:
        """Return a row of cards; in lanes, each with its lane number."""
        if row.layout == "lanes":
            lines = [say("Lane {lane}: {card}", lane=lane, card=self.card_or_slot(thing))
                     for lane, thing in enumerate(row.cards, 1)]  # fmt: skip
        else:
            lines = []
            for plain, run in groupby(row.cards, lambda thing: isinstance(thing, Card) and _is_plain_back(thing)):
                cards = list(run)
                lines += [face_down(len(cards))] if plain else map(self.card_or_slot, cards)
        total = (say("Total: {total}", total=self.spoken(row.total)),) if row.total else ()
        return SpokenPart(
            self.spoken(row.title), (*lines, *total) or (self.spoken(row.empty).rstrip(".–-") or say("nothing"),)
        )

    def pile(self, pile: Pile) -> list[SpokenPart]:
        """Return a pile's size and top card; if its cards are public, also the list of all."""
        title = self.spoken(pile.title)
        cards = [self.card_or_slot(card) for card in reversed(pile.cards)]
        values = {"pile": title, "n": pile.count}
        size = say("{pile}: {n} card", "{pile}: {n} cards", **values)
        if cards:
            values["card"] = cards[0]
            size = say("{pile}: {n} card, {card} on top", "{pile}: {n} cards, {card} on top", **values)
        if len(cards) < 2:
            return [SpokenPart("", (size,))]
        return [
            SpokenPart("", (size,)),
            SpokenPart(say("{pile}, top card first", pile=title), tuple(cards), folded=True),
        ]

    def card_or_slot(self, thing: Card | Slot) -> str:
        """Return a card with its marks, or an empty slot."""
        if isinstance(thing, Slot):
            return self.spoken(thing.label) or say("empty")
        marks = [*thing.marks, *(button.text for button in thing.choices if button.action is not None)]
        card = enumerated([self.card(thing), *map(self.spoken, marks)])
        return say("{card}; {n} copy", "{card}; {n} copies", card=card, n=thing.count) if thing.count > 1 else card

    def card(self, card: Card) -> str:
        """Return a card's name."""
        return self.spoken(card.label or (card.face.title if card.face else say("a card face down")))

    # Boards

    def board(self, board: Board) -> SpokenPart:
        """Return a board: its tokens, lines and side labels, and all spaces by row."""
        lines = [self.token(board, token) for token in board.tokens]
        lines += [self.stroke(board, stroke) for stroke in board.strokes]
        lines += [titled(side, self.spoken(text)) for side, text in _sides(board)]
        tokens = {token.at: self.token(board, token) for token in board.tokens}
        rows = [tuple(self.space(cell, tokens.get(cell.at, "")) for cell in row) for row in rows_of(board)]
        return SpokenPart(self.spoken(board.title) or say("Board"), tuple(lines) or (say("empty"),), places=tuple(rows))

    def token(self, board: Board, token: Token) -> str:
        """Return a token with its position and state."""
        who = mention(token.seat - 1)
        name = token.label or say("{who} on {space}", who=who, space=_named(board, token.at))
        state = say(token.state)
        return self.spoken(enumerated([name, state]) if state.casefold() not in name.casefold() else name)

    def space_with_tokens(self, board: Board, cell: Cell) -> str:
        """Return a space of a board and the tokens on it."""
        tokens = [self.token(board, token) for token in board.tokens if token.at == cell.at]
        return self.space(cell, enumerated(tokens))

    def space(self, cell: Cell, tokens: str) -> str:
        """Return a space with the words for the tokens on it."""
        name = self.spoken(cell.label or cell.name or cell.text or say("empty"))
        return titled(name, tokens.removeprefix(enumerated([self.spoken(cell.name), ""]))) if tokens else name

    def stroke(self, board: Board, stroke: Stroke) -> str:
        """Return a line or arrow over the board."""
        forms = "A line from {first} to {last}", "An arrow from {first} to {last}"
        first, last = (_named(board, stroke.places[end]) for end in (0, -1))
        return self.spoken(enumerated(filter(None, (say(forms[stroke.arrow], first=first, last=last), stroke.text))))

    # Choices

    def choice_groups(self, scene: Scene) -> list[ChoiceGroup]:
        """Return the choices in groups, one for each wording; buttons first, then objects on the table.

        Up to MAX_IN_LIST choices form one group; more are grouped by where they are.
        """
        seen: set[str] = set()
        groups: list[ChoiceGroup] = []
        for title, choices in self._offers(scene):
            new = []
            for each in choices:
                if each.words not in seen:
                    seen.add(each.words)
                    new.append(each)
            if new:
                groups.append((title, tuple(new)))
        if sum(len(choices) for _, choices in groups) <= MAX_IN_LIST:
            return [("", tuple(each for _, choices in groups for each in choices))] if groups else []
        return groups

    def _offers(self, scene: Scene) -> Iterator[ChoiceGroup]:
        buttons = scene.prompt.buttons
        yield (
            "",
            tuple(
                SpokenChoice(each.action, self.button_name(each), each.words)
                for each in buttons
                if each.action is not None
            ),
        )
        for area in (*scene.hand, *scene.middle, *scene.left, *scene.right):
            for part in flatten(area):
                if isinstance(part, Board) and sum(cell.action is not None for cell in part.cells) > MAX_IN_LIST:
                    yield from self._by_rows(part)
                else:
                    title = "" if isinstance(part, Facts | Track) else part.title
                    yield self.spoken(title or say("On the table")), self._of(part)
        yield say("Players"), self._of(scene.seats)

    def _by_rows(self, board: Board) -> Iterator[ChoiceGroup]:
        yield self.spoken(board.title), self._of(board.tokens)
        for number, row in enumerate(rows_of(board), 1):
            yield say("Row {number} from the top", number=number), self._of(tuple(row))

    def _of(self, part: object) -> tuple[SpokenChoice, ...]:
        objects = (thing for thing in things(part) if isinstance(thing, Choosable))
        return tuple(
            SpokenChoice(thing.action, self.choice_name(thing), thing.words)
            for thing in objects
            if thing.action is not None
        )

    def button_name(self, button: Button) -> str:
        """Return a button's text and label."""
        return enumerated(self.spoken(text) for text in (button.text or button.words, button.label) if text)

    def choice_name(self, thing: Choosable) -> str:
        """Return a choice's spoken name: its words, and its object as far as the words don't name it."""
        match thing:
            case Button(words=words, text=text, label=label):
                return self.spoken(enumerated(filter(None, (words, "" if _holds(words, text) else text, label))))
            case Cell(words=words, name=name, label=label) if name and name in words:
                return self.spoken(words + label.partition(name)[2])
            case Card():
                description = enumerated([self.card(thing), *map(self.spoken, thing.marks)])
            case _:
                description = self.spoken(thing.label)
        words = self.spoken(thing.words)
        first, comma, rest = description.partition(say(", "))
        at = words.casefold().find(first.casefold()) if first else -1
        if at >= 0:
            return words[:at] + first + words[at + len(first) :] + comma + rest
        if _holds(description, words):
            return description
        return titled(words, description) if words and description else words or description


def _negative(found: re.Match[str]) -> str:
    number = say("minus {number}", number=found[2])
    return f", {number}" if found[1] else number


def _loss(tag: str) -> str:
    """Return a seat's tag in words."""
    lost = _LOSS.fullmatch(tag)
    return say("lost {points}", points=lost[1]) if lost else tag


def as_sentence(text: str) -> str:
    """Return text with a full stop."""
    return say("{text}.", text=text)


def rows_of(board: Board) -> list[list[Cell]]:
    """Return the spaces of a board as the viewer sees them: rows from the top, each from the left."""
    centres = {cell.at: centre(board, cell.at) for cell in board.cells}
    cells = sorted(board.cells, key=lambda cell: (round(centres[cell.at][1]), centres[cell.at][0]))
    return [list(row) for _, row in groupby(cells, lambda cell: round(centres[cell.at][1]))]


@lru_cache(maxsize=64)
def _whole_words(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern that finds any of these whole words, the longest first."""
    alternatives = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])") if words else None


def flatten(area: Area) -> Iterator[Row | Pile | Board | Track | Facts]:
    """Yield the areas inside groups."""
    if isinstance(area, Group):
        for part in area.parts:
            yield from flatten(part)
    else:
        yield area


def _fact(fact: Fact) -> str:
    return fact.label or titled(fact.title, fact.text.strip())


def _is_plain_back(card: Card) -> bool:
    """Return whether a card is face down without marks or choices."""
    plain = card.face is None and not card.marks and not card.choices and not card.label
    return plain and card.action is None and card.count == 1


def _only_backs(row: Row) -> bool:
    """Return whether all that a row shows are face-down cards."""
    return not row.total and all(isinstance(card, Card) and _is_plain_back(card) for card in row.cards)


def _within(part: SpokenPart) -> list[str]:
    """Return a part as lines of another."""
    if part.title and part.lines:
        return [titled(part.title, enumerated(part.lines))]
    return [*part.lines, *(line for each in part.parts for line in _within(each))]


def _named(board: Board, at: Place) -> str:
    """Return the name of a space."""
    cell = next((cell for cell in board.cells if cell.at == at), None)
    return (cell and (cell.name or cell.label)) or f"{at[0]},{at[1]}"


def _sides(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the labels along the sides of a board, each after the side where the viewer sees it."""
    centres = [centre(board, cell.at) for cell in board.cells]
    across, down = (sum(spot[way] for spot in centres) / len(centres) for way in (0, 1))
    for label in board.labels:
        if len(set(label.ends)) == 1:
            continue
        (x, y), (a, b) = (centre(board, end) for end in label.ends)
        right, below = (x + a) / 2 - across, (y + b) / 2 - down
        if abs(right) > abs(below):
            yield say("On the right") if right > 0 else say("On the left"), label.text
        else:
            yield say("At the bottom") if below > 0 else say("At the top"), label.text


def _holds(text: str, words: str) -> bool:
    """Return whether a text contains all of the words or starts words with them: `Movement 1` has `move 1`."""
    found = set(re.findall(r"\w+", text.casefold()))
    return all(
        word in found or (word.isalpha() and any(each.startswith(word) for each in found))
        for word in re.findall(r"\w+", words.casefold())
    )

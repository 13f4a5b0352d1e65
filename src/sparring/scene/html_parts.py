"""Draw the objects of a scene as HTML: seats, cards, piles, boards, tracks, facts and buttons.

Most are the same from beat to beat and at all tables, so drawings are cached (`draw_cached`). `Parts` are the key of
all caches here and in `html.py` that show texts, and each language has its own.
"""

from functools import lru_cache

from markupsafe import Markup

from sparring.engine.glossary import Glossary
from sparring.engine.messages import cached_by_language

from .boards import board_svg, menu_id, minimum_size
from .card_faces import back_svg, face_svg, tone
from .markup import NOTHING, SeatNames, el, join
from .model import (
    Area, Board, Button, Card, Cell, Choosable, Face, Facts, Group, Pile, Row, Seat, Slot, Token, Track, terms,
)  # fmt: skip
from .objects import value_of
from .patterns import fill, seat_pattern
from .sentences import AnyText, Text, enumerated, face_down, importance_of, say, titled


@cached_by_language(512)
def parts_for(names: SeatNames, back: str, glossary: Glossary) -> "Parts":
    """Return the `Parts` for these names, default card back and glossary in the reader's language; cached."""
    return Parts(names, back, glossary)


@lru_cache(maxsize=4096)
def draw_cached(parts: "Parts", part: Area | Seat) -> Markup:
    """Return a part as HTML; cached."""
    return parts.draw(part)


@lru_cache(maxsize=4096)
def _card_or_slot(parts: "Parts", thing: Card | Slot, in_hand: bool) -> Markup:
    """Return a card or slot of a row as HTML; cached."""
    return parts.slot(thing) if isinstance(thing, Slot) else parts.card(thing, in_hand)


class Parts:
    """Draws parts of scenes that share names, the default card back, the glossary and the language."""

    def __init__(self, names: SeatNames, back: str, glossary: Glossary) -> None:
        self.names, self.back, self.glossary = names, back, glossary

    def described_by(self, thing: object) -> str | None:
        """Return the ids of the glossary entries for an object, for `aria-describedby`; None if there are none."""
        return self.glossary.ids(terms(thing))

    def focus_attributes(self, thing: object) -> dict[str, object]:
        """Return the attributes that make an object focusable if the glossary explains it; buttons don't need them."""
        return _described(self.described_by(thing))

    def heading(self, title: str, thing: object = None) -> Markup:
        """Return a part's heading, if it has one, with the glossary entries for `thing`."""
        return _heading(self, title, self.described_by(thing)) if title else NOTHING

    # Seats

    def seat(self, seat: Seat) -> Markup:
        """Draw a seat with its tags, tracks and areas."""
        can_choose = value_of(seat) is not None
        state = "".join(f" {word}" for word in ("you", "turn", "out") if getattr(seat, word))
        state += " can" if can_choose else ""
        name = self.names.of(seat.number)
        return el(
            "li",
            el(
                "span",
                _chip(seat.number),
                el("b", name, el("i", f" {say('(you)')}") if seat.you else "", class_="name"),
                el("small", seat.title, class_="title") if seat.title else "",
                class_="head",
            ),
            el(
                "span",
                join(self.tag(seat, tag) for tag in seat.tags),
                el("span", say("out" if seat.out else "choosing"), class_="state") if seat.turn or seat.out else "",
                class_="tags",
            ),
            el("span", join([draw_cached(self, track) for track in seat.tracks]), class_="tracks")
            if seat.tracks
            else "",
            self.areas(seat.parts),
            self.cover(seat, seat.label or name, seat.text),
            class_=f"seat s{seat.number}{state}",
            data_key=f"seat {seat.number}",
            aria_description=self.names.text(seat.why_not),
        )

    def tag(self, seat: Seat, tag: str) -> Markup:
        """Draw a tag of a seat."""
        return el("em", tag, class_="tag", role="note", aria_label=tag, data_mark=f"{seat.number}{tag}",
                  **self.focus_attributes(tag))  # fmt: skip

    def cover(self, thing: Choosable, label: str, text: str = "") -> Markup:
        """Return a button that covers an object that can be chosen; its text is `text` or the words of the choice."""
        value = value_of(thing)
        if value is None:
            return NOTHING
        words = text or self.names.text(thing.words or thing.shortcuts[0].text)
        return el("button", el("span", words, class_="words"), type="submit", name="choice", value=value,
                  class_="cover", aria_label=titled(words, self.names.text(label)))  # fmt: skip

    # Areas

    def areas(self, areas: tuple[Area, ...]) -> Markup:
        """Draw areas one after the other."""
        return join([draw_cached(self, area) for area in areas])

    def draw(self, part: Area | Seat) -> Markup:
        """Draw a part by its type."""
        match part:
            case Seat():
                return self.seat(part)
            case Row():
                return self.row(part)
            case Pile():
                return self.pile(part)
            case Board():
                return self.board(part)
            case Track():
                return self.track(part)
            case Facts():
                return self.facts(part)
            case Group():
                return el("div", self.heading(part.title, part),
                          el("div", self.areas(part.parts), class_="parts"),
                          class_=f"group {'down' if part.down else 'across'}")  # fmt: skip

    def row(self, row: Row) -> Markup:
        """Draw a row of cards."""
        cards = join([_card_or_slot(self, thing, row.layout == "hand") for thing in row.cards])
        side = f" s{row.seat}" if row.seat else ""
        title, name_alone = self.names.text(row.title), self.names.MENTION.fullmatch(row.title)
        backs = all(isinstance(card, Card) and not card.face for card in row.cards)
        label = title or (face_down(len(row.cards)) if backs else None)
        return el(
            "section",
            self.heading(row.title if name_alone else title, row),
            el("ul", cards, role="list", aria_label=label, data_roving=row.layout != "small")
            if row.cards
            else el("p", self.names.marked(row.empty) if row.empty else el("span", say("nothing"), class_="unseen"),
                    class_="empty"),
            self.total(row) if row.total else "",
            self.face_down_count(row) if row.layout == "small" else "",
            class_=f"row {row.layout}{side}", data_key=row.key,
        )  # fmt: skip

    def total(self, row: Row) -> Markup:
        """Draw a sum such as `2 + 3 = 5`, with a large result."""
        sum_, _, result = row.total.rpartition("=")
        terms_before = el("small", sum_.strip(), el("i", " = ")) if sum_ else ""
        return el("output", terms_before, el("b", result.strip(), data_count=row.key), class_="total")

    def face_down_count(self, row: Row) -> Markup:
        """Draw the number of face-down cards, for layouts without room to draw them all."""
        backs = [card for card in row.cards if isinstance(card, Card) and not card.face]
        if len(backs) < len(row.cards) or not backs:
            return NOTHING
        return el("b", str(sum(card.count for card in backs)), class_="how-many", aria_hidden="true")

    def slot(self, slot: Slot) -> Markup:
        """Draw an empty slot."""
        label = el("span", slot.label, class_="unseen") if slot.label and slot.action is None else NOTHING
        return el("li", el("span", slot.text), label, self.cover(slot, slot.label or slot.text),
                  class_=f"slot{' can' if value_of(slot) is not None else ''}", data_key=slot.key,
                  aria_description=self.names.text(slot.why_not))  # fmt: skip

    def card(self, card: Card, in_hand: bool) -> Markup:
        """Draw a card: a button if it can be chosen, or in a hand, where a disabled button says why it can't."""
        label = self.names.text(card.label) or (card.face.title if card.face else say("a card face down"))
        value = value_of(card)
        drawing = join([
            face_svg(card.face) if card.face else back_svg(card.back or self.back),
            el("span", join(el("i", mark) for mark in card.marks), class_="marks") if card.marks else "",
            el("span", f"×{card.count}", class_="count") if card.count > 1 else "",
        ])  # fmt: skip
        described_by = self.described_by(card)
        if card.marks:
            label = enumerated([label, *card.marks])
        if value is not None:
            inside = el("button", drawing, type="submit", name="choice", value=value, class_="card can",
                        aria_label=label, aria_describedby=described_by,
                        aria_description=self.names.text(card.words or card.shortcuts[0].text))  # fmt: skip
        elif card.choices:
            inside = self.with_choices(card, drawing, label, in_hand)
        elif card.face and in_hand:
            inside = self.disabled(card.key, drawing, card.why_not, described_by, class_="card", aria_label=label)
        else:
            inside = el("span", drawing, class_="card", role="img", aria_label=label, **self.focus_attributes(card))
        turned = " sideways" if card.sideways else ""
        return el("li", inside, class_=f"place{turned}", data_key=card.key, data_from=card.origin or None,
                  data_face="up" if card.face else "down")  # fmt: skip

    def with_choices(self, card: Card, drawing: Markup, label: str, in_hand: bool) -> Markup:
        """Draw a card with a button for each of its choices; a card in hand with several opens them as a menu."""
        buttons = join(
            el("button", choice.text, type="submit", name="choice", value=choice.action,
               aria_label=titled(label, self.names.text(choice.words)), aria_describedby=self.described_by(choice),
               aria_description=self.names.text(choice.label))
            if choice.action is not None
            else self.disabled(f"{card.key} {choice.text}", choice.text, choice.why_not, self.described_by(choice))
            for choice in card.choices
        )  # fmt: skip
        able = sum(choice.action is not None for choice in card.choices)
        state = " can one" if able == 1 else " can" if able else ""  # `choices.js` makes all of the card the one button
        asks = in_hand and len(card.choices) > 1
        if asks:
            menu, texts = f"choices-{card.key.replace(' ', '-')}", [choice.text for choice in card.choices]
            asks_which = say("{card}: {choices:or}, asks which one", card=label, choices=texts)
            drawing += el("button", el("i", join([el("span", text) for text in texts])), type="button",
                          popovertarget=menu, class_="pick", aria_label=asks_which)  # fmt: skip
        choices = el("span", buttons, class_="choices", **({"id": menu, "popover": "auto"} if asks else {}))
        return el("span", drawing, choices, class_=f"card{state}",
                  role="group", aria_label=label, aria_describedby=self.described_by(card))  # fmt: skip

    def disabled(self, key: str, inside: str, why_not: str, described_by: str | None, **attributes: object) -> Markup:
        """Draw a disabled button that shows `why_not` on focus or hover; `described_by` are ids of glossary entries."""
        if not why_not:
            return el(
                "button", inside, type="button", aria_disabled="true", aria_describedby=described_by, **attributes
            )
        tip = f"tip-{_id(key)}"
        described = f"{tip} {described_by}" if described_by else tip
        return join([
            el("button", inside, type="button", aria_disabled="true", aria_describedby=described, **attributes),
            el("span", self.names.marked(why_not), class_="tip", id=tip, role="tooltip"),
        ])  # fmt: skip

    def pile(self, pile: Pile) -> Markup:
        """Draw a pile and its size."""
        top = pile.cards[-1] if pile.cards else None
        layers = join(el("i") for _ in range(min(3, (pile.count + 9) // 10)))
        if pile.count == 0:
            stack = el("span", class_="card none")
        else:
            drawing = face_svg(top.face) if top and top.face else back_svg(pile.back or self.back)
            stack = el("span", layers, el("span", drawing, class_="card"), class_="stack",
                       data_key=top.key if top else None, data_face="up" if top else None)  # fmt: skip
        return el(
            "section", self.heading(pile.title, pile), stack,
            el("b", str(pile.count), class_="number", data_count=pile.key),
            self.card_list(pile) if pile.cards else "", self.cover(pile, pile.label or pile.title),
            class_=f"pile{' can' if value_of(pile) is not None else ''}", data_key=pile.key,
            data_holds="|".join(card.key for card in pile.cards) or None,
            aria_label=titled(self.names.text(pile.title), say("{n} card", "{n} cards", n=pile.count)),
            aria_description=self.names.text(pile.why_not),
        )  # fmt: skip

    def card_list(self, pile: Pile) -> Markup:
        """Draw the list of a public pile's cards, top card first, and its button."""
        lines = join([_listed(card.face) for card in reversed(pile.cards) if card.face])
        return join([
            el("button", say("View cards"), type="button", class_="look", popovertarget=f"look-{_id(pile.key)}"),
            el("div", el("h3", say("{pile}, top card first", pile=self.names.text(pile.title))), el("ol", lines),
               id=f"look-{_id(pile.key)}", popover="auto", tabindex=0, class_="looking"),
        ])  # fmt: skip

    def board(self, board: Board) -> Markup:
        """Draw a board, which can scroll."""
        width, height = minimum_size(board)
        minimum = el("svg", class_="least", width=width, height=height, aria_hidden="true")
        drawing = board_svg(board, self.names, self.glossary)
        return el("section", minimum, drawing, class_="board", aria_label=board.title,
                  data_key=board.key, data_roving=True, tabindex=0)  # fmt: skip

    def menu(self, thing: Cell | Token) -> Markup:
        """Draw the menu that asks which of the shortcuts to a space or token to take."""
        title = self.names.text(thing.label or thing.words)
        buttons = join(
            el("button", self.names.text(shortcut.text), type="submit", name="choice", value=shortcut.words,
               autofocus=not number)
            for number, shortcut in enumerate(thing.shortcuts)
        )  # fmt: skip
        return el("div", el("h3", title), buttons, id=menu_id(thing), popover="auto", class_="shortcuts", role="group",
                  aria_label=title, data_roving=True)  # fmt: skip

    def track(self, track: Track) -> Markup:
        """Draw a track as pips, a bar or a number."""
        label = self.names.text(track.label) or track_text(track)
        if track.style == "pips" and track.goal:
            drawing = join(el("i", class_="on" if i < track.value else None) for i in range(track.goal))
        elif track.style == "bar" and track.goal:
            level = el("rect", width=max(0, min(100, 100 * track.value / track.goal)), height=8, class_="level")
            drawing = el("svg", level, viewBox="0 0 100 8", preserveAspectRatio="none")
        else:
            drawing = NOTHING
        number = el("b", str(track.value), data_count=track.key)
        return el(
            "span", el("small", track.title), el("span", drawing, class_="drawn") if drawing else "", number,
            class_=f"track as-{track.style}{f' tone-{track.colour.key}' if track.colour else ''}", role="img",
            aria_label=label, data_mark=track.key, data_value=track.value, **self.focus_attributes(track),
        )  # fmt: skip

    def facts(self, facts: Facts) -> Markup:
        """Draw a list of facts."""
        lines = join(
            el("div", el("dt", fact.title), el("dd", self.names.marked(fact.text), data_mark=fact.key,
               aria_label=self.names.text(fact.label) or None, **self.focus_attributes(fact)))
            for fact in facts.facts
        )  # fmt: skip
        return el("section", self.heading(facts.title), el("dl", lines), class_="facts")

    # Buttons and sentences

    def button(self, button: Button) -> Markup:
        """Draw a choice that isn't an object on the table."""
        label = self.names.text(button.label)
        if button.action is None:
            return self.disabled(f"button {button.text}", button.text, button.why_not, self.described_by(button))
        return el("button", self.names.text(button.text or button.words), type="submit", name="choice",
                  value=button.action, class_="main" if button.main else None, aria_description=label,
                  data_key=f"choice {button.words}", aria_describedby=self.described_by(button))  # fmt: skip

    def line(self, line: AnyText) -> Markup:
        """Draw a sentence, styled by its importance."""
        hit, subject = (line.hit, line.subject) if isinstance(line, Text) else (False, "")
        return _line(self, str(line), importance_of(line), hit, subject)


def track_text(track: Track) -> str:
    """Return a track in words: `health 3 of 7`."""
    values = {"what": track.title, "value": track.value}
    return say("{what} {value} of {goal}", **values, goal=track.goal) if track.goal else say("{what} {value}", **values)


def _described(described_by: str | None) -> dict[str, object]:
    return {"aria_describedby": described_by, "tabindex": -1} if described_by else {}


@lru_cache(maxsize=1024)
def _heading(parts: Parts, title: str, described_by: str | None) -> Markup:
    return el("h3", parts.names.marked(title), **_described(described_by))


@lru_cache(maxsize=16)
def _chip(seat: int) -> Markup:
    """Draw a seat's number on its colour and pattern."""
    return el(
        "svg", el("circle", cx=12, cy=12, r=11, class_="disc"),
        el("circle", cx=12, cy=12, r=11, fill=fill(seat_pattern(seat))),
        el("circle", cx=12, cy=12, r=7, class_="plate"),
        el("text", str(seat), x=12, y=16, font_size=11), class_="chip", viewBox="0 0 24 24", aria_hidden="true",
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _line(parts: Parts, line: str, importance: str, hit: bool, subject: str) -> Markup:
    return el("li", parts.names.marked(line), class_=importance or None, data_hit=hit or None, data_subject=subject)


@cached_by_language(1024)
def _listed(face: Face) -> Markup:
    kind = f"{face.colour.said if face.colour else ''} {face.value}".strip()
    return el("li", el("span", face.name), el("small", kind), class_=tone(face.colour))


def _id(key: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in key)

"""A scene as HTML: a fragment that works by mouse, touch and keyboard, with and without a script.

The whole fragment is one `<form method=post>`; every choice in it is a real button, `name=choice value=NUMBER`. The
web's script posts the same fields itself and puts the answer in place (`motion.js`); `keys.js` moves the focus by arrow
keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from sparring.engine.glossary import NO_WORDS, Glossary

from .boards import board_svg, least_size
from .faces import back_svg, face_svg, tone
from .markup import NAMELESS, NOTHING, Names, el, join
from .model import (
    Area, Banner, Board, Button, Card, Choosable, Face, Facts, Group, Picture, Pile, Row, Scene, Seat, Slot, Track,
)  # fmt: skip
from .patterns import DEFS, fill, seat_pattern
from .sentences import Aside, Result
from .terms import terms

#: What was decided last: the things that decided it (see `model.bare`), and the sentences that say how.
Exchange = tuple[Area, Sequence[str]]


def render(
    scene: Scene, *, action_url: str = "", version: int = 0, names: Sequence[str] = (),
    news: Sequence[str] = (), told: Sequence[str] = (), exchange: Exchange | None = None, tools: Markup = NOTHING,
    glossary: Glossary = NO_WORDS,
) -> Markup:  # fmt: skip
    """The play area.

    `action_url` takes the posts (`choice`, `version`), `version` says which state of the table this is, `names` are the
    people's names by seat (the first is seat 1's), `news` are the sentences of what just happened, the weightiest
    first, `told` those that led here, large in the place of the question while they are told; `exchange` is the last
    one that was decided; `tools` is trusted HTML beside the prompt's buttons (take back, play again).

    What the `glossary` explains refers to its entry (`aria-describedby`), which stands elsewhere on the page. The focus
    comes to it by arrow keys inside a group (`data-roving`, see `keys.js`), which Tab reaches once. What else there is
    to say of a thing, such as why it cannot be chosen, is its `aria-description`; a closer look says both (`peek.js`).
    """
    back = scene.backs[0].name if scene.backs else "plain"
    beside = _Beside(news, told, exchange, tools)
    people = Names(names)
    return people.fill(_Page(NAMELESS, back, glossary, people).scene(scene, action_url, version, beside))


#: Goes on to where nothing more is told; the web's script listens to it.
SKIP = el("button", "Skip", type="button", class_="go-on", data_key="go on")


class _Beside(NamedTuple):
    """What stands in the play area besides the scene."""

    news: Sequence[str]
    told: Sequence[str]
    exchange: Exchange | None
    tools: Markup


def definitions(scene: Scene) -> Markup:
    """What the drawings of a scene refer to: patterns and card backs. Part of `render`."""
    return _definitions(scene.backs)


@lru_cache(maxsize=64)
def _definitions(backs: tuple[Picture, ...]) -> Markup:
    drawn = join(el("symbol", Markup(back.svg), id=f"back-{back.name}", viewBox="0 0 63 88") for back in backs)
    return el("defs", DEFS, PLAIN_BACK, drawn)


PLAIN_BACK = Markup(
    '<symbol id="back-plain" viewBox="0 0 63 88"><rect width="63" height="88" rx="4" class="paper"/>'
    '<rect x="3" y="3" width="57" height="82" rx="3" class="tone"/>'
    '<rect x="3" y="3" width="57" height="82" rx="3" fill="url(#p-cross)"/></symbol>'
)


@lru_cache(maxsize=16)
def _chip(seat: int) -> Markup:
    """The seat's number on its colour and pattern."""
    return el(
        "svg", el("circle", cx=12, cy=12, r=11, class_="disc"),
        el("circle", cx=12, cy=12, r=11, fill=fill(seat_pattern(seat))),
        el("circle", cx=12, cy=12, r=7, class_="plate"),
        el("text", str(seat), x=12, y=16, font_size=11), class_="chip", viewBox="0 0 24 24", aria_hidden="true",
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _drawn(page: "_Page", part: Area | Seat) -> Markup:
    """Most parts of a table are the same from one beat to the next, and are drawn once."""
    return page.seat(part) if isinstance(part, Seat) else page.draw(part)


@dataclass(frozen=True)
class _Page:
    """What drawings of scenes have in common: the names, the usual back of a card, the glossary.

    Names are left open, so that what is drawn serves every table; only along the edge of a board, where their length
    matters, stand those of the `people`.
    """

    names: Names
    back: str
    glossary: Glossary
    people: Names = field(compare=False)

    def about(self, thing: object) -> str | None:
        """The ids of what explains a thing."""
        return self.glossary.ids(terms(thing))

    def stop(self, thing: object) -> dict[str, object]:
        """What lets a thing that is no button be focused and explained, if there is something to say."""
        about = self.about(thing)
        return {"aria_describedby": about, "tabindex": -1} if about else {}

    def heading(self, title: str, thing: object = None) -> Markup:
        """The heading of a part, if it has one; what explains the part is found there."""
        return el("h3", self.names.marked(title), **self.stop(thing)) if title else NOTHING

    def scene(self, scene: Scene, url: str, version: int, beside: _Beside) -> Markup:
        beat = not scene.prompt.sentence
        with_board = " with-board" if any(map(_has_board, scene.middle)) else ""
        return el(
            "form",
            Markup(f'<input type="hidden" name="version" value="{int(version)}">'),
            el("svg", definitions(scene), class_="definitions", width=0, height=0, aria_hidden="true"),
            self.top(scene),
            self.side("left", scene.left), self.banner(scene.banner), self.side("middle", scene.middle),
            self.side("right", scene.right),
            el("div", self.exchange(beside.exchange), self.news(scene, beside), class_="beside"),
            self.prompt(scene, beside),
            el("div", self.areas(scene.hand), class_="held"),
            class_=f"scene game-{scene.game}{with_board}{' over' if scene.over else ''}{' telling' if beat else ''}",
            method="post",
            action=url or None, data_version=version,
        )  # fmt: skip

    # Who plays

    def top(self, scene: Scene) -> Markup:
        seats = el("ol", join(_drawn(self, seat) for seat in scene.seats), class_=f"seats of{len(scene.seats)}",
                   data_roving=True)  # fmt: skip
        return el("header", el("p", scene.status, class_="status", data_mark="status"), seats, class_="top")

    def seat(self, seat: Seat) -> Markup:
        can = seat.action is not None
        state = "".join(f" {word}" for word in ("you", "turn", "out") if getattr(seat, word)) + (" can" if can else "")
        name = self.names.of(seat.number)
        return el(
            "li",
            el("span", _chip(seat.number),
               el("b", name, el("i", " (you)") if seat.you else "", class_="name"),
               el("small", seat.title, class_="title") if seat.title else "",
               class_="head"),
            el("span", join(self.tag(seat, tag) for tag in seat.tags),
               el("span", "out" if seat.out else "to choose", class_="state") if seat.turn or seat.out else "",
               class_="tags"),
            el("span", join(self.track(track) for track in seat.tracks), class_="tracks") if seat.tracks else "",
            self.areas(seat.parts),
            self.cover(seat, seat.label or name),
            class_=f"seat s{seat.number}{state}", data_key=f"seat {seat.number}",
            aria_description=self.names.text(seat.why_not),
        )  # fmt: skip

    def tag(self, seat: Seat, tag: str) -> Markup:
        return el("em", tag, class_="tag", role="note", aria_label=tag, data_mark=f"{seat.number}{tag}",
                  **self.stop(tag))  # fmt: skip

    def cover(self, thing: Choosable, label: str) -> Markup:
        """A button over the whole of something that can be chosen."""
        if thing.action is None:
            return NOTHING
        words = self.names.text(thing.words)
        return el("button", el("span", words, class_="words"), type="submit", name="choice", value=thing.action,
                  class_="cover", aria_label=f"{words}: {self.names.text(label)}")  # fmt: skip

    # What lies on the table

    def side(self, name: str, areas: tuple[Area, ...]) -> Markup:
        return el("div", self.areas(areas), class_=f"side {name}", data_roving=True) if areas else NOTHING

    def areas(self, areas: tuple[Area, ...]) -> Markup:
        return join(self.area(area) for area in areas)

    def area(self, area: Area) -> Markup:
        return _drawn(replace(self, names=self.people) if _has_board(area) else self, area)

    def draw(self, area: Area) -> Markup:
        match area:
            case Row():
                return self.row(area)
            case Pile():
                return self.pile(area)
            case Board():
                return self.board(area)
            case Track():
                return self.track(area)
            case Facts():
                return self.facts(area)
            case Group():
                return el("div", self.heading(area.title, area),
                          el("div", self.areas(area.parts), class_="parts"),
                          class_=f"group {'down' if area.down else 'across'}")  # fmt: skip

    def row(self, row: Row) -> Markup:
        cards = join(self.slot(card) if isinstance(card, Slot) else self.card(card, row) for card in row.cards)
        side = f" s{row.seat}" if row.seat else ""
        title = self.names.text(row.title)
        return el(
            "section",
            self.heading(row.title, row),
            el("ul", cards, role="list", aria_label=title or None, data_roving=row.layout != "small")
            if row.cards else el("p", self.names.marked(row.empty), class_="empty"),
            self.total(row) if row.total else "",
            self.how_many(row) if row.layout == "small" else "",
            class_=f"row {row.layout}{side}", data_key=row.key,
        )  # fmt: skip

    def total(self, row: Row) -> Markup:
        """A sum with its result large: `2 + 3 = 5`."""
        sum_, _, result = row.total.rpartition("=")
        powers = el("small", sum_.strip(), el("i", " = ")) if sum_ else ""
        return el("output", powers, el("b", result.strip(), data_count=row.key), class_="total")

    def how_many(self, row: Row) -> Markup:
        """The number that stands for cards face down where there is no room to draw them all."""
        backs = [card for card in row.cards if isinstance(card, Card) and not card.face]
        if len(backs) < len(row.cards) or not backs:
            return NOTHING
        return el("b", str(sum(card.count for card in backs)), class_="how-many", aria_hidden="true")

    def slot(self, slot: Slot) -> Markup:
        return el("li", el("span", slot.text), self.cover(slot, slot.label or slot.text),
                  class_=f"slot{' can' if slot.action is not None else ''}", data_key=slot.key,
                  aria_description=self.names.text(slot.why_not))  # fmt: skip

    def card(self, card: Card, row: Row | None = None) -> Markup:
        """A card: a button if it can be chosen; in a hand also otherwise, so that it can say why not."""
        label = self.names.text(card.label) or (card.face.title if card.face else "a card face down")
        can = card.action is not None
        drawing = join([
            face_svg(card.face) if card.face else back_svg(card.back or self.back),
            el("span", join(el("i", mark) for mark in card.marks), class_="marks") if card.marks else "",
            el("span", f"×{card.count}", class_="count") if card.count > 1 else "",
        ])  # fmt: skip
        marks, about = "".join(f", {mark}" for mark in card.marks), self.about(card)
        if can:
            inside = el("button", drawing, type="submit", name="choice", value=card.action, class_="card can",
                        aria_label=f"{label}{marks}", aria_describedby=about,
                        aria_description=self.names.text(card.words))  # fmt: skip
        elif card.choices:
            inside = self.with_choices(card, drawing, f"{label}{marks}")
        elif card.face and row and row.layout == "hand":
            inside = self.excused(card.key, drawing, card.why_not, about, class_="card", aria_label=f"{label}{marks}")
        else:
            inside = el("span", drawing, class_="card", role="img", aria_label=f"{label}{marks}", **self.stop(card))
        turned = " sideways" if card.sideways else ""
        return el("li", inside, class_=f"place{turned}", data_key=card.key, data_from=card.origin or None,
                  data_face="up" if card.face else "down")  # fmt: skip

    def with_choices(self, card: Card, drawing: Markup, label: str) -> Markup:
        """A card with a button for each thing that can be done with it."""
        buttons = join(
            el("button", choice.text, type="submit", name="choice", value=choice.action,
               aria_label=f"{label}: {self.names.text(choice.words)}", aria_describedby=self.about(choice),
               aria_description=self.names.text(choice.label))
            if choice.action is not None
            else self.excused(f"{card.key} {choice.text}", choice.text, choice.why_not, self.about(choice))
            for choice in card.choices
        )  # fmt: skip
        can = any(choice.action is not None for choice in card.choices)
        return el("span", drawing, el("span", buttons, class_="choices"), class_=f"card{' can' if can else ''}",
                  role="group", aria_label=label, aria_describedby=self.about(card))  # fmt: skip

    def excused(self, key: str, inside: str, why_not: str, about: str | None, **attributes: object) -> Markup:
        """A button that cannot be pressed now; focused or hovered it says why, and `about` what it is."""
        if not why_not:
            return el("button", inside, type="button", aria_disabled="true", aria_describedby=about, **attributes)
        tip = f"tip-{_id(key)}"
        described = f"{tip} {about}" if about else tip
        return join([
            el("button", inside, type="button", aria_disabled="true", aria_describedby=described, **attributes),
            el("span", self.names.marked(why_not), class_="tip", id=tip, role="tooltip"),
        ])  # fmt: skip

    def pile(self, pile: Pile) -> Markup:
        top = pile.cards[-1] if pile.cards else None
        layers = join(el("i") for _ in range(min(3, (pile.count + 9) // 10)))
        if pile.count == 0:
            lying = el("span", class_="card none")
        else:
            drawing = face_svg(top.face) if top and top.face else back_svg(pile.back or self.back)
            lying = el("span", layers, el("span", drawing, class_="card"), class_="stack",
                       data_key=top.key if top else None, data_face="up" if top else None)  # fmt: skip
        return el(
            "section", self.heading(pile.title, pile), lying,
            el("b", str(pile.count), class_="number", data_count=pile.key),
            self.look(pile) if pile.cards else "", self.cover(pile, pile.label or pile.title),
            class_=f"pile{' can' if pile.action is not None else ''}", data_key=pile.key,
            data_holds="|".join(card.key for card in pile.cards) or None,
            aria_label=f"{pile.title}: {pile.count} card{'' if pile.count == 1 else 's'}",
            aria_description=self.names.text(pile.why_not),
        )  # fmt: skip

    def look(self, pile: Pile) -> Markup:
        """What everybody may look through, the top card first."""
        lines = join(
            el("li", el("span", card.face.name), el("small", _kind(card.face)), class_=tone(card.face.colour))
            for card in reversed(pile.cards)
            if card.face
        )
        return join([
            el("button", "Look through", type="button", class_="look", popovertarget=f"look-{_id(pile.key)}"),
            el("div", el("h3", f"{pile.title}, the top card first"), el("ol", lines), id=f"look-{_id(pile.key)}",
               popover="auto", tabindex=0, class_="looking"),
        ])  # fmt: skip

    def board(self, board: Board) -> Markup:
        width, height = least_size(board)
        least = el("svg", class_="least", width=width, height=height, aria_hidden="true")
        return el("section", least, board_svg(board, self.names, self.glossary), class_="board", aria_label=board.title,
                  data_key=board.key, data_roving=True, tabindex=0)  # fmt: skip

    def track(self, track: Track) -> Markup:
        goal = f" of {track.goal}" if track.goal else ""
        label = self.names.text(track.label) or f"{track.title} {track.value}{goal}"
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
            aria_label=label, data_mark=track.key, data_value=track.value, **self.stop(track),
        )  # fmt: skip

    def facts(self, facts: Facts) -> Markup:
        lines = join(
            el("div", el("dt", fact.title), el("dd", self.names.marked(fact.text), data_mark=fact.key,
               aria_label=self.names.text(fact.label) or None, **self.stop(fact)))
            for fact in facts.facts
        )  # fmt: skip
        return el("section", self.heading(facts.title), el("dl", lines), class_="facts")

    # What is asked

    def prompt(self, scene: Scene, beside: _Beside) -> Markup:
        """What is asked; and what led here, in its place while that is told."""
        prompt, tools = scene.prompt, beside.tools
        mine = any(seat.you and seat.turn for seat in scene.seats)
        buttons = join(self.button(button) for button in prompt.buttons)
        sentence = el("p", self.names.marked(prompt.sentence), class_="sentence", id="asked", data_mark="asked")
        if buttons or tools:
            buttons = el("div", buttons, tools, class_="buttons", role="group", aria_labelledby="asked")
        scores = self.scores(scene.seats) if scene.over else ""
        told = el("div", el("ul", self.lines(beside.told), role="list"), SKIP, class_="told")
        return el(
            "div",
            told if beside.told or not prompt.sentence else "",
            sentence,
            scores,
            buttons,
            class_=f"ask{' mine' if mine else ''}",
        )

    def scores(self, seats: Sequence[Seat]) -> Markup:
        """How everybody stands at the end, the best first."""
        scored = [(seat.tracks[0], seat) for seat in seats if seat.tracks]
        if not scored:
            return NOTHING
        scored.sort(key=lambda each: -each[0].value)
        lines = join(el("li", self.names.marked(f"Seat {seat.number}"), " ", el("b", str(track.value)))
                     for track, seat in scored)  # fmt: skip
        return el("div", el("small", scored[0][0].title), el("ul", lines, role="list"), class_="scores")

    def button(self, button: Button) -> Markup:
        label = self.names.text(button.label)
        if button.action is None:
            return el("button", button.text, type="button", aria_disabled="true",
                      aria_description=self.names.text(button.why_not),
                      aria_describedby=self.about(button))  # fmt: skip
        return el("button", self.names.text(button.text or button.words), type="submit", name="choice",
                  value=button.action, class_="main" if button.main else None, aria_description=label,
                  data_key=f"choice {button.words}", aria_describedby=self.about(button))  # fmt: skip

    def banner(self, banner: Banner | None) -> Markup:
        if banner is None:
            return NOTHING
        return el("p", el("b", self.names.text(banner.text)),
                  el("small", self.names.marked(banner.detail)) if banner.detail else "",
                  class_=f"banner s{banner.seat}", data_key=f"banner {banner.key}")  # fmt: skip

    def news(self, scene: Scene, beside: _Beside) -> Markup:
        """What just happened: the last sentences, but for what prompt (how the match ended) or exchange say."""
        said = {scene.prompt.sentence, *(beside.exchange[1] if beside.exchange else ())}
        return el("ul", self.lines([line for line in beside.news if line not in said]), class_="news", role="list")

    def lines(self, lines: Sequence[str]) -> Markup:
        """Sentences, each with what it is worth."""
        return join([_line(self.names, line, _worth(line)) for line in lines])

    def exchange(self, exchange: Exchange | None) -> Markup:
        """The last exchange, small beside the table."""
        if exchange is None:
            return NOTHING
        area, lines = exchange
        return el("section", el("h3", "The last exchange"), self.area(area),
                  el("ul", self.lines(lines), class_="lines", role="list"), class_="exchange",
                  aria_label="The last exchange")  # fmt: skip


def _has_board(area: Area) -> bool:
    return isinstance(area, Board) or (isinstance(area, Group) and any(map(_has_board, area.parts)))


@lru_cache(maxsize=4096)
def _line(names: Names, line: str, worth: str | None) -> Markup:
    return el("li", names.marked(line), class_=worth)


def _worth(line: str) -> str | None:
    return "result" if isinstance(line, Result) else "aside" if isinstance(line, Aside) else None


def _kind(face: Face) -> str:
    return f"{face.colour.word if face.colour else ''} {face.value}".strip()


def _id(key: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in key)

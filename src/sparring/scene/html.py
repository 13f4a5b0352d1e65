"""Render a scene as an HTML fragment that works by mouse, touch and keyboard, with and without JavaScript.

The fragment is one `<form method=post>`, and every choice in it is a button with `name=choice value=NUMBER`. With
JavaScript, `motion.js` posts the same fields and inserts the response, and `keys.js` moves the focus with the arrow
keys. `html_parts.py` draws the objects on the table.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from markupsafe import Markup
from msgspec.structs import replace

from sparring.engine.glossary import NO_WORDS, Glossary

from .html_parts import Parts, draw_cached, parts_for
from .markup import NAMELESS, NOTHING, SeatNames, el, join
from .model import Area, Banner, Board, Cell, Effect, Group, Picture, Scene, Seat, Token
from .objects import value_of
from .patterns import DEFS
from .sentences import AnyText, say


class Exchange(NamedTuple):
    """The last exchange: the cards that decided it (see `model.without_choices`) and the sentences of its result."""

    area: Area
    lines: Sequence[AnyText]
    #: Its number in the match if players can describe their moves in it, otherwise 0.
    number: int = 0
    #: Whether the animated beat is about another exchange; then this one is hidden meanwhile.
    earlier: bool = False


class Advice(NamedTuple):
    """A hint: the suggested choice in a sentence, the reason if there is one, and the estimates. All trusted HTML."""

    sentence: Markup
    reason: Markup
    details: Markup

    @property
    def note(self) -> Markup:
        """Return all of it as HTML."""
        return (
            el("p", self.sentence) + (el("p", self.reason, class_="reason") if self.reason else NOTHING) + self.details
        )


#: For tables without clocks.
NO_CLOCKS: Mapping[int, Markup] = {}


def render(
    scene: Scene, *, action_url: str = "", version: int = 0, names: SeatNames | Sequence[str] = (),
    events: Sequence[AnyText] = (), animated: Sequence[AnyText] = (), own: bool = False,
    exchange: Exchange | None = None, tools: Markup = NOTHING, hint: Advice | None = None,
    glossary: Glossary = NO_WORDS, clocks: Mapping[int, Markup] = NO_CLOCKS, describing: int = 0,
) -> Markup:  # fmt: skip
    """Return the play area.

    Objects with a glossary entry refer to it by `aria-describedby`; the entry is elsewhere on the page. The Tab key
    stops at each group once (`data-roving`, see `keys.js`), and the arrow keys move inside it. Other remarks about an
    object, such as why it can't be chosen, are its `aria-description`; a closer look shows both (`peek.js`).

    :param scene: What the viewer sees.
    :param action_url: Receives the posts (`choice`, `version`).
    :param version: The version of the table that the scene shows.
    :param names: The players' names by seat, starting with seat 1.
    :param events: The latest events in sentences, oldest first.
    :param animated: The events that led here, shown large in place of the prompt while they are animated.
    :param own: Whether they begin with the viewer's own choice, which is shown more briefly.
    :param exchange: The last exchange.
    :param tools: Trusted HTML beside the prompt's buttons (undo, rematch).
    :param hint: The hint that the viewer asked for, in the side panel.
    :param glossary: The game's glossary; objects with an entry refer to it.
    :param clocks: Trusted HTML on the seats, by seat number: clocks and notes.
    :param describing: The number of the exchange whose moves are on the table, for players' descriptions.
    """
    back = scene.backs[0].name if scene.backs else "plain"
    panel = _SidePanel(events, animated, own, exchange, tools, hint, clocks, describing)
    seat_names = names if isinstance(names, SeatNames) else SeatNames(names)
    return seat_names.fill(_HtmlTable(seat_names, back, glossary).scene(scene, action_url, version, panel))


#: Banners with more characters than this are set smaller on narrow screens.
LONG_BANNER = 36
#: Questions with more characters than this are set smaller.
LONG_SENTENCE = 80
#: The term in the glossary that explains what an exchange is in a game.
LAST_EXCHANGE_TERM = "The last exchange"
#: The id of the side panel.
PANEL = "history-panel"


def last_exchange_title() -> str:
    """Return the heading of the last exchange."""
    return say("Last exchange")


def description_slot(exchange: int, inside: Markup = NOTHING) -> Markup:
    """Return the element for players' descriptions of their moves in an exchange; the web page fills it."""
    return el("div", inside, class_="described", data_exchange=exchange)


class _SidePanel(NamedTuple):
    """What the play area shows besides the scene."""

    events: Sequence[AnyText]
    animated: Sequence[AnyText]
    own: bool
    exchange: Exchange | None
    tools: Markup
    hint: Advice | None
    clocks: Mapping[int, Markup]
    #: The number of the exchange whose moves are on the table; 0: none.
    describing: int


def definitions(scene: Scene) -> Markup:
    """Return the SVG definitions that a scene's drawings use: patterns and card backs. `render` includes them."""
    return _definitions(scene.backs)


@lru_cache(maxsize=64)
def _definitions(backs: tuple[Picture, ...]) -> Markup:
    drawn = join(el("symbol", Markup(back.svg), id=f"back-{back.name}", viewBox="0 0 63 88") for back in backs)
    return el("defs", DEFS, PLAIN_BACK, drawn)


@lru_cache(maxsize=64)
def _unseen_definitions(backs: tuple[Picture, ...]) -> Markup:
    return el("svg", _definitions(backs), class_="definitions", width=0, height=0, aria_hidden="true")


#: The same upside down, so that a turned card is not marked.
PLAIN_BACK = Markup(
    '<symbol id="back-plain" viewBox="0 0 63 88"><rect width="63" height="88" rx="4" class="paper"/>'
    '<rect x="3" y="3" width="57" height="82" rx="3" class="tone"/><g class="hatch"><path d="'
    + "".join(f"M{x + 7.5:g} {y + 9}v6M{x + 4.5:g} {y + 12}h6" for x in range(0, 56, 8) for y in range(0, 72, 8))
    + '"/></g></symbol>'
)


class _HtmlTable:
    """Draws the play area of a table with these players."""

    def __init__(self, names: SeatNames, back: str, glossary: Glossary) -> None:
        #: `parts` leaves names as placeholders, so that all tables share cached drawings. `boards` writes names at
        #: once, because their length matters along the edge of a board.
        self.parts, self.boards = parts_for(NAMELESS, back, glossary), parts_for(names, back, glossary)

    def scene(self, scene: Scene, url: str, version: int, panel: _SidePanel) -> Markup:
        beat = not scene.prompt.sentence
        with_board = " with-board" if any(map(_has_board, scene.middle)) else ""
        return el(
            "form",
            Markup(f'<input type="hidden" name="version" value="{int(version)}">'),
            _unseen_definitions(scene.backs),
            self.top(scene, panel.clocks),
            self.side("left", scene.left), self.banner(scene.banner), self.middle(scene, panel),
            description_slot(panel.describing) if panel.describing else NOTHING,
            self.side("right", scene.right),
            self.side_panel(scene, panel), self.latest(scene, panel),
            self.prompt(scene, panel),
            el("div", self.areas(scene.hand), class_="held"),
            self.menus((*scene.left, *scene.middle, *scene.right)),
            class_=f"scene game-{scene.game}{with_board}{' over' if scene.over else ''}{' telling' if beat else ''}",
            method="post",
            action=url or None, data_version=version, data_effects=_effects(scene.effects),
        )  # fmt: skip

    def top(self, scene: Scene, clocks: Mapping[int, Markup]) -> Markup:
        panels = [_with_clock(draw_cached(self.parts, seat), clocks.get(seat.number, NOTHING)) for seat in scene.seats]
        seats = el("ol", join(panels), class_=f"seats of{len(scene.seats)}", aria_label=say("Seats"), data_roving=True)
        return el("header", _status(self.parts, scene.status), seats, class_="top")

    def side(self, name: str, areas: tuple[Area, ...]) -> Markup:
        # Without a board, the drawing has no names and is cached for all tables.
        parts = self.boards if any(map(_has_board, areas)) else self.parts
        return _side(self.parts, parts, name, areas) if areas else NOTHING

    def middle(self, scene: Scene, panel: _SidePanel) -> Markup:
        """Draw the middle of the table; if it is empty at the end, show the deciding exchange there."""
        if not _ends_empty(scene):
            return self.side("middle", scene.middle)
        return el("div", self.exchange(panel.exchange), class_="side middle")

    def areas(self, areas: tuple[Area, ...]) -> Markup:
        return _areas(self.parts, self.boards, areas)

    def menus(self, areas: tuple[Area, ...]) -> Markup:
        """Draw the menus of the spaces and tokens with several shortcuts, last, because they are hidden at first."""
        boards = [board for board in map(_board_in, areas) if board]
        offers: list[Cell | Token] = [cell for board in boards for cell in board.cells]
        offers += [token for board in boards for token in board.tokens]
        return join([self.boards.menu(thing) for thing in offers if thing.shortcuts and value_of(thing) is None])

    def prompt(self, scene: Scene, panel: _SidePanel) -> Markup:
        """Draw the prompt, and the events that replace it while they are animated."""
        prompt, tools = scene.prompt, panel.tools
        is_own_turn = any(seat.you and seat.turn for seat in scene.seats)
        buttons = join(self.parts.button(button) for button in sorted(prompt.buttons, key=lambda each: not each.main))
        sentence = _sentence(self.parts, prompt.sentence)
        if buttons or tools:
            buttons = el("div", buttons, tools, class_="buttons", role="group", aria_labelledby="asked")
        scores = self.scores(scene.seats) if scene.over else ""
        return el(
            "div",
            self.animated(panel) if panel.animated or not prompt.sentence else "",
            sentence,
            scores,
            buttons,
            class_=f"ask{' mine' if is_own_turn else ''}",
        )

    def animated(self, panel: _SidePanel) -> Markup:
        """Draw the events that are animated, with the button that skips them (see `motion.js`)."""
        skip = el("button", say("Skip"), type="button", class_="go-on", data_key="go on")
        return el("div", el("ul", self.lines(panel.animated), role="list"), skip,
                  class_="told own" if panel.own else "told", tabindex=-1)  # fmt: skip

    def scores(self, seats: Sequence[Seat]) -> Markup:
        """Draw the final scores, best first."""
        scored = [(seat.tracks[0], seat) for seat in seats if seat.tracks]
        if not scored:
            return NOTHING
        scored.sort(key=lambda each: -each[0].value)
        lines = join(el("li", self.parts.names.marked(f"Seat {seat.number}"), " ", el("b", str(track.value)))
                     for track, seat in scored)  # fmt: skip
        return el("div", el("small", scored[0][0].title), el("ul", lines, role="list"), class_="scores")

    def banner(self, banner: Banner | None) -> Markup:
        return NOTHING if banner is None else _banner(self.parts, banner)

    def side_panel(self, scene: Scene, panel: _SidePanel) -> Markup:
        """Draw the side panel: the last exchange, the hint and the latest events; it slides in on phones.

        On the table page the whole log replaces the latest events (`log.js`).
        """
        close = el("button", "×", type="button", popovertarget=PANEL, popovertargetaction="hide", class_="close",
                   aria_label=say("Close history"))  # fmt: skip
        history = el(
            "div", self.news(scene, panel), class_="history", role="region", aria_label=say("History"), tabindex=0
        )  # fmt: skip
        hint = el("div", panel.hint.note, class_="hint", role="note") if panel.hint else NOTHING
        exchange = NOTHING if _ends_empty(scene) else self.exchange(panel.exchange)
        return el("div", close, exchange, hint, history,
                  class_="beside", id=PANEL, popover="manual")  # fmt: skip

    def latest(self, scene: Scene, panel: _SidePanel) -> Markup:
        """Draw the button that opens the side panel on phones; it shows the hint or the latest event."""
        line = next((line for line in reversed(panel.events) if str(line) != scene.prompt.sentence), "")
        hint = panel.hint
        told = Markup(" ").join(filter(None, (hint.sentence, hint.reason))) if hint else self.parts.names.marked(line)
        history = el("b", say("History"))
        return el("button", el("span", told), history, type="button", popovertarget=PANEL, class_="latest")

    def news(self, scene: Scene, panel: _SidePanel) -> Markup:
        """Draw the latest events, without those that the prompt or the last exchange shows."""
        shown_elsewhere = {scene.prompt.sentence, *map(str, panel.exchange.lines if panel.exchange else ())}
        lines = [line for line in panel.events if str(line) not in shown_elsewhere]
        return el("ul", self.lines(lines), class_="news", role="list")

    def lines(self, lines: Sequence[AnyText]) -> Markup:
        """Draw sentences, each styled by its importance."""
        return join(map(self.parts.line, lines))

    def exchange(self, exchange: Exchange | None) -> Markup:
        """Draw the last exchange beside the table."""
        if exchange is None:
            return NOTHING
        parts = self.boards if _has_board(exchange.area) else self.parts
        lines = self.lines(exchange.lines)
        return _exchange(self.parts, parts, exchange.area, lines, exchange.number, exchange.earlier)


def _ends_empty(scene: Scene) -> bool:
    return scene.over and not scene.middle


def _effects(effects: tuple[Effect, ...]) -> str | None:
    """Return effects as JSON for `effects.js`."""
    shown = [replace(effect, word=say(effect.word)) if effect.word else effect for effect in effects]
    return msgspec.json.encode(shown).decode() if shown else None


def _areas(parts: Parts, boards: Parts, areas: tuple[Area, ...]) -> Markup:
    return join([draw_cached(boards if _has_board(area) else parts, area) for area in areas])


@lru_cache(maxsize=1024)
def _side(parts: Parts, boards: Parts, name: str, areas: tuple[Area, ...]) -> Markup:
    """Draw a side of the table; cached, because most sides don't change from beat to beat."""
    return el("div", _areas(parts, boards, areas), class_=f"side {name}", data_roving=True)


@lru_cache(maxsize=1024)
def _exchange(parts: Parts, boards: Parts, area: Area, lines: Markup, number: int, earlier: bool) -> Markup:
    """Draw the last exchange, which stays until the next one is decided."""
    described = description_slot(number) if number else NOTHING
    result = el("ul", lines, class_="lines", role="list")
    title = last_exchange_title()
    heading = parts.heading(title, LAST_EXCHANGE_TERM)
    return el("section", heading, _areas(parts, boards, (area,)), result, described,
              class_="exchange", aria_label=title, data_earlier=earlier or None, data_roving=True)  # fmt: skip


@lru_cache(maxsize=1024)
def _banner(parts: Parts, banner: Banner) -> Markup:
    long, described_by = " long" if len(banner.text) > LONG_BANNER else "", parts.described_by(banner)
    return el("p", el("b", parts.names.text(banner.text)),
              el("small", parts.names.marked(banner.detail)) if banner.detail else "",
              class_=f"banner s{banner.seat}{long}", data_key=f"banner {banner.key}",
              aria_describedby=described_by, tabindex=0 if described_by else None)  # fmt: skip


@lru_cache(maxsize=1024)
def _status(parts: Parts, status: str) -> Markup:
    described_by = parts.described_by(status)
    return el("p", status, class_="status", data_mark="status", aria_describedby=described_by,
              tabindex=0 if described_by else None)  # fmt: skip


@lru_cache(maxsize=1024)
def _sentence(parts: Parts, sentence: str) -> Markup:
    long = " long" if len(sentence) > LONG_SENTENCE else ""
    return el("p", parts.names.marked(sentence), class_=f"sentence{long}", id="asked", data_mark="asked")


def _with_clock(panel: Markup, clock: Markup) -> Markup:
    """Add a clock to a drawn seat, which is cached without one for all tables."""
    return Markup(f"{panel.removesuffix('</li>')}{clock}</li>") if clock else panel


def _has_board(area: Area) -> bool:
    return _board_in(area) is not None


def _board_in(area: Area) -> Board | None:
    """Return the first board in an area."""
    if isinstance(area, Group):
        return next(filter(None, map(_board_in, area.parts)), None)
    return area if isinstance(area, Board) else None

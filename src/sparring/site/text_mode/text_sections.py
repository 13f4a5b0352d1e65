"""Sections of a text-mode page: question, hand, players, table and log."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from markupsafe import Markup

from sparring.engine.views import View
from sparring.scene import PrintableScene
from sparring.scene.html import description_slot
from sparring.scene.markup import NOTHING, el, join, void
from sparring.scene.screen_reader import ChoiceGroup, SceneSpeaker, SpokenPart
from sparring.scene.sentences import ResultLine, merge_asides
from sparring.site.table_parts.clock_panel import clock_views
from sparring.site.table_parts.seat_panel import open_seats, player_list
from sparring.site.table_parts.table_html import advice, tools
from sparring.tables.play.table_view import scene_at
from sparring.tables.state.player_feed import (
    DecidedBeat,
    FeedVersion,
    PlayerFeed,
    described_exchange,
    last_exchange,
)
from sparring.tables.state.players import Viewer
from sparring.tables.state.table import Table

#: The heading of the viewer's own hand.
YOUR_HAND = "Your hand"
#: The clocks of an untimed match.
NO_CLOCKS: Mapping[int, Markup] = MappingProxyType({})
#: The number of recent sentences shown to spectators, who make no choices.
LAST = 8


def speaker(table: Table) -> SceneSpeaker:
    """Return the speaker that turns a table's scenes into sentences."""
    return SceneSpeaker(table.seat_names, table.match.game.spoken_forms)


def current_scene(table: Table, feed: PlayerFeed) -> PrintableScene:
    """Return the scene of a table in a viewer's current view."""
    return cast(PrintableScene, scene_at(table, feed, feed.view))


def sections(table: Table, feed: PlayerFeed, viewer: Viewer) -> tuple[Markup, Markup]:
    """Return the question and the other sections that change during the match.

    They are rendered once for all viewers with the same view. `feed` is up to date.
    """

    def rendered() -> tuple[Markup, Markup]:
        scene, say = current_scene(table, feed), speaker(table)
        last = last_exchange_part(feed.latest.decided[-1], say)
        about = descriptions(feed.view, feed.latest)
        rest = [hand(scene, say), seats(scene, say, clock_views(table)), on_table(scene, say, last, about)]
        return question(table, feed, viewer, scene, say), join(rest)

    return feed.once(("in words", viewer), rendered)


def question(table: Table, feed: PlayerFeed, viewer: Viewer, scene: PrintableScene, say: SceneSpeaker) -> Markup:
    """Render the question and a form with a button for every choice."""
    own_turn = any(seat.you and seat.turn for seat in scene.seats) and bool(scene.choosable)
    announce = own_turn or scene.over or table.shown.paused
    groups, hint = say.choice_groups(scene), advice(table, feed.viewer)
    return section(
        "question", "Question",
        el("p", say.spoken(scene.prompt.sentence), class_="asked", data_told=announce),
        el("form", void("input", type="hidden", name="version", value=feed.version),
           choice_buttons(groups), el("div", tools(table, feed, viewer, in_words=True), class_="buttons"),
           el("div", hint.note, role="note") if hint else "",
           method="post", action=f"/table/{table.id}/choose"),
        typed_suggestions(groups),
        data_version=feed.version, data_mine=own_turn,
    )  # fmt: skip


def choice_buttons(groups: Iterable[ChoiceGroup]) -> Markup:
    """Render choices as buttons, grouped by where they are on the table."""
    return join(map(_group, groups))


def typed_suggestions(groups: Iterable[ChoiceGroup]) -> Markup:
    """Render the typed form of all choices as suggestions for the text field."""
    return el("datalist", join(el("option", value=each.words) for _, choices in groups for each in choices), id="typed")


def _group(group: ChoiceGroup) -> Markup:
    """Render one group of choices."""
    title, choices = group
    buttons = join(
        el("li", el("button", each.said, type="submit", name="choice", value=each.action), " ",
           el("kbd", each.words) if each.words.casefold() != each.said.casefold() else NOTHING)
        for each in choices
    )  # fmt: skip
    return (el("h3", title) if title else NOTHING) + el("ul", buttons, role="list", class_="offers")


def hand(scene: PrintableScene, say: SceneSpeaker, title: str = YOUR_HAND) -> Markup:
    """Render the viewer's hand. It is hidden for spectators and while hands are covered."""
    parts = say.hand(scene)
    return section("hand", title, *map(_part, parts), hidden=not parts)


def seats(scene: PrintableScene, say: SceneSpeaker, clocks: Mapping[int, Markup] = NO_CLOCKS) -> Markup:
    """Render the players with their clocks."""
    rendered = [
        el("div", _part(part), el("p", "Clock: ", clock) if (clock := clocks.get(seat.number)) else NOTHING,
           class_=f"seat{' you' if seat.you else ''}")
        for seat, part in zip(scene.seats, say.seats(scene), strict=True)
    ]  # fmt: skip
    return section("seats", "Players", *rendered)


def on_table(
    scene: PrintableScene, say: SceneSpeaker, last: SpokenPart | None = None, about: Markup = NOTHING
) -> Markup:
    """Render the table and the last exchange, followed by `about`."""
    return section("on-table", "Table", *map(_part, say.table(scene)), _part(last) if last else NOTHING, about)


def descriptions(view: View, version: FeedVersion) -> Markup:
    """Render the places for descriptions: of the moves of the last exchange, and of those on the table."""
    decided = version.decided[-1]
    last = last_exchange(decided)
    numbers = (last.number if last else 0, described_exchange(view, decided))
    return join(description_slot(number) for number in numbers if number)


def last_exchange_part(beats: Sequence[DecidedBeat], say: SceneSpeaker) -> SpokenPart | None:
    """Return the last exchange: its sentences and the cards that decided it."""
    exchange = last_exchange(beats)
    if exchange is None:
        return None
    lines = tuple(say.spoken(line) for line in exchange.lines)
    return SpokenPart("Last exchange", lines, tuple(say.areas((exchange.area,))))


def section(name: str, title: str, *content: str, **more: object) -> Markup:
    """Render a section of the page with its heading."""
    heading = el("h2", title, id=f"{name}-title", tabindex=-1)
    return el("section", heading, *content, id=name, aria_labelledby=f"{name}-title", **more)


def _part(part: SpokenPart, level: int = 3) -> Markup:
    """Render a part of the table. The viewer's hand gets no heading, because its section already has the same one."""
    title = el(f"h{level}", part.title) if part.title and part.title != YOUR_HAND else NOTHING
    lines = el("ul", join(el("li", line) for line in part.lines), role="list") if part.lines else NOTHING
    if part.folded:
        return el("details", el("summary", part.title), lines)
    children = join(_part(each, level + bool(part.title)) for each in part.parts)
    return title + lines + children + (_places(part) if part.places else NOTHING)


def _places(part: SpokenPart) -> Markup:
    """Render every space of a board as a table for row-by-row navigation."""
    rows = join(
        el("tr", el("th", f"Row {number}", scope="row"), join(el("td", place) for place in row))
        for number, row in enumerate(part.places, 1)
    )
    table = el("table", el("caption", f"{part.title}, from the top row down", class_="unseen"), rows)
    grid = el("div", table, class_="grid", tabindex=0, role="region", aria_label=f"All spaces of {part.title}")
    return el("details", el("summary", f"All spaces, row by row: {part.title}"), grid)


# What happened


def lines(sentences: Iterable[str], say: SceneSpeaker) -> Markup:
    """Render sentences as paragraphs; results get their own class."""
    return join(
        el("p", say.spoken(line), class_="result" if isinstance(line, ResultLine) else None) for line in sentences
    )


def since_last_choice(table: Table, feed: PlayerFeed) -> list[str]:
    """Return the log since the viewer's last choice, starting with it; spectators get the last `LAST` sentences."""
    own_choices = (n for n in reversed(range(feed.seen)) if int(table.transitions[n].before.player) + 1 == feed.viewer)
    merged = merge_asides([line for lines in feed.since(next(own_choices, 0)) for line in lines])
    return merged if feed.viewer else merged[-LAST:]


def log(sentences: Iterable[str], say: SceneSpeaker) -> Markup:
    """Render sentences of a viewer's log."""
    return join(
        el("li", say.spoken(line), class_="result" if isinstance(line, ResultLine) else None) for line in sentences
    )


def stream_event(table: Table, feed: PlayerFeed, viewer: Viewer, version: FeedVersion, *, full: bool = False) -> Markup:
    """Render a stream event: new sentences, new log entries and, if nothing more follows, all sections.

    `full` sends the whole log, for a viewer whose point of view has changed.
    """
    say = speaker(table)
    new_sentences = merge_asides([line for beat in version.beats for line in beat.lines])
    keep, news = feed.news(version, full=full)
    parts = [
        el("div", lines(new_sentences, say), class_="told"),
        el("ol", log(news, say), class_="lines", data_keep=keep),
    ]
    if version.version == feed.version:
        parts += sections(table, feed, viewer)
        parts += [player_list(table, feed, viewer), open_seats(table, feed.viewer, viewer)]
    return join(parts)

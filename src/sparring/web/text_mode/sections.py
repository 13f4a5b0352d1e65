"""The sections of a page of words: what is asked, what happened, one's hand, everybody who plays, the table."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from markupsafe import Markup

from sparring.scene import PrintableScene
from sparring.scene.markup import NOTHING, el, join, void
from sparring.scene.screen_reader import Offers, SceneSpeaker, SpokenPart
from sparring.scene.sentences import ResultLine, together
from sparring.web.tables.clocks.clock_panel import faces
from sparring.web.tables.invitations import open_seats
from sparring.web.tables.page_parts import scene_at, sitting, tools
from sparring.web.tables.player_feed import DecidedBeat, FeedVersion, PlayerFeed, beginning, last_exchange, sentences
from sparring.web.tables.shared_screens import Viewer
from sparring.web.tables.table import Table

#: What one's own hand is called.
YOURS = "Your hand"
#: Where nobody has a clock.
NO_CLOCKS: Mapping[int, Markup] = MappingProxyType({})
#: How many sentences are told to somebody who only watches, and so has no last choice of their own.
LAST = 8


def speaker(table: Table) -> SceneSpeaker:
    """Who says everything at a table."""
    return SceneSpeaker(table.called, table.match.game.aloud)


def at_rest(table: Table, sight: PlayerFeed) -> PrintableScene:
    """The table as it stands, in things."""
    return cast(PrintableScene, scene_at(table, sight, sight.view))


def sections(table: Table, sight: PlayerFeed, looker: Viewer) -> tuple[Markup, Markup]:
    """What is asked, and all else that changes as the match goes on; drawn once for all who look at the same."""
    kept = "in words", looker
    if kept not in sight.drawn:
        scene, say = at_rest(table, sight), speaker(table)
        last = last_time(sight.latest.decided[-1], say)
        rest = [hand(scene, say), seats(scene, say, faces(table)), on_table(scene, say, last)]
        sight.drawn[kept] = question(table, sight, looker, scene, say), join(rest)
    return cast(tuple[Markup, Markup], sight.drawn[kept])


def question(table: Table, sight: PlayerFeed, looker: Viewer, scene: PrintableScene, say: SceneSpeaker) -> Markup:
    """What is asked, and every choice as a button in one form."""
    mine = any(seat.you and seat.turn for seat in scene.seats) and bool(scene.choosable)
    told = mine or scene.over or table.shown.paused
    offers = say.offers(scene)
    return section(
        "question", "Question",
        el("p", say.say(scene.prompt.sentence), class_="asked", data_told=told),
        el("form", void("input", type="hidden", name="version", value=sight.version),
           offered(offers), el("div", tools(table, sight, looker, in_words=True), class_="buttons"),
           method="post", action=f"/table/{table.id}/choose"),
        to_type(offers),
        data_version=sight.version, data_mine=mine,
    )  # fmt: skip


def offered(offers: Iterable[Offers]) -> Markup:
    """Choices as buttons, those together that lie together."""
    return join(map(_group, offers))


def to_type(offers: Iterable[Offers]) -> Markup:
    """The words of all choices, for the field in which one types."""
    return el("datalist", join(el("option", value=each.words) for _, those in offers for each in those), id="typed")


def _group(offers: Offers) -> Markup:
    """Choices that lie together."""
    title, those = offers
    buttons = join(
        el("li", el("button", each.said, type="submit", name="choice", value=each.action), " ",
           el("kbd", each.words) if each.words.casefold() != each.said.casefold() else NOTHING)
        for each in those
    )  # fmt: skip
    return (el("h3", title) if title else NOTHING) + el("ul", buttons, role="list", class_="offers")


def hand(scene: PrintableScene, say: SceneSpeaker, title: str = YOURS) -> Markup:
    """What one holds; nothing where hands are covered, or one only watches."""
    parts = say.hand(scene)
    return section("hand", title, *map(_part, parts), hidden=not parts)


def seats(scene: PrintableScene, say: SceneSpeaker, clocks: Mapping[int, Markup] = NO_CLOCKS) -> Markup:
    """Everybody who plays, with their clocks."""
    drawn = [
        el("div", _part(part), el("p", "Clock: ", clock) if (clock := clocks.get(seat.number)) else NOTHING,
           class_=f"seat{' you' if seat.you else ''}")
        for seat, part in zip(scene.seats, say.seats(scene), strict=True)
    ]  # fmt: skip
    return section("seats", "Seats", *drawn)


def on_table(
    scene: PrintableScene, say: SceneSpeaker, last: SpokenPart | None = None, about: Markup = NOTHING
) -> Markup:
    """What lies on the table, and the last exchange with what is said about it."""
    exchange = _part(last) + about if last else NOTHING
    return section("on-table", "Table", *map(_part, say.table(scene)), exchange)


def last_time(beats: Sequence[DecidedBeat], say: SceneSpeaker) -> SpokenPart | None:
    """What was decided last: the things that decided it, and how."""
    decided = last_exchange(beats)
    if decided is None:
        return None
    lines = tuple(say.say(line) for line in decided.lines)
    return SpokenPart("The last exchange", lines, tuple(say.areas((decided.area,))))


def section(name: str, title: str, *inside: str, **more: object) -> Markup:
    """A part of the page under its heading."""
    heading = el("h2", title, id=f"{name}-title", tabindex=-1)
    return el("section", heading, *inside, id=name, aria_labelledby=f"{name}-title", **more)


def _part(part: SpokenPart, level: int = 3) -> Markup:
    """A part of the table; what stands under a heading of the page by the same name needs none of its own."""
    title = el(f"h{level}", part.title) if part.title and part.title != YOURS else NOTHING
    lines = el("ul", join(el("li", line) for line in part.lines), role="list") if part.lines else NOTHING
    if part.folded:
        return el("details", el("summary", part.title), lines)
    within = join(_part(each, level + bool(part.title)) for each in part.parts)
    return title + lines + within + (_places(part) if part.places else NOTHING)


def _places(part: SpokenPart) -> Markup:
    """Every place of a board in rows that one can walk along."""
    rows = join(
        el("tr", el("th", f"Row {number}", scope="row"), join(el("td", place) for place in row))
        for number, row in enumerate(part.places, 1)
    )
    table = el("table", el("caption", f"{part.title}, from the top row down", class_="unseen"), rows)
    grid = el("div", table, class_="grid", tabindex=0, role="region", aria_label=f"All places of {part.title}")
    return el("details", el("summary", f"All places, row by row: {part.title}"), grid)


# What happened


def lines(sentences: Iterable[str], say: SceneSpeaker) -> Markup:
    """Sentences, each with what it is worth."""
    return join(el("p", say.say(line), class_="result" if isinstance(line, ResultLine) else None) for line in sentences)


def since_mine(table: Table, sight: PlayerFeed) -> list[str]:
    """What was told since a viewer chose last, their own choice first; to who only watches what was told last."""
    mine = (n for n in reversed(range(sight.seen)) if int(table.courses[n].before.player) + 1 == sight.viewer)
    told = together([line for lines in sight.since(next(mine, 0)) for line in lines])
    return told if sight.viewer else told[-LAST:]


def log(sight: PlayerFeed, say: SceneSpeaker, keep: int = 0, upto: int | None = None) -> Markup:
    """The log of a viewer from entry `keep` on."""
    return join(
        el("li", say.say(line), data_entry=entry, class_="result" if isinstance(line, ResultLine) else None)
        for entry, line in sentences(sight.log[:upto], keep)
    )


def news(table: Table, sight: PlayerFeed, looker: Viewer, news: FeedVersion, *, anew: bool = False) -> Markup:
    """An event: what is told beat by beat, the log from where it changed; and, unless more follows, how all stands.

    `anew`: all of the log, for somebody who has looked with other eyes so far.
    """
    say = speaker(table)
    told = together([line for beat in news.beats for line in beat.lines])
    keep = 0 if anew else beginning(sight.log, news.log[0])
    telling = [
        el("div", lines(told, say), class_="told"),
        el("ol", log(sight, say, keep, news.log[1]), class_="lines", data_keep=keep),
    ]  # fmt: skip
    if news.version == sight.version:
        telling += sections(table, sight, looker)
        telling += [sitting(table, sight, looker), open_seats(table, sight.viewer, looker)]
    return join(telling)

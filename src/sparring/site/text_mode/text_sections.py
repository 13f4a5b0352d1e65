"""Tables in words: what can be typed, and the sections of a page: question, hand, players, table and log."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.engine.messages import Text
from sparring.engine.views import View
from sparring.scene import PrintableScene
from sparring.scene.html import description_slot
from sparring.scene.markup import NOTHING, el, join, void
from sparring.scene.screen_reader import ChoiceGroup, SceneSpeaker, SpokenChoice, SpokenPart
from sparring.scene.sentences import AnyText, is_result, listed, merge_asides, say
from sparring.site.table_parts.seat_panel import clock_views, open_seats, player_list
from sparring.site.table_parts.table_html import advice, tools
from sparring.tables.play.table_view import scene_at
from sparring.tables.state.clock_events import shown_left
from sparring.tables.state.player_feed import FeedVersion, PlayerFeed, described_exchange, last_exchange
from sparring.tables.state.players import Viewer
from sparring.tables.state.table import Table
from sparring.text import HELP, INTRO, QUERIES, Command, CommandSet, TextView

#: Stands for markup in a sentence that is about to be split around it.
PLACE = "\x1a"
#: The commands that change something.
CHANGES = (
    Command("hint", Text("a strong bot's advice, at tables with hints; everyone sees that you asked")),
    Command("back", Text("take back your last choice, if no other player has seen it yet"), ("undo",)),
    Command("redeal", Text("ask for a new deal, at a table whose host may know hidden cards")),
)
TIME = Command("time", Text("the time left on each clock"), ("clock",))
COMMANDS = CommandSet(INTRO, *QUERIES, TIME, *CHANGES, HELP)

#: The error for choices in a link: links can only contain queries, because opening one mustn't change anything.
NOT_A_QUERY_TEXT = "This isn't a query. Type choices on the page itself; type help for a list of queries."
#: The number of recent sentences shown to spectators, who make no choices.
LAST = 8


class TableText(TextView):
    """What a viewer sees of a table, in words. `feed` is up to date."""

    def __init__(self, table: Table, feed: PlayerFeed) -> None:
        last = last_exchange(feed.latest.decided[-1])
        super().__init__(
            cast(PrintableScene, scene_at(table, feed, feed.view)), table.match.setup, table.seat_names, COMMANDS,
            lambda: since_last_choice(table, feed), (last.area, last.lines) if last else None,
        )  # fmt: skip
        self.table = table

    def answer(self, command: str, rest: str = "") -> list[str]:
        """Answer a query. Raises a SparringError for anything that would change the table, and as a TextView does."""
        if command in ("", *(each.name for each in CHANGES)):
            raise SparringError(say(NOT_A_QUERY_TEXT))
        return list(time(self.table)) if command == "time" else super().answer(command, rest)


def since_last_choice(table: Table, feed: PlayerFeed) -> Sequence[AnyText]:
    """Return the log since the viewer's last choice, starting with it; spectators get the last `LAST` sentences."""
    own_choices = (n for n in reversed(range(feed.seen)) if int(table.transitions[n].before.player) + 1 == feed.viewer)
    merged = merge_asides([line for lines in feed.since(next(own_choices, 0)) for line in lines])
    return merged if feed.viewer else merged[-LAST:]


def your_hand() -> str:
    """Return the heading of the viewer's own hand."""
    return say("Your hand")


def time(table: Table) -> Iterator[str]:
    """Yield the players' remaining times in words."""
    left = shown_left(table)
    for seat, milliseconds in left.items():
        forms = "{who}: {time}.", "{who}, to move: {time}."
        values = {"who": table.seat_names.of(seat), "time": duration(milliseconds)}
        yield say(forms[seat == table.shown.turn_seat], **values)
    if not left:
        yield say("This match is untimed.")


def duration(milliseconds: int) -> str:
    """Return a duration in words, in its two largest units."""
    minutes, seconds = divmod(-(-milliseconds // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [
        (days, Text("{n} day", "{n} days", n=days)),
        (hours, Text("{n} hour", "{n} hours", n=hours)),
        (minutes, Text("{n} minute", "{n} minutes", n=minutes)),
        (seconds, Text("{n} second", "{n} seconds", n=seconds)),
    ]
    return listed([text for number, text in parts if number][:2]) or say("no time")


# Sections


def sections(table: Table, feed: PlayerFeed, viewer: Viewer) -> tuple[Markup, Markup]:
    """Return the question and the other sections that change during the match.

    They are rendered once for all viewers with the same view. `feed` is up to date.
    """

    def rendered() -> tuple[Markup, Markup]:
        view = TableText(table, feed)
        rest = join([hand(view), seats(view, clock_views(table)), on_table(view, descriptions(feed.view, feed.latest))])
        return question(table, feed, viewer, view), rest

    return feed.once(("in words", viewer), rendered)


def question(table: Table, feed: PlayerFeed, viewer: Viewer, view: TableText) -> Markup:
    """Render the question and a form with a button for every choice."""
    scene, speaker = view.scene, view.say
    own_turn = any(seat.you and seat.turn for seat in scene.seats) and bool(scene.choosable)
    announce = own_turn or scene.over or table.shown.paused
    groups, hint = speaker.choice_groups(scene), advice(table, feed)
    return section(
        "question", say("Question"),
        el("p", speaker.spoken(scene.prompt.sentence), class_="asked", data_told=announce),
        el("form", void("input", type="hidden", name="version", value=feed.version),
           choice_buttons(groups), el("div", tools(table, feed, viewer, in_words=True), class_="buttons"),
           el("div", hint.note, role="note") if hint else "",
           method="post", action=f"/table/{table.id}/choose"),
        typed_suggestions(groups),
        data_version=feed.version, data_mine=own_turn,
    )  # fmt: skip


def choice_buttons(groups: Iterable[ChoiceGroup]) -> Markup:
    """Render choices as buttons, grouped by where they are on the table."""
    return join(
        (el("h3", title) if title else NOTHING) + el("ul", join(map(_button, choices)), role="list", class_="offers")
        for title, choices in groups
    )


def _button(choice: SpokenChoice) -> Markup:
    typed = el("kbd", choice.words) if choice.words.casefold() != choice.said.casefold() else NOTHING
    return el("li", el("button", choice.said, type="submit", name="choice", value=choice.action), " ", typed)


def typed_suggestions(groups: Iterable[ChoiceGroup]) -> Markup:
    """Render the typed form of all choices as suggestions for the text field."""
    return el("datalist", join(el("option", value=each.words) for _, choices in groups for each in choices), id="typed")


def hand(view: TextView, title: str = "") -> Markup:
    """Render the viewer's hand under a heading (default: `Your hand`).

    It is hidden for spectators and while hands are covered.
    """
    parts = view.say.hand(view.scene)
    return section("hand", title or your_hand(), *map(_part, parts), hidden=not parts)


def seats(view: TextView, clocks: Mapping[int, Markup] | None = None) -> Markup:
    """Render the players with their clocks."""
    rendered = [
        el("div", _part(part), _clock(clocks[seat.number]) if clocks and seat.number in clocks else NOTHING,
           class_=f"seat{' you' if seat.you else ''}")
        for seat, part in zip(view.scene.seats, view.say.seats(view.scene), strict=True)
    ]  # fmt: skip
    return section("seats", say("Players"), *rendered)


def _clock(clock: Markup) -> Markup:
    """Render a clock with its name."""
    before, after = say("Clock: {time}", time=PLACE).split(PLACE)
    return el("p", before, clock, after)


def on_table(view: TextView, about: Markup = NOTHING) -> Markup:
    """Render the table and the last exchange, followed by `about`."""
    return section("on-table", say("Table"), *map(_part, (*view.say.table(view.scene), *view.last)), about)


def descriptions(view: View, version: FeedVersion) -> Markup:
    """Render the places for descriptions: of the moves of the last exchange, and of those on the table."""
    decided = version.decided[-1]
    last = last_exchange(decided)
    numbers = (last.number if last else 0, described_exchange(view, decided))
    return join(description_slot(number) for number in numbers if number)


def section(name: str, title: str, *content: str, **more: object) -> Markup:
    """Render a section of the page with its heading."""
    heading = el("h2", title, id=f"{name}-title", tabindex=-1)
    return el("section", heading, *content, id=name, aria_labelledby=f"{name}-title", **more)


def _part(part: SpokenPart, level: int = 3) -> Markup:
    """Render a part of the table. The viewer's hand gets no heading, because its section already has the same one."""
    title = el(f"h{level}", part.title) if part.title and part.title != your_hand() else NOTHING
    lines = el("ul", join(el("li", line) for line in part.lines), role="list") if part.lines else NOTHING
    if part.folded:
        return el("details", el("summary", part.title), lines)
    children = join(_part(each, level + bool(part.title)) for each in part.parts)
    return title + lines + children + (_places(part) if part.places else NOTHING)


def _places(part: SpokenPart) -> Markup:
    """Render every space of a board as a table for row-by-row navigation."""
    rows = join(
        el("tr", el("th", say("Row {number}", number=number), scope="row"), join(el("td", place) for place in row))
        for number, row in enumerate(part.places, 1)
    )
    caption = el("caption", say("{board}, from the top row down", board=part.title), class_="unseen")
    label = say("All spaces of {board}", board=part.title)
    grid = el("div", el("table", caption, rows), class_="grid", tabindex=0, role="region", aria_label=label)
    return el("details", el("summary", say("All spaces, row by row: {board}", board=part.title)), grid)


# What happened


def lines(sentences: Iterable[AnyText], speaker: SceneSpeaker, tag: str = "p") -> Markup:
    """Render sentences as paragraphs or other elements; results get their own class."""
    return join(el(tag, speaker.spoken(line), class_="result" if is_result(line) else None) for line in sentences)


def stream_event(table: Table, feed: PlayerFeed, viewer: Viewer, version: FeedVersion, *, full: bool = False) -> Markup:
    """Render a stream event: new sentences, new log entries and, if nothing more follows, all sections.

    `full` sends the whole log, for a viewer whose point of view has changed.
    """
    speaker = TableText(table, feed).say
    new_sentences = merge_asides([line for beat in version.beats for line in beat.lines])
    keep, news = feed.news(version, full=full)
    parts = [
        el("div", lines(new_sentences, speaker), class_="told"),
        el("ol", lines(news, speaker, "li"), class_="lines", data_keep=keep),
    ]
    if version.version == feed.version:
        parts += sections(table, feed, viewer)
        parts += [player_list(table, feed, viewer), open_seats(table, feed.viewer, viewer)]
    return join(parts)

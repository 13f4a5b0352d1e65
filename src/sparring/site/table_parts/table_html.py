"""A seat's page from its redacted state: the play area, the log and the controls, and the stream of their changes.

Events are encoded once for all viewers who see the same.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from litestar import get
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter
from litestar.response import Stream
from markupsafe import Markup

from sparring.bots import REPLACEMENT_PREFIX
from sparring.scene import replace
from sparring.scene.html import Advice, Exchange, render
from sparring.scene.markup import NOTHING, el, join
from sparring.scene.moves import has_result, with_trails
from sparring.scene.sentences import AnyText, importance_of, listed, mention, merge_asides, say
from sparring.server.requests.event_stream import CHAT, LATEST, PEOPLE, EventRenderer, encode_event, streamed
from sparring.server.requests.identity import UNSEATED, AnyRequest, CurrentPerson, TablesDep
from sparring.site.table_parts.seat_panel import notices, status_lines, take_back_button
from sparring.site.texts import html_part
from sparring.store.person import Person
from sparring.store.personal_data import DEPARTED
from sparring.tables.play.match_results import change_sentences
from sparring.tables.play.table_view import hint_of, scene_at
from sparring.tables.state.chat_log import ChatFilter
from sparring.tables.state.hint_state import place_of
from sparring.tables.state.player_feed import (
    FeedVersion,
    PlayerFeed,
    described_exchange,
    first_entry_of_sentence,
    headlines,
    last_exchange,
    sentences,
)
from sparring.tables.state.players import Viewer
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table

from . import chat_panel as chat
from .seat_panel import away_seats, open_seats, player_list, seat_notes

#: What a hint is.
EXPLANATION = "A strong bot, knowing only what you know, suggests this. Its best choices:"


def at_rest(table: Table, feed: PlayerFeed, viewer: Viewer) -> Markup:
    """Return the play area at rest, rendered once for all viewers who see the same. `feed` is up to date."""
    key = "at rest", viewer, hand_over_targets(table, viewer)
    return feed.once(key, lambda: scene(table, feed, viewer, feed.latest, 0))


def scene(table: Table, feed: PlayerFeed, viewer: Viewer, version: FeedVersion, number: int) -> Markup:
    """Return the play area at beat `number` of a version; the last beat is the table at rest."""
    beat, resting = version.beats[number], number == len(version.beats) - 1
    latest = resting and version.version == feed.version
    drawn = scene_at(table, feed, beat.view, latest=latest)
    if resting:
        drawn = with_trails(drawn, version.trails)
    markup = render(
        replace(drawn, effects=beat.effects) if beat.effects else drawn, action_url=f"/table/{table.id}/choose",
        version=version.version, names=table.seat_names, animated=beat_lines(feed, version, number),
        events=headlines(feed.log[: version.log[1]]) if resting else (),
        own=version.own and not number, exchange=exchange(feed, version, number),
        tools=tools(table, feed, viewer) if latest else NOTHING,
        hint=advice(table, feed) if latest else None, glossary=table.match.game.glossary,
        clocks=seat_notes(table, viewer), describing=described_exchange(beat.view, version.decided[number]),
    )  # fmt: skip
    if latest:
        markup = _highlighted(markup, table, feed.viewer)
    return table.gallery.with_addresses(markup, f"/table/{table.id}/pictures") if table.gallery.keys else markup


def exchange(feed: PlayerFeed, version: FeedVersion, number: int) -> Exchange | None:
    """Return the last exchange before beat `number` of a version.

    It is hidden while other events are shown, and while a beat shows an exchange of its own.
    """
    last, beat = last_exchange(version.decided[number]), version.beats[number]
    if last is None:
        return None
    is_other = not has_result(beat) or feed.scene_of(beat.view).exchange is not None
    return Exchange(last.area, last.lines, last.number, is_other or last in version.decided[0])


def beat_lines(feed: PlayerFeed, version: FeedVersion, number: int) -> list[AnyText]:
    """Return the lines of a beat; consecutive asides, as about discards, merge into one sentence."""
    lines = merge_asides(version.beats[number].lines)
    first, end = version.log
    previous = [
        line for entry, line in sentences(feed.log[:end], first_entry_of_sentence(feed.log, first)) if entry < first
    ][-1:]
    return previous + lines[1:] if previous and lines and number == 0 else lines


def log_lines(table: Table, sentences: Iterable[AnyText]) -> Markup:
    """Return sentences of a viewer's log."""
    return join(el("li", table.seat_names.marked(line), class_=importance_of(line) or None) for line in sentences)


def tools(table: Table, feed: PlayerFeed, viewpoint: Viewer, *, in_words: bool = False) -> Markup:
    """Return the buttons besides the choices: take back, rematch, hand over the screen."""
    shown, viewer = table.shown, feed.viewer
    controls = notices(table, viewer, table.seat_names)
    if targets := hand_over_targets(table, viewpoint):
        return controls + hand_over(table, targets)
    if shown.over:
        record = el("a", say("Download match"), href=f"/table/{table.id}/record", class_="button", download=True)
        how = "/text" if in_words else ""
        replay = el("a", say("Replay"), href=f"/table/{table.id}/replay{how}", class_="button")
        review = el("button", say("Review"), type="submit", formaction=f"/table/{table.id}/review",
                    aria_description=say("Shows the three costliest choices"))  # fmt: skip
        return (
            rating_lines(table, viewer)
            + rematch(table, viewpoint, how)
            + (NOTHING if in_words else review)
            + replay
            + record
        )
    if viewer and viewer == table.chooser and shown.may_take_back:
        back = el("button", say("Take back"), type="submit", formaction=f"/table/{table.id}/take-back",
                  class_="take-back", data_post="take-back",
                  aria_description=say("Undo your last choice; no one has seen it yet"))  # fmt: skip
        return controls + back + _hint_button(table, viewer)
    if table.will_forfeit(viewer) and feed.scene.forfeit:
        cancel = el("button", say("Cancel forfeit"), type="submit", formaction=f"/table/{table.id}/forfeit",
                    name="forfeit", value="no",
                    aria_description=say("You will forfeit {when}", when=feed.scene.forfeit))  # fmt: skip
        return controls + cancel
    return controls + take_back_button(table, viewer) + _hint_button(table, viewer)


def rating_lines(table: Table, viewer: int) -> Markup:
    """Return the rating changes of a rated match."""
    names = table.seat_names
    return join(el("p", names.marked(line), class_="moved") for line in change_sentences(table, viewer))


def hand_over_targets(table: Table, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats a shared screen can be handed to while all hands are hidden."""
    turn_seat = table.shown.turn_seat
    return () if viewer.seat or (table.bot and turn_seat in viewer.seats) else viewer.can_hand_to(turn_seat)


def hand_over(table: Table, targets: Sequence[int]) -> Markup:
    """Return the prompt to hand over a shared screen; tapping a name shows that player's hand."""
    names = [table.players[seat - 1].name for seat in targets]
    prompt = say("Who is at the screen now?")
    if len(targets) == 1:
        prompt = say("Give the screen to {name}.", name=names[0])
    buttons = join(
        el("button", say("I am {name}", name=name), type="submit", formaction=f"/table/{table.id}/screen",
           name="seat", value=seat, class_="main" if len(targets) == 1 else None, data_post="screen",
           aria_description=say("Shows this player's hand"))
        for seat, name in zip(targets, names, strict=True)
    )  # fmt: skip
    return el("p", prompt, class_="give") + buttons


def rematch(table: Table, viewer: Viewer, how: str = "") -> Markup:
    """Return the button for the rematch, which players take part in, or a link for spectators; `how` is its page."""
    if viewer.seats:
        words = say("Go to the rematch") if table.next else say("Play again")
        return el("button", words, type="submit", formaction=f"/table/{table.id}/again{how}", class_="main",
                  data_post="again",
                  aria_description=say("Same players and options; everyone moves along one seat"))  # fmt: skip
    if table.next:
        return el("a", say("Go to the rematch"), href=f"/table/{table.next}{how}", class_="button main")
    return NOTHING


def event(table: Table, feed: PlayerFeed, viewer: Viewer, version: FeedVersion, *, full: bool = False) -> Markup:
    """Return an event: the play area at each beat and at rest, the changed part of the log, and the players.

    `full`: send the whole log, because the viewer's seat has changed.
    """
    scenes = [scene(table, feed, viewer, version, number) for number in range(len(version.beats))]
    keep, news = feed.news(version, full=full)
    lines = el("ol", log_lines(table, news), class_="lines", data_keep=keep)
    return join([*scenes, lines, player_list(table, feed, viewer), open_seats(table, feed.viewer, viewer)])


def status_line(table: Table, viewer: Viewer, presence: Presence) -> Markup:
    """Return the status line: who is away or back, and how many spectators there are.

    What the seats also show is marked (`on-seats`), so that the bar of a table can omit it.
    """
    present, seated = presence.people(), dict[str, list[str]]()
    for player in table.players_seen_by(viewer):
        if player.person and not player.person.startswith(DEPARTED):
            seated.setdefault(player.person, []).append(player.name)
    own_id = table.players[viewer.seats[0] - 1].person if viewer.seats else ""
    away = [name for person, names in seated.items() if person not in present | {own_id} for name in names]
    watching = len(present - set(seated)) - (not viewer.seats)
    back = seated.get(presence.back, []) if presence.back != own_id else []
    on_seats = [say("{names} is away.", "{names} are away.", n=len(away), names=listed(away))] if away else []
    hinted = [
        say("{who} uses hints.", who=mention(seat - 1)) for seat in sorted({each.seat for each in table.hints.taken})
    ]
    on_seats += map(table.seat_names.text, [*status_lines(table), *hinted])
    status = [say("{n} spectator.", "{n} spectators.", n=watching)] if watching > 0 else []
    status += [
        say("{name} plays at random: its program failed.", name=player.name)
        for player in table.players
        if player.bot.startswith(REPLACEMENT_PREFIX)
    ]
    news = [say("{names} is back.", "{names} are back.", n=len(back), names=listed(back))] if back else []
    news += [str(presence.sentence)] if presence.sentence else []
    news_markup = el("span", f"{' '.join(news)} ", class_="passing") if news else NOTHING
    seats_markup = el("span", " ".join(on_seats), class_="on-seats") if on_seats else NOTHING
    return el(
        "p", news_markup, seats_markup, " " if on_seats and status else "", " ".join(status), id="people",
        class_="people", role="status", title=" ".join([*on_seats, *status]) or None,
        data_missing=" ".join(map(str, away_seats(table, viewer, presence))) or None,
    )  # fmt: skip


def _highlighted(scene: Markup, table: Table, viewer: int) -> Markup:
    """Mark the suggested choice in the scene with `data-hinted`, while the viewer sees a hint."""
    given = hint_of(table, viewer)
    if not given:
        return scene
    button = f'name="choice" value="{given.promises[0].action}"'
    return Markup(str.replace(str(scene), button, f"{button} data-hinted"))  # Markup.replace would escape it


def _hint_button(table: Table, viewer: int) -> Markup:
    """Return the hint button, if the viewer may ask for a hint and hasn't."""
    if not table.settings.hints or not viewer or viewer != table.chooser or hint_of(table, viewer):
        return NOTHING
    return el("button", say("Get hint"), type="submit", formaction=f"/table/{table.id}/hint", data_post="hint",
              aria_description=say("A strong bot rates your choices; everyone sees that you asked"))  # fmt: skip


def advice(table: Table, feed: PlayerFeed) -> Advice | None:
    """Return the hint that a viewer sees, if any."""
    given = hint_of(table, feed.viewer)
    if not given:
        return None
    names, scene = table.seat_names, feed.scene_of(feed.view)
    shown = given.lines(scene)
    lines = [el("li", el("b", names.marked(text)), f" {worth}", el("small", f" {sure}")) for text, worth, sure in shown]
    details = el(
        "details", el("summary", say("Details")), el("p", say(EXPLANATION)), el("ol", join(lines), role="list")
    )
    place = place_of(scene, given.promises[0].action)
    values = {"choice": names.marked(shown[0][0]), "place": names.marked(place)}
    sentence = html_part("Hint: <b>{choice}</b>.", **values)
    if place:
        sentence = html_part("Hint: <b>{choice}</b> ({place}).", **values)
    return Advice(sentence, names.marked(given.reason) if given.reason else NOTHING, details)


def html_renderer(name: str, draw: Callable[..., str]) -> EventRenderer:
    """Return a renderer for a kind of page, whose events `draw` makes."""

    def encoded(table: Table, feed: PlayerFeed, viewer: Viewer, update: FeedVersion | None, full: bool) -> bytes:
        key = name, (update.version, update.log[0]) if update else None, viewer, full

        def rendered() -> bytes:
            version = update or feed.latest
            html = draw(table, feed, viewer, version, full=full)
            return encode_event(html, "" if update else LATEST, version.version)

        return feed.once(key, rendered)

    return EventRenderer(encoded, _people, _chat)


def _people(table: Table, feed: PlayerFeed, viewer: Viewer, presence: Presence) -> bytes:
    """Render the presence."""
    key = "people", presence.changes, viewer
    return feed.once(key, lambda: encode_event(status_line(table, viewer, presence), PEOPLE))


def _chat(table: Table, person: Person, chat_filter: ChatFilter, since: int, full: bool) -> bytes:
    """Render the chat since a version, as one person sees it."""
    return encode_event(chat.changes_since(table, person, chat_filter, since, full=full), CHAT)


#: The renderer of the graphical page.
PAGE = html_renderer("table", event)


@get("/table/{table_id:str}/events", opt=UNSEATED)
async def events(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False, seat: FromQuery[int | None] = None,
    chat_version: Annotated[int, QueryParameter(name="chat")] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> Stream:  # fmt: skip
    """Stream a table's events to a person who has seen a version of it (0: none), from a seat if given.

    The id of an event is the version; its data are the play area at every beat and at rest, and new lines of the log. A
    viewer who was away (a reconnecting browser sends the header) gets the current table first, with every line of the
    log; then every version in order.
    """
    return await streamed(request, person, tables, table_id, (version, away), last, PAGE, seat, chat_version)

"""Render the parts of a seat's page from its redacted state: play area, log, controls and list of players."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup

from sparring.bots import REPLACEMENT_PREFIX, title
from sparring.engine.game import Box
from sparring.scene import replace
from sparring.scene.descriptions import has_result
from sparring.scene.html import Exchange, render
from sparring.scene.last_move import with_trails
from sparring.scene.markup import NOTHING, el, join
from sparring.scene.sentences import importance_of, listed, merge_asides
from sparring.store.personal_data import DEPARTED
from sparring.tables.play import hint_actions as hints
from sparring.tables.play.table_view import scene_at
from sparring.tables.results.match_results import change_sentences
from sparring.tables.state.player_feed import (
    FeedVersion,
    PlayerFeed,
    described_exchange,
    first_entry_of_sentence,
    headlines,
    last_exchange,
    sentences,
)
from sparring.tables.state.players import Player, Presence, Viewer
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import KNOWN_DEAL

from .clock_panel import forms, notices, take_back_button
from .clock_panel import status_lines as clock_status_lines
from .invitations import open_seats, seat_forms
from .seat_notes import away_seats, seat_notes


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
        hint=hints.advice(table, feed.viewer) if latest else None, glossary=table.match.game.glossary,
        clocks=seat_notes(table, viewer), describing=described_exchange(beat.view, version.decided[number]),
    )  # fmt: skip
    if latest:
        markup = hints.highlighted(markup, table, feed.viewer)
    return table.gallery.with_addresses(markup, f"/table/{table.id}/pictures")


def exchange(feed: PlayerFeed, version: FeedVersion, number: int) -> Exchange | None:
    """Return the last exchange before beat `number` of a version.

    It is hidden while other events are shown, and while a beat shows an exchange of its own.
    """
    last, beat = last_exchange(version.decided[number]), version.beats[number]
    if last is None:
        return None
    is_other = not has_result(beat) or feed.scene_of(beat.view).exchange is not None
    return Exchange(last.area, last.lines, last.number, is_other or last in version.decided[0])


def beat_lines(feed: PlayerFeed, version: FeedVersion, number: int) -> list[str]:
    """Return the lines of a beat; consecutive asides, as about discards, merge into one sentence."""
    lines = merge_asides(version.beats[number].lines)
    first, end = version.log
    previous = [
        line for entry, line in sentences(feed.log[:end], first_entry_of_sentence(feed.log, first)) if entry < first
    ][-1:]
    return previous + lines[1:] if previous and lines and number == 0 else lines


def log_lines(table: Table, sentences: Iterable[str]) -> Markup:
    """Return sentences of a viewer's log."""
    return join(el("li", table.seat_names.marked(line), class_=importance_of(line)) for line in sentences)


def tools(table: Table, feed: PlayerFeed, viewpoint: Viewer, *, in_words: bool = False) -> Markup:
    """Return the buttons besides the choices: take back, rematch, hand over the screen."""
    shown, viewer = table.shown, feed.viewer
    controls = notices(table, viewer, table.seat_names)
    if targets := hand_over_targets(table, viewpoint):
        return controls + hand_over(table, targets)
    if shown.over:
        record = el("a", "Download match", href=f"/table/{table.id}/record", class_="button", download=True)
        how = "/text" if in_words else ""
        replay = el("a", "Replay", href=f"/table/{table.id}/replay{how}", class_="button")
        review = el("button", "Review", type="submit", formaction=f"/table/{table.id}/review",
                    aria_description="Shows the three costliest choices")  # fmt: skip
        return (
            rating_lines(table, viewer)
            + rematch(table, viewpoint, how)
            + (NOTHING if in_words else review)
            + replay
            + record
        )
    if viewer and viewer == table.chooser and shown.may_take_back:
        back = el("button", "Take back", type="submit", formaction=f"/table/{table.id}/take-back", class_="take-back",
                  data_post="take-back", aria_description="Undo your last choice; no one has seen it yet")  # fmt: skip
        return controls + back + hints.controls(table, viewer)
    if table.will_forfeit(viewer) and feed.scene.forfeit:
        cancel = el("button", "Cancel forfeit", type="submit", formaction=f"/table/{table.id}/forfeit",
                    name="forfeit", value="no", aria_description=f"You will forfeit {feed.scene.forfeit}")  # fmt: skip
        return controls + cancel
    return controls + take_back_button(table, viewer) + hints.controls(table, viewer)


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
    prompt = f"Give the screen to {names[0]}." if len(targets) == 1 else "Who is at the screen now?"
    buttons = join(
        el("button", f"I am {name}", type="submit", formaction=f"/table/{table.id}/screen", name="seat", value=seat,
           class_="main" if len(targets) == 1 else None, data_post="screen",
           aria_description="Shows this player's hand")
        for seat, name in zip(targets, names, strict=True)
    )  # fmt: skip
    return el("p", prompt, class_="give") + buttons


def rematch(table: Table, viewer: Viewer, how: str = "") -> Markup:
    """Return the button for the rematch, which players take part in, or a link for spectators; `how` is its page."""
    if viewer.seats:
        words = "Go to the rematch" if table.next else "Play again"
        return el("button", words, type="submit", formaction=f"/table/{table.id}/again{how}", class_="main",
                  data_post="again",
                  aria_description="Same players and options; everyone moves along one seat")  # fmt: skip
    if table.next:
        return el("a", "Go to the rematch", href=f"/table/{table.next}{how}", class_="button main")
    return NOTHING


def event(table: Table, feed: PlayerFeed, viewer: Viewer, version: FeedVersion, *, full: bool = False) -> Markup:
    """Return an event: the play area at each beat and at rest, the changed part of the log, and the players.

    `full`: send the whole log, because the viewer's seat has changed.
    """
    scenes = [scene(table, feed, viewer, version, number) for number in range(len(version.beats))]
    keep, news = feed.news(version, full=full)
    lines = el("ol", log_lines(table, news), class_="lines", data_keep=keep)
    return join([*scenes, lines, player_list(table, feed, viewer), open_seats(table, feed.viewer, viewer)])


def player_list(table: Table, feed: PlayerFeed, viewpoint: Viewer) -> Markup:
    """Return the list of players with the controls that belong to it."""
    over, viewer = table.shown.over, feed.viewer
    shared = share(table, viewpoint) if viewpoint.shares and not over else NOTHING
    players = _seated(table.id, table.players_seen_by(viewpoint), viewpoint, table.match.box, over)
    time_forms = forms(table, viewer, table.seat_names, forfeit(table, feed), forfeits=table.will_forfeit(viewer))
    known = el("p", KNOWN_DEAL, class_="small") if table.known_deal and not over else NOTHING
    return el("div", players, known, shared, time_forms, id="sitting", data_seat=viewpoint.seat)


@lru_cache(maxsize=1024)
def _seated(table: str, players: Sequence[Player], viewer: Viewer, box: Box, over: bool) -> Markup:
    """Return the list alone, cached since it only changes when a player does."""

    def line(seat: int, player: Player) -> Markup:
        kept = " for a player of the last match" if player.offered else ""
        name = el("span", f"open{kept}", class_="soft") if player.open else el("b", player.name)
        if seat in viewer.seats:
            note = " (you)" if seat == viewer.seat else " (on this device)"
        else:
            beside = [each.name for each in players if each is not player and player.person == each.person != ""]
            note = f" (on the same device as {listed(beside)})" if beside else _bot(player, box, len(players))
        forms = NOTHING if over else seat_forms(table, seat, player, viewer, box)
        stays = player.person and not player.person.startswith(DEPARTED)
        asks = viewer.seats and seat not in viewer.seats and stays and not player.bot_of
        return el("li", name, note, _friend_form(table, seat, player) if asks else NOTHING, forms)

    return el("ol", join(line(seat, player) for seat, player in enumerate(players, 1)), class_="sitting")


def _friend_form(table: str, seat: int, player: Player) -> Markup:
    """Return the form that sends another player a friend request."""
    button = el("button", "Add friend", name="seat", value=seat, aria_label=f"Add {player.name} as a friend")
    return el("form", button, method="post", action=f"/table/{table}/friend", class_="seat-form")


def _bot(player: Player, box: Box, seats: int) -> str:
    """Return which bot it is, or whose program."""
    if player.bot_of:
        return f", bot of {player.bot_of}"
    return f", {title(player.bot, box, seats)}" if player.bot else ""


def share(table: Table, viewer: Viewer) -> Markup:
    """Return the form to hide the hand on a shared screen."""
    explanation = "Several of you share this screen. Each hand stays hidden until its owner taps their name."
    hide = el("button", "Hide hand", name="seat", value=0) if viewer.seat else NOTHING
    return el("form", el("p", explanation), hide, method="post", action=f"/table/{table.id}/screen", class_="forfeit")


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
    back = listed(seated.get(presence.back, [])) if presence.back != own_id else ""
    on_seats = [f"{listed(away)} {'is' if len(away) == 1 else 'are'} away."] if away else []
    on_seats += map(table.seat_names.text, [*clock_status_lines(table), *hints.status_lines(table)])
    status = [f"{watching} {'spectator' if watching == 1 else 'spectators'}."] if watching > 0 else []
    status += [
        f"{player.name} plays at random: its program failed."
        for player in table.players
        if player.bot.startswith(REPLACEMENT_PREFIX)
    ]
    news = [f"{back} {'is' if len(seated[presence.back]) == 1 else 'are'} back."] if back else []
    news += [presence.sentence] if presence.sentence else []
    news_markup = el("span", f"{' '.join(news)} ", class_="passing") if news else NOTHING
    seats_markup = el("span", " ".join(on_seats), class_="on-seats") if on_seats else NOTHING
    return el(
        "p", news_markup, seats_markup, " " if on_seats and status else "", " ".join(status), id="people",
        class_="people", role="status", title=" ".join([*on_seats, *status]) or None,
        data_missing=" ".join(map(str, away_seats(table, viewer, presence))) or None,
    )  # fmt: skip


def forfeit(table: Table, feed: PlayerFeed) -> Markup:
    """Return the form to set or cancel a standing forfeit, in games that have one."""
    when = feed.scene.forfeit if feed.viewer else ""
    if not when:
        return NOTHING
    standing = table.will_forfeit(feed.viewer)
    words = "Cancel forfeit" if standing else f"Forfeit {when}"
    button = el("button", words, name="forfeit", value="no" if standing else "yes")
    status = el("p", f"You will forfeit {when}.") if standing else NOTHING
    return el("form", status, button, method="post", action=f"/table/{table.id}/forfeit", class_="forfeit")

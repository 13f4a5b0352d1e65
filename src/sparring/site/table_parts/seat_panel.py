"""Seats: their notes and clocks, the list of players, and what to do with an open seat.

An open seat has its link, its QR code, and forms for bots and for friends on the same screen.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from markupsafe import Markup

from sparring.bots import STRENGTHS, title
from sparring.engine.game import Box
from sparring.people.identity import LONGEST_NAME
from sparring.scene.markup import NOTHING, el, join, void
from sparring.scene.sentences import listed
from sparring.store.personal_data import DEPARTED
from sparring.tables.seats.seating import bot_names, is_makers_seat
from sparring.tables.state.clock_state import Why
from sparring.tables.state.player_feed import PlayerFeed
from sparring.tables.state.players import Player, Viewer
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import KNOWN_DEAL

from .clock_panel import clock_views, forms

#: What a seat shows after its player has left the match.
LEFT: dict[Why, str] = {
    "gave up": "gave up, bot playing", "time": "out of time, bot playing", "away": "away too long, bot playing",
}  # fmt: skip
#: The width of the light border that scanners need around a QR code, in modules.
BORDER = 4
#: The note on a public table that waits for players.
LISTED = "This table is listed on the start page."


def seat_notes(table: Table, viewer: Viewer) -> Mapping[int, Markup]:
    """Return what to show on each seat besides its scene, as `viewer` sees it.

    The note that a player is away is always there; `seat_notes.css` shows it while `away_seats` names the seat, since
    presence changes without a new version of the table.
    """
    clocks, hinted = clock_views(table), {taken.seat for taken in table.hints.taken}
    if table.shown.over:
        return clocks
    notes = {left.seat: _notes(el("em", LEFT[left.why], class_="note")) for left in table.ended.left}
    for seat, player in enumerate(table.players_seen_by(viewer), 1):
        if not player.person or seat in table.ended.seats:
            continue
        absent = seat in table.clocks.absent
        lines = [
            el("em", "away, bot playing", class_="note") if absent else NOTHING,
            el("em", "away", class_="note away") if seat != viewer.seat and not absent else NOTHING,
            el("em", "uses hints", class_="note") if seat in hinted else NOTHING,
        ]
        notes[seat] = clocks.get(seat, NOTHING) + _notes(join(lines))
    return notes


def _notes(lines: Markup) -> Markup:
    return el("span", lines, class_="notes") if lines else NOTHING


def away_seats(table: Table, viewer: Viewer, presence: Presence) -> list[int]:
    """Return the seats of people who don't have the table open, except the viewer's own."""
    present = presence.people()
    return [
        seat for seat, player in enumerate(table.players_seen_by(viewer), 1)
        if player.person and player.person not in present and seat not in viewer.seats
    ]  # fmt: skip


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


def open_seats(table: Table, viewer: int, viewpoint: Viewer) -> Markup:
    """Return which seats are open, whether the match waits for one, and what the viewer can do; empty if none are."""
    seats = [seat for seat, player in enumerate(table.players_seen_by(viewpoint), 1) if player.open]
    if not seats or table.shown.over:
        return el("div", id="open-seats", data_waiting="none")
    next_index = int(table.feed(viewer).view.state.player)  # as this viewer knows it
    waiting = table.players[next_index].open
    words = f"{listed([f'seat {seat}' for seat in seats]).capitalize()} {'is' if len(seats) == 1 else 'are'} open."
    if viewpoint.host and table.challenge:
        name, declined = table.challenge.name, table.challenge.declined
        words = f"{name} declined your challenge." if declined else f"Waiting for {name}."
        words += f" You can {'' if declined else 'also '}send this link to another friend."
    elif viewpoint.seats and all(table.players[seat - 1].offered for seat in seats):
        words = "Waiting for the players of the last match."
    elif viewpoint.seats:
        words += f" {LISTED} You can also send" if table.settings.public else " Send"
        words += " this link to a friend."
    seat = next_index + 1 if waiting else seats[0]
    forms = seat_forms(table.id, seat, table.players[seat - 1], viewpoint, table.match.box)
    return el("div", el("p", words), forms, id="open-seats", data_waiting="here" if waiting else "elsewhere")


def seat_forms(table: str, seat: int, player: Player, viewer: Viewer, box: Box) -> Markup:
    """Return what a viewer can do with a seat: give it to a bot, open it, or seat a friend on the same screen."""
    if is_makers_seat(player, box):
        return NOTHING
    forms = []
    if viewer.host and player.open:
        bots = join(
            el("option", words, value=bot, selected=bot == STRENGTHS[1]) for bot, words in bot_names(box.game).items()
        )
        forms.append((f"/table/{table}/seats", el("select", bots, name="bot", aria_label=f"Bot for seat {seat}"),
                      el("button", "Add bot")))  # fmt: skip
    if viewer.host and player.bot:
        forms.append((f"/table/{table}/seats", NOTHING, el("button", "Remove bot")))
    if viewer.seats and player.open:
        name = void("input", name="local_player", required=True, maxlength=LONGEST_NAME, autocomplete="off",
                    placeholder="Friend's name", aria_label=f"Friend in seat {seat}, on this device")  # fmt: skip
        forms.append((f"/table/{table}/sit", name, el("button", "Add friend on this device")))
    return join(
        el("form", void("input", type="hidden", name="seat", value=seat), field, button, method="post", action=address,
           class_="seat-form")
        for address, field, button in forms
    )  # fmt: skip


@lru_cache(maxsize=64)
def qr_code(link: str) -> Markup:
    """Return the link as a QR code, dark on light in every theme."""
    from segno import make  # loaded on demand: only tables with an open seat need it

    rows = [[bool(module) for module in row] for row in make(link, error="m", micro=False).matrix]
    size = len(rows) + 2 * BORDER
    path = "".join(
        f"M{x + BORDER},{y + BORDER}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return el(
        "svg", el("rect", width=size, height=size, fill="#fff"), el("path", d=path, fill="#000"),
        viewBox=f"0 0 {size} {size}", role="img", aria_label="The link as a QR code", class_="qr",
    )  # fmt: skip

"""Invitations to an open seat: the link, its QR code, and forms for bots and for friends on the same screen."""

from functools import lru_cache

from markupsafe import Markup

from sparring.bots import STRENGTHS
from sparring.engine.game import Box
from sparring.people.identity import LONGEST_NAME
from sparring.scene.markup import NOTHING, el, join, void
from sparring.scene.sentences import listed
from sparring.tables.play.seating import bot_names, is_makers_seat
from sparring.tables.state.players import Player, Viewer
from sparring.tables.state.table import Table

#: The width of the light border that scanners need around a QR code, in modules.
BORDER = 4


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


#: The note on a public table that waits for players.
LISTED = "This table is listed on the start page."


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

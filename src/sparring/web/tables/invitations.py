"""An open seat says what to do: the link for friends, to send and to point a telephone at, and who else may sit."""

from functools import lru_cache

from markupsafe import Markup

from sparring.engine.game import Game
from sparring.scene.markup import NOTHING, el, join, void
from sparring.scene.sentences import listed
from sparring.web.identity import LONGEST_NAME

from .players import Player
from .seating import bot_names
from .shared_screens import Viewer
from .table import Table

#: The light border that a telephone needs around the pattern, in modules.
BORDER = 4


def open_seats(table: Table, viewer: int, looker: Viewer) -> Markup:
    """Which seats are open, whether the table waits for one of them, and what can be done; empty when all are taken."""
    seats = [seat for seat, sitter in enumerate(table.sitters, 1) if sitter.open]
    if not seats or table.shown.over:
        return el("div", id="open-seats", data_waiting="none")
    waited_for = int(table.sight(viewer).view.state.player)  # as this viewer knows it
    waiting = table.sitters[waited_for].open
    words = f"{listed([f'seat {seat}' for seat in seats]).capitalize()} {'is' if len(seats) == 1 else 'are'} open."
    if looker.seats:
        words += f" {LISTED} Or send" if table.terms.public else " Send"
        words += " this link to a friend."
    seat = waited_for + 1 if waiting else seats[0]
    forms = seat_forms(table.id, seat, table.sitters[seat - 1], looker, table.match.game)
    return el("div", el("p", words), forms, id="open-seats", data_waiting="here" if waiting else "elsewhere")


#: What is said of a public table that waits.
LISTED = "Anybody can find it on the start page."


def seat_forms(table: str, seat: int, sitter: Player, looker: Viewer, game: Game) -> Markup:
    """What somebody who looks can do with a seat: give it to a bot, open it, have a friend beside them take it."""
    forms = []
    if looker.host and sitter.open:
        bots = join(el("option", words, value=bot) for bot, words in bot_names(game).items())
        forms.append((f"/table/{table}/seats", el("select", bots, name="bot", aria_label=f"A bot for seat {seat}"),
                      el("button", "Give to a bot")))  # fmt: skip
    if looker.host and sitter.bot:
        forms.append((f"/table/{table}/seats", NOTHING, el("button", "Open this seat")))
    if looker.seats and sitter.open:
        name = void("input", name="beside", required=True, maxlength=LONGEST_NAME, autocomplete="off",
                    placeholder="Name of a friend", aria_label=f"Who takes seat {seat} at this screen")  # fmt: skip
        forms.append((f"/table/{table}/sit", name, el("button", "Plays at this screen")))
    return join(
        el("form", void("input", type="hidden", name="seat", value=seat), field, button, method="post", action=address,
           class_="seat-form")
        for address, field, button in forms
    )  # fmt: skip


@lru_cache(maxsize=64)
def qr_code(link: str) -> Markup:
    """The link as a picture for a telephone's camera: dark squares on a light ground, whatever the page's colours."""
    from segno import make  # only a table with an open seat needs it

    rows = [[bool(module) for module in row] for row in make(link, error="m", micro=False).matrix]
    size = len(rows) + 2 * BORDER
    path = "".join(
        f"M{x + BORDER},{y + BORDER}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return el(
        "svg", el("rect", width=size, height=size, fill="#fff"), el("path", d=path, fill="#000"),
        viewBox=f"0 0 {size} {size}", role="img", aria_label="The link as a QR code", class_="qr",
    )  # fmt: skip

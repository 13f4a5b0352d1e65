"""An open seat says what to do: the link for friends, to send and to point a telephone at."""

from functools import lru_cache

from markupsafe import Markup

from sparring.scene.markup import el
from sparring.scene.sentences import listed

from .table import Table

#: The light border that a telephone needs around the pattern, in modules.
BORDER = 4


def open_seats(table: Table, viewer: int) -> Markup:
    """Which seats are open, and whether the table waits for one of them; empty when all are taken."""
    seats = [f"seat {seat}" for seat, sitter in enumerate(table.sitters, 1) if sitter.open]
    if not seats or table.shown.over:
        return el("p", id="open-seats", data_waiting="none")
    waited_for = int(table.sight(viewer).view.state.player)  # as this viewer knows it
    waiting = table.sitters[waited_for].open
    words = f"{listed(seats).capitalize()} {'is' if len(seats) == 1 else 'are'} open."
    todo = " Send this link to a friend." if viewer else ""
    return el("p", words + todo, id="open-seats", data_waiting="here" if waiting else "elsewhere")


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

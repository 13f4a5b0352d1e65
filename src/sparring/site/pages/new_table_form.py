"""The form for a new table, from a game's declarations and the table settings, and the way back to its studio set.

A table keeps only the content of a set. The cookie names that content, so that a rematch leads back too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from litestar.response import Redirect

from sparring.bots import STRENGTHS
from sparring.engine.errors import BadOption
from sparring.engine.game import Game
from sparring.engine.options import NumberOption, Option
from sparring.server.requests.identity import YEAR, AnyRequest
from sparring.server.requests.pages import is_page
from sparring.settings import DAY
from sparring.store.person import Person
from sparring.tables.seating import FRIEND, ME, NO_BOTS, OPEN, bot_names, read_options, read_players
from sparring.tables.state.players import MINE, Player
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import CLOCKS, LONGEST_FIELD, TableSettings, picked

#: What happens when the player to move is away.
ABSENCE: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("wait for them", {}),
    "bot 2 minutes": ("a bot takes over after 2 minutes", {"away": 120, "then": "bot"}),
    "bot 10 minutes": ("a bot takes over after 10 minutes", {"away": 600, "then": "bot"}),
    "bot 1 day": ("a bot takes over after a day", {"away": DAY, "then": "bot"}),
    "lost 2 minutes": ("they lose after 2 minutes", {"away": 120, "then": "lost"}),
    "lost 10 minutes": ("they lose after 10 minutes", {"away": 600, "then": "lost"}),
    "lost 1 day": ("they lose after a day", {"away": DAY, "then": "lost"}),
}

#: Chat: form value, label and table settings.
CHAT: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("free chat (preset phrases at public tables)", {}),
    "free": ("free chat", {"chat": "free"}),
    "words": ("preset phrases only", {"chat": "words"}),
    "nothing": ("off", {"chat": "nothing"}),
}

#: Match types: form value, label and table settings.
MATCH_TYPES: dict[str, tuple[str, dict[str, Any]]] = {
    "": ("casual, hints against bots", {}),
    "hints": ("casual, hints allowed", {"hints": True}),
    "plain": ("casual, no hints", {"hints": False}),
    "rated": ("rated", {"rated": True}),
}
#: Fields of the form: name, label, and (value, label) choices.
SETTING_FIELDS = [
    (name, heading, [(value, words) for value, (words, _) in offered.items()])
    for name, heading, offered in (
        ("clock", "Time control", CLOCKS), ("away", "If a player is away", ABSENCE),
        ("counting", "Match type", MATCH_TYPES),
    )
]  # fmt: skip
#: The value of a seat that stays empty.
SPECTATOR = ""


def read_chat(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the chat settings of a submitted form."""
    return {**picked(CHAT, form.get("chat", ""), "chat setting"), "spectators_chat": form.get("spectators") == "chat"}


def read_clock(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the clock and absence settings of a submitted form."""
    away = picked(ABSENCE, form.get("away", ""), "setting for absent players")
    return {**picked(CLOCKS, form.get("clock", "")), **away}


def read_match_type(form: Mapping[str, str], players: Sequence[Player]) -> dict[str, Any]:
    """Return the match type of a submitted form: rated or casual, with or without hints."""
    chosen = form.get("counting", "")
    return picked(MATCH_TYPES, chosen, "match type") or {"hints": only_bots_against_one(players)}


def only_bots_against_one(players: Sequence[Player]) -> bool:
    """Return whether one person plays against bots only."""
    return sum(not player.bot for player in players) == 1 and any(player.person for player in players)


@dataclass(frozen=True)
class NewTableForm:
    """A parsed form: players by seat, options and table settings. `person` is the host, with a name if they play."""

    players: list[Player]
    options: dict[str, Any]
    person: Person = field(default_factory=Person)
    settings: TableSettings = field(default_factory=TableSettings)


def seat_choices(game: Game, seat: int, own: Mapping[str, Person] = NO_BOTS) -> list[tuple[str, str]]:
    """Return the (value, label) choices for a seat (counted from 1), with the host's own bots last."""
    empty = [] if seat <= min(game.seats) else [(SPECTATOR, "empty")]
    friend = (FRIEND, "friend on this device")
    mine = [(MINE + name, f"{name}, your bot") for name in own]
    return [*empty, (ME, "me"), friend, (OPEN, "open seat"), *bot_names(game).items(), *mine]


def initial_values(game: Game) -> dict[str, str]:
    """Return the form's initial values: the host against the weakest bots that search, in the smallest match."""
    opponent = STRENGTHS[1]
    return {f"seat{seat}": ME if seat == 1 else opponent for seat in range(1, min(game.seats) + 1)}


def read_form(game: Game, form: Mapping[str, str], person: Person, own: Mapping[str, Person] = NO_BOTS) -> NewTableForm:
    """Parse a submitted form. `own` maps the names of the person's own bots to their identities.

    Raises a SparringError that names the wrong field.
    """
    if any(len(value) > LONGEST_FIELD for value in form.values()):
        raise BadOption("One of these fields is too long. Please shorten it.")
    chosen = {seat: form.get(f"seat{seat}", SPECTATOR) for seat in range(1, max(game.seats) + 1)}
    seats = [
        f"{FRIEND}:{form.get(f'name{seat}', '')}" if value.startswith(FRIEND) else value
        for seat, value in chosen.items() if value != SPECTATOR
    ]  # fmt: skip
    public = form.get("found") == "public"
    players, host = read_players(game, seats, person, own, name=form.get("name", ""), public=public)
    settings = TableSettings(public=public, **read_match_type(form, players), **read_clock(form), **read_chat(form))
    given = {name.removeprefix("option."): value for name, value in form.items() if name.startswith("option.")}
    return NewTableForm(players, read_options(game, form.get("preset", ""), given), host, settings)


def is_number(option: Option) -> bool:
    """Return whether the form shows an option as a number field rather than a list."""
    return isinstance(option, NumberOption)


#: The cookie with the last set that this browser played with, and its largest size.
COOKIE, LONGEST = "set", 300


def to_table(table: Table, address: str, response: Redirect | None = None) -> Redirect:
    """Redirect to a new table, and remember the address of its set's page."""
    response = response or Redirect(f"/table/{table.id}", status_code=303)
    value = urlencode({"content": table.content, "page": address})
    response.set_cookie(COOKIE, value, max_age=YEAR, path="/table", samesite="lax", httponly=True)
    return response


def set_page_of(request: AnyRequest, table: Table) -> str:
    """Return the address of the set that a table was created with from this browser; empty if there is none."""
    found = dict(parse_qsl(request.cookies.get(COOKIE, "")[:LONGEST]))
    address = found.get("page", "")
    known = address.startswith("/studio/") and is_page(request.app, address)
    return address if known and found.get("content") == table.content else ""

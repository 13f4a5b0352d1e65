"""The form for a new table: build its fields from a game's declarations, and parse its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sparring.bots import STRENGTHS
from sparring.engine.errors import BadOption
from sparring.engine.game import Game
from sparring.engine.options import NumberOption, Option
from sparring.store.person import Person
from sparring.tables.play.new_players import FRIEND, ME, NO_BOTS, OPEN, read_options, read_players
from sparring.tables.play.seating import bot_names
from sparring.tables.state.players import MINE, Player
from sparring.tables.state.table_settings import LONGEST_FIELD, TableSettings

from .table_settings_form import read_chat, read_clock, read_match_type

#: The value of a seat that stays empty.
SPECTATOR = ""


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

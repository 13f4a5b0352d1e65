"""The form for a new table: build its fields from a game's declarations, and parse its values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sparring.bots import STRENGTHS, free_name, parse
from sparring.engine.errors import BadOption
from sparring.engine.game import STANDARD, Game
from sparring.engine.options import NumberOption, Option
from sparring.people.identity import GUEST_NAME, BadName, read_name, with_id, with_name
from sparring.store.person import STRANGER, Person
from sparring.tables.play.seating import bot_names, check_bot, check_names
from sparring.tables.state.players import MINE, Player
from sparring.tables.state.table_settings import LONGEST_FIELD, TableSettings

from .table_settings_form import read_chat, read_clock, read_match_type

ME, FRIEND, OPEN, SPECTATOR = "me", "beside", "open", ""
NO_BOTS: Mapping[str, Person] = {}


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
    chosen = [form.get(f"seat{seat}", SPECTATOR) for seat in range(1, max(game.seats) + 1)]
    if any(len(value) > LONGEST_FIELD for value in form.values()):
        raise BadOption("One of these fields is too long. Please shorten it.")
    taken = {seat: seated for seat, seated in enumerate(chosen, 1) if seated != SPECTATOR}
    game.check_seats(len(taken))
    for seated in taken.values():
        if seated not in (ME, FRIEND, OPEN, *(MINE + name for name in own)):
            check_bot(game, seated)
    if list(taken.values()).count(ME) > 1:
        raise BadOption("You can only take one seat. Leave the others open, or give them to friends or bots.")
    named, seated_as = form.get("name", "").strip(), set(taken.values())
    alone = ME in seated_as and not {OPEN, FRIEND} & seated_as and form.get("found") != "public"
    if named or ({ME, FRIEND} & seated_as and not alone):
        person = with_name(person, named)
    player = replace(with_id(person), name=person.name or GUEST_NAME) if alone else person  # alone with bots: no name
    friends = [_friend_name(form, seat) for seat, seated in taken.items() if seated == FRIEND]
    check_names([*friends, player.name] if ME in taken.values() else friends)
    players = players_for(list(taken.values()), player, own, friends)
    settings = TableSettings(
        public=form.get("found") == "public", **read_match_type(form, players), **read_clock(form), **read_chat(form)
    )
    return NewTableForm(players, read_options(game, form), replace(person, id=player.id), settings)


def _friend_name(form: Mapping[str, str], seat: int) -> str:
    """Return the name of the friend who shares this screen in `seat`."""
    if not form.get(f"name{seat}", "").strip():
        raise BadName(f"Please enter the name of the friend in seat {seat}.")
    return read_name(form[f"name{seat}"])


def players_for(
    values: Sequence[str], person: Person = STRANGER, own: Mapping[str, Person] = NO_BOTS, friends: Sequence[str] = ()
) -> list[Player]:
    """Return the players for seat values: `me`, `beside`, `open`, `mine:NAME` or a bot spec.

    `friends` are the names of friends on this device, in seat order. Bots get free names.
    Raises BadBot for an unknown bot.
    """
    players, names, friends_left = list[Player](), [person.name, *friends], iter(friends)
    for value in values:
        if value == ME and person.id:
            players.append(Player.of(person))
        elif value == FRIEND:
            players.append(Player(person=person.id, name=next(friends_left)))
        elif value in (ME, OPEN):
            players.append(Player())
        elif value.startswith(MINE) and value.removeprefix(MINE) in own:
            players.append(Player.of(own[value.removeprefix(MINE)]))
        else:
            players.append(Player(name=free_name(names), bot=parse(value).text))
            names.append(players[-1].name)
    return players


def read_options(game: Game, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of the form's preset, overridden by those set one by one."""
    overrides = {
        name.removeprefix("option."): value for name, value in form.items()
        if name.startswith("option.") and value.strip()
    }  # fmt: skip
    return {**game.preset(form.get("preset") or STANDARD), **overrides}


def is_number(option: Option) -> bool:
    """Return whether the form shows an option as a number field rather than a list."""
    return isinstance(option, NumberOption)

"""Who sits at a new table, from the values that forms, programs and pages give for its seats."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sparring.bots import free_name, parse
from sparring.engine.errors import BadOption
from sparring.engine.game import STANDARD, Game
from sparring.engine.options import Value
from sparring.people.identity import GUEST_NAME, BadName, read_name, with_id, with_name
from sparring.store.person import STRANGER, Person
from sparring.tables.state.players import MINE, Player

from .seating import check_bot, check_names

#: Values of a seat besides bots: the host, a friend on the host's device (`FRIEND:NAME`), and an open seat.
ME, FRIEND, OPEN = "me", "local_player", "open"
NO_BOTS: Mapping[str, Person] = {}


def read_players(
    game: Game, seats: Sequence[str], person: Person, own: Mapping[str, Person] = NO_BOTS, *,
    name: str = "", public: bool = False,
) -> tuple[list[Player], Person]:  # fmt: skip
    """Return the players for the values of seats, and the host, with a name if they play.

    A value is `me`, `open`, `local_player:NAME`, `mine:NAME` or a bot. `own` has the person's own bots by name; `name`
    is the host's at this table. Raise a SparringError that names the wrong seat.
    """
    game.check_seats(len(seats))
    for seated in seats:
        if seated not in (ME, OPEN, *(MINE + bot for bot in own)) and not _is_friend(seated):
            check_bot(game, seated)
    if list(seats).count(ME) > 1:
        raise BadOption("You can only take one seat. Leave the others open, or give them to friends or bots.")
    friends = any(_is_friend(value) for value in seats)
    alone = ME in seats and OPEN not in seats and not friends and not public
    if name.strip() or ((ME in seats or friends) and not alone):
        person = with_name(person, name.strip())
    player = replace(with_id(person), name=person.name or GUEST_NAME) if alone else person  # alone with bots: no name
    players = players_for(seats, player, own)
    check_names([each.name for each, value in zip(players, seats, strict=True) if value == ME or _is_friend(value)])
    return players, replace(person, id=player.id)


def _is_friend(value: str) -> bool:
    return value.partition(":")[0] == FRIEND


def players_for(seats: Sequence[str], person: Person = STRANGER, own: Mapping[str, Person] = NO_BOTS) -> list[Player]:
    """Return the players for values of seats, which `read_players` describes. Bots get free names.

    Raise BadBot for an unknown bot and BadName for a friend without a name.
    """
    friends = {seat: _friend_name(seat, value) for seat, value in enumerate(seats, 1) if _is_friend(value)}
    players, names = list[Player](), [person.name, *friends.values()]
    for seat, value in enumerate(seats, 1):
        if value == ME and person.id:
            players.append(Player.of(person))
        elif seat in friends:
            players.append(Player(person=person.id, name=friends[seat]))
        elif value in (ME, OPEN):
            players.append(Player())
        elif value.startswith(MINE) and value.removeprefix(MINE) in own:
            players.append(Player.of(own[value.removeprefix(MINE)]))
        else:
            players.append(Player(name=free_name(names), bot=parse(value).text))
            names.append(players[-1].name)
    return players


def _friend_name(seat: int, value: str) -> str:
    name = value.partition(":")[2]
    if not name.strip():
        raise BadName(f"Please enter the name of the friend in seat {seat}.")
    return read_name(name)


def read_options(game: Game, preset: str, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the options of a preset, the standard one if it has no name, overridden by those given and not blank."""
    return {**game.preset(preset or STANDARD), **{name: value for name, value in given.items() if str(value).strip()}}

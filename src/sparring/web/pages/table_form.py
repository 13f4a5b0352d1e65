"""The form for a new table: made from what a game declares, and read back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sparring.bots import STRENGTHS, free_name, parse
from sparring.engine.errors import BadOption
from sparring.engine.game import LETTER, Game
from sparring.engine.options import NumberOption, Option
from sparring.web.identity import STRANGER, BadName, Person, named, read_name
from sparring.web.tables.players import Player
from sparring.web.tables.seating import bot_names, check_bot, check_names
from sparring.web.tables.table_settings import TableSettings

from .table_settings_form import read_counting, read_pace, read_talk

#: How long anything may be that is written into the form.
LONGEST_FIELD = 200

ME, BESIDE, OPEN, SPECTATOR = "me", "beside", "open", ""
#: What goes before the name of a bot of one's own, that comes over HTTP.
MINE = "mine:"
NONE_OWN: Mapping[str, Person] = {}

#: The opponent for a first match.
WEAKEST = "search:level=first-match"


@dataclass(frozen=True)
class NewTableForm:
    """What somebody wants to play: who sits where, with which options; `person` is who asks, by name if they play."""

    sitters: list[Player]
    options: dict[str, Any]
    person: Person = field(default_factory=Person)
    terms: TableSettings = field(default_factory=TableSettings)


def sitting_choices(game: Game, seat: int, own: Mapping[str, Person] = NONE_OWN) -> list[tuple[str, str]]:
    """Who may sit on a seat (counted from 1), the bots of whoever asks last: the value of the form and its words."""
    nobody = [] if seat <= min(game.seats) else [(SPECTATOR, "nobody")]
    beside = (BESIDE, "a friend at this screen")
    mine = [(MINE + name, f"{name}, your bot") for name in own]
    return [*nobody, (ME, "me"), beside, (OPEN, "open, for others"), *bot_names(game).items(), *mine]


def first_values(game: Game) -> dict[str, str]:
    """How the form stands at first: me against the weakest bots that think, for the smallest number of seats."""
    opponent = STRENGTHS[1]
    return {f"seat{seat}": ME if seat == 1 else opponent for seat in range(1, min(game.seats) + 1)}


def read_form(
    game: Game, form: Mapping[str, str], person: Person, own: Mapping[str, Person] = NONE_OWN
) -> NewTableForm:
    """What a filled-in form asks for; an error says what is wrong with it. `own` are the person's own bots, by name."""
    chosen = [form.get(f"seat{seat}", SPECTATOR) for seat in range(1, max(game.seats) + 1)]
    if any(len(value) > LONGEST_FIELD for value in form.values()):
        raise BadOption("Something in this form is longer than anything it asks for; please fill it in anew.")
    taken = {seat: who for seat, who in enumerate(chosen, 1) if who != SPECTATOR}
    game.check_seats(len(taken))
    for who in taken.values():
        if who not in (ME, BESIDE, OPEN, *(MINE + name for name in own)):
            check_bot(game, who)
    if list(taken.values()).count(ME) > 1:
        raise BadOption("You can sit on one seat only; make the others open or give them to friends or bots.")
    if {ME, BESIDE} & set(taken.values()) or form.get("name", "").strip():
        person = named(person, form.get("name", ""))
    beside = [_beside(form, seat) for seat, who in taken.items() if who == BESIDE]
    check_names([*beside, person.name] if ME in taken.values() else beside)
    terms = TableSettings(
        public=form.get("found") == "public", **read_counting(form), **read_pace(form), **read_talk(form)
    )
    return NewTableForm(seated(list(taken.values()), person, own, beside), read_options(game, form), person, terms)


def _beside(form: Mapping[str, str], seat: int) -> str:
    """The name of a friend at this screen."""
    if not form.get(f"name{seat}", "").strip():
        raise BadName(f"Please say who sits on seat {seat} at this screen, to know when to tap.")
    return read_name(form[f"name{seat}"])


def seated(
    taken: Sequence[str], person: Person = STRANGER, own: Mapping[str, Person] = NONE_OWN, beside: Sequence[str] = ()
) -> list[Player]:
    """Who sits where, by `me`, `beside` (friends of these names), `open`, `mine:NAME`, or a bot, which gets a name.

    BadBot if there is no such bot.
    """
    sitters, names, friends = list[Player](), [person.name, *beside], iter(beside)
    for who in taken:
        if who == ME and person.id:
            sitters.append(Player.of(person))
        elif who == BESIDE:
            sitters.append(Player(person=person.id, name=next(friends)))
        elif who in (ME, OPEN):
            sitters.append(Player())
        elif who.startswith(MINE) and who.removeprefix(MINE) in own:
            sitters.append(Player.of(own[who.removeprefix(MINE)]))
        else:
            sitters.append(Player(name=free_name(names), bot=parse(who).text))
            names.append(sitters[-1].name)
    return sitters


def read_options(game: Game, form: Mapping[str, str]) -> dict[str, Any]:
    """The options of a preset, and those that were set one by one."""
    single = {
        name.removeprefix("option."): value for name, value in form.items()
        if name.startswith("option.") and value.strip()
    }  # fmt: skip
    return {**game.preset(form.get("preset") or LETTER), **single}


def is_number(option: Option) -> bool:
    """For the form: whether an option is typed rather than picked."""
    return isinstance(option, NumberOption)

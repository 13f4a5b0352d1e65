"""Card Duel: read and write positions (the form is in positions.md)."""

import re
from collections.abc import Sequence
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import CardSupply, PositionReader, read_integer, words_in
from sparring.engine.formats.positions import Positions, Supplies
from sparring.engine.game import GameSetup

from .params import CHARACTER, DECK_CARDS, SEATS
from .state import AIM, ARRIVED, MAIN, MOST_SHIELDS, MOST_STAT, PLACE, TARGET, USED, State

#: Notes about a character that has no number, with the value of `tired`.
TIRED = {"attacked": USED, "arrived": ARRIVED}
#: Notes with a number: the field of the state, the lowest and the highest value.
NOTES = {
    "damage": ("damage", 0, 1000), "attack": ("more_attack", -MOST_STAT, MOST_STAT),
    "health": ("more_health", 0, MOST_STAT), "shields": ("shield", 0, MOST_SHIELDS), "from": ("owner", 1, SEATS),
}  # fmt: skip


def take_cards(setup: GameSetup, s: State, fields: PositionReader, supplies: Supplies) -> None:
    """Read the characters in play and the card being played."""
    decks = supplies[DECK_CARDS]
    for seat, row in enumerate(fields.per_seat("rows", [])):
        for line in _entries(row):
            _read_character(setup, s, seat, line, decks)
    word = fields.take("card", "")
    if not word:
        return
    supply = decks[s.player]
    if s.spot:
        in_spot = int(s.row[s.player, s.spot - 1])
        s.card = supply.find(word, [in_spot - 1] if in_spot else [], "card") + 1
    else:
        s.card = supply.find(word, supply.left, "card") + 1
        supply.left.remove(s.card - 1)


def read_more(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read the cards in hands that everyone knows."""
    supply = CardSupply((), DECK_CARDS.names_in(setup))
    for seat, entry in enumerate(fields.per_seat("known", [])):
        held = in_order(s.hand[seat])
        for name in supply.words_in(entry or [], "known"):
            card = supply.find(name, held, "known")
            held.remove(card)
            s.known[seat, card] += 1


def write_more(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return the characters in play, the card being played, and the cards that everyone knows."""
    cards, seats = setup.content.cards, range(SEATS)
    slots = range(int(setup.params.slots))
    return {
        "rows": [[_character(setup, s, seat, slot) for slot in slots if s.row[seat, slot]] for seat in seats],
        "known": [[card.name for card, count in zip(cards, s.known[seat], strict=False) for _ in range(count)]
                  for seat in seats],
        "card": cards[s.card - 1].name if s.card else "",
    }  # fmt: skip


def check(setup: GameSetup, s: State, phase: str) -> None:
    """Check that hands are not too large, and that the position has what its phase needs."""
    for hand in s.hand:
        if hand[0] > setup.params.hand_limit:
            raise BadPosition(f"hands must have at most {setup.params.hand_limit} cards, not {hand[0]}.")
    if not s.over:
        _check_phase(setup, s)


POSITIONS = Positions(State, check, take_cards=take_cards, read_more=read_more, write_more=write_more)
read, write = POSITIONS.read, POSITIONS.write


def components(setup: GameSetup, s: State) -> list[str]:
    """Return the name of every card, wherever it is; the copies in a deck are numbered."""
    found = []
    for seat in range(SEATS):
        cards = [card for pile in (s.deck[seat], s.hand[seat], s.discard[seat]) for card in in_order(pile)]
        cards += [int(s.row[row, slot]) - 1 for row in range(SEATS) for slot in range(int(setup.params.slots))
                  if s.row[row, slot] and s.owner[row, slot] == seat]  # fmt: skip
        if s.card and not s.spot and s.player == seat:
            cards.append(int(s.card) - 1)
        found += [piece(setup, seat, card, cards[:place].count(card)) for place, card in enumerate(cards)]
    return found


def piece(setup: GameSetup, seat: int, card: int, copy: int) -> str:
    """Return the name of a copy (from 0) of a card in the deck of a seat."""
    return f"{setup.content.cards[card].name} {copy + 1} of seat {seat + 1}"


def _character(setup: GameSetup, s: State, seat: int, slot: int) -> str:
    """Return a character in play in words: `2 Gate Warden (damage 1, attack +2, attacked)`."""
    notes = []
    for word, (field, _, _) in NOTES.items():
        value = int(getattr(s, field)[seat, slot])
        if word == "from":
            notes += [f"from {value + 1}"] if value != seat else []
        elif value:
            notes.append(f"{word} {value:+d}" if word in ("attack", "health") else f"{word} {value}")
    notes += [word for word, tired in TIRED.items() if s.tired[seat, slot] == tired]
    name = setup.content.cards[int(s.row[seat, slot]) - 1].name
    return f"{slot + 1} {name}" + (f" ({', '.join(notes)})" if notes else "")


def _entries(row: object) -> list[str]:
    """Return the characters of a row: a list, or a text separated by semicolons."""
    if isinstance(row, str):
        return [line for line in row.split(";") if line.strip()]
    if isinstance(row, list | tuple) and all(isinstance(line, str) for line in row):
        return list(row)
    raise BadPosition('rows: a row must be a list of characters, as in "2 Gate Warden (damage 1)".')


def _read_character(setup: GameSetup, s: State, seat: int, line: str, supplies: Sequence[CardSupply]) -> None:
    """Put a character into play: `2 Gate Warden (damage 1, attacked)`; without a number, into the first free slot."""
    found = re.fullmatch(r"\s*(?:(\d+):?\s+)?(.*?)\s*(?:\((.*)\))?\s*", line)
    number, name, notes = found.groups() if found else (None, line, None)
    slots = int(setup.params.slots)
    free = next((slot for slot in range(slots) if not s.row[seat, slot]), slots)
    slot = read_integer("slot", int(number) if number else free + 1, 1, slots) - 1
    if s.row[seat, slot]:
        raise BadPosition(f"rows: seat {seat + 1} has two characters in slot {slot + 1}.")
    s.owner[seat, slot] = seat
    for note in words_in(f"{notes}," if notes else [], "rows"):
        _read_note(s, seat, slot, note)
    owner = int(s.owner[seat, slot])
    (card,) = supplies[owner].take([name], "rows")
    if setup.params.kind[card] != CHARACTER:
        raise BadPosition(f"rows: {name} is an event, which is never in play.")
    s.row[seat, slot] = card + 1


def _read_note(s: State, seat: int, slot: int, note: str) -> None:
    """Read one note about a character in play."""
    word, _, rest = note.partition(" ")
    if note in TIRED:
        s.tired[seat, slot] = TIRED[note]
    elif word in NOTES and re.fullmatch(r"[+-]?\d{1,4}", rest):
        field, low, high = NOTES[word]
        getattr(s, field)[seat, slot] = read_integer(word, int(rest), low, high) - (word == "from")
    else:
        raise BadPosition(
            "rows: a note about a character must be damage 1, attack +1, health +1, shields 1, from 2, attacked or "
            f"arrived, not {note}."
        )


def _check_phase(setup: GameSetup, s: State) -> None:
    """Raise BadPosition unless the position has what its phase needs."""
    params = setup.params
    if 0 in s.life or any(points >= params.points for points in s.points):
        raise BadPosition(
            f"life must be at least 1, and points less than {int(params.points)}, unless the match is over."
        )
    card = int(s.card) - 1
    if s.phase == PLACE and not (card >= 0 and not s.spot and params.kind[card] == CHARACTER):
        raise BadPosition("phase place needs card, a character that has no slot yet.")
    placed = card >= 0 and bool(s.spot) == (params.kind[card] == CHARACTER)
    if s.phase == AIM and not (placed and params.aims[card]):
        raise BadPosition("phase aim needs card, with an effect on a chosen enemy, and for a character its spot.")
    if s.phase in (MAIN, TARGET) and card >= 0:
        raise BadPosition("card is only for the phases place and aim.")
    if (s.phase == TARGET) != bool(s.attacker and s.row[s.player, s.attacker - 1]):
        raise BadPosition("phase target needs attacker, the slot of a character; other phases have none.")

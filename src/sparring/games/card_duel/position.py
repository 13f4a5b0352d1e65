"""Card Duel: read and write positions (the form is in positions.md)."""

import re
from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order, insert, put
from sparring.engine.errors import BadPosition
from sparring.engine.formats.card_supply import CardSupply
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader, read_integer, words_in
from sparring.engine.game import Box

from .choices import legal
from .kit import CHARACTER
from .state import (
    ACTIONS, AIM, ARRIVED, MAIN, MOST_ENERGY_NOW, MOST_SHIELDS, MOST_STAT, MOVES, PLACE, SEATS, TARGET, USED,
)  # fmt: skip

PILES = ("draw_pile", "discard_pile")
#: Notes about a character that has no number, with the value of `tired`.
TIRED = {"attacked": USED, "arrived": ARRIVED}
#: Notes with a number: the field of the state, the lowest and the highest value.
NOTES = {
    "damage": ("damage", 0, 1000), "attack": ("more_attack", -MOST_STAT, MOST_STAT),
    "health": ("more_health", 0, MOST_STAT), "shields": ("shield", 0, MOST_SHIELDS), "from": ("owner", 1, SEATS),
}  # fmt: skip


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up the state `s` from a position, dealing what it leaves open with generator `g`."""
    kit, fields = box.kit, PositionReader(position, SEATS)
    read_phase(box, s, fields)
    read_turn(s, fields, 1, 1, 2 * int(kit.rounds))
    s.first = fields.seat("first", (int(s.player) + int(s.turn) + 1) % SEATS)
    s.life[:] = fields.integer_per_seat("life", int(kit.life), 0, int(kit.life))
    s.points[:] = fields.integer_per_seat("points", 0, 0, MOST_STAT)
    s.energy[:] = fields.integer_per_seat("energy", 0, 0, MOST_ENERGY_NOW)
    s.moves = fields.integer("moves", 0, 0, MOVES)
    s.attacker = fields.integer("attacker", 0, 0, int(kit.slots))
    _place_cards(box, s, fields, g)
    read_end(box, s, fields)
    fields.done()
    if not s.over:
        _check(box, s)


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state as a position, with every card by name."""

    def names(pile: Any) -> list[str]:
        return [box.content.cards[card].name for card in in_order(pile)]

    return {
        **write_header(box, s), "first": int(s.first) + 1, "life": s.life.tolist(), "points": s.points.tolist(),
        "energy": s.energy.tolist(), "moves": int(s.moves), "attacker": int(s.attacker),
        "rows": [[_character(box, s, seat, slot) for slot in range(int(box.kit.slots)) if s.row[seat, slot]]
                 for seat in range(SEATS)],
        "hands": [names(hand) for hand in s.hand],
        "known": [[card.name for number, card in enumerate(box.content.cards) for _ in range(int(known[number]))]
                  for known in s.known],
        "draw_pile": [names(deck)[::-1] for deck in s.deck], "discard_pile": [names(pile) for pile in s.discard],
        "card": box.content.cards[int(s.card) - 1].name if s.card else "", "spot": int(s.spot),
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Return the name of every card, wherever it is; the copies in a deck are numbered."""
    found = []
    for seat in range(SEATS):
        cards = [card for pile in (s.deck[seat], s.hand[seat], s.discard[seat]) for card in in_order(pile)]
        cards += [int(s.row[row, slot]) - 1 for row in range(SEATS) for slot in range(int(box.kit.slots))
                  if s.row[row, slot] and s.owner[row, slot] == seat]  # fmt: skip
        if s.card and not s.spot and s.player == seat:
            cards.append(int(s.card) - 1)
        found += [piece(box, seat, card, cards[:place].count(card)) for place, card in enumerate(cards)]
    return found


def piece(box: Box, seat: int, card: int, copy: int) -> str:
    """Return the name of a copy (from 0) of a card in the deck of a seat."""
    return f"{box.content.cards[card].name} {copy + 1} of seat {seat + 1}"


def _character(box: Box, s: Any, seat: int, slot: int) -> str:
    """Return a character in play in words: `2 Gate Warden (damage 1, attack +2, attacked)`."""
    notes = []
    for word, (field, _, _) in NOTES.items():
        value = int(s[field][seat, slot])
        if word == "from":
            notes += [f"from {value + 1}"] if value != seat else []
        elif value:
            notes.append(f"{word} {value:+d}" if word in ("attack", "health") else f"{word} {value}")
    notes += [word for word, tired in TIRED.items() if s.tired[seat, slot] == tired]
    name = box.content.cards[int(s.row[seat, slot]) - 1].name
    return f"{slot + 1} {name}" + (f" ({', '.join(notes)})" if notes else "")


def _place_cards(box: Box, s: Any, fields: PositionReader, g: Any) -> None:
    """Put every card where the position says, and deal the rest."""
    supplies = [
        CardSupply(
            [number for number, card in enumerate(box.content.cards) for _ in range(card.copies_of(seat))],
            {number: (card.name,) for number, card in enumerate(box.content.cards)},
        )
        for seat in range(SEATS)
    ]
    for seat, row in enumerate(fields.per_seat("rows", [])):
        for line in _entries(row):
            _read_character(box, s, seat, line, supplies)
    word = fields.take("card", "")
    s.spot = fields.integer("spot", 0, 0, int(box.kit.slots))
    if word:
        seat = int(s.player)
        in_spot = [card for card in s.row[seat, s.spot - 1 : s.spot].tolist() if card]
        on_table = [card - 1 for card in in_spot] if s.spot else supplies[seat].left
        s.card = supplies[seat].find(word, on_table, "card") + 1
        if not s.spot:
            supplies[seat].left.remove(int(s.card) - 1)
    hands = [_entry(supplies[seat], entry, "hands") for seat, entry in enumerate(fields.per_seat("hands", None))]
    piles = [[supplies[seat].read_pile(_words(entry, key), key, from_top=key == PILES[0])
              for seat, entry in enumerate(fields.per_seat(key, None))] for key in PILES]  # fmt: skip
    for seat, supply in enumerate(supplies):
        supply.shuffle(g)
        hand = int(box.kit.hand) if hands[seat] is None else hands[seat]
        cards = hand if isinstance(hand, list) else supply.deal(hand, "hands")
        if len(cards) > box.kit.hand_limit:
            raise BadPosition(f"hands must have at most {box.kit.hand_limit} cards, not {len(cards)}.")
        for card in cards:
            insert(s.hand[seat], card)
        deck, discard = supply.fill({PILES[0]: piles[0][seat], PILES[1]: piles[1][seat]})
        for card in deck:
            put(s.deck[seat], card)
        for card in discard:
            put(s.discard[seat], card)
    for seat, entry in enumerate(fields.per_seat("known", [])):
        held = in_order(s.hand[seat])
        for name in words_in(_words(entry, "known") or [], "known"):
            card = supplies[seat].find(name, held, "known")
            held.remove(card)
            s.known[seat, card] += 1


def _words(entry: Any, key: str) -> Any:
    """Return a text as the list of names that its commas separate; other entries as they are."""
    return words_in(f"{entry},", key) if isinstance(entry, str) else entry


def _entry(supply: CardSupply, entry: Any, key: str) -> Any:
    """Return cards taken from the supply by name, or how many of the rest to deal."""
    return entry if entry is None or isinstance(entry, int) else supply.take(_words(entry, key), key)


def _entries(row: Any) -> list[str]:
    """Return the characters of a row: a list, or a text separated by semicolons."""
    if isinstance(row, str):
        return [line for line in row.split(";") if line.strip()]
    if isinstance(row, list | tuple) and all(isinstance(line, str) for line in row):
        return list(row)
    raise BadPosition('rows: a row must be a list of characters, as in "2 Gate Warden (damage 1)".')


def _read_character(box: Box, s: Any, seat: int, line: str, supplies: list[CardSupply]) -> None:
    """Put a character into play: `2 Gate Warden (damage 1, attacked)`; without a number, into the first free slot."""
    found = re.fullmatch(r"\s*(?:(\d+):?\s+)?(.*?)\s*(?:\((.*)\))?\s*", line)
    number, name, notes = found.groups() if found else (None, line, None)
    slots = int(box.kit.slots)
    free = next((slot for slot in range(slots) if not s.row[seat, slot]), slots)
    slot = read_integer("slot", int(number) if number else free + 1, 1, slots) - 1
    if s.row[seat, slot]:
        raise BadPosition(f"rows: seat {seat + 1} has two characters in slot {slot + 1}.")
    s.owner[seat, slot] = seat
    for note in words_in(f"{notes}," if notes else [], "rows"):
        _read_note(s, seat, slot, note)
    owner = int(s.owner[seat, slot])
    (card,) = supplies[owner].take([name], "rows")
    if box.kit.kind[card] != CHARACTER:
        raise BadPosition(f"rows: {name} is an event, which is never in play.")
    s.row[seat, slot] = card + 1


def _read_note(s: Any, seat: int, slot: int, note: str) -> None:
    """Read one note about a character in play."""
    word, _, rest = note.partition(" ")
    if note in TIRED:
        s.tired[seat, slot] = TIRED[note]
    elif word in NOTES and re.fullmatch(r"[+-]?\d{1,4}", rest):
        field, low, high = NOTES[word]
        s[field][seat, slot] = read_integer(word, int(rest), low, high) - (word == "from")
    else:
        raise BadPosition(
            "rows: a note about a character must be damage 1, attack +1, health +1, shields 1, from 2, attacked or "
            f"arrived, not {note}."
        )


def _check(box: Box, s: Any) -> None:
    """Raise BadPosition unless the position has what its phase needs."""
    kit = box.kit
    if not s.life.all() or (s.points >= kit.points).any():
        raise BadPosition(f"life must be at least 1, and points less than {int(kit.points)}, unless the match is over.")
    card = int(s.card) - 1
    if s.phase == PLACE and not (card >= 0 and not s.spot and kit.kind[card] == CHARACTER):
        raise BadPosition("phase place needs card, a character that has no slot yet.")
    placed = card >= 0 and bool(s.spot) == (kit.kind[card] == CHARACTER)
    if s.phase == AIM and not (placed and kit.aims[card]):
        raise BadPosition("phase aim needs card, with an effect on a chosen enemy, and for a character its spot.")
    if s.phase in (MAIN, TARGET) and card >= 0:
        raise BadPosition("card is only for the phases place and aim.")
    if (s.phase == TARGET) != bool(s.attacker and s.row[s.player, s.attacker - 1]):
        raise BadPosition("phase target needs attacker, the slot of a character; other phases have none.")
    if not legal(kit, s, [0] * len(ACTIONS)):
        raise BadPosition("Nothing can be chosen in this position.")

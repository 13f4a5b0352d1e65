"""MACE: read and write positions (the form is in positions.md)."""

import re
from collections.abc import Mapping
from typing import Any

from sparring.engine import hexes
from sparring.engine.cards import put
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.formats.position_header import MAX_TURN, read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader, read_integer, words_in

from .position_cards import pack_of, read_cards
from .kit import CARDS, LARGEST_VALUE
from .rounds import begin_round
from .position_checks import ATTACK_PHASES, REQUIRED, ROUND, TARGET_PHASES, check_playable
from .state import (
    ACTIONS, ANY_CARD, BLAST, BLOCK, CHARGES, CLUB, DODGE, DROP, FORFEIT, HAND, MOMENTUM, NO_CARD,
    NO_SEAT, STRIKE, TAKE, TURN,
)  # fmt: skip

_HEX = re.compile(r"\s*\(?\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*\)?\s*")
#: Whole-number fields of an attack and their maximum.
NUMBERS = dict.fromkeys(("range", "attack", "damage", "steps"), LARGEST_VALUE) | {"paid": 2 * LARGEST_VALUE}


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up the state `s` from a position, dealing what it leaves open with generator `g`."""
    fields = PositionReader(position, int(s.seats))
    phase = read_phase(box, s, fields, "turn", {ROUND: TURN})
    _read_numbers(s, fields, phase)
    _read_fighters(box, s, fields)
    read_cards(box, s, fields, g)
    read_end(box, s, fields)
    chooser = _read_seats(s, fields, phase)
    _read_knock(box, s, fields)
    _read_shown(box, s, fields)
    _read_known(box, s, fields)
    fields.done()
    if not s.over:
        check_playable(box, s, phase, chooser)


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state as a position, with every card and hex by name."""
    card = box.content.card
    seats = range(int(s.seats))

    def cards(pile: Any) -> list[str]:
        return [card(int(number)) for number in pile[1 : int(pile[0]) + 1]]

    position = {
        **write_header(box, s), "active": int(s.active) + 1, "round": int(s.rounds), "quiet": int(s.quiet),
        "hurt": bool(s.hurt), "acted": bool(s.acted), "boosted": bool(s.boosted), "blasting": bool(s.blasting),
        **{key: int(s[key]) for key in NUMBERS},
        "table": cards(s.table),
        "fighters": [write_hex(int(s.at[seat])) for seat in seats],
        "down": [seat + 1 for seat in seats if s.down[seat]],
        "out": [seat + 1 for seat in sorted(seats, key=lambda seat: s.out[seat]) if s.out[seat]],
        "order": [int(seat) + 1 for seat in s.order[1 : int(s.order[0]) + 1]], "place": int(s.place),
        "hands": [cards(s.hand[seat]) for seat in seats], "charges": [cards(s.charges[seat]) for seat in seats],
        "laid": [s.laid[seat, 1 : int(s.laid[seat, 0]) + 1].tolist() for seat in seats],
        "momentum": ["" if s.momentum[seat] == NO_CARD else card(int(s.momentum[seat])) for seat in seats],
        "draw_pile": cards(s.deck)[::-1], "discard_pile": cards(s.discard),
        "known": {
            "reshuffled": _cards_in(box, int(s.reshuffled)), "old_charges": s.old_charges[: s.seats].tolist(),
            "old_cards": s.old_cards[: s.seats].tolist(),
        },
    }  # fmt: skip
    if s.target != NO_SEAT:
        position["target"] = int(s.target) + 1
    if s.knocked != NO_SEAT:
        position["knock"] = {
            "seat": int(s.knocked) + 1, "source": write_hex(int(s.knock_source)),
            "start": write_hex(int(s.knock_start)), "length": int(s.knock_length), "turn": int(s.knock_turn),
        }  # fmt: skip
    if s.attack_by or s.defence_by or s.opened.any():
        position["shown"] = {
            "attack": _write_shown(box, int(s.attack_by)), "defence": _write_shown(box, int(s.defence_by)),
            "value": int(s.defence), "charges": [_write_shown(box, int(s.opened[seat])) for seat in seats],
            "laid": [int(s.opened_laid[seat]) for seat in seats],
        }  # fmt: skip
    return position


def _write_shown(box: Box, action: int) -> str:
    """Return an action of the attack in words (`strike KS`, `take`), or nothing for 0."""
    block, number = ACTIONS.name_of(action)
    return "" if not action else "take" if action == TAKE else f"{block} {box.content.card(number)}"


def pieces(box: Box, s: Any) -> list[str]:
    """Return the name of every card, wherever it is, and of every Fighter."""
    piles = [s.deck, s.discard, s.table, *s.hand, *s.charges]
    cards = [int(card) for pile in piles for card in pile[1 : int(pile[0]) + 1]]
    cards += [int(card) for card in s.momentum[: s.seats] if card != NO_CARD]
    return [*map(box.content.card, cards), *(f"Fighter {seat + 1}" for seat in range(s.seats))]


def write_hex(number: int) -> str:
    """Return a hex in words: `2,-1`."""
    return f"{hexes.Q[number]},{hexes.R[number]}"


def read_hex(text: Any, key: str, radius: int) -> int:
    """Read a hex on the board from `2,-1`, `(2,-1)` or two numbers; `key` names the field in errors."""
    written = _HEX.fullmatch(text.replace("\N{MINUS SIGN}", "-")) if isinstance(text, str) else None
    if written:
        q, r = int(written[1]), int(written[2])
    elif isinstance(text, list | tuple) and len(text) == 2 and all(type(number) is int for number in text):
        q, r = text
    else:
        raise BadPosition(f"{key}: {text} is not a hex; write a hex as 2,-1.")
    if hexes.size(q, r) > radius:
        raise BadPosition(f"{key}: {text} is off the board, which reaches {radius} hexes from its middle.")
    return int(hexes.hex_at(q, r))


def _cards_in(box: Box, bits: int) -> list[str]:
    """Return the cards whose bits are set; an empty list stands for all cards."""
    return [] if bits == ANY_CARD else [box.content.card(card) for card in range(CARDS) if bits >> card & 1]


def _read_numbers(s: Any, fields: PositionReader, phase: str) -> None:
    """Read flags and numbers; defaults follow from the phase."""
    started = int(phase != "momentum")
    read_turn(s, fields, started, player=NO_SEAT)
    s.rounds = fields.integer("round", started, 0, MAX_TURN)
    s.quiet = fields.integer("quiet", 0, 0, MAX_TURN)
    s.acted = fields.flag("acted") or phase in ATTACK_PHASES
    s.boosted = fields.flag("boosted") or phase == "move"
    s.blasting = fields.flag("blasting") or phase == "blast_card"
    s.hurt = fields.flag("hurt") or phase in ("pay", "drop_charge")
    for key, high in NUMBERS.items():
        s[key] = fields.integer(key, 0, 0, high)
    if phase == "target" and not s.blasting:
        s.range = 1
    if phase == "defence":
        s.attack = s.attack or s.damage
    if REQUIRED.get(phase) == "damage":
        s.damage = s.damage or s.attack


def _read_fighters(box: Box, s: Any, fields: PositionReader) -> None:
    """Read where the Fighters are, and which are out or Down."""
    places = fields.per_seat("fighters", None)
    for seat, place in enumerate(places):
        start = box.kit.start[s.seats - 2, seat]
        s.at[seat] = start if place is None else read_hex(place, "fighters", int(box.kit.radius))
    for number, seat in enumerate(fields.seats_in("out"), 1):
        s.out[seat] = number
    for seat in fields.seats_in("down"):
        s.down[seat] = 1
    occupied = [int(s.at[seat]) for seat in range(s.seats) if not s.out[seat]]
    if len(set(occupied)) < len(occupied):
        raise BadPosition("fighters: two Fighters can't be on the same hex.")


def _read_seats(s: Any, fields: PositionReader, phase: str) -> int:
    """Read `active`, `target` and `player`, filling in what is left out; return the seat that must choose."""
    player, active = int(s.player), fields.seat("active", NO_SEAT)
    s.target = fields.seat("target", NO_SEAT)
    if phase in TARGET_PHASES and not s.over:
        s.target = _first_seat(s.target, player)
        s.active = _first_seat(active, int(s.target == 0))
    else:
        s.active = _first_seat(active, player, 0)
    _read_order(s, fields, _first_seat(player, active) if phase == "forfeit" else int(s.active))
    if phase == "momentum":
        chooser = s.momentum[: s.seats].tolist().index(NO_CARD) if NO_CARD in s.momentum[: s.seats] else 0
    elif phase == "forfeit":
        chooser = s.order[s.place - s.order[0]] if s.place > s.order[0] else NO_SEAT
    else:
        chooser = s.target if phase in TARGET_PHASES else s.active
    s.player = _first_seat(player, int(chooser), 0)
    return int(chooser)


def _first_seat(*seats: int) -> int:
    """Return the first of `seats` that is not NO_SEAT."""
    return next((int(seat) for seat in seats if seat != NO_SEAT), NO_SEAT)


def _read_order(s: Any, fields: PositionReader, reached: int) -> None:
    """Read the turn order (default: by Momentum) and the place in it (default: the place of seat `reached`)."""
    is_given, place = "order" in fields.fields, fields.take("place")
    seats = fields.seats_in("order")
    if len(seats) != len(set(seats)):
        raise BadPosition("order must contain each seat only once.")
    if s.phase == MOMENTUM and not is_given:
        return
    rounds, hurt = int(s.rounds), int(s.hurt)
    begin_round(s)
    s.rounds, s.hurt = rounds, hurt
    if is_given:
        s.order[:] = 0
        for seat in seats:
            put(s.order, seat)
    order = s.order[1 : s.order[0] + 1].tolist()
    if s.phase == FORFEIT and reached == NO_SEAT:
        reached = next((seat for seat in order if not s.out[seat]), NO_SEAT)
    if place is not None:
        s.place = read_integer("place", place, 0, 2 * len(order))
    elif reached in order:
        s.place = order.index(reached) + 1 + (len(order) if s.phase == FORFEIT else 0)


def _read_knock(box: Box, s: Any, fields: PositionReader) -> None:
    """Read the last Knockback, which is only displayed."""
    knock = fields.table("knock")
    s.knocked = knock.seat("seat", NO_SEAT)
    if s.knocked != NO_SEAT:
        s.knock_source = read_hex(knock.take("source"), "knock: source", int(box.kit.radius))
        s.knock_start = read_hex(knock.take("start"), "knock: start", int(box.kit.radius))
        s.knock_length = knock.integer("length", 0, 0, LARGEST_VALUE)
        s.knock_turn = knock.integer("turn", int(s.turn), 0, MAX_TURN)
    knock.done()


def _read_shown(box: Box, s: Any, fields: PositionReader) -> None:
    """Read the public actions of the attack, which are only displayed."""
    shown = fields.table("shown")
    s.attack_by = _read_choice(box, shown.take("attack", ""), {"strike": STRIKE, "club": CLUB})
    s.defence_by = _read_choice(box, shown.take("defence", ""), {"block": BLOCK, "dodge": DODGE, "take": TAKE})
    s.defence = shown.integer("value", 0, 0, LARGEST_VALUE)
    for seat, words in enumerate(shown.per_seat("charges", "")):
        s.opened[seat] = _read_choice(box, words, {"blast": BLAST, "drop": DROP})
    s.opened_laid[: s.seats] = shown.integer_per_seat("laid", 0, -CHARGES, MAX_TURN)
    shown.done()


def _read_choice(box: Box, text: Any, blocks: Mapping[str, int]) -> int:
    """Read an action of the attack from its words; nothing is 0."""
    words = words_in(text, "shown")
    if not words:
        return 0
    if words == ["take"] and "take" in blocks:
        return TAKE
    if len(words) != 2 or words[0] not in blocks or words[0] == "take":
        raise BadPosition(f"shown: {text} must be one of {', '.join(blocks)}, with its card.")
    return blocks[words[0]] + pack_of(box).take(words[1:], "shown")[0]


def _read_known(box: Box, s: Any, fields: PositionReader) -> None:
    """Read what is public about hidden cards since the last reshuffle."""
    known = fields.table("known")
    cards = pack_of(box).take(known.take("reshuffled", []), "known: reshuffled")
    s.reshuffled = sum(1 << card for card in cards) or ANY_CARD
    s.old_charges[: s.seats] = known.integer_per_seat("old_charges", 0, 0, CHARGES)
    s.old_cards[: s.seats] = known.integer_per_seat("old_cards", 0, 0, HAND + CHARGES)
    known.done()

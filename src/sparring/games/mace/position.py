"""MACE: read and write positions (the form is in positions.md)."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order, put
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import CardSupply, PositionReader, read_integer, words_in
from sparring.engine.formats.positions import Entries, Positions, Supplies
from sparring.engine.game import GameSetup
from sparring.engine.state import MAX_TURN

from .combat import advance, begin_round
from .moves import count_in, distance_to_nearest, has_suit
from .params import CARDS, CLUBS, JOKER, LARGEST_VALUE, PACK, read_hex, write_hex
from .state import (
    ACTIONS, ANY_CARD, BLAST, BLAST_CARD, BLOCK, CHARGES, CLUB, DEFENCE, DODGE, DODGE_MOVE, DROP, DROP_CHARGE, FORFEIT,
    HAND, MOMENTUM, MOVE, NO_CARD, NO_SEAT, OFF, PAY, STRIKE, TAKE, TARGET, TURN, State,
)  # fmt: skip

#: An extra phase of positions: the start of a Round, before its turn order is set.
ROUND = "round"
#: The phases in which the target chooses.
TARGET_PHASES = (DEFENCE, DODGE_MOVE, PAY, DROP_CHARGE)
#: The number that a phase requires.
REQUIRED = {
    "blast_card": "range", "defence": "damage", "dodge_move": "steps", "pay": "damage", "drop_charge": "damage",
    "move": "steps",
}  # fmt: skip


def deal(setup: GameSetup, s: State, fields: PositionReader, entries: Entries, supplies: Supplies) -> None:
    """Read which Fighters are out; deal Momentum to the others, which can't be a Joker, and then up to five cards."""
    _read_fighters(setup, s, fields)
    left, momentum, hands = supplies[PACK][0].left, entries["momentum"], entries["hand"]
    for seat in range(s.seats):
        if momentum[seat] is None and not s.out[seat] and s.phase != MOMENTUM:
            card = next((card for card in left if card < JOKER), None)
            if card is None:
                raise BadPosition(f"momentum: no card is left for seat {seat + 1}.")
            left.remove(card)
            momentum[seat] = [card]
    for seat in range(s.seats):
        if hands[seat] is None:
            hands[seat] = [] if s.out[seat] else [left.pop() for _ in range(min(HAND, len(left)))]


def read_more(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read the turn order, the last Knockback and what all have seen; fill in what follows from the phase."""
    for seat in range(s.seats):
        _check_cards(setup, s, seat)
    _read_laid(s, fields)
    _complete_attack(s, phase)
    _read_seats(s, fields)
    _read_knock(setup, s, fields)
    _read_shown(setup, s, fields)
    _read_known(setup, s, fields)


def write_more(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return the Fighters, the turn order, the last Knockback and what all have seen, with every hex by name."""
    seats = range(int(s.seats))
    written: dict[str, Any] = {
        "fighters": [write_hex(s.at[seat]) for seat in seats],
        "out": [seat + 1 for seat in sorted(seats, key=lambda seat: s.out[seat]) if s.out[seat]],
        "order": [seat + 1 for seat in in_order(s.order)], "place": int(s.place),
        "laid": [in_order(s.laid[seat]) for seat in seats],
        "known": {
            "reshuffled": _cards_in(setup, int(s.reshuffled)), "old_charges": s.old_charges[: s.seats].tolist(),
            "old_cards": s.old_cards[: s.seats].tolist(),
        },
    }  # fmt: skip
    if s.knocked != NO_SEAT:
        written["knock"] = {
            "seat": int(s.knocked) + 1, "source": write_hex(s.knock_source), "start": write_hex(s.knock_start),
            "length": int(s.knock_length), "turn": int(s.knock_turn),
        }  # fmt: skip
    if s.attack_by or s.defence_by or any(s.opened):
        written["shown"] = {
            "attack": _write_shown(setup, int(s.attack_by)), "defence": _write_shown(setup, int(s.defence_by)),
            "value": int(s.defence), "charges": [_write_shown(setup, int(s.opened[seat])) for seat in seats],
            "laid": [int(s.opened_laid[seat]) for seat in seats],
        }  # fmt: skip
    return written


def check(setup: GameSetup, s: State, phase: str) -> None:
    """Check that the position is over, or that a seat can choose in this phase; in phase `round`, start the Round."""
    if s.over:
        return
    if count_in(s) < 2:
        raise BadPosition("out: at least two Fighters must be in, unless the position has an ending.")
    if phase == ROUND:
        s.rounds -= 1
        begin_round(s)
        advance(setup.params, s)
        return
    chooser = _chooser_of(s)
    if s.phase in TARGET_PHASES and s.target == NO_SEAT:
        raise BadPosition(f"Phase {phase} needs a target.")
    if phase in REQUIRED and not getattr(s, REQUIRED[phase]):
        raise BadPosition(f"Phase {phase} needs {REQUIRED[phase]}, at least 1.")
    if s.phase == MOMENTUM:
        _check_momentum(s)
    elif s.phase != FORFEIT and s.out[s.active]:
        raise BadPosition(f"active: seat {s.active + 1} is out.")
    if chooser == NO_SEAT:
        count = int(s.order[0])
        raise BadPosition(
            f"place must be {count + 1} to {2 * count} in phase forfeit, a second pass through the order."
        )
    if s.player != chooser:
        raise BadPosition(f"player must be seat {chooser + 1} in phase {phase}, not seat {s.player + 1}.")
    if s.phase in TARGET_PHASES and s.target == s.active:
        raise BadPosition(f"target: seat {s.target + 1} can't attack itself.")
    if s.phase in (DEFENCE, DODGE_MOVE) and s.down[s.target]:
        raise BadPosition(f"down: seat {s.target + 1} can't block or dodge while it is Down.")
    if s.phase == FORFEIT and setup.params.forfeits == OFF:
        raise BadPosition("Phase forfeit needs the option forfeits=on.")
    if s.out[s.player] or (s.phase == BLAST_CARD and distance_to_nearest(s, s.active) > s.range):
        raise BadPosition(f"Seat {s.player + 1} has no legal choice in this position.")


POSITIONS = Positions(
    State, check, read_more=read_more, write_more=write_more, deal=deal, phase="turn", more_phases={ROUND: TURN}
)
read, write = POSITIONS.read, POSITIONS.write


def components(setup: GameSetup, s: State) -> list[str]:
    """Return the name of every card, wherever it is, and of every Fighter."""
    return [*POSITIONS.components(setup, s), *(f"Fighter {seat + 1}" for seat in range(s.seats))]


# Actions that all have seen


def _write_shown(setup: GameSetup, action: int) -> str:
    """Return an action of the attack in words (`strike KS`, `take`), or nothing for 0."""
    block, number = ACTIONS.name_of(action)
    return "" if not action else "take" if action == TAKE else f"{block} {setup.content.card(number)}"


def _read_choice(setup: GameSetup, text: object, blocks: Mapping[str, int]) -> int:
    """Read an action of the attack from its words; nothing is 0."""
    words = words_in(text, "shown")
    if not words:
        return 0
    if words == ["take"] and "take" in blocks:
        return TAKE
    if len(words) != 2 or words[0] not in blocks or words[0] == "take":
        raise BadPosition(f"shown: {text} must be one of {', '.join(blocks)}, with its card.")
    return blocks[words[0]] + _supply(setup).take(words[1:], "shown")[0]


def _supply(setup: GameSetup) -> CardSupply:
    """Return all cards of the pack, as a position names them."""
    names = PACK.names_in(setup)
    return CardSupply(names, names)


def _cards_in(setup: GameSetup, bits: int) -> list[str]:
    """Return the cards whose bits are set; an empty list stands for all cards."""
    return [] if bits == ANY_CARD else [setup.content.card(card) for card in range(CARDS) if bits >> card & 1]


# Fighters and their cards


def _read_fighters(setup: GameSetup, s: State, fields: PositionReader) -> None:
    """Read where the Fighters are, and which are out."""
    for seat, place in enumerate(fields.per_seat("fighters", None)):
        start = setup.params.start[s.seats - 2, seat]
        s.at[seat] = start if place is None else read_hex(place, "fighters", int(setup.params.radius))
    for number, seat in enumerate(fields.seats_in("out"), 1):
        s.out[seat] = number
    occupied = [int(s.at[seat]) for seat in range(s.seats) if not s.out[seat]]
    if len(set(occupied)) < len(occupied):
        raise BadPosition("fighters: two Fighters can't be on the same hex.")


def _check_cards(setup: GameSetup, s: State, seat: int) -> None:
    """Check a seat's Charges, Momentum and hand; a seat that is out, or has not picked yet, may have no Momentum."""
    for card in in_order(s.charges[seat]):
        if not has_suit(card, CLUBS):
            raise BadPosition(f"charges: {setup.content.card(card)} can't be a Charge; only Clubs and Jokers can.")
    if s.momentum[seat] >= JOKER:
        raise BadPosition(f"momentum: a Joker can't be Momentum (seat {seat + 1}).")
    if s.momentum[seat] == NO_CARD and not s.out[seat] and s.phase != MOMENTUM:
        raise BadPosition(f"momentum: seat {seat + 1} needs a card.")
    if s.hand[seat, 0] == 0 and not s.out[seat]:
        raise BadPosition(f"hands: seat {seat + 1} has no cards, so it must be out.")


def _check_momentum(s: State) -> None:
    for seat in range(s.seats):
        if (s.momentum[seat] == NO_CARD) != (seat >= s.player):
            raise BadPosition("momentum: in phase momentum, all seats before the player have a card, and no others.")


def _read_laid(s: State, fields: PositionReader) -> None:
    """Read the Rounds in which Charges were played; by default one Round each, all before Round 1."""
    for seat, rounds in enumerate(fields.per_seat("laid", None)):
        count = int(s.charges[seat, 0])
        laid = list(range(1 - count, 1)) if rounds is None else rounds
        if not isinstance(laid, list) or len(laid) != count:
            raise BadPosition(f"laid: seat {seat + 1} needs a list of Rounds, one for each of its {count} Charges.")
        for number in laid:
            put(s.laid[seat], read_integer("laid", number, -CHARGES, MAX_TURN))
        if laid != sorted(set(laid)):
            raise BadPosition(f"laid: the Rounds of seat {seat + 1} must be in ascending order, each at most once.")


# The Turn and the attack


def _complete_attack(s: State, phase: str) -> None:
    """Fill in the flags and numbers that follow from the phase and from each other."""
    s.acted = s.acted or s.phase in (BLAST_CARD, TARGET, *TARGET_PHASES)
    s.boosted = s.boosted or s.phase == MOVE
    s.blasting = s.blasting or s.phase == BLAST_CARD
    s.hurt = s.hurt or s.phase in (PAY, DROP_CHARGE)
    if s.phase == TARGET and not s.blasting:
        s.range = 1
    if phase == "defence":
        s.attack = s.attack or s.damage
    if REQUIRED.get(phase) == "damage":
        s.damage = s.damage or s.attack


def _read_seats(s: State, fields: PositionReader) -> None:
    """Read the turn order, and fill in `active`, `target` and `player` where they are left out."""
    player, active = int(s.player), int(s.active)
    if s.phase in TARGET_PHASES and not s.over:
        s.target = _first_seat(s.target, player)
        s.active = _first_seat(active, int(s.target == 0))
    else:
        s.active = _first_seat(active, player, 0)
    _read_order(s, fields, _first_seat(player, active) if s.phase == FORFEIT else int(s.active))
    s.player = _first_seat(player, _chooser_of(s), 0)


def _first_seat(*seats: int) -> int:
    """Return the first of `seats` that is not NO_SEAT."""
    return next((int(seat) for seat in seats if seat != NO_SEAT), NO_SEAT)


def _chooser_of(s: State) -> int:
    """Return the seat that must choose, or NO_SEAT if none can."""
    if s.phase == MOMENTUM:
        momentum = s.momentum[: s.seats].tolist()
        return momentum.index(NO_CARD) if NO_CARD in momentum else 0
    if s.phase == FORFEIT:
        return int(s.order[s.place - s.order[0]]) if s.place > s.order[0] else NO_SEAT
    return int(s.target if s.phase in TARGET_PHASES else s.active)


def _read_order(s: State, fields: PositionReader, reached: int) -> None:
    """Read the turn order (default: by Momentum) and the place in it (default: the place of seat `reached`)."""
    is_given, place = "order" in fields.fields, fields.take("place")
    seats = fields.seats_in("order")
    if len(seats) != len(set(seats)):
        raise BadPosition("order must contain each seat only once.")
    if s.phase == MOMENTUM and not is_given:
        return
    rounds, hurt = int(s.rounds), bool(s.hurt)
    begin_round(s)
    s.rounds, s.hurt = rounds, hurt
    if is_given:
        s.order[:] = 0
        for seat in seats:
            put(s.order, seat)
    order = in_order(s.order)
    if s.phase == FORFEIT and reached == NO_SEAT:
        reached = next((seat for seat in order if not s.out[seat]), NO_SEAT)
    if place is not None:
        s.place = read_integer("place", place, 0, 2 * len(order))
    elif reached in order:
        s.place = order.index(reached) + 1 + (len(order) if s.phase == FORFEIT else 0)


def _read_knock(setup: GameSetup, s: State, fields: PositionReader) -> None:
    """Read the last Knockback, which is only displayed."""
    knock = fields.table("knock")
    s.knocked = knock.seat("seat", NO_SEAT)
    if s.knocked != NO_SEAT:
        s.knock_source = read_hex(knock.take("source"), "knock: source", int(setup.params.radius))
        s.knock_start = read_hex(knock.take("start"), "knock: start", int(setup.params.radius))
        s.knock_length = knock.integer("length", 0, 0, LARGEST_VALUE)
        s.knock_turn = knock.integer("turn", int(s.turn), 0, MAX_TURN)
    knock.done()


def _read_shown(setup: GameSetup, s: State, fields: PositionReader) -> None:
    """Read the public actions of the attack, which are only displayed."""
    shown = fields.table("shown")
    s.attack_by = _read_choice(setup, shown.take("attack", ""), {"strike": STRIKE, "club": CLUB})
    s.defence_by = _read_choice(setup, shown.take("defence", ""), {"block": BLOCK, "dodge": DODGE, "take": TAKE})
    s.defence = shown.integer("value", 0, 0, LARGEST_VALUE)
    for seat, words in enumerate(shown.per_seat("charges", "")):
        s.opened[seat] = _read_choice(setup, words, {"blast": BLAST, "drop": DROP})
    s.opened_laid[: s.seats] = shown.integer_per_seat("laid", 0, -CHARGES, MAX_TURN)
    shown.done()


def _read_known(setup: GameSetup, s: State, fields: PositionReader) -> None:
    """Read what is public about hidden cards since the last reshuffle."""
    known = fields.table("known")
    cards = _supply(setup).take(known.take("reshuffled", []), "known: reshuffled")
    s.reshuffled = sum(1 << card for card in cards) or ANY_CARD
    s.old_charges[: s.seats] = known.integer_per_seat("old_charges", 0, 0, CHARGES)
    s.old_cards[: s.seats] = known.integer_per_seat("old_cards", 0, 0, HAND + CHARGES)
    known.done()

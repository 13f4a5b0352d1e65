"""World of Fighters: read and write positions (the form is in positions.md)."""

from typing import Any

from sparring.engine.cards import count_of, insert, put
from sparring.engine.errors import BadPosition
from sparring.engine.formats import normalize
from sparring.engine.formats.position_reader import PositionReader, words_in
from sparring.engine.formats.positions import Positions, Supplies
from sparring.engine.game import GameSetup
from sparring.engine.squares import OFF, read_square, square_name
from sparring.engine.state import UNKNOWN_SEAT

from . import rules
from .moves import first_mover, may_claim, overrules
from .params import ACTION_CARDS, KINDS, REVEAL, SEATS, Params
from .state import (
    ACTION_CARD, BLOCK, CLAIM, COUNTER, HAND, MOVE, MOVE_CARD, NO_FIGHTER, NOTHING, PHASES, PICK, State, has_super,
)  # fmt: skip

#: An extra phase of positions: both fighters have moved, and the Action cards are about to be revealed.
SHOW = "show"


def take_cards(setup: GameSetup, s: State, fields: PositionReader, supplies: Supplies) -> None:
    """Read the Action cards that are played, and those given for hands."""
    supply = supplies[ACTION_CARDS][0]
    s.action[:] = _read_kinds(fields, "action")
    s.counter = _read_kind(fields.take("counter", ""), "counter")
    hands = [_given_hand(s, seat, hand) for seat, hand in enumerate(fields.per_seat("hands", []))]
    if s.phase == PICK:
        deck = [_kind(card) for card in supply.left]
        from_top = fields.take("draw_pile") or deck[::-1]
        if from_top != deck[::-1] or fields.take("discard_pile") or any(hands):
            raise BadPosition(
                "hands, draw_pile, discard_pile: no cards are dealt in phase pick; leave these fields out."
            )
        for card in supply.take(deck, "draw_pile"):
            put(s.deck, card)
    if s.shown:
        supply.take([_kind(card) for card in (*s.action, s.counter) if card], "action")
    for seat, hand in enumerate(hands):
        for card in supply.take([_kind(card) for card in hand], "hands"):
            insert(s.hand[seat], card)


def read_more(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read the fighters, their squares, the cards of the last round, and what is known of hands."""
    if s.phase == PICK:
        s.turn = 0
    _read_fighters(setup, s, fields)
    last = fields.table("last")
    s.last_action[:] = _read_kinds(last, "action")
    s.last_performed[:] = last.flag_per_seat("performed")
    s.last_counter = _read_kind(last.take("counter", ""), "counter")
    last.done()
    for seat, words in enumerate(fields.per_seat("known", [])):
        for word in words_in(words, "known"):
            s.sure[seat, _read_kind(word, "known")] += 1
        if any(s.sure[seat, kind] > count_of(s.hand[seat], kind) for kind in range(BLOCK + 1)):
            raise BadPosition(f"known: seat {seat + 1} doesn't have all of these cards in hand.")


def write_more(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return the fighters, their squares, the cards played, those of the last round, and what is known of hands."""
    return {
        "fighters": [setup.content.fighters[n].name if n >= 0 else "" for n in s.fighter],
        "squares": [square_name(square) if square != OFF else "" for square in s.square],
        "action": [_kind(card) for card in s.action], "counter": _kind(s.counter),
        "last": {"action": [_kind(card) for card in s.last_action],
                 "performed": [bool(performed) for performed in s.last_performed], "counter": _kind(s.last_counter)},
        "known": [[_kind(kind) for kind in range(1, BLOCK + 1) for _ in range(row[kind])] for row in s.sure],
    }  # fmt: skip


def check(setup: GameSetup, s: State, phase: str) -> None:
    """Check that a position is possible, and go on to the decision that it is about."""
    if not s.deck[0]:
        raise BadPosition("draw_pile can't be empty.")
    _check_commitments(setup, s)
    if phase == SHOW:
        _show(setup.params, s)
        return
    if s.player == UNKNOWN_SEAT:
        s.player = _seat_to_choose(setup.params, s)
    if not s.over:
        _check_phase(setup.params, s)
    if s.phase == MOVE and not s.over:
        rules.ask_move(setup.params, s, s.player)


POSITIONS = Positions(
    State, check, take_cards=take_cards, read_more=read_more, write_more=write_more,
    phase=PHASES[MOVE_CARD], more_phases={SHOW: MOVE},
)  # fmt: skip
read, write = POSITIONS.read, POSITIONS.write


def _kind(card: int) -> str:
    return KINDS[card - 1] if card else ""


def _read_fighters(setup: GameSetup, s: State, fields: PositionReader) -> None:
    """Read the fighters and their squares."""
    picking = s.phase == PICK
    names = [normalize(fighter.name) for fighter in setup.content.fighters]
    for seat, name in enumerate(fields.per_seat("fighters", None)):
        if name is None:
            s.fighter[seat] = NO_FIGHTER if picking else seat
        elif name == "" and picking:
            s.fighter[seat] = NO_FIGHTER
        else:
            s.fighter[seat] = _find_fighter(names, str(name))
    for seat, name in enumerate(fields.per_seat("squares", "" if picking else None)):
        ring = int(setup.params.columns), int(setup.params.rows)
        s.square[seat] = setup.params.red[seat] if name is None else read_square(str(name), *ring)
        if s.square[seat] == OFF and not picking:
            raise BadPosition(f"squares: {name} is not on this board.")
    if not picking and s.fighter[0] == s.fighter[1]:
        raise BadPosition("fighters: both seats have the same fighter; each needs a different one.")
    if not picking and s.square[0] == s.square[1]:
        raise BadPosition("squares: two fighters can't be on the same square.")


def _find_fighter(names: list[str], name: str) -> int:
    """Return the number of the fighter with this name, or the only one whose name starts with it."""
    wanted = normalize(name)
    found = [i for i, known in enumerate(names) if known == wanted]
    found = found or [i for i, known in enumerate(names) if wanted and known.startswith(wanted)]
    if not wanted:
        raise BadPosition("fighters: a fighter has no name.")
    if not found:
        raise BadPosition(f"fighters: there is no fighter {name}.")
    if len(found) > 1:
        raise BadPosition(f"fighters: several names start with {name}; write one in full.")
    return found[0]


def _check_commitments(setup: GameSetup, s: State) -> None:
    """Check the cards and supers of this round."""
    for seat in range(SEATS):
        if s.movement[seat] and s.movement[seat] == s.resting[seat]:
            raise BadPosition(f"movement: seat {seat + 1} can't use its resting card.")
        if s.called[seat] and s.action[seat] != setup.params.super_kind[s.fighter[seat]]:
            raise BadPosition(f"called: the super of seat {seat + 1} needs another kind of card.")
        if s.called[seat] and not s.shown and (setup.params.super_call == REVEAL or not has_super(s, seat)):
            raise BadPosition(f"called: seat {seat + 1} can't call a super.")
        if s.performed[seat] and not s.super_used[seat]:
            raise BadPosition(f"super_used must be true for seat {seat + 1}, which has performed its super.")
    if not s.shown and (any(s.performed) or s.counter):
        raise BadPosition("performed, counter: these need Action cards that are face up (shown).")


def _read_kinds(fields: PositionReader, key: str) -> list[int]:
    return [_read_kind(kind, key) for kind in fields.per_seat(key, "")]


def _read_kind(word: object, key: str) -> int:
    if word == "":
        return NOTHING
    kinds = [normalize(kind) for kind in KINDS]
    if normalize(str(word)) not in kinds:
        raise BadPosition(f"{key}: {word} is not a kind of Action card; the kinds are {', '.join(KINDS)}.")
    return kinds.index(normalize(str(word))) + 1


def components(setup: GameSetup, s: State) -> list[str]:
    """Return the name of every card (equal ones numbered) and token, wherever it is."""
    piles = [s.deck, s.discard, *s.hand]
    revealed = [card for card in (*s.action, s.counter) if card and s.shown]
    kinds = [int(card) for pile in piles for card in pile[1 : pile[0] + 1]] + revealed
    found = [f"{_kind(kind)} {kinds[:place].count(kind)}" for place, kind in enumerate(kinds)]
    for seat in range(SEATS):
        used = [int(card) for card in (s.movement[seat], s.resting[seat]) if card]
        held = [card for card in (1, 2, 3) if card not in used]
        found += [f"token {seat}", *(f"movement {card} of {seat}" for card in used + held)]
    return found


def _given_hand(s: State, seat: int, given: object) -> list[int]:
    """Return the cards given for a hand; a committed card that is left out is added."""
    hand = [_read_kind(word, "hands") for word in words_in(given, "hands")]
    card = int(s.action[seat])
    if card and not s.shown and len(hand) < HAND:
        hand.append(card)
    if len(hand) > HAND - int(s.shown):
        raise BadPosition(f"hands: seat {seat + 1} can have at most {HAND - int(s.shown)} cards, not {len(hand)}.")
    if card and not s.shown and card not in hand:
        raise BadPosition(f"hands: seat {seat + 1} has played a {_kind(card)} face down, but has none in hand.")
    return hand


def _show(params: Params, s: State) -> None:
    """Reveal the Action cards: both fighters have moved."""
    for seat in range(SEATS):
        if not s.action[seat]:
            raise BadPosition("action: in phase show, each seat must have a card.")
    s.player = 1 - first_mover(s)
    rules.show(params, s)


def _seat_to_choose(params: Params, s: State) -> int:
    """Return the seat that chooses, where `player` is left out."""
    first = int(first_mover(s))
    if s.phase == PICK:
        return int(s.fighter[0] != NO_FIGHTER)
    if s.phase in (MOVE_CARD, ACTION_CARD):
        return 1 - first if s.action[first] else first
    if s.phase == COUNTER:
        return int(s.action[1] == BLOCK)
    if s.phase == CLAIM:
        return first if may_claim(params, s, first) else 1 - first
    return first


def _check_phase(params: Params, s: State) -> None:
    """Raise BadPosition unless the commitments, Action cards and supers fit the phase."""
    first, player = int(first_mover(s)), int(s.player)
    if s.phase in (MOVE_CARD, ACTION_CARD) and player != first and not (s.movement[first] and s.action[first]):
        raise BadPosition(f"movement, action: seat {first + 1} must play both cards before seat {player + 1} does.")
    if s.phase == ACTION_CARD and not s.movement[player]:
        raise BadPosition(f"movement: in phase action_card, seat {player + 1} must have a Movement card.")
    if s.phase in (MOVE_CARD, ACTION_CARD) and _is_early(s, first, player):
        raise BadPosition("movement, action: one of these cards is only played later in the round.")
    if bool(s.shown) != (s.phase in (CLAIM, COUNTER)):
        raise BadPosition("shown: Action cards are face up only in phases claim and counter.")
    if s.phase in (MOVE, CLAIM, COUNTER) and not (all(s.action) and (all(s.movement) or s.phase != MOVE)):
        raise BadPosition(f"movement, action: in phase {PHASES[s.phase]}, both seats must have their cards.")
    if s.phase == COUNTER and (s.action[player] != BLOCK or s.action[1 - player] == BLOCK):
        raise BadPosition("player: only a seat that has played the only Block can counter.")
    if s.phase == COUNTER and overrules(params, s, 1 - player):
        raise BadPosition("phase: a Block that a super overrules can't be followed by a Counter.")
    if s.phase == CLAIM and not may_claim(params, s, player):
        raise BadPosition(f"player: seat {player + 1} has no super to claim.")
    if s.phase == PICK and player == 1 and s.fighter[0] == NO_FIGHTER:
        raise BadPosition("player: seat 1 picks a fighter first.")
    if s.phase == PICK and s.fighter[player] != NO_FIGHTER:
        raise BadPosition(f"fighters: seat {player + 1} has already picked a fighter.")


def _is_early(s: State, first: int, player: int) -> bool:
    """Return whether a card is committed that is only chosen later in the round."""
    mine = s.action[player] or (s.phase == MOVE_CARD and s.movement[player])
    others = player == first and (s.action[1 - first] or s.movement[1 - first])
    return bool(mine or others)

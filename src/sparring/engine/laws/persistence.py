"""Check the laws about pieces and the inventory (3), positions and records (6), and payoffs (7)."""

from math import isfinite
from typing import Any

from sparring.engine.match import Match

from .violations import LawContext, differing


def check_pieces(match: Match, pieces: list[str], context: LawContext) -> None:
    """Check law 3: the pieces are those of the start, each in one place."""
    now = match.game.position.pieces(match.box, match.state)
    duplicated = sorted({piece for piece in now if now.count(piece) > 1})
    lost, new = sorted(set(pieces) - set(now)), sorted(set(now) - set(pieces))
    problems = [(duplicated, "in two places"), (lost, "lost"), (new, "new")]
    message = "; ".join(f"{', '.join(names[:5])}: {word}" for names, word in problems if names)
    context.require(3, not message, f"a piece is lost or duplicated ({message})")


def check_inventory(match: Match, pieces: list[str], context: LawContext) -> None:
    """Check law 3: the printed inventory is what is dealt, each piece once."""
    if match.game.inventory is None:
        return
    printed = match.game.inventory.inventory(match.box, match.seats).pieces
    duplicated = sorted({piece for piece in printed if printed.count(piece) > 1})
    missing, more = sorted(set(pieces) - set(printed)), sorted(set(printed) - set(pieces))
    problems = [(duplicated, "twice"), (missing, "missing"), (more, "not dealt")]
    message = "; ".join(f"{', '.join(names[:5])}: {word}" for names, word in problems if names)
    context.require(3, not message, f"the inventory differs from the pieces dealt ({message})")


def check_position(match: Match, context: LawContext) -> None:
    """Check law 6: this state, written as a position and read back, is the same."""
    read = Match.from_position(match.position(), match.box.content, game=match.game)
    if read.state.tobytes() != match.state.tobytes():
        raise context.violation(6, f"the position reads back with a different {differing(match.state, read.state)}")


def check_record(match: Match, states: list[Any], context: LawContext) -> None:
    """Check law 6: the replayed record goes through the same states."""
    record = match.record()
    again = Match.from_record(record, upto=0, game=match.game)
    for number, state in enumerate(states):
        if number:
            again.choose(match.history[number - 1])
        if again.state.tobytes() != state.tobytes():
            raise context.at(number).violation(6, f"the record replays to a different {differing(state, again.state)}")
    whole = Match.from_record(record, game=match.game)
    context.require(6, whole.state.tobytes() == match.state.tobytes(), "the record replays to a different state")


def check_payoffs(match: Match, context: LawContext) -> None:
    """Check law 7, and that the match ended once, in one of its endings."""
    payoffs, bounds, endings = list((match.payoffs or {}).values()), match.game.payoffs, match.game.rules.ENDINGS
    context.require(
        2, match.state.over == 1, "the match was ended twice in one choice: nothing may happen after `finish`"
    )
    ending = int(match.state.ending)
    context.require(
        2, 0 <= ending < len(endings), f"the ending is {ending}; ENDINGS has {len(endings)}, counted from 0"
    )
    context.require(7, all(map(isfinite, payoffs)), f"payoffs must be finite, not {payoffs}")
    if bounds is None:
        winnings = [payoff for payoff in payoffs if payoff > 0]
        context.require(7, all(payoff == -1 for payoff in payoffs if payoff < 0), f"losers must pay 1, not {payoffs}")
        context.require(7, len(set(winnings)) <= 1, f"winners must share evenly, not {payoffs}")
    else:
        within_bounds = all(bounds.low <= payoff <= bounds.high for payoff in payoffs)
        context.require(7, within_bounds, f"payoffs must be {bounds.low} to {bounds.high} {bounds.unit}, not {payoffs}")
    if bounds is None or bounds.zero_sum:
        context.require(7, abs(sum(payoffs)) < 1e-9, f"payoffs must sum to zero, not {payoffs}")

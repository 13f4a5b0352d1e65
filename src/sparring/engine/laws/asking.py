"""Law 11: what a designer asks about."""

from sparring.engine.game import Box
from sparring.engine.items import asked, room
from sparring.engine.match import Match

from .broken import Place


def check_names(box: Box, place: Place) -> None:
    """Items have names, each its own."""
    with place.watched(11):
        names = asked(box.game).names(box)
    wrong = sorted({str(item) for item in names if names.count(item) > 1 or not item.name})
    place.hold(11, not wrong, f"items need names, each its own: {', '.join(wrong)}")


def check_asked(match: Match, action: int, here: Place) -> None:
    """What the rules write are items; a choice plays what its seat held; nobody is ahead by more than all."""
    box, state, about, out = match.box, match.state, asked(match.game), room(match.box)
    names, before = about.names(box), state.tobytes()
    for seat in range(match.seats):
        held = {int(item) for item in out[: about.held(box.kit, state, seat, out)]}
        here.hold(11, held <= set(range(len(names))), f"held writes {sorted(held)}; items are 0 to {len(names) - 1}")
        far = about.ahead(box.kit, state, seat)
        here.hold(11, 0.0 <= far <= 1.0, f"ahead says {far} of seat {seat + 1}; it is a number from 0 to 1")
        if seat == state.player:
            played = [int(item) for item in out[: about.played(box.kit, state, action, out)]]
            strange = [str(names[item]) if item < len(names) else str(item) for item in played if item not in held]
            here.hold(11, not strange, f"seat {seat + 1} plays what it does not hold: {', '.join(strange)}")
            here.hold(11, len(set(played)) == len(played), f"played writes an item twice: {played}")
    here.hold(11, state.tobytes() == before, "held, played or ahead changes the state")

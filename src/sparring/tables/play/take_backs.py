"""Take-back requests: a player may take back a choice that others have seen, if all other players agree.

They can ask until another player chooses, unless the choice led to a result, used chance or showed them something
hidden. So the player knows nothing more than before the choice; what the others saw of it, they know anyway. Rated
matches have no take-back requests.
"""

from collections.abc import Sequence

import numpy as np

from sparring.engine import chance
from sparring.engine.game import Box
from sparring.engine.views import Transition, view_of
from sparring.scene.descriptions import has_result
from sparring.tables.state.table import Table

#: The rule, for players.
RULE = (
    "You can ask to take back your last choice until another player chooses, unless it led to a result, used chance "
    "or showed you something hidden. All other players must agree."
)
#: How many states that fit the player's view are tried before the others are asked, and before the button is offered.
#: If none of 64 states contradicts something, the player could be almost certain of it anyway. The button is drawn with
#: every event, where each state costs as much as the whole scene; a button too many is refused in a sentence.
WORLDS, QUICK_WORLDS = 64, 1


def steps_to_ask_for(table: Table, seat: int, worlds: int = WORLDS) -> int:
    """Return how many choices to undo for a seat that asks to take back its last one; 0 if it may not ask.

    This can take tens of milliseconds; hold the table's lock if it runs in a thread.
    Later choices must be forced, or inside a moment that the seat can't see: no one can have learned anything from
    them, and the result doesn't tell the seat whether there were any. A new deal is never undone: its host would know
    the hidden cards again.
    """
    if table.shown.over or table.shown.paused or table.settings.rated or seat not in table.playing:
        return 0
    if seat == table.chooser and table.shown.may_take_back:
        return 0  # without asking
    for steps, transition in enumerate(reversed(table.transitions[table.match.last_deal :]), 1):
        if int(transition.before.player) + 1 == seat and not transition.forced_reason:
            return steps if _reveals_nothing(table, table.transitions[-steps:], seat, worlds) else 0
        unseen = transition.after.moment == transition.before.moment and not table.match.beats(seat, transition)
        if not transition.forced_reason and not unseen:
            return 0
    return 0


def may_ask(table: Table, seat: int) -> bool:
    """Return whether to show a seat the button that asks for a take-back, as of the latest version that it sees.

    This is a quick check, once per version; `steps_to_ask_for` decides.
    """
    if table.clocks.proposal or not table.clocks.may_propose("take-back", seat):
        return False
    return table.feed(seat).once("may ask", lambda: bool(steps_to_ask_for(table, seat, QUICK_WORLDS)))


def _reveals_nothing(table: Table, undone: Sequence[Transition], seat: int, worlds: int) -> bool:
    """Return whether choices decided nothing, used no chance, and showed a seat nothing hidden."""
    if (undone[0].before.rng != undone[-1].after.rng).any():
        return False
    if any(has_result(beat) for each in undone if each.marks for beat in table.match.beats(0, each)):
        return False
    return all(_was_foreseeable(table.match.box, each, seat, worlds) for each in undone)


def _was_foreseeable(box: Box, transition: Transition, seat: int, worlds: int) -> bool:
    """Return whether a seat sees the same after an action, whatever is hidden from it.

    The rules play the action in `worlds` full states that fit the seat's view. Law 9 plays it in the view itself, which
    is exact, but after the end of a moment rules may read what is hidden there.
    """
    rules, kit = box.game.rules, box.kit
    view, seen = (view_of(box, state, seat).state for state in (transition.before, transition.after))
    if view.tobytes() == seen.tobytes():
        return True
    g = np.zeros(4, np.int64)
    chance.seed(g, int(transition.before.moment), chance.DETERMINIZATION)
    for _ in range(worlds):
        world = view.copy()
        rules.determinize(kit, world, seat - 1, g)
        rules.step(kit, world, transition.action)
        rules.redact(kit, world, seat - 1)
        if world.tobytes() != seen.tobytes():
            return False
    return True

"""Check the laws about pieces (3), illegal actions (5), records (6), payoffs (7), words and scenes (8), items (11)."""

import random
from collections import Counter
from math import isfinite
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.errors import BadPosition, ChoiceError
from sparring.engine.game import GameSetup
from sparring.engine.items import item_rules
from sparring.engine.match import Match
from sparring.engine.views import View

from .violations import LawContext, differing


def check_components(match: Match, components: list[str], context: LawContext) -> None:
    """Check law 3: the pieces are those of the start, each in one place."""
    now = match.game.position.components(match.setup, match.state)
    duplicated = sorted({piece for piece in now if now.count(piece) > 1})
    lost, new = sorted(set(components) - set(now)), sorted(set(now) - set(components))
    problems = [(duplicated, "in two places"), (lost, "lost"), (new, "new")]
    message = "; ".join(f"{', '.join(names[:5])}: {word}" for names, word in problems if names)
    context.require(3, not message, f"a piece is lost or duplicated ({message})")


def check_inventory(match: Match, components: list[str], context: LawContext) -> None:
    """Check law 3: the printed inventory is what is dealt, each piece once."""
    if match.game.inventory is None:
        return
    printed = match.game.inventory.inventory(match.setup, match.seats).components
    duplicated = sorted({piece for piece in printed if printed.count(piece) > 1})
    missing, more = sorted(set(components) - set(printed)), sorted(set(printed) - set(components))
    problems = [(duplicated, "twice"), (missing, "missing"), (more, "not dealt")]
    message = "; ".join(f"{', '.join(names[:5])}: {word}" for names, word in problems if names)
    context.require(3, not message, f"the inventory differs from the pieces dealt ({message})")


def check_position(match: Match, context: LawContext) -> None:
    """Check law 6: this state, written as a position and read back, is the same."""
    try:
        read = Match.from_position(match.position(), match.setup.content, game=match.game)
    except BadPosition as problem:
        message = f"a rule wrote a state that State or the check of positions excludes: {problem}"
        raise context.violation(6, message) from None
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
            fields = differing(state, again.state)
            raise context.at(number).violation(
                6, f"the record replays to a different {fields}; rules may use no chance but that of `state.rng`"
            )
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


#: The number of determinizations that are compared before a visible card counts as impossible.
MAX_DETERMINIZATIONS = 200


def check_words(match: Match, views: list[View], context: LawContext) -> None:
    """Check law 8: every legal action has unique words and is in the scene once; no other action is."""
    view = views[match.seat or 0]
    offered = [choice.action for choice in view.choices]
    shown = sorted(view.scene.actions())
    missing = "; a choice that isn't on the table needs a text in `button_texts` of its phase, in phases.py"
    context.require(8, shown == offered, (
        f"the scene offers {_actions(match, shown)}; legal: {_actions(match, offered)}"
        f"{missing if set(offered) - set(shown) else ''}"
    ))  # fmt: skip
    seen_words: dict[str, int] = {}
    for action, words in view.choices:
        other = seen_words.setdefault(words, action)
        context.require(8, other == action, f"“{words}” is both {_action(match, other)} and {_action(match, action)}")
        context.require(8, words, f"action {_action(match, action)} has no words")
        try:
            read_back = match.read(words)
        except ChoiceError as problem:
            raise context.violation(
                8, f"“{words}” doesn't read back as action {_action(match, action)}: {problem}"
            ) from None
        same_words = words == match.game.scene.words(match.setup, view.state, read_back)
        context.require(
            8, same_words, f"“{words}” reads back as action {_action(match, read_back)}, not {_action(match, action)}"
        )
    for shortcut in view.scene.shortcuts:
        try:
            match.clone().play(shortcut.words)
        except ChoiceError as problem:
            raise context.violation(8, f"the shortcut “{shortcut.words}” is refused: {problem}") from None
    for seat in range(match.seats + 1):
        if seat != match.seat:
            others = views[seat].scene.actions()
            context.require(8, not others, f"seat {seat} is offered another seat's actions: {_actions(match, others)}")
            more = [shortcut.words for shortcut in views[seat].scene.shortcuts]
            context.require(8, not more, f"seat {seat} is offered another seat's shortcuts: {', '.join(more)}")


def check_faces(match: Match, view: View, context: LawContext) -> None:
    """Check law 8: every card that a seat sees face up is face up in the full state or in a determinization."""
    g = np.zeros(4, np.int64)
    chance.seed(g, len(match.history), chance.DETERMINIZATION)
    sampled = match.state.copy()
    shown = impossible = _faces(view.scene)
    for _ in range(MAX_DETERMINIZATIONS):
        possible = _faces(match.game.scene.SeatTable(match.setup, sampled, view.seat - 1, list(view.legal), "").scene())
        impossible = impossible & (shown - possible)
        if not impossible:
            return
        sampled = view.state.copy()
        match.game.rules.determinize(match.setup.params, sampled, view.seat - 1, g)
    raise context.violation(8, (
        f"the scene of seat {view.seat} shows {', '.join(sorted(impossible))}, which can't be there: "
        "a card that the view hides is -1, and names[-1] is the last one"
    ))  # fmt: skip


def _faces(scene: object) -> Counter[str]:
    """Count the face-up cards of a scene by title."""
    counts: Counter[str] = Counter()
    for card in _cards(scene):
        if card.face:
            counts[card.face.title] += card.count
    return counts


def _cards(part: object) -> list[Any]:
    """Return every card in a part of a scene. The engine knows no scene types: a card is an object with a `face`."""
    if isinstance(part, tuple | list):
        return [card for each in part for card in _cards(each)]
    if not hasattr(part, "__struct_fields__") or hasattr(part, "cells"):  # boards hold no cards
        return []
    inside = [card for name in part.__struct_fields__ for card in _cards(getattr(part, name))]
    return [part, *inside] if hasattr(part, "face") else inside


def check_refusals(match: Match, rng: random.Random, context: LawContext) -> None:
    """Check law 5 for a few illegal actions."""
    before = match.state.tobytes()
    legal = set(match.legal())
    illegal = [action for action in match.game.rules.ACTIONS if action not in legal]
    for action in [*rng.sample(illegal, min(4, len(illegal))), -1, len(match.game.rules.ACTIONS)]:
        try:
            match.choose(action)
        except ChoiceError as refused:
            context.require(5, str(refused), f"action {_action(match, action)} is rejected without a reason")
        else:
            raise context.violation(5, f"the illegal action {_action(match, action)} was not rejected")
    context.require(5, match.state.tobytes() == before, "a rejected action changed the state")


def _action(match: Match, action: int) -> str:
    """Return an action's number and block: `7 (card 7)`."""
    actions = match.game.rules.ACTIONS
    if not 0 <= action < len(actions):
        return str(action)
    block, number = actions.name_of(action)
    return f"{action} ({block} {number})"


def _actions(match: Match, actions: list[int]) -> str:
    return ", ".join(_action(match, action) for action in actions) or "nothing"


def check_names(setup: GameSetup, context: LawContext) -> None:
    """Check that items have unique names."""
    with context.reporting(11):
        names = item_rules(setup.game).names(setup)
    wrong = sorted({str(item) for item in names if names.count(item) > 1 or not item.name})
    context.require(11, not wrong, f"items need unique names: {', '.join(wrong)}")


def check_phases(setup: GameSetup, context: LawContext) -> None:
    """Check that each phase has its record in phases.py, and that buttons name actions."""
    rules, records = setup.game.rules, setup.game.scene.PHASES
    names = tuple(record.name for record in records)
    context.require(
        8, names == tuple(rules.PHASES),
        f"PHASES of phases.py must have a record for each of {rules.PHASES}, in this order, not for {names}",
    )  # fmt: skip
    blocks = rules.ACTIONS.blocks
    for record in records:
        wrong = ", ".join(sorted(set(record.button_texts) - set(blocks)))
        where = f"button_texts of phase {record.name} (phases.py)"
        context.require(8, not wrong, f"{where} names {wrong}; the blocks of ACTIONS are {', '.join(blocks)}")
        waiting, forced = record.waiting_text, record.forced_text
        context.require(
            8, "{who}" in waiting,
            f"waiting_text of phase {record.name} (phases.py) must be a sentence about {{who}}, not {waiting!r}",
        )  # fmt: skip
        context.require(
            8, not forced or "{choice" in forced or forced[-1] in ".!?",
            f"forced_text of phase {record.name} (phases.py) must be a sentence, or have {{choice:inside}}: {forced!r}",
        )  # fmt: skip


def check_items(match: Match, action: int, context: LawContext) -> None:
    """Check that a seat holds what its action plays, `progress` is in range, and item rules change nothing."""
    setup, state, rules = match.setup, match.state, item_rules(match.game)
    names, before = rules.names(setup), state.tobytes()
    for seat in range(match.seats):
        progress = rules.progress(setup.params, state, seat)
        context.require(11, 0.0 <= progress <= 1.0, f"progress must be 0 to 1, not {progress} (seat {seat + 1})")
    held, played = np.zeros((2, len(names)), np.uint16)
    rules.held(setup.params, state, int(state.player), held)
    rules.played(setup.params, state, action, played)
    not_held = [str(item) for item, had, plays in zip(names, held, played, strict=True) if plays and not had]
    context.require(11, not not_held, f"seat {state.player + 1} plays items it doesn't hold: {', '.join(not_held)}")
    context.require(11, state.tobytes() == before, "held, played or progress changes the state")

"""Make Your Moves: log sentences for a seat, and reasons why a choice is not legal."""

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, listed

from . import state as R
from .components import as_sum, card, move_name, powers
from .kit import COLOURS, WILD, MoveCard
from .moves import count_in


def tell(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the result of the beat, the new turn, the cards it drew."""
    voice = Voice(seat)
    lines = _choice(box, before, action, after, voice) if action is not None else []
    if beat == "compared":
        lines.append(_comparison(box, after, voice))
    elif beat == "scored":
        lines += [_point(box, after, i, voice) for i in range(after.seats) if after.points[i] > before.points[i]]
    elif beat == "countered":
        lines.append(_countered(box, after, voice))
    if after.turn != before.turn and not after.over:
        lines.append(TurnLine(f"Turn {after.turn}: {voice.then(int(after.control), 'are', 'is')} in control."))
    lines += _drawn(box, before, after, voice)
    if beat == "reshuffled":
        lines.append(AsideLine("The discards are shuffled into a new draw pile."))
    elif beat == "no attack":
        attacker = int(after.attacker)
        held = "only Wilds" if after.hand[attacker, 0] else "no cards"
        lines.append(f"{voice.does(attacker, 'have', 'has')} {held} and can't attack.")
    if after.over:
        lines.append(ResultLine(ending(after, seat)))
    return lines


def _choice(box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
    """Return the sentence for a choice; none for choices that need no log line."""
    player = int(before.player)
    phase = int(before.phase)
    block, number = R.ACTIONS.name_of(action) if action >= 0 else ("hidden", -1)
    name = card(box, number).name if block == "card" else ""
    if phase == R.TARGET:
        if block == "skip":
            if after.control == player:
                return [f"{voice.does(player, 'pass', 'passes')} and {voice.verb(player, 'stay', 'stays')} in control."]
            return [f"{voice.does(player, 'pass', 'passes')} control to {voice.whom(int(after.control))}."]
        return [f"{voice.does(player, 'attack', 'attacks')} {voice.whom(number)}."]
    if phase == R.ATTACK:
        if block == "card":
            total = as_sum([*powers(box, before.attack), card(box, number).power])
            return [f"{voice.does(player, 'play', 'plays')} {name}: {total}."]
        attacks = voice.does(player, "attack", "attacks")
        move, total = move_name(box, in_order(before.attack)), str(sum(powers(box, before.attack)))
        return [f"{move}! {attacks} {voice.whom(int(before.defender))} with {total}."]
    if phase == R.RESPOND and block == "card":
        total = as_sum([*powers(box, before.defence), card(box, number).power])
        attack = sum(powers(box, before.attack))
        return [f"{voice.does(player, 'defend', 'defends')} with {name}: {total} against {attack}."]
    if phase in (R.RESPOND, R.FOUR):
        return _answered(box, before, action, after, voice)
    if phase == R.DODGE_TO:
        return [f"The attack goes to {voice.whom(number)} instead."]
    if phase == R.ASSIST_SIDE:
        helped = voice.whom(int(before.attacker if block == "attacker" else before.defender))
        played = card(box, in_order(before.helping)[0])
        return [f"{voice.does(player, 'help', 'helps')} {helped} with {played.name}: +{played.power}."]
    if phase == R.DISCARD and block == "card":
        return [AsideLine(voice.does(player, "discard", "discards"), name)]
    return []


def _answered(box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
    """Return the sentence for a Dodge once its four cards are played, or for a Defender who plays no card."""
    player = int(before.player)
    if action == R.DONE and not before.defence[0]:
        return [voice.does(player, "don't defend", "doesn't defend") + "."]
    if after.phase == R.DODGE_TO:
        return [f"{voice.does(player, 'dodge', 'dodges')} with {_last_four(box, after)}."]
    return []


def _last_four(box: Box, s: R.State) -> str:
    return listed([card(box, n).name for n in in_order(s.fours)[-4:]])


def _countered(box: Box, s: R.State, voice: Voice) -> str:
    defender = int(s.defender)
    takes = voice.verb(defender, "take", "takes")
    return ResultLine(f"{voice.does(defender, 'counter', 'counters')} and {takes} control: {_last_four(box, s)}.")


def _comparison(box: Box, s: R.State, voice: Voice) -> str:
    """Return both totals and who has control; Attacker and Defender read their own total first, others the attack."""
    attack = sum(powers(box, s.attack, s.help_attack))
    defence = sum(powers(box, s.defence, s.help_defence))
    outcome = _outcome(box, defence - attack, int(s.attacker), int(s.defender), voice)
    if not defence:
        whose = "Your" if voice.seat == s.attacker else f"{voice.name(int(s.attacker))}'s"
        return ResultLine(f"{whose} {attack} goes through: {outcome}.", hit=True)
    hit = attack > defence
    if voice.seat not in (s.attacker, s.defender):
        return ResultLine(f"Attack {attack}, defence {defence}: {outcome}.", hit=hit)
    own, other, opponent = attack, defence, int(s.defender)
    if voice.seat == s.defender:
        own, other, opponent = defence, attack, int(s.attacker)
    compared = "beats" if own > other else "loses to" if own < other else "equals"
    return ResultLine(f"Your {own} {compared} {voice.name(opponent)}'s {other}: {outcome}.", hit=hit)


def _outcome(box: Box, margin: int, attacker: int, defender: int, voice: Voice) -> str:
    """Return who has control after an exchange that the Defender wins by `margin`; a win by 1 brings nothing else."""
    if margin <= 0:
        blocked = "blocked, and " if margin == 0 else ""
        return f"{blocked}{voice.then(attacker, 'keep', 'keeps')} control"
    takes = f"{voice.then(defender, 'take', 'takes')} control"
    if margin == 1:
        return f"{takes}; a win by 1 {'scores no point' if box.options['match'] == 'points' else 'does no damage'}"
    return takes


def _point(box: Box, s: R.State, seat: int, voice: Voice) -> str:
    points = int(s.points[seat])
    if box.options["match"] == "points":
        return ResultLine(f"{voice.does(seat, 'score', 'scores')}: {points} of {R.NEEDED} points.")
    out = f" and {voice.verb(seat, 'are', 'is')} out" if points == R.NEEDED else ""
    return ResultLine(f"{voice.does(seat, 'take', 'takes')} damage ({points} of {R.NEEDED}){out}.")


def _drawn(box: Box, before: R.State, after: R.State, voice: Voice) -> list[str]:
    """Return what this seat itself drew."""
    if voice.seat < 0:
        return []
    held = in_order(before.hand[voice.seat])
    drawn = [n for n in in_order(after.hand[voice.seat]) if n not in held]
    return [AsideLine("You draw", *(card(box, n).name for n in drawn))] if drawn else []


def ending(s: R.State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if s.payoff[i] >= 0]
    if len(winners) > 1:
        return f"Turn limit reached: a draw between {listed([voice.whom(i) for i in winners])}."
    how = {
        R.BY_POINTS: f" with {R.NEEDED} points", R.LAST_ONE_IN: ": last one standing",
        R.TURN_LIMIT: ": ahead at the turn limit",
    }[int(s.ending)]  # fmt: skip
    return f"{voice.does(winners[0], 'win', 'wins')}{how}."


# Why a choice is not legal


def why_not(box: Box, s: R.State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return _why_not_card(box, s, number)
    if block == "seat":
        return _why_not_seat(s, number)
    return _why_not_word(s, block)


def _why_not_card(box: Box, s: R.State, number: int) -> str:
    if number not in in_order(s.hand[s.player]):
        return "That card is not in your hand."
    this = card(box, number)
    if s.phase in (R.TARGET, R.DODGE_TO):
        return _FIRST[int(s.phase)]
    if s.phase == R.ATTACK:
        if any(card(box, n).colour == this.colour for n in in_order(s.attack)):
            return f"Your attack already has a {this.colour} card; only cards of power 1 stack."
        return "Your attack already has three colours; you can only add Wilds."
    if s.phase == R.RESPOND:
        return _why_not_defend(box, s, this)
    if s.phase == R.FOUR:
        return "The four cards must share one colour."
    return "Choose which side your card helps."


def _why_not_defend(box: Box, s: R.State, this: MoveCard) -> str:
    if this.colour == COLOURS[WILD]:
        return "At this table you can defend with only one Wild."
    attacked = [word for i, word in enumerate(COLOURS) if s.attack_colours >> i & 1]
    if this.colour not in attacked:
        return f"The attack has no {this.colour} card; defend with {listed([*attacked, 'Wild'], 'or')} cards."
    cards = "one card" if s.ceiling == 1 else f"{s.ceiling} cards"
    return f"You can defend with {cards} (a stack counts as one), plus Wilds."


def _why_not_seat(s: R.State, number: int) -> str:
    if number >= s.seats:
        return f"This table has only {s.seats} seats."
    if s.phase not in (R.TARGET, R.DODGE_TO):
        return "You can't choose a target now."
    if number == s.player:
        return "You can't target yourself."
    if s.out[number]:
        return f"Seat {number + 1} is out."
    return "The attack can't go back to the Attacker."


def _why_not_word(s: R.State, block: str) -> str:
    if block in ("attacker", "defender"):
        if s.phase == R.ASSIST_CARD:
            return "First play a card to help with, then choose a side; or stay out with “pass”."
        if s.phase != R.ASSIST_SIDE:
            return "You can't help anyone now."
        if block == "attacker":
            return "The attack already has this colour; at this table the card can help only the Defender."
        return "The attack doesn't have this colour; at this table the card can help only the Attacker."
    if block in ("counter", "dodge"):
        return _why_not_four(s, block)
    if block == "skip" and s.phase == R.TARGET:
        return "At this table you must attack if you are in control."
    if block == "skip" and s.phase in _FINISH and (s.phase != R.ATTACK or s.attack[0]):
        return _FINISH[int(s.phase)]
    return _FIRST[int(s.phase)]


#: Why a player can't pass in a phase that ends with `done`.
_FINISH = {
    R.ATTACK: "You can't pass after playing a card: end your attack with “done”.",
    R.RESPOND: "You can't pass: end your defence with “done”, with or without cards.",
    R.DISCARD: "You can't pass: finish discarding with “done”.",
}
#: What to do first, by phase.
_FIRST = {
    R.TARGET: "Choose a target first.", R.ATTACK: "Play a coloured card first; you can't attack with Wilds alone.",
    R.FOUR: "Pick the four cards first.", R.DODGE_TO: "You are dodging: choose the new target first.",
    R.ASSIST_CARD: "Play a card to help with, or stay out with “pass”.", R.ASSIST_SIDE: "Choose a side to help first.",
}  # fmt: skip


def _why_not_four(s: R.State, block: str) -> str:
    if s.phase in (R.FOUR, R.DODGE_TO):
        return _FIRST[int(s.phase)]
    if s.phase != R.RESPOND:
        return f"There is no attack on you to {block}."
    if s.defence[0]:
        return f"You can {block} only before you play a card in defence."
    if block == "dodge" and count_in(s) == 2:
        return "There is no third player to dodge to."
    return f"You need four cards of one colour to {block}."

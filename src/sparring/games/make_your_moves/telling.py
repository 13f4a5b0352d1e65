"""Make Your Moves in sentences: what just happened, how a move is called, and why something cannot be chosen."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import Deed
from sparring.scene.sentences import Aside, Result, Voice, listed

from . import state as R
from .moves import still_in
from .kit import BLUE, COLOURS, GREEN, RED, WILD, YELLOW, Card


def card(box: Box, number: int) -> Card:
    """What is printed on a card."""
    found: Card = box.content.cards[number]
    return found


def powers(box: Box, *piles: Any) -> list[int]:
    """The powers of all cards in some piles."""
    return [card(box, number).power for pile in piles for number in in_order(pile)]


def added(powers: list[int]) -> str:
    """Powers as they are added up: `2 + 3 = 5`."""
    if len(powers) < 2:
        return str(sum(powers))
    return f"{' + '.join(map(str, powers))} = {sum(powers)}"


def move_name(box: Box, laid: list[int]) -> str:
    """The move that the cards make, as a ring announcer calls it: how, with which limb, what, with what gear."""
    printed = [card(box, n) for n in laid]
    return composed([[one.name for one in printed if one.colour == word] for word in COLOURS])


def composed(said: list[list[str]]) -> str:
    """The name of a move, by the names of its cards of each colour."""
    move = " ".join(said[GREEN] + said[BLUE] + said[RED])
    gear, wild = listed(said[YELLOW]), listed(said[WILD])
    if gear:
        move = f"{move} with the {gear}" if move else gear
    if wild:
        move = f"{move} plus {wild}" if move else wild
    return move


def deeds(box: Box, s: Any, beat: str) -> tuple[Deed, ...]:
    """The moves of an exchange, which are described as they are meant to be: in people's own words."""
    if beat not in ("compared", "countered"):
        return ()
    answer = in_order(s.fours)[-4:] if beat == "countered" else in_order(s.defence)
    sides = ((s.attacker, in_order(s.attack)), (s.defender, answer))
    return tuple(Deed(int(seat) + 1, move_name(box, laid)) for seat, laid in sides if laid)


# What just happened


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """What happened, in sentences for `seat`: the choice, what was decided, what was drawn, the turn that begins."""
    voice = Voice(seat)
    lines = _choice(box, before, action, after, voice) if action is not None else []
    if beat == "compared":
        lines.append(_comparison(box, after, voice))
    elif beat == "scored":
        lines += [_point(box, after, i, voice) for i in range(after.seats) if after.points[i] > before.points[i]]
    elif beat == "countered":
        lines.append(_countered(box, after, voice))
    if after.turn != before.turn and not after.over:
        lines.append(f"Turn {after.turn}: {voice.then(int(after.control), 'are', 'is')} in control.")
    lines += _drawn(box, before, after, voice)
    if beat == "reshuffled":
        lines.append(Aside("The discards are shuffled: they are the draw pile now."))
    elif beat == "no attack":
        lines.append(f"{voice.does(int(after.attacker), 'hold', 'holds')} only Wilds, so there is no attack.")
    if after.over:
        lines.append(Result(ending(after, seat)))
    return lines


def _choice(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """The choice in a sentence; none for what is better left unsaid."""
    who = int(before.player)
    phase = int(before.phase)
    block, number = R.ACTIONS.name_of(action) if action >= 0 else ("hidden", -1)
    name = card(box, number).name if block == "card" else ""
    if phase == R.TARGET:
        if block == "skip":
            return [f"{voice.does(who, 'pass', 'passes')} the attack, and control with it."]
        return [f"{voice.does(who, 'attack', 'attacks')} {voice.whom(number)}."]
    if phase == R.ATTACK:
        if block == "card":
            laid = added([*powers(box, before.attack), card(box, number).power])
            return [f"{voice.does(who, 'lay', 'lays')} {name}: {laid}."]
        move, hit = move_name(box, in_order(before.attack)), voice.whom(int(before.defender))
        return [f"{move}! {sum(powers(box, before.attack))} against {hit}."]
    if phase == R.RESPOND and block == "card":
        mine = added([*powers(box, before.defence), card(box, number).power])
        attack = sum(powers(box, before.attack))
        return [f"{voice.does(who, 'defend', 'defends')} with {name}: {mine} against {attack}."]
    if phase in (R.RESPOND, R.FOUR):
        return _four(box, before, action, after, voice)
    if phase == R.DODGE_TO:
        return [f"The attack goes to {voice.whom(number)} instead."]
    if phase == R.ASSIST_CARD and block == "card":
        return [f"{voice.does(who, 'help', 'helps')} with {name}."]
    if phase == R.ASSIST_SIDE:
        helped = before.attacker if block == "attacker" else before.defender
        given = card(box, in_order(before.helping)[0])
        return [f"{given.name} adds {given.power} for {voice.whom(int(helped))}."]
    if phase == R.DISCARD and block == "card":
        return [Aside(voice.does(who, "discard", "discards"), name)]
    return []


def _four(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """A Dodge once its four cards lie there, or a defence that ends without a card."""
    who = int(before.player)
    if action == R.DONE and not before.defence[0]:
        return [f"{voice.does(who, 'lay', 'lays')} nothing in defence."]
    if after.phase == R.DODGE_TO:
        return [f"{voice.does(who, 'dodge', 'dodges')} with {_last_four(box, after)}."]
    return []


def _last_four(box: Box, s: Any) -> str:
    return listed([card(box, n).name for n in in_order(s.fours)[-4:]])


def _countered(box: Box, s: Any, voice: Voice) -> str:
    """A Counter, as its four cards lie there."""
    who = int(s.defender)
    does = f"{voice.does(who, 'counter', 'counters')} with {_last_four(box, s)}"
    return Result(f"{does}, and {voice.verb(who, 'take', 'takes')} control.")


def _comparison(box: Box, s: Any, voice: Voice) -> str:
    """The exchange, as it lies there compared."""
    attack = sum(powers(box, s.attack, s.help_attack))
    defence = sum(powers(box, s.defence, s.help_defence))
    verdict = _verdict(box, defence - attack, int(s.attacker), int(s.defender), voice)
    return Result(f"{attack} against {defence}: {verdict}", hit=attack > defence)


def _verdict(box: Box, margin: int, hitter: int, hit: int, voice: Voice) -> str:
    if margin < 0:
        keeps = voice.verb(hitter, "keep", "keeps")
        return f"{voice.then(hitter, 'hit', 'hits')} {voice.whom(hit)} and {keeps} control."
    if margin == 0:
        return f"blocked. {voice.does(hitter, 'stay', 'stays')} in control."
    steals = f"{voice.then(hit, 'steal', 'steals')} control"
    if margin == 1:
        return f"{steals}, but 1 more is no {'point' if box.options['match'] == 'points' else 'hit'}."
    return f"{steals}."


def _point(box: Box, s: Any, seat: int, voice: Voice) -> str:
    many = int(s.points[seat])
    if box.options["match"] == "points":
        return Result(f"{voice.does(seat, 'score', 'scores')}: {many} of {R.NEEDED} points.")
    if many == R.NEEDED:
        return Result(f"{voice.does(seat, 'take', 'takes')} the third hit and {voice.verb(seat, 'are', 'is')} out.")
    return Result(f"{voice.does(seat, 'take', 'takes')} a hit: {many} of {R.NEEDED}.")


def _drawn(box: Box, before: Any, after: Any, voice: Voice) -> list[str]:
    """What one drew oneself."""
    if voice.seat < 0:
        return []
    held = in_order(before.hand[voice.seat])
    drawn = [n for n in in_order(after.hand[voice.seat]) if n not in held]
    return [Aside("You draw", *(card(box, n).name for n in drawn))] if drawn else []


def ending(s: Any, seat: int) -> str:
    """Who won, and by what."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if s.payoff[i] >= 0]
    how = {R.BY_POINTS: "three points", R.LAST_ONE_IN: "last one in", R.TURN_LIMIT: "the turn limit"}[int(s.ending)]
    if len(winners) == 1:
        return f"{voice.does(winners[0], 'win', 'wins')} the match: {how}."
    return f"{listed([voice.name(i) for i in winners])} share the match: {how}."


# Why not


def why_not(box: Box, s: Any, action: int) -> str:
    """One kind sentence: why `s.player` may not choose this now."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return _why_not_card(box, s, number)
    if block == "seat":
        return _why_not_seat(s, number)
    return _why_not_word(box, s, block)


def _why_not_card(box: Box, s: Any, number: int) -> str:
    if number not in in_order(s.hand[s.player]):
        return "That card is not in your hand."
    this = card(box, number)
    if s.phase in (R.TARGET, R.DODGE_TO):
        return "First choose who is attacked."
    if s.phase == R.ATTACK:
        if any(card(box, n).colour == this.colour for n in in_order(s.attack)):
            return f"Your attack has its {this.colour} already; only cards of power 1 stack."
        return "Your attack has three colours already; only Wilds may still join."
    if s.phase == R.RESPOND:
        return _why_not_defend(box, s, this)
    if s.phase == R.FOUR:
        return "The four cards must share one colour."
    return "Choose which side your card helps."


def _why_not_defend(box: Box, s: Any, this: Card) -> str:
    if this.colour == COLOURS[WILD]:
        return "At this table a defence holds one Wild."
    attacked = [word for i, word in enumerate(COLOURS) if s.attack_colours >> i & 1]
    if this.colour not in attacked:
        return f"The attack has no {this.colour}: defend with {listed(attacked, 'or')}, or a Wild."
    many = int(s.ceiling)
    room = "one card" if many == 1 else f"{many} cards"
    return f"Your defence has room for {room} (a stack of singles counts as one), and any Wilds."


def _why_not_seat(s: Any, number: int) -> str:
    if number >= s.seats:
        return f"There are only {s.seats} seats."
    if s.phase not in (R.TARGET, R.DODGE_TO):
        return "Nobody is to be targeted now."
    if number == s.player:
        return "You cannot target yourself."
    if s.out[number]:
        return f"Seat {number + 1} is out."
    return "The attack cannot go back to the Attacker."


def _why_not_word(box: Box, s: Any, block: str) -> str:
    if block in ("attacker", "defender"):
        if s.phase == R.ASSIST_CARD:
            return "First lay the card that helps, then say whom; or pass."
        if s.phase != R.ASSIST_SIDE:
            return "Nobody is to be helped now."
        if block == "attacker":
            return "The attack has this colour already; at this table such a card helps the Defender only."
        return "The attack lacks this colour; at this table such a card helps the Attacker only."
    if block in ("counter", "dodge"):
        return _why_not_four(s, block)
    if block == "skip" and s.phase == R.TARGET:
        return "At this table the player in control must attack."
    if block == "skip" and s.phase in _FINISH and (s.phase != R.ATTACK or s.attack[0]):
        return _FINISH[int(s.phase)]
    return _FIRST[int(s.phase)]


#: Why one does not pass here, but finishes.
_FINISH = {
    R.ATTACK: "An attack that is laid is finished: say “done”.",
    R.RESPOND: "A defence is not passed but finished, with as many cards as you like: say “done”.",
    R.DISCARD: "Who discards nothing more is done: say “done”.",
}
#: Why there is nothing to finish or to pass.
_FIRST = {
    R.TARGET: "First choose who is attacked.", R.ATTACK: "Lay a coloured card first; Wilds alone are no attack.",
    R.FOUR: "First pick the four cards.", R.DODGE_TO: "You dodge: first say who takes the attack.",
    R.ASSIST_CARD: "Who does not help passes: say “pass”.", R.ASSIST_SIDE: "First say which side your card helps.",
}  # fmt: skip


def _why_not_four(s: Any, block: str) -> str:
    if s.phase in (R.FOUR, R.DODGE_TO):
        return _FIRST[int(s.phase)]
    if s.phase != R.RESPOND:
        return f"There is no attack on you to {block}."
    if s.defence[0]:
        return f"To {block} comes before the first card of a defence."
    if block == "dodge" and still_in(s) == 2:
        return "There is no third player to dodge to."
    return f"To {block} takes four cards of one colour."

"""Card Duel: log sentences for a seat, from its views before and after."""

from sparring.engine.cards import count_of
from sparring.engine.game import Box
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from . import state as S
from .card_effects import WHEN
from .kit import SEATS
from .words import card, in_slot


def tell(box: Box, before: S.State, action: int | None, after: S.State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, what cards do, a new turn, the ending."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, voice)
    changes = _changes(box, before, after, voice)
    if beat == "effect" and not changes:
        changes = ["nothing happens"]
    if changes:
        cause = f"{card(box, int(after.cause) - 1).name} ({WHEN[int(after.cause_when)]}): " if beat == "effect" else ""
        line = f"{cause}{'; '.join(changes)}."
        hurt = any(word in line for word in (" damage", " life", " point"))
        lines.append(ResultLine(line if cause else line[0].upper() + line[1:], hit=hurt and beat == "struck"))
    if after.turn != before.turn:
        whose = "Your" if after.player == seat else f"{voice.name(int(after.player))}'s"
        lines.append(TurnLine(f"{whose} turn (round {(int(after.turn) + 1) // 2})."))
    lines += _drawn(box, before, action, after, voice)
    if after.over and not beat:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def _choice(box: Box, s: S.State, action: int, voice: Voice) -> list[str]:
    """Return the sentence for a choice; none for the first half of one."""
    player, enemy = int(s.player), 1 - int(s.player)
    block, number = S.ACTIONS.name_of(action)
    if block == "card":
        return [f"{voice.does(player, 'play', 'plays')} {card(box, number).name}."]
    if s.phase == S.AIM:
        return [f"{card(box, int(s.card) - 1).name} affects {in_slot(box, s, enemy, number)}."]
    if s.phase == S.TARGET:
        attacker = in_slot(box, s, player, int(s.attacker) - 1)
        target = voice.whom(enemy) if block == "opponent" else in_slot(box, s, enemy, number)
        return [f"{attacker} attacks {target}."]
    if s.phase == S.MAIN and block == "slot" and _attacks_at_once(box, s):
        target = in_slot(box, s, enemy, number) if box.kit.combat == S.LANES else ""
        return [f"{in_slot(box, s, player, number)} attacks {target or voice.whom(enemy)}."]
    return []


def _attacks_at_once(box: Box, s: S.State) -> bool:
    """Return whether an attacker has no choice of target."""
    return bool(box.kit.combat == S.LANES or not any(s.row[1 - s.player]))


def _changes(box: Box, before: S.State, after: S.State, voice: Voice) -> list[str]:
    """Return what has changed for players and characters, in short clauses."""
    parts = []
    for seat in range(SEATS):
        for slot in range(int(box.kit.slots)):
            parts += _character_changes(box, before, after, seat, slot)
    for seat in range(SEATS):
        life, points = int(after.life[seat] - before.life[seat]), int(after.points[seat] - before.points[seat])
        if life < 0:
            parts.append(f"{voice.then(seat, 'lose', 'loses')} {-life} life ({int(after.life[seat])} left)")
        elif life > 0:
            parts.append(f"{voice.then(seat, 'gain', 'gains')} {life} life")
        if points > 0:
            parts.append(f"{voice.then(seat, 'score', 'scores')} {counted(points, 'point')}")
        energy = int(after.energy[seat] - before.energy[seat])
        if energy > 0 and after.turn == before.turn:
            parts.append(f"{voice.then(seat, 'gain', 'gains')} {energy} energy")
    return parts


def _character_changes(box: Box, before: S.State, after: S.State, seat: int, slot: int) -> list[str]:
    """Return what has happened to the character that was in a slot."""
    name = in_slot(box, before, seat, slot)
    if not name:
        return []
    if before.row[seat, slot] != after.row[seat, slot]:
        return [f"{name} {_where(box, before, after, seat, slot)}"]
    parts = []
    damage = int(after.damage[seat, slot] - before.damage[seat, slot])
    if damage:
        parts.append(f"{name} takes {damage} damage" if damage > 0 else f"{name} recovers {-damage}")
    if after.shield[seat, slot] < before.shield[seat, slot]:
        parts.append(f"a shield saves {name}")
    for field, word in (("more_attack", "attack"), ("more_health", "health")):
        change = int(getattr(after, field)[seat, slot] - getattr(before, field)[seat, slot])
        if change:
            parts.append(f"{name} {'gains' if change > 0 else 'loses'} {abs(change)} {word}")
    shields = int(after.shield[seat, slot] - before.shield[seat, slot])
    if shields > 0:
        parts.append(f"{name} gains {counted(shields, 'shield')}")
    return parts


def _where(box: Box, before: S.State, after: S.State, seat: int, slot: int) -> str:
    """Return where a character has gone."""
    number, owner = int(before.row[seat, slot]) - 1, int(before.owner[seat, slot])
    if count_of(after.discard[owner], number) > count_of(before.discard[owner], number):
        return "is defeated"
    if after.known[owner, number] > before.known[owner, number]:
        return "returns to hand"
    return "changes sides"


def _drawn(box: Box, before: S.State, action: int | None, after: S.State, voice: Voice) -> list[str]:
    """Return the cards drawn and discarded: names for the seat itself, their number for others."""
    lines = list[str]()
    for seat in range(SEATS):
        drawn = int(before.deck[seat, 0] - after.deck[seat, 0])
        old, new = before.hand[seat], after.hand[seat]
        gained = [n for n in range(len(box.content.cards)) for _ in range(int(count_of(new, n) - count_of(old, n)))]
        gained = gained[:drawn] if drawn > 0 else []
        if gained and seat == voice.seat:
            lines.append(AsideLine("You draw", *(card(box, n).name for n in gained)))
        elif drawn > 0 and seat != voice.seat:
            lines.append(AsideLine(f"{voice.does(seat, 'draw', 'draws')} {counted(drawn, 'card')}."))
        lost = _discarded(box, before, action, after, seat)
        if lost:
            lines.append(f"{voice.does(seat, 'discard', 'discards')} {listed(lost)}.")
    return lines


def _discarded(box: Box, before: S.State, action: int | None, after: S.State, seat: int) -> list[str]:
    """Return the cards that came into a discard pile from the hand or the deck, not from play."""
    lost = []
    for number, this in enumerate(box.content.cards):
        count = int(count_of(after.discard[seat], number) - count_of(before.discard[seat], number))
        count += _in_play(box, after, seat, number) - _in_play(box, before, seat, number)
        lost += [this.name] * max(0, count - int(_plays(before, action, seat, number)))
    return lost


def _plays(s: S.State, action: int | None, seat: int, number: int) -> bool:
    """Return whether the choice plays this card, which then comes from the hand without being discarded."""
    return action == number and s.player == seat


def _in_play(box: Box, s: S.State, owner: int, number: int) -> int:
    """Return how many copies of a card are on the table, by owner, with the one being played."""
    slots = range(int(box.kit.slots))
    rows = [s.row[seat, slot] == number + 1 and s.owner[seat, slot] == owner for seat in range(SEATS) for slot in slots]
    return sum(map(int, rows)) + int(s.card == number + 1 and not s.spot and s.player == owner)


def ending(box: Box, s: S.State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    winners = [i for i in range(SEATS) if s.payoff[i] > 0]
    if s.ending == S.BY_ROUNDS:
        reason = f"All {int(box.kit.rounds)} rounds are played"
    elif s.ending == S.BY_POINTS:
        reason = f"{int(max(s.points))} points"
    else:
        losers = [voice.then(i, "have", "has") for i in range(SEATS) if s.life[i] == 0]
        reason = "No one has life left" if len(losers) > 1 else f"{losers[0][0].upper()}{losers[0][1:]} no life left"
    if not winners:
        return f"{reason}: a draw."
    return f"{reason}: {voice.then(winners[0], 'win', 'wins')}."

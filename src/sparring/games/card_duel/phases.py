"""Card Duel: what the page asks, says and refuses in each phase, the words of choices, and the log."""

from typing import Any

from sparring.engine.cards import count_of, holds
from sparring.engine.game import Box
from sparring.scene import Phase, winners
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from . import state as S
from .card_effects import WHEN
from .kit import SEATS, DuelCard
from .rules import attack_obstacle, play_obstacle


def card(box: Box, number: int) -> DuelCard:
    """Return a card of the set by its number."""
    found: DuelCard = box.content.cards[number]
    return found


def in_slot(box: Box, s: S.State, seat: int, slot: int) -> str:
    """Return the name of the character in a slot; empty if it has none."""
    return card(box, int(s.row[seat, slot]) - 1).name if s.row[seat, slot] else ""


def now_played(box: Box, s: S.State) -> str:
    """Return the name of the card that is being played."""
    return card(box, int(s.card) - 1).name


def attacker(box: Box, s: S.State) -> str:
    """Return the name of the attacker that is choosing its target."""
    return in_slot(box, s, int(s.player), int(s.attacker) - 1)


#: Why a card can't be played and a character can't attack, by what is in the way.
OBSTACLES = {
    S.TOO_EXPENSIVE: "{name} costs {cost} energy, and you have {energy}.",
    S.ROW_FULL: "All your slots are taken.",
    S.NO_CHARACTER: "You have no character in that slot.",
    S.ARRIVED: "{name} has just arrived, and can attack from your next turn on.",
    S.USED: "{name} has already attacked this turn.",
    S.NO_ATTACK: "{name} has no attack.",
}
TOO_MANY = f"You have made {S.MOVES} moves this turn, which is the most."


class Main(Phase):
    """The player plays cards and attacks, in any order, and ends the turn."""

    name = "main"
    waiting_text = "{who} is playing cards and attacking."
    refusal_text = "First choose one of your characters to attack with."
    button_texts = {"done": "End your turn"}

    def question(self, table: Any) -> str:
        """Return what the player can do, or why nothing is left but to end the turn."""
        s = table.s
        plays = any(action < S.SLOT for action in table.choices)
        attacks = any(S.SLOT <= action < S.ENEMY for action in table.choices)
        if plays:
            how = "play cards and attack, in any order" if attacks else "play cards"
            return f"You have {int(s.energy[s.player])} energy: {how}."
        return "Attack with your characters, or end your turn." if attacks else self.nothing_left(table.box, s)

    def nothing_left(self, box: Box, s: S.State) -> str:
        """Return why nothing but the end of the turn can be chosen."""
        held = s.hand[s.player].tolist()[1 : s.hand[s.player, 0] + 1]
        if s.moves < S.MOVES and any(play_obstacle(box.kit, s, number) == S.ROW_FULL for number in held):
            return "All your slots are taken, and no character can attack. End your turn."
        energy = f" with {int(s.energy[s.player])} energy" if held else ""
        return f"You can't play a card{energy} or attack. End your turn."

    def aliases(self, box: Box, s: S.State, block: str, number: int) -> tuple[str, ...]:
        """Return `attack with 2` for the character in a slot."""
        return (f"attack with {number + 1}",) if number < box.kit.slots else ()

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say why a card can't be played, or a character can't attack."""
        if block == "card":
            return self.why_not_play(box, s, number)
        if block == "slot":
            name = in_slot(box, s, int(s.player), number)
            return OBSTACLES.get(int(attack_obstacle(box.kit, s, number)), TOO_MANY).format(name=name)
        return self.refusal_text

    def why_not_play(self, box: Box, s: S.State, number: int) -> str:
        """Say why a card can't be played."""
        if number >= len(box.content.cards):
            return "There is no such card in this duel."
        this = card(box, number)
        if not holds(s.hand[s.player], number):
            return f"You have no {this.name} in your hand."
        if s.moves >= S.MOVES:
            return TOO_MANY
        energy = int(s.energy[s.player])
        return OBSTACLES[int(play_obstacle(box.kit, s, number))].format(name=this.name, cost=this.cost, energy=energy)

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which card is played, or who attacks if the target needs no choice."""
        block, number = S.ACTIONS.name_of(action)
        player, enemy = int(before.player), 1 - int(before.player)
        lanes = box.kit.combat == S.LANES
        if block == "card":
            return [f"{voice.does(player, 'play', 'plays')} {card(box, number).name}."]
        if block == "slot" and (lanes or not any(before.row[enemy])):
            target = in_slot(box, before, enemy, number) if lanes else ""
            return [f"{in_slot(box, before, player, number)} attacks {target or voice.whom(enemy)}."]
        return []


class Place(Phase):
    """The character that is being played takes a slot."""

    name = "place"
    waiting_text = "{who} is choosing a slot."
    forced_text = "(the only free slot)"

    def question(self, table: Any) -> str:
        """Ask for the slot."""
        return f"Which slot does {now_played(table.box, table.s)} take?"

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say that the slot is taken, or comes first."""
        if block == "slot" and number < box.kit.slots:
            return "That slot is taken; choose a free one."
        return f"First choose a free slot for {now_played(box, s)}."


class Aim(Phase):
    """An effect of the card that is being played is on an enemy that the player chooses (R13)."""

    name = "aim"
    waiting_text = "{who} is choosing an enemy."
    forced_text = "Only one enemy: {choice:inside}"

    def question(self, table: Any) -> str:
        """Ask for the enemy."""
        return f"Which enemy does {now_played(table.box, table.s)} affect?"

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say that the enemy comes first."""
        return f"First choose the enemy that {now_played(box, s)} affects."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which enemy the card affects."""
        return [f"{now_played(box, before)} affects {in_slot(box, before, 1 - int(before.player), action - S.ENEMY)}."]


class Target(Phase):
    """A character attacks an enemy or the opponent (R8)."""

    name = "target"
    waiting_text = "{who} is choosing a target."
    forced_text = "Only one target: {choice:inside}"

    def question(self, table: Any) -> str:
        """Ask for the target."""
        return f"What does {attacker(table.box, table.s)} attack?"

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say that Guard comes first, or that this is no target."""
        is_enemy = block == "enemy" and number < box.kit.slots and s.row[1 - s.player, number]
        if is_enemy or block == "opponent":
            return "An enemy with Guard must be attacked first."
        return f"First choose what {attacker(box, s)} attacks."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say who attacks what."""
        enemy = 1 - int(before.player)
        target = voice.whom(enemy) if action == S.OPPONENT else in_slot(box, before, enemy, action - S.ENEMY)
        return [f"{attacker(box, before)} attacks {target}."]


PHASES = (Main(), Place(), Aim(), Target())


def words(box: Box, s: S.State, action: int) -> str:
    """Return the words of a choice: a card's name, `slot 2`, `enemy 3`, `opponent` or `done`."""
    block, number = S.ACTIONS.name_of(action)
    if block == "card":
        return f"play {card(box, number).name}" if number < len(box.content.cards) else ""
    if block in ("slot", "enemy"):
        return f"{block} {number + 1}" if number < box.kit.slots else ""
    return block


def aliases(box: Box, s: S.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: the card's name, `attack with 2`, `end turn`, `player`."""
    block, number = S.ACTIONS.name_of(action)
    if block == "card":
        return (card(box, number).name,) if number < len(box.content.cards) else ()
    others = {"enemy": (f"attack {number + 1}",), "opponent": ("player",), "done": ("end turn", "end")}
    return others.get(block) or PHASES[s.phase].aliases(box, s, block, number)


# The log


def tell(box: Box, before: S.State, action: int | None, after: S.State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, what cards do, a new turn, the ending."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
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
    won = winners(s)
    if s.ending == S.BY_ROUNDS:
        reason = f"All {int(box.kit.rounds)} rounds are played"
    elif s.ending == S.BY_POINTS:
        reason = f"{int(max(s.points))} points"
    else:
        losers = [voice.then(i, "have", "has") for i in range(SEATS) if s.life[i] == 0]
        reason = "No one has life left" if len(losers) > 1 else f"{losers[0][0].upper()}{losers[0][1:]} no life left"
    if not won:
        return f"{reason}: a draw."
    return f"{reason}: {voice.then(won[0], 'win', 'wins')}."

"""Card Duel: the words for every choice, and reasons why a choice is not legal."""

from sparring.engine.cards import holds
from sparring.engine.game import Box

from . import state as S
from .board import attack_of, free_slot
from .kit import CHARACTER, DuelCard


def card(box: Box, number: int) -> DuelCard:
    """Return a card of the set by its number."""
    found: DuelCard = box.content.cards[number]
    return found


def in_slot(box: Box, s: S.State, seat: int, slot: int) -> str:
    """Return the name of the character in a slot; empty if it has none."""
    return card(box, int(s.row[seat, slot]) - 1).name if s.row[seat, slot] else ""


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
    if block == "slot":
        return (f"attack with {number + 1}",) if number < box.kit.slots and s.phase == S.MAIN else ()
    return {"enemy": (f"attack {number + 1}",), "opponent": ("player",), "done": ("end turn", "end")}[block]


def why_not(box: Box, s: S.State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
    block, number = S.ACTIONS.name_of(action)
    if s.phase == S.PLACE:
        if block == "slot" and number < box.kit.slots:
            return "That slot is taken; choose a free one."
        return f"First choose a free slot for {card(box, int(s.card) - 1).name}."
    if s.phase == S.AIM:
        return f"First choose the enemy that {card(box, int(s.card) - 1).name} affects."
    if s.phase == S.TARGET:
        return _why_no_target(box, s, block, number)
    if block == "card":
        return _why_not_play(box, s, number)
    if block == "slot":
        return _why_no_attack(box, s, number)
    return "First choose one of your characters to attack with."


def _why_no_target(box: Box, s: S.State, block: str, number: int) -> str:
    attacker = in_slot(box, s, int(s.player), int(s.attacker) - 1)
    free = block == "enemy" and not (number < box.kit.slots and s.row[1 - s.player, number])
    if free or block not in ("enemy", "opponent"):
        return f"First choose what {attacker} attacks."
    return "An enemy with Guard must be attacked first."


def _why_not_play(box: Box, s: S.State, number: int) -> str:
    if number >= len(box.content.cards):
        return "There is no such card in this duel."
    this = card(box, number)
    if not holds(s.hand[s.player], number):
        return f"You have no {this.name} in your hand."
    if s.moves >= S.MOVES:
        return f"You have made {S.MOVES} moves this turn, which is the most."
    if this.cost > s.energy[s.player]:
        return f"{this.name} costs {this.cost} energy, and you have {int(s.energy[s.player])}."
    return "All your slots are taken."


def _why_no_attack(box: Box, s: S.State, slot: int) -> str:
    if slot >= box.kit.slots or not s.row[s.player, slot]:
        return "You have no character in that slot."
    name, tired = in_slot(box, s, int(s.player), slot), int(s.tired[s.player, slot])
    if tired == S.ARRIVED:
        return f"{name} has just arrived, and can attack from your next turn on."
    if tired == S.USED:
        return f"{name} has already attacked this turn."
    if attack_of(box.kit, s, s.player, slot) == 0:
        return f"{name} has no attack."
    return f"You have made {S.MOVES} moves this turn, which is the most."


def question(box: Box, s: S.State, choices: set[int]) -> str:
    """Return the question to the player."""
    if s.phase == S.PLACE:
        return f"Which slot does {card(box, int(s.card) - 1).name} take?"
    if s.phase == S.AIM:
        return f"Which enemy does {card(box, int(s.card) - 1).name} affect?"
    if s.phase == S.TARGET:
        return f"What does {in_slot(box, s, int(s.player), int(s.attacker) - 1)} attack?"
    plays = any(action < S.SLOT for action in choices)
    attacks = any(S.SLOT <= action < S.ENEMY for action in choices)
    energy = f"You have {int(s.energy[s.player])} energy: "
    if plays and attacks:
        return f"{energy}play cards and attack, in any order."
    if plays:
        return f"{energy}play cards."
    if attacks:
        return "Attack with your characters, or end your turn."
    return _nothing_left(box, s)


def _nothing_left(box: Box, s: S.State) -> str:
    """Return why nothing but the end of the turn can be chosen."""
    hand, player = s.hand[s.player], int(s.player)
    held = {int(number) for number in hand[1 : hand[0] + 1]}
    full = free_slot(box.kit, s, player) < 0
    blocked = [n for n in held if box.kit.cost[n] <= s.energy[player] and box.kit.kind[n] == CHARACTER]
    if s.moves < S.MOVES and full and blocked:
        return "All your slots are taken, and no character can attack. End your turn."
    return f"You can't play a card{f' with {int(s.energy[player])} energy' if held else ''} or attack. End your turn."

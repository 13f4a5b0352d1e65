"""Card Duel: what the page asks, says and refuses in each phase, the words of choices, and the log."""

from collections import Counter

from sparring.engine.cards import count_of, holds
from sparring.engine.game import GameSetup
from sparring.scene import Layout, Phase, winners
from sparring.scene.sentences import Text, Voice, aside, mention, result, turn

from . import state as S
from .params import SEATS, DuelCard
from .rules import attack_obstacle, play_obstacle


def card(setup: GameSetup, number: int) -> DuelCard:
    """Return a card of the set by its number."""
    found: DuelCard = setup.content.cards[number]
    return found


def in_slot(setup: GameSetup, s: S.State, seat: int, slot: int) -> str:
    """Return the name of the character in a slot; empty if it has none."""
    return card(setup, int(s.row[seat, slot]) - 1).name if s.row[seat, slot] else ""


def now_played(setup: GameSetup, s: S.State) -> str:
    """Return the name of the card that is being played."""
    return card(setup, int(s.card) - 1).name


def attacker(setup: GameSetup, s: S.State) -> str:
    """Return the name of the attacker that is choosing its target."""
    return in_slot(setup, s, int(s.player), int(s.attacker) - 1)


#: Why a card can't be played and a character can't attack, by what is in the way.
OBSTACLE_TEXTS = {
    S.TOO_EXPENSIVE: "{name} costs {cost} energy, and you have {energy}.",
    S.ROW_FULL: "All your slots are taken.",
    S.NO_CHARACTER: "You have no character in that slot.",
    S.ARRIVED: "{name} has just arrived, and can attack from your next turn on.",
    S.USED: "{name} has already attacked this turn.",
    S.NO_ATTACK: "{name} has no attack.",
}
TOO_MANY_TEXT = "You have made {moves} moves this turn, which is the most."
#: What an effect of a card has changed, by its time.
CAUSE_FORMS = (
    "{card} (played): {change:inside}", "{card} (attacks): {change:inside}", "{card} (hit): {change:inside}",
    "{card} (defeated): {change:inside}", "{card} (turn starts): {change:inside}",
    "{card} (turn ends): {change:inside}",
)  # fmt: skip
#: How the attack and the health of a character change, up and down.
STAT_FORMS = {
    "more_attack": ("{character} gains {change} attack", "{character} loses {change} attack"),
    "more_health": ("{character} gains {change} health", "{character} loses {change} health"),
}
#: How a match is won, as the winner and others read it, and the loser too where it differs; and drawn.
WON_FORMS = {
    S.BY_LIFE: (
        "{whom} has no life left: you win.", "You have no life left: {who} wins.",
        "{whom} has no life left: {who} wins.",
    ),
    S.BY_POINTS: ("{points}: you win.", "{points}: {who} wins."),
    S.BY_ROUNDS: ("All {rounds} rounds are played: you win.", "All {rounds} rounds are played: {who} wins."),
}  # fmt: skip
DRAWN_TEXTS = {
    S.BY_LIFE: "No one has life left: a draw.", S.BY_POINTS: "{points}: a draw.",
    S.BY_ROUNDS: "All {rounds} rounds are played: a draw.",
}  # fmt: skip


class Main(Phase):
    """The player plays cards and attacks, in any order, and ends the turn."""

    name = "main"
    waiting_text = "{who} is playing cards and attacking."
    refusal_text = "First choose one of your characters to attack with."
    button_texts = {"done": "End your turn"}

    def question(self, table: Layout[S.State]) -> Text:
        """Return what the player can do, or why nothing is left but to end the turn."""
        s = table.s
        plays = any(action < S.SLOT for action in table.choices)
        attacks = any(S.SLOT <= action < S.ENEMY for action in table.choices)
        energy = int(s.energy[s.player])
        if plays and attacks:
            return Text("You have {energy} energy: play cards and attack, in any order.", energy=energy)
        if plays:
            return Text("You have {energy} energy: play cards.", energy=energy)
        if attacks:
            return Text("Attack with your characters, or end your turn.")
        return self.nothing_left(table.setup, s)

    def nothing_left(self, setup: GameSetup, s: S.State) -> Text:
        """Return why nothing but the end of the turn can be chosen."""
        held = s.hand[s.player].tolist()[1 : s.hand[s.player, 0] + 1]
        if s.moves < S.MOVES and any(play_obstacle(setup.params, s, number) == S.ROW_FULL for number in held):
            return Text("All your slots are taken, and no character can attack. End your turn.")
        if not held:
            return Text("You can't play a card or attack. End your turn.")
        return Text(
            "You can't play a card with {energy} energy or attack. End your turn.", energy=int(s.energy[s.player])
        )

    def aliases(self, setup: GameSetup, s: S.State, block: str, number: int) -> tuple[str, ...]:
        """Return `attack with 2` for the character in a slot."""
        return (f"attack with {number + 1}",) if number < setup.params.slots else ()

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say why a card can't be played, or a character can't attack."""
        if block == "card":
            return self.why_not_play(setup, s, number)
        if block == "slot":
            forms = OBSTACLE_TEXTS.get(int(attack_obstacle(setup.params, s, number)), TOO_MANY_TEXT)
            return Text(forms, name=in_slot(setup, s, int(s.player), number), moves=S.MOVES)
        return Text(self.refusal_text)

    def why_not_play(self, setup: GameSetup, s: S.State, number: int) -> Text:
        """Say why a card can't be played."""
        if number >= len(setup.content.cards):
            return Text("There is no such card in this duel.")
        this = card(setup, number)
        if not holds(s.hand[s.player], number):
            return Text("You have no {card} in your hand.", card=this.name)
        if s.moves >= S.MOVES:
            return Text(TOO_MANY_TEXT, moves=S.MOVES)
        forms, energy = OBSTACLE_TEXTS[int(play_obstacle(setup.params, s, number))], int(s.energy[s.player])
        return Text(forms, name=this.name, cost=this.cost, energy=energy)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which card is played, or who attacks if the target needs no choice."""
        block, number = S.ACTIONS.name_of(action)
        player, enemy = int(before.player), 1 - int(before.player)
        lanes = setup.params.combat == S.LANES
        if block == "card":
            return [voice.text("You play {card}.", "{who} plays {card}.", who=player, card=card(setup, number).name)]
        if block == "slot" and (lanes or not any(before.row[enemy])):
            target = in_slot(setup, before, enemy, number) if lanes else ""
            return [attacks(in_slot(setup, before, player, number), target, enemy, voice)]
        return []


def attacks(character: str, target: str, enemy: int, voice: Voice) -> Text:
    """Return that a character attacks a target, or else the enemy."""
    if target:
        return Text("{character} attacks {target}.", character=character, target=target)
    return voice.text("{character} attacks you.", "{character} attacks {who}.", who=enemy, character=character)


class Place(Phase):
    """The character that is being played takes a slot."""

    name = "place"
    waiting_text = "{who} is choosing a slot."
    forced_text = "Only one slot is free."

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the slot."""
        return Text("Which slot does {card} take?", card=now_played(table.setup, table.s))

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say that the slot is taken, or comes first."""
        if block == "slot" and number < setup.params.slots:
            return Text("That slot is taken; choose a free one.")
        return Text("First choose a free slot for {card}.", card=now_played(setup, s))


class Aim(Phase):
    """An effect of the card that is being played is on an enemy that the player chooses (R13)."""

    name = "aim"
    waiting_text = "{who} is choosing an enemy."
    forced_text = "Only one enemy: {choice:inside}"

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the enemy."""
        return Text("Which enemy does {card} affect?", card=now_played(table.setup, table.s))

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say that the enemy comes first."""
        return Text("First choose the enemy that {card} affects.", card=now_played(setup, s))

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which enemy the card affects."""
        enemy = in_slot(setup, before, 1 - int(before.player), action - S.ENEMY)
        return [Text("{card} affects {enemy}.", card=now_played(setup, before), enemy=enemy)]


class Target(Phase):
    """A character attacks an enemy or the opponent (R8)."""

    name = "target"
    waiting_text = "{who} is choosing a target."
    forced_text = "Only one target: {choice:inside}"

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the target."""
        return Text("What does {character} attack?", character=attacker(table.setup, table.s))

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say that Guard comes first, or that this is no target."""
        is_enemy = block == "enemy" and number < setup.params.slots and s.row[1 - s.player, number]
        if is_enemy or block == "opponent":
            return Text("An enemy with Guard must be attacked first.")
        return Text("First choose what {character} attacks.", character=attacker(setup, s))

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say who attacks what."""
        enemy = 1 - int(before.player)
        target = "" if action == S.OPPONENT else in_slot(setup, before, enemy, action - S.ENEMY)
        return [attacks(attacker(setup, before), target, enemy, voice)]


PHASES = (Main(), Place(), Aim(), Target())


def words(setup: GameSetup, s: S.State, action: int) -> str:
    """Return the words of a choice: a card's name, `slot 2`, `enemy 3`, `opponent` or `done`."""
    block, number = S.ACTIONS.name_of(action)
    if block == "card":
        return f"play {card(setup, number).name}" if number < len(setup.content.cards) else ""
    if block in ("slot", "enemy"):
        return f"{block} {number + 1}" if number < setup.params.slots else ""
    return block


def aliases(setup: GameSetup, s: S.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: the card's name, `attack with 2`, `end turn`, `player`."""
    block, number = S.ACTIONS.name_of(action)
    if block == "card":
        return (card(setup, number).name,) if number < len(setup.content.cards) else ()
    others = {"enemy": (f"attack {number + 1}",), "opponent": ("player",), "done": ("end turn", "end")}
    return others.get(block) or PHASES[s.phase].aliases(setup, s, block, number)


# The log


class DuelLog(Layout[S.State]):
    """What one seat reads about the match."""

    def events(self, before: S.State, action: int | None) -> list[Text]:
        """Return log sentences: what cards do, a new turn, cards drawn."""
        setup, after, voice, beat = self.setup, self.s, self.voice, self.beat
        lines = []
        changes, drawn = _changes(setup, before, after, voice), _drawn(setup, before, action, after, voice)
        if beat == "effect" and not changes and drawn:
            drawn[0] = result(_by_cause(setup, after, drawn[0]))
        elif beat == "effect" and not changes:
            changes = [Text("Nothing happens")]
        if changes:
            line, *others = changes
            if beat == "effect":
                line = _by_cause(setup, after, line)
            for change in others:
                line = Text("{line}; {change:inside}", line=line, change=change)
            hurt = any(change.hit for change in changes)
            lines.append(result(Text("{line}.", line=line), hit=hurt and beat == "struck"))
        if after.turn != before.turn:
            forms = "Your turn (round {round}).", "{who}'s turn (round {round})."
            lines.append(turn(voice.text(*forms, who=after.player, round=(int(after.turn) + 1) // 2)))
        return lines + drawn

    def ending(self) -> Text:
        """Return how the match ended."""
        how, won = int(self.s.ending), winners(self.s)
        values = {"rounds": self.setup.params.rounds, "points": points_counted(int(max(self.s.points)))}
        if not won:
            return Text(DRAWN_TEXTS[how], **values)
        return self.voice.text(*WON_FORMS[how], who=won[0], whom=1 - won[0], **values)


def _by_cause(setup: GameSetup, after: S.State, change: Text) -> Text:
    """Return a change with the card that caused it, and when."""
    return Text(CAUSE_FORMS[after.cause_when], card=card(setup, int(after.cause) - 1).name, change=change)


def _changes(setup: GameSetup, before: S.State, after: S.State, voice: Voice) -> list[Text]:
    """Return what has changed for players and characters, in short clauses; `hit` marks what a strike can do."""
    parts = []
    for seat in range(SEATS):
        for slot in range(int(setup.params.slots)):
            parts += _character_changes(setup, before, after, seat, slot)
    for seat in range(SEATS):
        left, life = int(after.life[seat]), int(after.life[seat] - before.life[seat])
        points = int(after.points[seat] - before.points[seat])
        if life < 0:
            forms = "You lose {life} life ({left} left)", "{who} loses {life} life ({left} left)"
            parts.append(voice.text(*forms, who=seat, life=-life, left=left).but("", hit=True))
        elif life > 0:
            parts.append(voice.text("You gain {life} life", "{who} gains {life} life", who=seat, life=life))
        if points > 0:
            forms = "You score {points}", "{who} scores {points}"
            text = voice.text(*forms, who=seat, points=points_counted(points))
            parts.append(text.but("", hit=True))
        energy = int(after.energy[seat] - before.energy[seat])
        if energy > 0 and after.turn == before.turn:
            forms = "You gain {energy} energy", "{who} gains {energy} energy"
            parts.append(voice.text(*forms, who=seat, energy=energy))
    return parts


def _character_changes(setup: GameSetup, before: S.State, after: S.State, seat: int, slot: int) -> list[Text]:
    """Return what has happened to the character that was in a slot."""
    name = in_slot(setup, before, seat, slot)
    if not name:
        return []
    if before.row[seat, slot] != after.row[seat, slot]:
        return [_gone(setup, before, after, seat, slot, name)]
    parts = []
    damage = int(after.damage[seat, slot] - before.damage[seat, slot])
    if damage > 0:
        text = Text("{character} takes {damage} damage", character=name, damage=damage)
        parts.append(text.but("", hit=True))
    elif damage:
        parts.append(Text("{character} recovers {damage}", character=name, damage=-damage))
    if after.shield[seat, slot] < before.shield[seat, slot]:
        parts.append(Text("A shield saves {character}", character=name))
    for field, forms in STAT_FORMS.items():
        change = int(getattr(after, field)[seat, slot] - getattr(before, field)[seat, slot])
        if change:
            parts.append(Text(forms[change < 0], character=name, change=abs(change)))
    shields = int(after.shield[seat, slot] - before.shield[seat, slot])
    if shields > 0:
        parts.append(Text("{character} gains {n} shield", "{character} gains {n} shields", character=name, n=shields))
    return parts


def _gone(setup: GameSetup, before: S.State, after: S.State, seat: int, slot: int, name: str) -> Text:
    """Return where a character has gone."""
    number, owner = int(before.row[seat, slot]) - 1, int(before.owner[seat, slot])
    if count_of(after.discard[owner], number) > count_of(before.discard[owner], number):
        return Text("{character} is defeated", character=name)
    if after.known[owner, number] > before.known[owner, number]:
        return Text("{character} returns to hand", character=name)
    return Text("{character} changes sides", character=name)


def _drawn(setup: GameSetup, before: S.State, action: int | None, after: S.State, voice: Voice) -> list[Text]:
    """Return the cards drawn and discarded: names for the seat itself, their number for others."""
    lines = list[Text]()
    for seat in range(SEATS):
        drawn = int(before.deck[seat, 0] - after.deck[seat, 0])
        old, new = before.hand[seat], after.hand[seat]
        gained = [n for n in range(len(setup.content.cards)) for _ in range(int(count_of(new, n) - count_of(old, n)))]
        gained = gained[:drawn] if drawn > 0 else []
        if gained and seat == voice.seat:
            lines.append(aside(Text("You draw {items}.", items=[card(setup, n).name for n in gained])))
        elif drawn > 0 and seat != voice.seat:
            lines.append(aside(Text("{who} draws {n} card.", "{who} draws {n} cards.", who=mention(seat), n=drawn)))
        lost = _discarded(setup, before, action, after, seat)
        if lost:
            lines.append(voice.text("You discard {cards}.", "{who} discards {cards}.", who=seat, cards=lost))
    return lines


def _discarded(setup: GameSetup, before: S.State, action: int | None, after: S.State, seat: int) -> list[str]:
    """Return the cards that came into a discard pile from the hand or the deck, not from play."""
    lost, were, are = [], _in_play(setup, before, seat), _in_play(setup, after, seat)
    for number, this in enumerate(setup.content.cards):
        count = int(count_of(after.discard[seat], number) - count_of(before.discard[seat], number))
        count += are[number] - were[number]
        lost += [this.name] * max(0, count - int(_plays(before, action, seat, number)))
    return lost


def points_counted(points: int) -> Text:
    """Return a number of points in words."""
    return Text("{n} point", "{n} points", n=points)


def _plays(s: S.State, action: int | None, seat: int, number: int) -> bool:
    """Return whether the choice plays this card, which then comes from the hand without being discarded."""
    return action == number and s.player == seat


def _in_play(setup: GameSetup, s: S.State, owner: int) -> Counter[int]:
    """Return how many copies of each card of an owner are on the table, with the one being played."""
    slots = [(seat, slot) for seat in range(SEATS) for slot in range(int(setup.params.slots))]
    cards = [int(s.row[at]) for at in slots if s.row[at] and s.owner[at] == owner]
    if s.card and not s.spot and s.player == owner:
        cards.append(int(s.card))
    return Counter(card - 1 for card in cards)

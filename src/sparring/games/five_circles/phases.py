"""Five Circles: what the page asks, says and refuses in each phase."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import Phase
from sparring.scene.sentences import Text, Voice, listed

from . import state as S
from . import abilities as A
from .abilities import ABILITIES, SERENITY, Ability, when_used
from .rules import can_act, make_ready
from .table import discard_of, has_combat, has_lethal_damage, health_of
from .components import ability_in, design, is_known, name, name_in_play, next_resource, seat_of

#: Why choices of these blocks have to wait, in the phases that don't ask for them.
NOT_ASKED = {
    "resource": "You play resources at the start of your turn, at most two.",
    **dict.fromkeys(("target", "player", "place"), "There is no target to choose now."),
    **dict.fromkeys(("take", "keep"), "There is no damage to respond to."),
    **dict.fromkeys(("attack", "hold"), "You can't choose attackers now; your characters attack when you are done."),
}

#: Why an ability can't be used, by what is in the way.
OBSTACLES = {
    A.USABLE: "You can use {user}'s {ability} only when it is your turn to choose.",
    A.NO_ABILITY: "{user} doesn't have that ability.",
    A.WRONG_TIME: "You can use {user}'s {ability} only {when}.",
    A.USED: "{user} has already used {ability} this turn.",
    A.OTHER_COPY: "{user} has {ability} twice; use the first one first.",
    A.SILENCED: "{user} is asleep and can't use abilities.",
    A.UNPAID: "{ability} costs {price}; you have {ready} ready.",
    A.NO_FIGHT: "There is no combat this turn; {ability} would be wasted.",
    A.TOO_NEW: "{user} can't attack on the turn it is played.",
    A.OTHER_ATTACK: "{user} can't use both Target and Long Range in one turn.",
    A.NO_TARGET: "{missing}",
}

#: What is missing for an ability, by what it wants.
NO_TARGET: dict[int, str] = {
    A.FACING: "There is no awake enemy in front of it.",
    A.ITSELF: "It can only avoid damage to itself.",
    A.OTHERS: "It can only move damage it is about to take, and only to your other characters.",
    A.DECK: "The deck is empty.",
    A.HAND_CARD: "You have no character in hand to play.",
    A.ENEMY: "There is no enemy in play.",
    A.ENEMY_OR_PLAYER: "There is no enemy in play.",
    A.AWAKE_ENEMY: "There is no awake enemy in play.",
    A.HURT: "No character has damage.",
    A.PAIR: "You need two characters in play.",
    A.DISCARD: "The discard pile is empty.",
    A.ARRANGE: "The deck has fewer than two cards.",
}


class CirclesPhase(Phase):
    """A phase of this game: other choices have to wait for its own."""

    #: The words for playing a character.
    play_words = "play {}"

    def is_main_button(self, table: Any, action: int) -> bool:
        """Return whether a button is the usual choice: ending the turn isn't while cards can still be played."""
        return action in (S.TAKE, S.ATTACK) or (action == S.DONE and len(table.choices) == 1)

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say that a card is elsewhere, that an ability is none to use, or what has to be done first."""
        if block not in ("bring", "use"):
            return NOT_ASKED.get(block, self.refusal_text)
        card = number // S.SLOTS if block == "use" else number
        if not is_known(box, s, card):
            return "There is no such card in this match."
        user = name(box, card)
        if block == "bring":
            held = card in in_order(s.hand[s.player])
            return self.why_not_play(box, s, card) if held else f"{user} is not in your hand."
        ability = ability_in(box, card, number % S.SLOTS)
        if ability is None:
            return OBSTACLES[A.NO_ABILITY].format(user=user)
        if seat_of(s, card) != s.player:
            return f"You have no {user} in play."
        is_automatic = not ability.used_in(box.kit)
        return f"{ability.name} is automatic." if is_automatic else self.why_not_use(box, s, number, ability)

    def why_not_play(self, box: Box, s: S.State, card: int) -> str:
        """Say why a character in hand can't be played now."""
        return self.refusal_text

    def why_not_use(self, box: Box, s: S.State, number: int, ability: Ability) -> str:
        """Say why an ability of a character in play can't be used now."""
        return self.refusal_text


class UsePhase(CirclesPhase):
    """A phase in which players use abilities of their characters in play."""

    #: Whether the user of an ability then picks a target.
    has_picks = True

    def why_not_use(self, box: Box, s: S.State, number: int, ability: Ability) -> str:
        """Say what is in the way of using an ability."""
        card, slot = divmod(number, S.SLOTS)
        phases = [phase for phase in range(len(S.PHASES)) if ability.used_in(box.kit) >> phase & 1]
        return OBSTACLES[int(A.obstacle(box.kit, s, card, slot, int(s.phase)))].format(
            user=name(box, card), ability=ability.name, when=when_used(phases), price=ability.kind,
            ready=int(s.ready[s.player, ability.colour]) or "none", missing=NO_TARGET.get(ability.wants),
        )  # fmt: skip

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say who uses an ability, unless the sentence about the pick that follows says so."""
        block, number = S.ACTIONS.name_of(action)
        ability = ability_in(box, number // S.SLOTS, number % S.SLOTS) if block == "use" else None
        if ability is None:
            return []
        user = name_in_play(box, before, number // S.SLOTS, voice.seat)
        if ability is ABILITIES[SERENITY]:
            return [f"{user} uses {ability.name} and is discarded."]
        if ability.response:
            return [f"{user} {ability.response}s the damage."]
        is_told_later = self.has_picks and ability.wants >= A.ENEMY and ability.wants != A.ARRANGE
        return [] if is_told_later else [f"{user} uses {ability.name}."]


class Resources(CirclesPhase):
    """The player plays up to two resources (R18)."""

    name = "resources"
    waiting_text = "{who} is playing resources."
    refusal_text = "First play resources, or skip them with “done”."

    def question(self, table: Any) -> str:
        """Ask for a resource."""
        return f"You may play {'up to two resources' if table.s.laid == 0 else 'one more resource'}."

    def button(self, table: Any, block: str, number: int) -> str:
        """Return what `done` leads to."""
        if block != "done":
            return ""
        later = table.s.copy()
        make_ready(table.box.kit, later)
        if can_act(table.box.kit, later):
            return "Skip"
        return "Skip and attack" if has_attackers(table) else "Skip and end turn"

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say that there is no such resource in hand."""
        if block == "resource":
            return f"You have no {S.COLOURS[number]} resource in hand."
        return super().why_not(box, s, block, number)

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which resource is played."""
        block, number = S.ACTIONS.name_of(action)
        if block != "resource":
            return []
        player = int(before.player)
        played = next_resource(box, before, player, number)
        called = f"{played.name}, " if played.drawn else ""
        return [f"{voice.does(player, 'play', 'plays')} {called}a {S.COLOURS[number]} resource."]


class Main(UsePhase):
    """The player plays characters and uses abilities, in any order."""

    name = "main"
    waiting_text = "{who} is playing characters and using abilities."
    refusal_text = "You can't do that on your turn before combat."

    def question(self, table: Any) -> str:
        """Say what can be done, and whether combat follows."""
        ways = {
            "play characters": any(S.PLAY_CHARACTER <= action < S.USE for action in table.choices),
            "use abilities": any(S.USE <= action < S.TARGET for action in table.choices),
        }
        if not any(ways.values()):
            return "Nothing to play."
        possible = listed([way for way, can in ways.items() if can]).capitalize()
        attack = ", then attack." if has_combat(table.box.kit, table.s) else ". There is no combat this turn."
        return f"{possible}{attack}{serenity_note(table)}"

    def button(self, table: Any, block: str, number: int) -> str:
        """Return what `done` leads to."""
        if block != "done":
            return ""
        return "Attack now" if has_attackers(table) else "End your turn"

    def why_not_play(self, box: Box, s: S.State, card: int) -> str:
        """Say that the row is full, or what a character costs."""
        if s.last[s.player] == S.LANES:
            return "Your row is full."
        costs = enumerate(zip(box.kit.card_cost[card], s.ready[s.player], strict=True))
        lacking = [f"{int(need - have)} more {S.COLOURS[colour]}" for colour, (need, have) in costs if need > have]
        if not lacking:
            return "Use your first copy of this card."
        return f"{name(box, card)} costs {design(box, card).price}; you need {' and '.join(lacking)}."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which character is played, or which ability is used."""
        block, number = S.ACTIONS.name_of(action)
        if block == "bring":
            return [f"{voice.does(int(before.player), 'play', 'plays')} {name(box, number)}."]
        return super().tell(box, before, action, after, voice)


class Brace(UsePhase):
    """The other player uses abilities before the attack (R36)."""

    name = "brace"
    waiting_text = "{who} is preparing for the attack."
    refusal_text = "Before your opponent's attack, all you can do is use abilities."
    button_texts = {"done": "Face the attack"}

    def question(self, table: Any) -> str:
        """Announce the attack."""
        return f"Seat {table.s.active + 1} is about to attack. Use abilities first, or face the attack."


class Lane(CirclesPhase):
    """With `attack=may`, the player chooses whether the character in this lane attacks (R21)."""

    name = "lane"
    waiting_text = "{who} is choosing attackers."
    refusal_text = "First choose whether this character attacks."
    button_texts = {"attack": "Attack", "hold": "Hold back"}

    def question(self, table: Any) -> str:
        """Ask whether the character attacks."""
        s, card = table.s, attacker_in(table.s)
        has_paid = s.target[card] or s.status[card] & S.LONG
        paid = " If it holds back, what you paid for its attack is lost." if has_paid else ""
        return f"Attack with {name_in_play(table.box, s, card, table.seat)}?{paid}{serenity_note(table)}"

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say who holds back."""
        user = name_in_play(box, before, attacker_in(before), voice.seat)
        return [f"{user} holds back."] if action == S.HOLD_BACK else []


class Mend(UsePhase):
    """After combat, the player may heal."""

    name = "mend"
    waiting_text = "{who} is healing."
    question_text = "Combat is over. Heal your characters, or end your turn."
    refusal_text = "After combat, all you can do is heal."
    button_texts = {"done": "End your turn"}


class Extra(CirclesPhase):
    """With Extra Card, the player may play another character for free (R56)."""

    name = "extra"
    waiting_text = "{who} is choosing a free character."
    refusal_text = "First choose a character for Extra Card, or “none”."
    button_texts = {"none": "Skip"}
    play_words = "{}"

    def question(self, table: Any) -> str:
        """Ask for the character."""
        once = " You can only do this now." if table.box.options["extra"] == "entry" else ""
        return f"Extra Card: play another character for free.{once}"

    def why_not_play(self, box: Box, s: S.State, card: int) -> str:
        """Say that the row is full, or that an equal card comes first."""
        return "Your row is full." if s.last[s.player] == S.LANES else "Use your first copy of this card."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which character is played for free."""
        block, number = S.ACTIONS.name_of(action)
        played = f"{voice.does(int(before.player), 'play', 'plays')} {name(box, number)} for free."
        return [played] if block == "bring" else []


class Pick(CirclesPhase):
    """The player picks a target for an ability."""

    name = "pick"
    waiting_text = "{who} is making a choice for an ability."
    forced_text = "Only one possible choice: {choice:inside}"
    refusal_text = "First choose a target for your ability."
    #: What to choose for an ability, by what it wants.
    pick_texts = {
        A.ENEMY: "choose the enemy it attacks.", A.ENEMY_OR_PLAYER: "choose its target.",
        A.AWAKE_ENEMY: "choose the enemy that falls asleep.", A.HURT: "choose the character to heal.",
        A.PAIR: "choose the first character to swap.", A.DISCARD: "choose the card to take back.",
        A.ARRANGE: "choose the new top card.",
    }  # fmt: skip

    def question(self, table: Any) -> str:
        """Ask for the target, a pile's card or the second of two."""
        s, ability = table.s, ABILITIES[int(table.s.ability)]
        text = self.pick_texts[ability.wants]
        if ability.wants == A.PAIR and s.first:
            text = "choose the character to swap it with."
        if ability.wants == A.ARRANGE and s.picks[0]:
            text = "choose the second card."
        harms = ability.wants in (A.ENEMY, A.ENEMY_OR_PLAYER)
        return f"{ability.name}: {text}{serenity_note(table) if harms else ''}"

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say why something is no target of the ability."""
        if block not in ("place", "player", "target"):
            return super().why_not(box, s, block, number)
        wants, ability = ABILITIES[s.ability].wants, ABILITIES[s.ability].name
        if block != "target" or wants in (A.DISCARD, A.ARRANGE):
            return f"{ability} can't be used on that."
        if number >= box.kit.characters or not s.at[number]:
            return "That character is not in play."
        if wants == A.PAIR:
            return f"{ability} needs two different characters from your row."
        if wants == A.HURT:
            return f"{name(box, number)} has no damage."
        if seat_of(s, number) == s.player:
            return f"{ability} needs an enemy."
        is_asleep = s.status[number] & S.ASLEEP
        return f"{name(box, number)} is already asleep." if is_asleep else f"{ability} can't be used on that."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say on what an ability is used; nothing about an order still being picked."""
        ability = ABILITIES[int(before.ability)]
        if ability.wants == A.ARRANGE or (ability.wants == A.PAIR and before.first == 0):
            return []
        block, number = S.ACTIONS.name_of(action)
        uses = f"{name_in_play(box, before, int(before.using) - 1, voice.seat)} uses {ability.name}"
        if block == "player":
            return [f"{uses} on {voice.whom(1 - int(before.player))}."]
        if block == "place":
            whose = "your" if voice.seat == before.player else f"{voice.name(int(before.player))}'s"
            card = int(discard_of(box.kit, before, before.player)[number + 1])
            return [f"{uses}: {name(box, card)} returns to {whose} hand."]
        other = name_in_play(box, before, number, voice.seat)
        if ability.wants == A.PAIR:
            return [f"{uses}: {name_in_play(box, before, int(before.first) - 1, voice.seat)} and {other} swap lanes."]
        return [f"{uses} on {other}."]


class Answer(UsePhase):
    """The owner of a character that is about to take damage responds (section 8)."""

    name = "answer"
    waiting_text = "{who} is responding to damage."
    refusal_text = "First respond to the damage."
    button_texts = {"take": "Take the damage"}
    has_picks = False  # the damage is the target

    def question(self, table: Any) -> str:
        """Say what the damage would do."""
        s, card = table.s, int(table.s.hit) - 1
        damage, health = int(s.damage[card] + s.packet), int(health_of(table.box.kit, s, card))
        outcome = f"it would survive with {damage} damage and {health} health"
        if would_fall(table.box, s):
            outcome = "it would be destroyed"
        return f"{target_of(table)} is about to take {int(s.packet)} damage: {outcome}."

    def button(self, table: Any, block: str, number: int) -> Text | str:
        """Return the response of the character itself, or `Take the damage`."""
        card, slot = divmod(number, S.SLOTS)
        if block != "use" or card != table.s.hit - 1:
            return super().button(table, block, number)
        ability = ability_in(table.box, card, slot)
        return ability.response.capitalize() if ability else ""


class Spread(CirclesPhase):
    """The player moves points of damage to other characters (Disperse, R48)."""

    name = "spread"
    waiting_text = "{who} is moving damage."
    refusal_text = "First choose where the damage goes."
    button_texts = {"keep": "Keep the rest"}

    def question(self, table: Any) -> str:
        """Say how many points there are to move."""
        points = f"Move {int(table.s.packet)} damage to your other characters"
        return f"{points}, point by point, or keep the rest on {target_of(table)}."

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say where damage can go."""
        if block == "target":
            return "You can move damage only to another of your characters in play."
        if block == "take":
            return "Move damage to another character, or keep the rest."
        return super().why_not(box, s, block, number)

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say where a point goes."""
        block, number = S.ACTIONS.name_of(action)
        return [f"1 damage moves to {name_in_play(box, before, number, voice.seat)}."] if block == "target" else []


PHASES = (Resources(), Main(), Brace(), Lane(), Mend(), Extra(), Pick(), Answer(), Spread())


def has_attackers(table: Any) -> bool:
    """Return whether a character of this seat attacks if its turn goes on to combat."""
    s, first = table.s, table.seat * S.SIDE + 1
    row = s.row[first : first + s.last[table.seat]]
    return bool(has_combat(table.box.kit, s)) and any(card and not s.status[card - 1] & S.ASLEEP for card in row)


def attacker_in(s: S.State) -> int:
    """Return the character of the turn player in the lane that is fought."""
    return int(s.row[s.active * S.SIDE + s.lane]) - 1


def would_fall(box: Box, s: S.State) -> bool:
    """Return whether the packet would be lethal for its target as things stand (R26)."""
    later = s.copy()
    later.damage[s.hit - 1] += s.packet
    return bool(has_lethal_damage(box.kit, later, s.hit - 1))


def target_of(table: Any) -> str:
    """Return the name of the character that damage is about to hit."""
    return name_in_play(table.box, table.s, int(table.s.hit) - 1, table.seat)


def serenity_note(table: Any) -> str:
    """Return a note if Serenity makes this turn's attacks on the other player useless (R50)."""
    protected = table.s.serene >> 1 - table.seat & 1
    return " Serenity stops all damage to your opponent's side this turn." if protected else ""

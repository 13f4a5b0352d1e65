"""Five Circles: what the page asks, says and refuses in each phase."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import Layout, Phase
from sparring.scene.sentences import Text, Voice, mention, result

from . import abilities as A
from . import state as S
from .abilities import ABILITIES, SELF_DESTRUCT, SERENITY, Ability, has_combat, health_of, when_used, would_fall
from .components import (
    ability_in, design, in_lane, is_known, name, next_resource, pile_to_pick, seat_of, title_in_play, used_ability,
)  # fmt: skip
from .rules import can_act, make_ready

#: Why choices of these blocks have to wait, in the phases that don't ask for them.
NOT_ASKED_TEXTS = {
    "resource": "You play resources at the start of your turn, at most two.",
    **dict.fromkeys(("target", "player", "place"), "There is no target to choose now."),
    **dict.fromkeys(("take", "keep"), "There is no damage to respond to."),
    **dict.fromkeys(("attack", "hold"), "You can't choose attackers now; your characters attack when you are done."),
}

#: Why an ability can't be used, by what is in the way.
OBSTACLE_TEXTS = {
    A.USABLE: "You can use {user}'s {ability} only when it is your turn to choose.",
    A.NO_ABILITY: "{user} doesn't have that ability.",
    A.WRONG_TIME: "You can use {user}'s {ability} only {when:or}.",
    A.USED: "{user} has already used {ability} this turn.",
    A.OTHER_COPY: "{user} has {ability} twice; use the first one first.",
    A.SILENCED: "{user} is asleep and can't use abilities.",
    A.UNPAID: "{ability} costs {price} {colour}; you have {ready} ready.",
    A.NO_FIGHT: "There is no combat this turn; {ability} would be wasted.",
    A.TOO_NEW: "{user} can't attack on the turn it is played.",
    A.OTHER_ATTACK: "{user} can't use both Target and Long Range in one turn.",
}

#: For what an ability wants: what is missing for it; what to choose (PICK); and the second of two choices.
TARGET_TEXTS: dict[int, tuple[str, ...]] = {
    A.FACING: ("There is no awake enemy in front of it.",),
    A.ITSELF: ("It can only avoid damage to itself.",),
    A.OTHERS: ("It can only move damage it is about to take, and only to your other characters.",),
    A.DECK: ("The deck is empty.",),
    A.HAND_CARD: ("You have no character in hand to play.",),
    A.ENEMY: ("There is no enemy in play.", "{ability}: choose the enemy it attacks."),
    A.ENEMY_OR_PLAYER: ("There is no enemy in play.", "{ability}: choose its target."),
    A.AWAKE_ENEMY: ("There is no awake enemy in play.", "{ability}: choose the enemy that falls asleep."),
    A.HURT: ("No character has damage.", "{ability}: choose the character to heal."),
    A.PAIR: (
        "You need two characters in play.", "{ability}: choose the first character to swap.",
        "{ability}: choose the character to swap it with.",
    ),
    A.DISCARD: ("The discard pile is empty.", "{ability}: choose the card to take back."),
    A.ARRANGE: (
        "The deck has fewer than two cards.", "{ability}: choose the new top card.",
        "{ability}: choose the second card.",
    ),
}  # fmt: skip

#: A response on its button, and in the log.
RESPONSE_TEXTS = {
    "disperse": ("Disperse", "{user} disperses the damage."), "avoid": ("Avoid", "{user} avoids the damage."),
}  # fmt: skip


class CirclesPhase(Phase):
    """A phase of this game: other choices have to wait for its own."""

    #: Why other choices have to wait, by block, where it isn't for `refusal_text`.
    refusal_texts: Mapping[str, str] = NOT_ASKED_TEXTS
    #: The sentence about a character that is played, as its player and others read it; none if none can be.
    play_forms: tuple[str, ...] = ()

    def is_main_button(self, table: Layout[S.State], action: int) -> bool:
        """Return whether a button is the usual choice: ending the turn isn't while cards can still be played."""
        return action in (S.TAKE, S.ATTACK) or (action == S.DONE and len(table.choices) == 1)

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say that a card is elsewhere, that an ability is none to use, or what has to be done first."""
        if block not in ("bring", "use"):
            return Text(self.refusal_texts.get(block, self.refusal_text))
        card = number // S.SLOTS if block == "use" else number
        if not is_known(setup, s, card):
            return Text("There is no such card in this match.")
        user = name(setup, card)
        if block == "bring":
            held = card in in_order(s.hand[s.player])
            return self.why_not_play(setup, s, card) if held else Text("{card} is not in your hand.", card=user)
        ability = ability_in(setup, card, number % S.SLOTS)
        if ability is None:
            return Text(OBSTACLE_TEXTS[A.NO_ABILITY], user=user)
        if seat_of(s, card) != s.player:
            return Text("You have no {card} in play.", card=user)
        if not ability.used_in(setup.params):
            return Text("{ability} is automatic.", ability=ability.name)
        return self.why_not_use(setup, s, number, ability)

    def why_not_play(self, setup: GameSetup, s: S.State, card: int) -> Text:
        """Say that characters can't be played now, that the row is full, or that an equal card comes first."""
        if not self.play_forms:
            return Text(self.refusal_text)
        return Text("Your row is full." if s.last[s.player] == S.LANES else "Use your first copy of this card.")

    def why_not_use(self, setup: GameSetup, s: S.State, number: int, ability: Ability) -> Text:
        """Say why an ability of a character in play can't be used now."""
        return Text(self.refusal_text)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which character is played."""
        block, number = S.ACTIONS.name_of(action)
        if block != "bring":
            return []
        return [voice.text(*self.play_forms, who=before.player, card=name(setup, number))]


class UsePhase(CirclesPhase):
    """A phase in which players use abilities of their characters in play."""

    #: Whether the user of an ability then picks a target.
    has_picks = True

    def why_not_use(self, setup: GameSetup, s: S.State, number: int, ability: Ability) -> Text:
        """Say what is in the way of using an ability."""
        card, slot = divmod(number, S.SLOTS)
        obstacle = int(A.obstacle(setup.params, s, card, slot, int(s.phase)))
        if obstacle == A.NO_TARGET:
            return Text(TARGET_TEXTS[ability.wants][0])
        ready, used_in = int(s.ready[s.player, ability.colour]), ability.used_in(setup.params)
        forms = OBSTACLE_TEXTS[obstacle]
        if obstacle == A.UNPAID and not ready:
            forms = "{ability} costs {price} {colour}; you have none ready."
        return Text(
            forms, user=name(setup, card), ability=ability.name, price=ability.price, ready=ready,
            colour=S.COLOURS[ability.colour],
            when=when_used([phase for phase in range(len(S.PHASES)) if used_in >> phase & 1]),
        )  # fmt: skip

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say who uses an ability, unless the sentence about the pick that follows says so."""
        ability = used_ability(setup, action)
        if ability is None:
            return super().tell(setup, before, action, after, voice)
        user = title_in_play(setup, before, (action - S.USE) // S.SLOTS, voice.seat, starts=True)
        if ability is ABILITIES[SERENITY]:
            return [Text("{user} uses {ability} and is discarded.", user=user, ability=ability.name)]
        if ability.response:
            return [Text(RESPONSE_TEXTS[ability.response][1], user=user)]
        if self.has_picks and ability.wants >= A.ENEMY and ability.wants != A.ARRANGE:
            return []  # the sentence about the pick says it
        lines = [Text("{user} uses {ability}.", user=user, ability=ability.name)]
        if ability is ABILITIES[SELF_DESTRUCT]:
            gone = [card for card in range(len(before.at)) if before.at[card] and not after.at[card]]
            lines.append(result(destruction(setup, before, gone, voice)))
        return lines


class Resources(CirclesPhase):
    """The player plays up to two resources (R18)."""

    name = "resources"
    waiting_text = "{who} is playing resources."
    refusal_text = "First play resources, or skip them with “done”."

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for a resource."""
        if table.s.laid:
            return Text("You may play one more resource.")
        return Text("You may play up to two resources.")

    def button(self, table: Layout[S.State], block: str, number: int) -> Text | str:
        """Return what `done` leads to."""
        if block != "done":
            return ""
        later = table.s.copy()
        make_ready(table.setup.params, later)
        if can_act(table.setup.params, later):
            return Text("Skip")
        return Text("Skip and attack") if has_attackers(table) else Text("Skip and end turn")

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say that there is no such resource in hand."""
        if block == "resource":
            return Text("You have no {colour} resource in hand.", colour=S.COLOURS[number])
        return super().why_not(setup, s, block, number)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which resource is played."""
        block, number = S.ACTIONS.name_of(action)
        if block != "resource":
            return []
        played = next_resource(setup, before, int(before.player), number)
        forms = "You play a {colour} resource.", "{who} plays a {colour} resource."
        if played.drawn:
            forms = "You play {card}, a {colour} resource.", "{who} plays {card}, a {colour} resource."
        return [voice.text(*forms, who=before.player, card=played.name, colour=played.colour)]


class Main(UsePhase):
    """The player plays characters and uses abilities, in any order."""

    name = "main"
    waiting_text = "{who} is playing characters and using abilities."
    refusal_text = "You can't do that on your turn before combat."
    play_forms = ("You play {card}.", "{who} plays {card}.")
    #: What can be done: play characters, and use abilities; with combat, and without.
    way_texts = {
        (True, True): (
            "Play characters and use abilities, then attack.",
            "Play characters and use abilities. There is no combat this turn.",
        ),
        (True, False): ("Play characters, then attack.", "Play characters. There is no combat this turn."),
        (False, True): ("Use abilities, then attack.", "Use abilities. There is no combat this turn."),
    }

    def question(self, table: Layout[S.State]) -> Text:
        """Say what can be done, and whether combat follows."""
        plays = any(S.PLAY_CHARACTER <= action < S.USE for action in table.choices)
        uses = any(S.USE <= action < S.TARGET for action in table.choices)
        if not (plays or uses):
            return Text("Nothing to play.")
        return noted(table, Text(self.way_texts[plays, uses][not has_combat(table.setup.params, table.s)]))

    def button(self, table: Layout[S.State], block: str, number: int) -> Text | str:
        """Return what `done` leads to."""
        if block != "done":
            return ""
        return Text("Attack now") if has_attackers(table) else Text("End your turn")

    def why_not_play(self, setup: GameSetup, s: S.State, card: int) -> Text:
        """Say what a character costs, unless something else is in the way."""
        costs = enumerate(zip(setup.params.card_cost[card], s.ready[s.player], strict=True))
        lacking = [(int(need - have), S.COLOURS[colour]) for colour, (need, have) in costs if need > have]
        if not lacking or s.last[s.player] == S.LANES:
            return super().why_not_play(setup, s, card)
        missing = [Text("{count} more {colour}", count=count, colour=colour) for count, colour in lacking]
        this = design(setup, card)
        return Text("{card} costs {price}; you need {missing}.", card=this.name, price=this.price, missing=missing)


class Brace(UsePhase):
    """The other player uses abilities before the attack (R36)."""

    name = "brace"
    waiting_text = "{who} is preparing for the attack."
    refusal_text = "Before your opponent's attack, all you can do is use abilities."
    button_texts = {"done": "Face the attack"}

    def question(self, table: Layout[S.State]) -> Text:
        """Announce the attack."""
        forms = "{who} is about to attack. Use abilities first, or face the attack."
        return Text(forms, who=mention(table.s.active))


class Lane(CirclesPhase):
    """With `attack=may`, the player chooses whether the character in this lane attacks (R21)."""

    name = "lane"
    waiting_text = "{who} is choosing attackers."
    refusal_text = "First choose whether this character attacks."
    button_texts = {"attack": "Attack", "hold": "Hold back"}

    def question(self, table: Layout[S.State]) -> Text:
        """Ask whether the character attacks."""
        s, card = table.s, in_lane(table.s, int(table.s.active))
        forms = "Attack with {card}?"
        if s.target[card] or s.status[card] & S.LONG:
            forms = "Attack with {card}? If it holds back, what you paid for its attack is lost."
        return noted(table, Text(forms, card=title_in_play(table.setup, s, card, table.seat)))

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say who holds back."""
        user = title_in_play(setup, before, in_lane(before, int(before.active)), voice.seat, starts=True)
        return [Text("{user} holds back.", user=user)] if action == S.HOLD_BACK else []


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
    play_forms = ("You play {card} for free.", "{who} plays {card} for free.")

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the character."""
        if table.setup.options["extra"] == "entry":
            return Text("Extra Card: play another character for free. You can only do this now.")
        return Text("Extra Card: play another character for free.")


class Pick(CirclesPhase):
    """The player picks a target for an ability."""

    name = "pick"
    waiting_text = "{who} is making a choice for an ability."
    forced_text = "Only one possible choice: {choice:inside}"
    refusal_text = "First choose a target for your ability."

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the target, a pile's card or the second of two."""
        s, ability = table.s, ABILITIES[int(table.s.ability)]
        question = Text(TARGET_TEXTS[ability.wants][2 if s.first or s.picks[0] else 1], ability=ability.name)
        return noted(table, question) if ability.wants in (A.ENEMY, A.ENEMY_OR_PLAYER) else question

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say why something is no target of the ability."""
        if block not in ("place", "player", "target"):
            return super().why_not(setup, s, block, number)
        wants, ability = ABILITIES[s.ability].wants, ABILITIES[s.ability].name
        if block != "target" or wants in (A.DISCARD, A.ARRANGE):
            return Text("{ability} can't be used on that.", ability=ability)
        if number >= setup.params.characters or not s.at[number]:
            return Text("That character is not in play.")
        if wants == A.PAIR:
            return Text("{ability} needs two different characters from your row.", ability=ability)
        if wants == A.HURT:
            return Text("{card} has no damage.", card=name(setup, number))
        if seat_of(s, number) == s.player:
            return Text("{ability} needs an enemy.", ability=ability)
        if s.status[number] & S.ASLEEP:
            return Text("{card} is already asleep.", card=name(setup, number))
        return Text("{ability} can't be used on that.", ability=ability)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say on what an ability is used; nothing about an order still being picked."""
        ability = ABILITIES[int(before.ability)]
        if ability.wants == A.ARRANGE or (ability.wants == A.PAIR and before.first == 0):
            return []
        block, number = S.ACTIONS.name_of(action)
        user = title_in_play(setup, before, int(before.using) - 1, voice.seat, starts=True)
        values: dict[str, Any] = {"user": user, "ability": ability.name}
        if block == "player":
            forms = "{user} uses {ability} on you.", "{user} uses {ability} on {who}."
            return [voice.text(*forms, who=1 - before.player, **values)]
        if block == "place":
            card = pile_to_pick(setup, before)[number]
            forms = (
                "{user} uses {ability}: {card} returns to your hand.",
                "{user} uses {ability}: {card} returns to {who}'s hand.",
            )
            return [voice.text(*forms, who=before.player, card=name(setup, card), **values)]
        other = title_in_play(setup, before, number, voice.seat)
        if ability.wants == A.PAIR:
            first = title_in_play(setup, before, int(before.first) - 1, voice.seat)
            return [Text("{user} uses {ability}: {cards} swap lanes.", cards=[first, other], **values)]
        return [Text("{user} uses {ability} on {card}.", card=other, **values)]


class Answer(UsePhase):
    """The owner of a character that is about to take damage responds (section 8)."""

    name = "answer"
    waiting_text = "{who} is responding to damage."
    refusal_text = "First respond to the damage."
    button_texts = {"take": "Take the damage"}
    has_picks = False  # the damage is the target

    def question(self, table: Layout[S.State]) -> Text:
        """Say what the damage would do."""
        s, card = table.s, int(table.s.hit) - 1
        damage, health = int(s.damage[card] + s.packet), int(health_of(table.setup.params, s, card))
        values = {"card": target_of(table, starts=True), "points": int(s.packet)}
        if would_fall(table.setup.params, s):
            return Text("{card} is about to take {points} damage: it would be destroyed.", **values)
        return Text(
            "{card} is about to take {points} damage: it would survive with {damage} damage and {health} health.",
            damage=damage, health=health, **values,
        )  # fmt: skip

    def button(self, table: Layout[S.State], block: str, number: int) -> Text | str:
        """Return the response of the character itself, or `Take the damage`."""
        card, slot = divmod(number, S.SLOTS)
        if block != "use" or card != table.s.hit - 1:
            return super().button(table, block, number)
        ability = ability_in(table.setup, card, slot)
        return Text(RESPONSE_TEXTS[ability.response][0]) if ability and ability.response else ""


class Spread(CirclesPhase):
    """The player moves points of damage to other characters (Disperse, R48)."""

    name = "spread"
    waiting_text = "{who} is moving damage."
    refusal_text = "First choose where the damage goes."
    button_texts = {"keep": "Keep the rest"}
    refusal_texts = {
        **NOT_ASKED_TEXTS, "target": "You can move damage only to another of your characters in play.",
        "take": "Move damage to another character, or keep the rest.",
    }  # fmt: skip

    def question(self, table: Layout[S.State]) -> Text:
        """Say how many points there are to move."""
        return Text(
            "Move {points} damage to your other characters, point by point, or keep the rest on {card}.",
            points=int(table.s.packet), card=target_of(table),
        )  # fmt: skip

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say where a point goes."""
        block, number = S.ACTIONS.name_of(action)
        if block != "target":
            return []
        return [Text("1 damage moves to {card}.", card=title_in_play(setup, before, number, voice.seat))]


PHASES = (Resources(), Main(), Brace(), Lane(), Mend(), Extra(), Pick(), Answer(), Spread())


def has_attackers(table: Layout[S.State]) -> bool:
    """Return whether a character of this seat attacks if its turn goes on to combat."""
    s, first = table.s, table.seat * S.SIDE + 1
    row = s.row[first : first + s.last[table.seat]]
    return bool(has_combat(table.setup.params, s)) and any(card and not s.status[card - 1] & S.ASLEEP for card in row)


def target_of(table: Layout[S.State], *, starts: bool = False) -> Text | str:
    """Return the name of the character that damage is about to hit."""
    return title_in_play(table.setup, table.s, int(table.s.hit) - 1, table.seat, starts=starts)


def destruction(setup: GameSetup, s: S.State, cards: list[int], voice: Voice) -> Text:
    """Return the sentence that says which characters are destroyed, without any damage."""
    names = [title_in_play(setup, s, card, voice.seat, starts=card == cards[0]) for card in cards]
    return Text("{told}.", told=destroyed(names))


def destroyed(names: list[Text | str]) -> Text:
    """Return that characters are destroyed, as a part of a sentence."""
    return Text("{cards} is destroyed", "{cards} are destroyed", n=len(names), cards=names)


def noted(table: Layout[S.State], question: Text) -> Text:
    """Return a question, with a note if Serenity makes this turn's attacks on the other player useless (R50)."""
    if not table.s.serene >> 1 - table.seat & 1:
        return question
    return Text("{question} Serenity stops all damage to your opponent's side this turn.", question=question)

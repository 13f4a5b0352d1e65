"""MACE: what the page asks, says and refuses in each phase."""

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import HIDDEN_ACTION, GameSetup
from sparring.scene import Layout, Phase
from sparring.scene.sentences import AnyText, Text, Voice, mention

from . import state as S
from .components import charge_from_row, hexes_counted, named, value, way, with_value
from .moves import count_in, distance_to_nearest, has_suit, reachable, takes_all_cards
from .params import CARDS, CLUBS, JOKER, SPADES


class _CombatPhase(Phase):
    """A phase in which choices of other phases wait, and cards have to be in hand."""

    #: The blocks of this phase's choices, besides those that are always possible.
    blocks: tuple[str, ...]
    #: The starts of the blocks that use a card in hand.
    hand_blocks: tuple[int, ...] = ()
    #: What keeps a card in hand, or a Charge, from being used.
    obstacle_text: str = ""

    def why_not(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say what comes first or that a card isn't in hand; else what keeps this phase's choice from being made."""
        if block == "forfeit":
            return Text("You can forfeit only at the end of a Round, and only if the options allow it.")
        if block not in self.blocks:
            return Text(self.refusal_text)
        if block not in ("blast", "drop", "target", "to") and number not in in_order(s.hand[s.player]):
            return Text("That card is not in your hand.")
        return self.obstacle(setup, s, block, number)

    def obstacle(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Return what keeps a choice of this phase from being made."""
        return Text(self.obstacle_text)


class Momentum(_CombatPhase):
    """Every seat picks its first Momentum card, face down (R5)."""

    name = "momentum"
    waiting_text = "{who} is picking a Momentum card."
    question_text = "Pick your Momentum card: the highest goes first, and Boosts are measured from it."
    refusal_text = "Pick your Momentum card first."
    obstacle_text = "A Joker can't be Momentum."
    blocks, hand_blocks = ("momentum",), (S.COMMIT,)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say who has picked a card, and which one to its player."""
        if action == HIDDEN_ACTION:
            return [Text("{who} has picked a Momentum card.", who=mention(before.player))]
        card = named(setup, action - S.COMMIT)
        return [Text("You play {card} face down as your Momentum: the highest goes first.", card=card)]


class Turn(_CombatPhase):
    """The player takes an Action and a Boost, in any order, or ends the Turn (R14)."""

    name = "turn"
    waiting_text = "{who} is taking a Turn."
    refusal_text = "It's your Turn: play a card (for example “boost 7D”) or end your Turn."
    button_texts = {"end": "End your Turn"}
    obstacle_text = "You have no such Charge."
    blocks, hand_blocks = ("strike", "charge", "blast", "boost"), (S.STRIKE, S.CHARGE, S.BOOST)

    def question(self, table: Layout[S.State]) -> Text:
        """Return what is left to do this Turn, and which Action the hand has no card for."""
        s = table.s
        if table.choices == {S.END}:
            return Text("You can only end your Turn.")
        boost = Text("Boost")
        if not reachable(table.setup.params, s, table.seat, 1, False).any():
            boost = Text("Boost (you're hemmed in: it won't move you)")
        if s.acted:
            return Text("You may still {boost}.", boost=boost)
        if not any(S.STRIKE <= action < S.BOOST for action in table.choices):
            if distance_to_nearest(s, table.seat) == 1:
                return Text(
                    "Next to an opponent, your Action needs a Spade, and you have none. You may {boost}.", boost=boost
                )
            return Text(
                "With no opponent next to you, your Action needs a Club, and you have none. You may {boost}.",
                boost=boost,
            )
        if s.boosted:
            return Text("You may still take an Action.")
        return Text("Your Turn: one Action and one {boost}, in either order.", boost=boost)

    def obstacle(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say why a card can't be used for an Action or a Boost."""
        if block == "blast" and number not in in_order(s.charges[s.player]):
            return Text(self.obstacle_text)
        if block == "boost":
            if number >= JOKER:
                return Text(Momentum.obstacle_text)
            return Text("You have already used your Boost this Turn.")
        if s.acted:
            return Text("You have already used your Action this Turn.")
        if block == "blast":
            return self.out_of_range(setup, s, number)
        if block == "strike":
            if has_suit(number, SPADES):
                return Text("No opponent is next to you.")
            return Text("You need a Spade or a Joker to strike.")
        if has_suit(number, CLUBS):
            return Text("You can't Charge with an opponent next to you.")
        return Text("You need a Club or a Joker to charge.")

    def out_of_range(self, setup: GameSetup, s: S.State, number: int) -> Text:
        """Say why a Charge can't be used for a Blast."""
        away, reach = int(distance_to_nearest(s, int(s.player))), value(setup, s, number)
        if away == 1:
            return Text("You can't Blast with an opponent next to you.")
        if reach < away:
            values = {"card": named(setup, number, first=True), "hexes": hexes_counted(reach), "away": away}
            return Text("{card} reaches {hexes}; the nearest opponent is {away} away.", **values)
        return Text("A Blast also needs a Club or a Joker from your hand.")

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which Action or Boost the player takes, or that it passes."""
        player = before.player
        if action == HIDDEN_ACTION:
            return [Text("{who} plays a Charge face down.", who=mention(player))]
        block, number = S.ACTIONS.name_of(action)
        match block:
            case "strike":
                forms = "You strike with {card}.", "{who} strikes with {card}."
                return [voice.text(*forms, who=player, card=with_value(setup, before, number))]
            case "charge":
                return [Text("You play {card} face down as a Charge.", card=named(setup, number))]
            case "blast":
                charge = charge_from_row(setup, before, number, after)
                forms = (
                    "You reveal {charge} for a Blast with range {range}.",
                    "{who} reveals {charge} for a Blast with range {range}.",
                )
                return [voice.text(*forms, who=player, charge=charge, range=after.range)]
            case "boost":
                old, new = (value(setup, before, int(card)) for card in (before.momentum[player], number))
                forms = "You boost from {old} to {new}: no movement.", "{who} boosts from {old} to {new}: no movement."
                if new != old:
                    forms = (
                        "You boost from {old} to {new} and may move up to {hexes}.",
                        "{who} boosts from {old} to {new} and may move up to {hexes}.",
                    )
                return [voice.text(*forms, who=player, old=old, new=new, hexes=hexes_counted(abs(new - old)))]
        return [] if before.acted or before.boosted else [voice.text("You pass.", "{who} passes.", who=player)]


class BlastCard(_CombatPhase):
    """The attacker plays the Club of a Blast (R20)."""

    name = "blast_card"
    waiting_text = "{who} is picking a Club for the Blast."
    refusal_text = "Pick the Club for your Blast first."
    obstacle_text = "You need a Club or a Joker to blast."
    blocks, hand_blocks = ("club",), (S.CLUB,)

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the Club."""
        return Text("Your Blast has range {range}. Which Club do you play for its attack?", range=table.s.range)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which card sets the attack."""
        forms = "You blast with {card}.", "{who} blasts with {card}."
        return [voice.text(*forms, who=before.player, card=with_value(setup, before, action - S.CLUB))]


#: The attack and its target, as the attacker, the target and others read it; and if it does no Damage.
STRIKE_FORMS = (
    "Your Strike ({attack}) targets {whom}.", "The Strike ({attack}) targets you.",
    "The Strike ({attack}) targets {whom}.",
)  # fmt: skip
BLAST_FORMS = (
    "Your Blast ({attack}) targets {whom}.", "The Blast ({attack}) targets you.",
    "The Blast ({attack}) targets {whom}.",
)  # fmt: skip
HARMLESS_STRIKE_FORMS = (
    "Your Strike ({attack}) targets {whom} and does no Damage.",
    "The Strike ({attack}) targets you and does no Damage.",
    "The Strike ({attack}) targets {whom} and does no Damage.",
)
HARMLESS_BLAST_FORMS = (
    "Your Blast ({attack}) targets {whom} and does no Damage.",
    "The Blast ({attack}) targets you and does no Damage.",
    "The Blast ({attack}) targets {whom} and does no Damage.",
)


class Target(_CombatPhase):
    """The attacker chooses its target (R19, R21)."""

    name = "target"
    waiting_text = "{who} is choosing a target."
    forced_text = "Only one target: {choice:inside}"
    refusal_text = "Choose your target first."
    blocks = ("target",)

    def question(self, table: Layout[S.State]) -> Text:
        """Ask for the target."""
        s = table.s
        question = Text("Choose a target for your Strike ({attack}).", attack=s.attack)
        if s.blasting:
            question = Text("Choose a target for your Blast ({attack}).", attack=s.attack)
        return question if s.attack else Text("{question} It does no Damage.", question=question)

    def obstacle(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say why a seat can't be the target."""
        if number >= s.seats:
            return Text("This table has only {seats} seats.", seats=s.seats)
        if number == s.player:
            return Text("You can't attack yourself.")
        if s.out[number]:
            return Text("{who} is out.", who=mention(number))
        away = hexes_counted(int(hexes.distance(s.at[s.player], s.at[number])))
        values = {"who": mention(number), "hexes": away, "range": s.range}
        return Text("{who} is {hexes} away; your attack reaches {range}.", **values)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say whom the attack targets."""
        forms = BLAST_FORMS if before.blasting else STRIKE_FORMS
        if not before.attack:
            forms = HARMLESS_BLAST_FORMS if before.blasting else HARMLESS_STRIKE_FORMS
        return [voice.text(*forms, who=before.player, whom=action - S.AIM, attack=before.attack)]


class Defence(_CombatPhase):
    """The target blocks, dodges, or takes the attack (R24, R25)."""

    name = "defence"
    waiting_text = "{who} is choosing a defence."
    refusal_text = "You are under attack: block, dodge or take it first."
    blocks, hand_blocks = ("block", "dodge"), (S.BLOCK, S.DODGE)

    def question(self, table: Layout[S.State]) -> Text:
        """Return the ways to defend, and which of them won't stop the attack."""
        s = table.s
        attack = int(s.attack)
        blocks, dodges = (
            [value(table.setup, s, action - start) for action in table.choices if start <= action < start + CARDS]
            for start in self.hand_blocks
        )
        take = Text("take it")
        if takes_all_cards(table.setup.params, s, table.seat, attack):
            take = Text("take it (it costs all your cards: you are out)")
        ways = []
        if blocks:
            through = attack - max(blocks)
            stops = through <= 0
            ways.append(Text("block") if stops else Text("block (at least {through} gets through)", through=through))
        if dodges:
            best = max(dodges)
            stops = best >= attack
            ways.append(Text("dodge") if stops else Text("dodge (your best, {best}, is too low)", best=best))
        ways.append(take if ways else Text("you have nothing to block or dodge with, so {take}", take=take))
        values = {"who": mention(s.active), "attack": attack, "ways": ways}
        if s.blasting:
            return Text("{who} blasts you with {attack}: {ways:or}.", **values)
        return Text("{who} strikes you with {attack}: {ways:or}.", **values)

    def obstacle(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say which suit it takes."""
        if block == "block":
            return Text("You need a Diamond or a Joker to block.")
        return Text("You need a Heart or a Joker to dodge.")

    def button(self, table: Layout[S.State], block: str, number: int) -> AnyText:
        """Return `Take 8`."""
        return Text("Take {damage}", damage=table.s.damage) if block == "take" else ""

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which card the target defends with."""
        if action == S.TAKE:
            return []
        block, number = S.ACTIONS.name_of(action)
        forms = "You try to dodge with {card}.", "{who} tries to dodge with {card}."
        if block == "block":
            forms = "You block with {card}.", "{who} blocks with {card}."
        return [voice.text(*forms, who=before.player, card=with_value(setup, before, number))]


class Move(_CombatPhase):
    """The Fighter moves after a Boost (R15)."""

    name = "move"
    waiting_text = "{who} is moving."
    forced_text = "You have nowhere to move."
    refusal_text = "Finish your move first, or stay."
    button_texts = {"stay": "Stay"}
    blocks = ("to",)

    def question(self, table: Layout[S.State]) -> Text:
        """Return how far the Fighter may move."""
        if table.choices == {S.STAY}:
            return Text("You're hemmed in and can't move.")
        return Text("Move up to {hexes}, or stay.", hexes=hexes_counted(table.s.steps))

    def obstacle(self, setup: GameSetup, s: S.State, block: str, number: int) -> Text:
        """Say why the Fighter can't move to a hex."""
        if hexes.size(hexes.Q[number], hexes.R[number]) > setup.params.radius:
            return Text("That hex is beyond the edge of the board.")
        for seat in range(int(s.seats)):
            if s.at[seat] == number and not s.out[seat]:
                if seat == s.player:
                    return Text("You are already there: choose “stay”.")
                return Text("{who} is there.", who=mention(seat))
        away = int(hexes.distance(s.at[s.player], number))
        if away > s.steps:
            return Text(
                "That hex is {n} hex away; you can move {steps}.",
                "That hex is {n} hexes away; you can move {steps}.", n=away, steps=s.steps,
            )  # fmt: skip
        return Text("You can't get there: Fighters and their Reach are in the way.")

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say where the Fighter moves."""
        if action == S.STAY:
            return []
        moved = way(int(before.at[before.player]), action - S.TO)
        return [voice.text("You move {way}.", "{who} moves {way}.", who=before.player, way=moved)]


class DodgeMove(Move):
    """The target moves after a Dodge (R25)."""

    name = "dodge_move"
    waiting_text = "{who} is moving after a Dodge."
    refusal_text = "Finish your Dodge first: move or stay."

    def question(self, table: Layout[S.State]) -> Text:
        """Return how far the Fighter may move."""
        return Text("Dodged! {question}", question=super().question(table))


class Pay(_CombatPhase):
    """The target pays the Damage with cards (R27)."""

    name = "pay"
    waiting_text = "{who} is paying the Damage."
    forced_text = "You have only one card left."
    refusal_text = "Pay the Damage first."
    blocks, hand_blocks = ("pay",), (S.PAYING,)

    def question(self, table: Layout[S.State]) -> Text:
        """Return the Damage to pay, and whether paying takes the whole hand."""
        s = table.s
        left = int(s.damage - s.paid)
        question = Text("Pay {damage} Damage with cards: {left} to go.", damage=s.damage, left=left)
        if s.paid:
            values = {"damage": s.damage, "paid": s.paid, "left": left}
            question = Text("Pay {damage} Damage with cards: {paid} paid, {left} to go.", **values)
        if takes_all_cards(table.setup.params, s, table.seat, left):
            return Text("{question} That will take all your cards: you will be out.", question=question)
        return Text("{question} If you run out of cards, you are out.", question=question)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which card is paid, and how much of the Damage that is with the cards before."""
        card = action - S.PAYING
        paid = before.paid + value(setup, before, card)
        forms = "You pay {card}: {paid} of {damage} Damage.", "{who} pays {card}: {paid} of {damage} Damage."
        if paid > before.damage:
            forms = "You pay {card}: {paid} for {damage} Damage.", "{who} pays {card}: {paid} for {damage} Damage."
        shown = with_value(setup, before, card)
        return [voice.text(*forms, who=before.player, card=shown, paid=paid, damage=before.damage)]


class DropCharge(_CombatPhase):
    """The target loses a Charge (R28)."""

    name = "drop_charge"
    waiting_text = "{who} is choosing a Charge to lose."
    question_text = "Any Damage breaks a Charge: choose one to lose."
    forced_text = "You have only one Charge to lose."
    refusal_text = "Choose the Charge to lose first."
    obstacle_text = Turn.obstacle_text
    blocks = ("drop",)

    def tell(self, setup: GameSetup, before: S.State, action: int, after: S.State, voice: Voice) -> list[Text]:
        """Say which Charge is lost."""
        charge = charge_from_row(setup, before, action - S.DROP, after)
        forms = "You lose {charge}: any Damage breaks one.", "{who} loses {charge}: any Damage breaks one."
        return [voice.text(*forms, who=before.player, charge=charge)]


class Forfeit(_CombatPhase):
    """A Fighter fights on or forfeits at the end of a Round (R41)."""

    name = "forfeit"
    waiting_text = "{who} is deciding whether to fight on."
    forced_text = "You fight on: you haven't chosen to forfeit."
    refusal_text = "Decide first whether to fight on or forfeit."
    button_texts = {"stay": "Fight on", "forfeit": "Forfeit"}
    blocks = ()

    def question(self, table: Layout[S.State]) -> Text:
        """Ask whether the Fighter fights on."""
        return Text(
            "Round {number} is over. {left} Fighters are still standing. Fight on?", number=table.s.rounds,
            left=count_in(table.s),
        )  # fmt: skip


PHASES = (
    Momentum(), Turn(), BlastCard(), Target(), Defence(), DodgeMove(), Pay(), DropCharge(), Move(), Forfeit(),
)  # fmt: skip

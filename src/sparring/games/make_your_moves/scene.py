"""Make Your Moves: the scene of the table for a seat, and the words for every choice."""

from functools import lru_cache

from sparring.engine.cards import in_order
from sparring.engine.types import CardPile
from sparring.engine.game import Box
from sparring.scene import (
    Banner, Button, Card, Group, Layout, Pile, PrintableScene, Row, Seat, Track, face_up_card, replace,
)  # fmt: skip
from sparring.scene.sentences import counted

from . import state as R
from .art import BACK
from .components import as_sum, deeds, face, move_name, powers
from .components import card as card_of
from .kit import KEEP
from .prompts import ask_for_target, ask_to_defend, ask_to_help
from .effects import effects
from .log_sentences import ending, tell, why_not

__all__ = ["ONLY", "aliases", "deeds", "effects", "scene", "tell", "why_not", "words"]

#: Log text for a choice made automatically because it was the only one, by phase.
ONLY = {
    R.TARGET: "Only one target:",
    R.DODGE_TO: "Only one possible target:",
    R.ASSIST_SIDE: "The card fits only one side:",
}

WORDS = {
    "skip": "pass", "done": "done", "counter": "counter", "dodge": "dodge",
    "attacker": "help attacker", "defender": "help defender",
}  # fmt: skip


def words(box: Box, s: R.State, action: int) -> str:
    """Return the words of a choice: `target 2`, a card's name, `counter`, `dodge`, `help attacker`, `pass`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return card_of(box, number).name if number < len(box.content.cards) else ""
    if block == "seat":
        return f"target {number + 1}" if number < s.seats else ""
    return WORDS[block]


def aliases(box: Box, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `Red2` for a card, `target S2` or `to 2` for a seat, `attacker` for a side."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return (card_of(box, number).kind,) if number < len(box.content.cards) else ()
    if block == "seat":
        return (f"target S{number + 1}", f"to {number + 1}", f"S{number + 1}") if number < s.seats else ()
    return (block,) if block in ("attacker", "defender") else ()


def scene(box: Box, s: R.State, seat: int, choices: list[int], beat: str = "") -> PrintableScene:
    """Return the scene for `seat` (from 0; negative: a spectator)."""
    return _MakeYourMovesTable(box, s, seat, choices, beat).scene()


def outline(box: Box, s: R.State) -> PrintableScene:
    """Return a spectator's scene without the areas on the table."""
    return _MakeYourMovesTable(box, s, -1, [], "").outline()


@lru_cache(maxsize=1024)
def discards(box: Box, numbers: tuple[int, ...]) -> Pile:
    """Return the open discard pile; cached, as it rarely changes between choices."""
    return Pile("discard pile", "Discards", len(numbers), tuple(face_up(box, n, "seat -1") for n in numbers))


def face_up(box: Box, n: int, origin: str, *marks: str) -> Card:
    """Return a face-up card; `origin` is where it comes from in animations."""
    this = card_of(box, n)
    return face_up_card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin, marks)


@lru_cache(maxsize=256)
def hand_of(seat: int, held: int) -> Row:
    """Return another seat's hand, face down."""
    backs = tuple(Card(f"seat {seat} hand {n}", origin="draw pile") for n in range(held))
    return Row(f"hand of {seat}", cards=backs, layout="small")


class _MakeYourMovesTable(Layout[R.State]):
    """Lays out the scene for one seat."""

    waiting_texts = (
        "is choosing a target", "is building an attack", "is choosing a defence", "is picking four cards of one colour",
        "is choosing a new target", "is deciding whether to help", "is choosing which side to help", "is discarding",
    )  # fmt: skip

    def scene(self) -> PrintableScene:
        s = self.s
        return replace(
            self.outline(),
            left=(Group((self.draw_pile(), self.discard_pile())),),
            middle=() if s.over else (Group(self.sides()),), right=self.extras(),
            hand=(self.hand(),) if self.seat >= 0 and not s.out[self.seat] else (),
            banner=self.banner(), backs=(BACK,),
            exchange=self.exchange(),
        )  # fmt: skip

    def status(self) -> str:
        return f"Turn {self.s.turn}"

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        held = int(s.hand[i, 0])
        title = "Damage" if self.box.options["match"] == "elimination" else "Points"
        choice = self.optional_choice_fields(R.SEAT + i)
        if choice:
            choice["text"] = "New target" if s.phase == R.DODGE_TO else "Attack"
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, out=bool(s.out[i]), tags=self.tags(i),
            tracks=(Track(f"points {i}", title, int(s.points[i]), R.NEEDED),),
            parts=() if i == self.seat else (hand_of(i, held),),
            label=f"{self.voice.name(i)}, {counted(held, 'card')}, {int(s.points[i])} of {R.NEEDED} {title.lower()}",
            **choice,
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        if s.over:
            return ("winner",) if s.payoff[i] > 0 else ()
        fighting = s.attack[0] > 0 or s.phase in (R.ATTACK, R.RESPOND)
        tags = []
        if fighting and i == s.attacker:
            tags.append("Attacker")
        elif fighting and i == s.defender and s.phase != R.DODGE_TO:
            tags.append("Defender")
        if i == s.control and not (fighting and i == s.attacker):
            tags.append("in control")
        return tuple(tags)

    # Cards on the table

    def played(self, n: int, owner: int, *marks: str) -> Card:
        return face_up(self.box, n, "hand" if owner == self.seat else f"seat {owner + 1}", *marks)

    def sides(self) -> tuple[Row, Row]:
        """Return the two moves, facing each other; four cards that counter take the place of a defence."""
        s = self.s
        voice, attacker, defender = self.voice, int(s.attacker), int(s.defender)
        attacks, defends = "Attack", "Defence"
        if s.attack[0] and s.seats > 2:
            attacks, defends = voice.does(attacker, "attack", "attacks"), voice.does(defender, "defend", "defends")
        attack = self.side("attack", attacks, s.attack, s.help_attack, attacker)
        if self.beat == "countered":
            return attack, Row("fours", "Countered with", self.fours(), seat=defender + 1)
        return attack, self.side("defence", defends, s.defence, s.help_defence, defender)

    def fours(self) -> tuple[Card, ...]:
        return tuple(self.played(n, int(self.s.defender)) for n in in_order(self.s.fours))

    def side(self, key: str, title: str, own: CardPile, helping: CardPile, owner: int) -> Row:
        fighting = self.s.attack[0] > 0
        cards = [self.played(n, owner) for n in in_order(own)] + [self.played(n, -2, "help") for n in in_order(helping)]
        total = as_sum(powers(self.box, own, helping)) if fighting else ""
        return Row(key, title, tuple(cards), total=total, seat=owner + 1 if fighting else 0)

    def exchange(self) -> Group | None:
        """Return the two moves at the beat that compares them, or the attack and the four cards that counter it."""
        return Group(self.sides()) if self.beat in ("compared", "countered") else None

    def extras(self) -> tuple[Row, ...]:
        """Return the cards beside the two moves: fours that dodge, and a helper's card without a side."""
        s = self.s
        rows = []
        if s.fours[0] and self.beat != "countered":
            rows.append(Row("fours", "Dodged with", self.fours(), "small"))
        if s.helping[0]:
            helping = tuple(self.played(n, int(s.player)) for n in in_order(s.helping))
            rows.append(Row("helping", "Help", helping, "small"))
        return tuple(rows)

    def draw_pile(self) -> Pile:
        return Pile("draw pile", "Draw pile", int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        return discards(self.box, tuple(in_order(self.s.discard)))

    def hand(self) -> Row:
        picked = in_order(self.s.picked)
        held = []
        for n in in_order(self.s.hand[self.seat]):
            this = card_of(self.box, n)
            choice = {} if n in picked else self.choice_fields(R.CARD + n)
            held.append(Card(f"card {n}", face(this.name, this.colour, this.power, this.picture), origin="draw pile",
                             marks=("picked",) if n in picked else (), **choice))  # fmt: skip
        return Row("hand", "Your hand", tuple(held), "hand", empty="Your hand is empty.", seat=self.seat + 1)

    def banner(self) -> Banner | None:
        """Return the attack as a ring announcer calls it, once it has a card."""
        s = self.s
        if s.over or not s.attack[0]:
            return None
        numbers = [*in_order(s.attack), *in_order(s.help_attack)]
        return Banner(f"move {s.turn}", move_name(self.box, numbers), seat=int(s.attacker) + 1)

    # Prompt and ending

    def ending(self) -> str:
        return ending(self.s, self.seat)

    def question(self) -> str:
        """Return the question to this seat."""
        s = self.s
        match int(s.phase):
            case R.TARGET:
                return ask_for_target(self.box.kit, s, self.voice)
            case R.ATTACK:
                if self.choices == {R.DONE}:
                    return "You can't add any more cards: end your attack."
                return "Add a card to your attack, or end it." if s.attack[0] else "Play the first card of your attack."
            case R.RESPOND:
                return ask_to_defend(self.box, s, self.voice)
            case R.FOUR:
                how = "dodge" if s.dodging else "counter"
                return f"Pick four cards of one colour to {how} with: {s.picked[0]} of 4 picked."
            case R.DODGE_TO:
                return "You dodge! Choose who faces the attack instead."
            case R.ASSIST_CARD:
                return ask_to_help(self.box, s)
            case R.ASSIST_SIDE:
                return "Choose which side your card helps."
        return "Discard any cards you don't want; you'll draw back up to five."

    def buttons(self) -> tuple[Button, ...]:
        """Return the choices that are neither a card nor a seat."""
        return tuple(
            Button(text=self.text(action), action=action, words=words(self.box, self.s, action), main=action == R.DONE)
            for action in sorted(self.choices)
            if action >= R.SKIP
        )

    def text(self, action: int) -> str:
        """Return the label of a button."""
        s = self.s
        block, _ = R.ACTIONS.name_of(action)
        if block in ("attacker", "defender"):
            helped = int(s.attacker if block == "attacker" else s.defender)
            own, helping = (s.attack, s.help_attack) if block == "attacker" else (s.defence, s.help_defence)
            total = sum(powers(self.box, own, helping))
            return f"Help {self.voice.name(helped)}: {as_sum([total, *powers(self.box, s.helping)])}"
        if block == "done":
            if s.phase == R.RESPOND:
                return "End your defence" if s.defence[0] else "Don't defend"
            return "End your attack" if s.phase == R.ATTACK else "Done discarding"
        if block == "skip":
            passes = "Don't attack" if self.box.kit.pass_attack == KEEP else "Pass control"
            return passes if s.phase == R.TARGET else "Stay out"
        return {"counter": "Counter", "dodge": "Dodge"}[block]

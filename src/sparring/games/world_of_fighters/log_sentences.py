"""World of Fighters: log sentences for a seat."""

from collections import Counter

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import Layout
from sparring.scene.sentences import AnyText, Text, Voice, aside, result, turn

from . import moves
from . import state as R
from .moves import card_of, kind_name, score_parts, some_cards
from .phases import damage, health_left


class FightersLog(Layout[R.State]):
    """What one seat reads about the match."""

    def events(self, before: R.State, action: int | None) -> list[Text]:
        """Return log sentences: the result of the beat, the cards that this seat drew, the next round."""
        setup, after, voice, beat = self.setup, self.s, self.voice, self.beat
        lines = []
        if beat == "shown":
            lines.append(_revealed(after, voice))
        elif beat in ("first blow", "second blow"):
            first = int(moves.first_mover(after))
            lines += _attack(setup, before, after, first if beat == "first blow" else 1 - first, voice)
        elif beat == "thrown out":
            lines += _ring_out(setup, after, voice)
        elif beat == "two blocks":
            lines.append(result(Text("Two Blocks: nothing happens.")))
        lines += _drawn(before, after, voice)
        if beat == "reshuffled":
            lines.append(aside(Text("The discards are shuffled into a new draw pile.")))
        if after.turn != before.turn and not beat:
            forms = "Round {number}: you move first.", "Round {number}: {who} moves first."
            lines.append(turn(voice.text(*forms, who=moves.first_mover(after), number=after.turn)))
        return lines

    def ending(self) -> Text:
        """Return how the match ended."""
        how = R.ENDINGS[int(self.s.ending)]
        if self.s.payoff[0] == 0:
            return Text(DRAW_TEXTS[how])
        winner = int(self.s.payoff[1] > 0)
        return self.voice.text(*WON_FORMS[how], who=winner, whom=1 - winner)


def _revealed(shown: R.State, voice: Voice) -> Text:
    first = int(moves.first_mover(shown))
    own, other = (
        voice.text("your {card}", "{who}'s {card}", who=seat, card=kind_name(shown.action[seat]))
        for seat in (first, 1 - first)
    )
    return Text("Range {range}: {own} against {other}.", range=moves.range_now(shown), own=own, other=other)


def card_name(setup: GameSetup, shown: R.State, seat: int) -> AnyText:
    """Return the name of a revealed card: its kind, or the super performed with it."""
    return card_of(setup, shown, seat).super if shown.performed[seat] else kind_name(shown.action[seat])


def _ring_out(setup: GameSetup, shown: R.State, voice: Voice) -> list[Text]:
    first = int(moves.first_mover(shown))
    throwing = [seat for seat in (first, 1 - first) if moves.forces_ring_out(setup.params, shown, seat)]
    forms = (
        "You stand on the edge at range {range}: {card} throws you out of the ring!",
        "{who} stands on the edge at range {range}: {card} throws {who} out of the ring!",
    )
    return [
        result(voice.text(*forms, who=1 - seat, range=moves.range_now(shown), card=card_name(setup, shown, seat)))
        for seat in (throwing if setup.options["settle"] == "together" else throwing[:1])
    ]


#: What an attack does, as the attacker reads it and as others do.
DAMAGE_FORMS = ("Your {card}: {damage}. {health}", "{who}'s {card}: {damage}. {health}")


def _attack(setup: GameSetup, before: R.State, shown: R.State, attacker: int, voice: Voice) -> list[Text]:
    """Return the result of a revealed attack, and whether it stops the opponent's attack."""
    target = 1 - attacker
    hit = bool(shown.health[target] < before.health[target])
    if shown.action[target] == R.BLOCK:
        return [result(_against_block(setup, shown, attacker, voice), hit=hit)]
    parts, card = score_parts(setup, shown, attacker), card_name(setup, shown, attacker)
    if not parts:
        forms = "Your {card} is out of range.", "{who}'s {card} is out of range."
        return [result(voice.text(*forms, who=attacker, card=card))]
    health = health_left(shown, target, voice)
    told = voice.text(*DAMAGE_FORMS, who=attacker, card=card, damage=damage(parts), health=health)
    lines = [result(told, hit=hit)]
    goes_first = attacker == moves.first_mover(shown) and setup.options["settle"] == "order"
    if goes_first and shown.health[target] == 0:
        forms = "You are knocked out before attacking.", "{who} is knocked out before attacking."
        lines.append(result(voice.text(*forms, who=target)))
    return lines


def _against_block(setup: GameSetup, shown: R.State, attacker: int, voice: Voice) -> Text:
    """Return the result of an attack against a Block."""
    blocker, parts = 1 - attacker, score_parts(setup, shown, attacker)
    card, health = card_name(setup, shown, attacker), health_left(shown, blocker, voice)
    if not parts:
        forms = (
            "Your {card} is out of range: nothing to block.", "{who}'s {card} is out of range: nothing to block.",
        )  # fmt: skip
        return voice.text(*forms, who=attacker, card=card)
    if moves.overrules(setup.params, shown, attacker):
        forms = (
            "Your {card} overrules the Block: {damage}. {health}",
            "{who}'s {card} overrules the Block: {damage}. {health}",
        )
        return voice.text(*forms, who=attacker, card=card, damage=damage(parts), health=health)
    taken = damage(parts, int(moves.block_value(setup.params, shown, blocker)), card_name(setup, shown, blocker))
    return voice.text(*DAMAGE_FORMS, who=attacker, card=card, damage=taken, health=health)


def _drawn(before: R.State, after: R.State, voice: Voice) -> list[Text]:
    """Return the cards that this seat drew."""
    if voice.seat < 0 or before.phase == R.PICK:
        return []
    drawn = sorted((Counter(in_order(after.hand[voice.seat])) - Counter(in_order(before.hand[voice.seat]))).items())
    return [aside(Text("You draw {items}.", items=[some_cards(*each) for each in drawn]))] if drawn else []


#: How a match is won, as the winner reads it and as others do; in the one with three, the loser reads the second.
WON_FORMS = {
    "knock-out": ("You win by knock-out.", "{who} wins by knock-out."),
    "ring-out": ("You win by ring-out.", "{who} wins by ring-out."),
    "forced off": (
        "{whom} can't move and is forced out of the ring. You win.",
        "You can't move and are forced out of the ring. {who} wins.",
        "{whom} can't move and is forced out of the ring. {who} wins.",
    ),
    "round limit": ("You win on health at the round limit.", "{who} wins on health at the round limit."),
}
DRAW_TEXTS = {
    "knock-out": "Draw: both fighters are knocked out.",
    "ring-out": "Draw: both fighters are out of the ring.",
    "round limit": "Draw: the round limit is reached and health is equal.",
}

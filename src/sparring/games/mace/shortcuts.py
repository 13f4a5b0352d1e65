"""MACE: shortcuts, which play a card with a tap on the board: a Boost on its hex, an attack on its target."""

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.scene import Layout, Shortcut

from . import state as S
from .sentences import hexes_counted, value, with_value
from .moves import has_suit, reachable
from .kit import CLUBS, JOKER
from .position import write_hex


class Shortcuts(Layout[S.State]):
    """The shortcuts of a seat in its Turn."""

    def boosts(self) -> dict[int, tuple[Shortcut, ...]]:
        """Return for each hex the Boosts that let the Fighter move there, the shortest first."""
        s, found = self.s, dict[int, list[Shortcut]]()
        if not self.has_turn or s.phase != S.TURN:
            return {}
        here, old = int(s.at[self.seat]), value(self.box, s, int(s.momentum[self.seat]))
        cards = [action - S.BOOST for action in self.choices if S.BOOST <= action < S.BOOST + JOKER]
        for card in sorted(cards, key=lambda card: abs(value(self.box, s, card) - old)):
            steps = abs(value(self.box, s, card) - old)
            for there in self.in_reach(steps):
                if there != here:
                    text = f"Boost with {with_value(self.box, s, card)}: up to {hexes_counted(steps)}"
                    words = f"{self.typed(S.BOOST + card)}; to {write_hex(there)}"
                    found.setdefault(there, []).append(Shortcut(words, text))
        return {there: tuple(ways) for there, ways in found.items()}

    def in_reach(self, steps: int) -> list[int]:
        """Return the hexes that the Fighter can move to with a number of steps."""
        out = [0] * hexes.HEXES
        found = hexes.numbers(reachable(self.box.kit, self.s, self.seat, steps, False), self.box.kit.radius, out, 0, 0)
        return out[:found]

    def attacks(self, i: int) -> tuple[Shortcut, ...]:
        """Return the attacks on a seat: the Strikes, or the Blasts that reach it, each with its Club."""
        s = self.s
        if not self.has_turn or s.phase != S.TURN or i == self.seat:
            return ()
        target, away = f"target {i + 1}", int(hexes.distance(s.at[self.seat], s.at[i]))
        if away == 1:
            strikes = [action for action in sorted(self.choices) if S.STRIKE <= action < S.CHARGE]
            return tuple(
                Shortcut(f"{self.typed(action)}; {target}", f"Strike with {self.named(action - S.STRIKE)}")
                for action in strikes
            )
        return tuple(
            Shortcut(f"{self.typed(action)}{club}; {target}", f"Blast with {self.named(action - S.BLAST)}{paid}")
            for action in sorted(self.choices)
            if S.BLAST <= action < S.BOOST and value(self.box, s, action - S.BLAST) >= away
            for club, paid in self.clubs()
        )

    def clubs(self) -> list[tuple[str, str]]:
        """Return what a Blast costs besides its Charge, as it is typed and in words: a Club, or nothing."""
        if self.box.kit.blast_cost == S.REVEAL_ONLY:
            return [("", "")]
        held = [card for card in in_order(self.s.hand[self.seat]) if has_suit(card, CLUBS)]
        return [(f"; {self.box.content.card(card)}", f" and {self.named(card)}") for card in sorted(held)]

    def named(self, card: int) -> str:
        """Return a card with its value."""
        return with_value(self.box, self.s, card)

    def typed(self, action: int) -> str:
        """Return the words of a choice."""
        return str(self.choice_fields(action)["words"])

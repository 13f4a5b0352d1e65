"""Test helper: a table set up from two rows and ready resources, played by words and compared as text.

A character is written `1 Ash 4/3 [Fast] (damage 1)`: lane, name, attack and health, abilities, notes of a position. Its
stat circles are Red, as many as the points need, unless given: `Old 4/5 {Blue Green Green} [Restore]`.

Among ready resources, an ability stands for its price, so that the tests hold at any price: `Fireball, 2 Red`.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from sparring.engine.errors import ChoiceError
from sparring.engine.match import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.abilities import NUMBER, price_of
from sparring.games.five_circles.designs import Content
from sparring.games.five_circles.state import COLOURS, row_of

CARD = re.compile(r"(?:(\d+) )?([^\d\[{(]+?)(?: (\d+)/(\d+))?(?: \{(.*?)\})?(?: \[(.*?)\])?(?: \((.*?)\))?")
#: Top of the deck, so that the next player gets a resource and has a choice before anything else happens.
NEXT = ["Green"] * 5


def cards_of(text: str) -> list[re.Match[str]]:
    """Return the characters in `1 Ash 4/3; 2 Bea 1/2`."""
    found = [CARD.fullmatch(part.strip()) for part in text.split(";") if part.strip()]
    assert all(found), text
    return [card for card in found if card]


def content(*halves: str) -> Content:
    """Return content with the characters that occur; each half is filled up with Extras."""
    designs: dict[str, dict[str, Any]] = {
        "Extra": {"name": "Extra", "stat": ["Blue"], "attack": 1, "health": 2, "abilities": []}
    }
    decks = []
    for half in halves:
        names = []
        for card in cards_of(half):
            _, name, attack, health, stat, abilities, _ = card.groups()
            names.append(name)
            if attack:
                circles = stat.split() if stat else ["Red"] * max(1, (int(attack) + int(health) + 2) // 3)
                bought = abilities.split(", ") if abilities else []
                designs[name] = {
                    "name": name,
                    "stat": circles,
                    "attack": int(attack),
                    "health": int(health),
                    "abilities": bought,
                }
        extras = [f"Extra x{max(0, 12 - len(names))}"] if len(names) < 12 else []
        decks.append({"characters": names + extras, "resources": {"Red": 6, "Blue": 6, "Green": 6}})
    return GAME.content_from({"cards": list(designs.values()), "decks": decks}, "the case")  # type: ignore[no-any-return]


def resources(text: str) -> str:
    """Return the sum of some resources, among which abilities stand for their prices: `3 Red` for `Fireball, 2 Red`."""
    found = Counter[str]()
    for part in text.split(", ") if text else ():
        number, colour = (price_of(part) if part in NUMBER else part).split()
        found[colour] += int(number)
    return ", ".join(f"{found[colour]} {colour}" for colour in COLOURS if found[colour])


class Table:
    """A match of P (seat 1) and Q (seat 2), with shortcuts for what tests check."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.turn = int(match.state.turn)

    @property
    def s(self) -> Any:
        """The full state."""
        return self.match.state

    def play(self, choices: str) -> "Table":
        """Make the choices in order: `use Ash: Fireball; Dot`; a prefix such as `Q brace>` asserts player and phase."""
        for part in choices.split(";"):
            who, _, words = part.strip().rpartition("> ")
            if who:
                assert self.asked.startswith(who), (who, self.asked)
            self.match.choose(words)
        return self

    def end(self) -> "Table":
        """Choose `done` until the turn is over."""
        while not self.match.over and self.s.turn == self.turn:
            self.match.choose("done")
        return self

    @property
    def asked(self) -> str:
        """The player to choose and the phase: `P main`."""
        return "over" if self.match.over else f"{'PQ'[self.match.state.player]} {self.match.phase}"

    @property
    def choices(self) -> str:
        """The legal choices: `play Yew; done`."""
        return "; ".join(choice.words for choice in self.match.choices())

    def refuses(self, *choices: str) -> bool:
        """Assert that each choice is refused and changes nothing."""
        for words in choices:
            before = self.s.tobytes()
            with pytest.raises(ChoiceError):
                self.match.choose(words)
            assert self.s.tobytes() == before
        return True

    def row(self, seat: int) -> str:
        """Return a row: `1 Ash (damage 1); 2 Bea`."""
        names = [self.match.setup.content.cards[n].name for n in self.match.setup.params.card_design]
        damage = self.s.damage
        return "; ".join(
            f"{lane} {names[card]}" + (f" (damage {damage[card]})" if damage[card] else "")
            for lane, card in row_of(self.s, seat)
        )

    @property
    def p(self) -> str:
        """P's row."""
        return self.row(0)

    @property
    def q(self) -> str:
        """Q's row."""
        return self.row(1)

    @property
    def life(self) -> tuple[int, int]:
        """Life of P and Q."""
        return int(self.s.life[0]), int(self.s.life[1])

    @property
    def discard(self) -> str:
        """The names in the discard pile, in alphabetical order."""
        return " ".join(sorted(self.position["discard_pile"]))

    @property
    def position(self) -> dict[str, Any]:
        """The full state as a position."""
        return self.match.position()

    def top(self, seat: int) -> str:
        """Return the draw deck as a seat (from 1) sees it, from the top."""
        names = {-1: "?", 32: "Red", 33: "Blue", 34: "Green"}
        deck = self.match.view(seat).state.deck
        return " ".join(names.get(int(card), "card") for card in deck[1 : deck[0] + 1][::-1])

    def ready(self, seat: int) -> str:
        """Return ready resources: `1 Red, 2 Green`."""
        return ", ".join(f"{count} {colour}" for colour, count in self.position["ready"][seat].items())

    def hand(self, seat: int) -> str:
        """Return the cards in a hand, in alphabetical order."""
        return " ".join(sorted(self.position["hands"][seat]))

    def shows(self, p: str, q: str, life: tuple[int, int] = (9, 9), discard: str = "") -> bool:
        """Assert rows, life and discard pile."""
        assert (self.p, self.q, self.life, self.discard) == (p, q, life, discard)
        return True


def table(
    p: str = "", q: str = "", ready: str = "", q_ready: str = "", *, hand: str = "", q_hand: str = "",
    life: tuple[int, int] = (9, 9), also: str = "", **more: Any,
) -> Table:  # fmt: skip
    """Return a table in P's MAIN of turn 5; `more` holds options and further fields of a position.

    `also` lists cards that are in the decks only. Cards that aren't named are left out.

    """
    names = {option.name for option in GAME.options()}
    options: Mapping[str, Any] = {name: more.pop(name) for name in list(more) if name in names}
    own = options.get("decks") == "own"
    held = [[card[2] for card in cards_of(cards)] for cards in (hand, q_hand)]
    characters = [
        ";".join(part for part in (row, _characters(cards)) if part) for row, cards in ((p, hand), (q, q_hand))
    ]
    position = {
        "game": GAME.name, "options": {"life": 9, **options}, "turn": 5, "life": list(life),
        "rows": [[_placed(card) for card in cards_of(row)] for row in (p, q)], "hands": held,
        "ready": [resources(ready), resources(q_ready)], "draw_pile": [NEXT[:3], NEXT[:3]] if own else NEXT,
        "aside": [["..."], ["..."]] if own else "...", **more,
    }  # fmt: skip
    setup = content(f"{characters[0]};{also}", characters[1])
    return Table(Match.from_position(position, setup, game=GAME))


def _characters(cards: str) -> str:
    return ";".join(part for part in cards.split(";") if part.strip() not in ("Red", "Blue", "Green"))


def _placed(card: re.Match[str]) -> str:
    return f"{card[1]} {card[2]}" + (f" ({card[7]})" if card[7] else "")


def fight(p: str, q: str, choices: str = "", ready: str = "", q_ready: str = "", **more: Any) -> Table:
    """Make the choices, then `done` until the turn is over."""
    t = table(p, q, ready, q_ready, **more)
    return (t.play(choices) if choices else t).end()

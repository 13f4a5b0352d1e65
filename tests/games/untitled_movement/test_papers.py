"""The papers of the Untitled Movement Game say what is so: the decks, the longest match."""

from games.papers import page, rows, rules
from sparring.games.untitled_movement import GAME


def test_the_longest_match_as_a_formula() -> None:
    for seats in GAME.seats:
        assert GAME.longest(GAME.box({"stall_rounds": 37}), seats) == seats + (7 * seats + 1) * 37 * seats * 11


def test_the_decks_are_those_of_the_rules() -> None:
    for name, counts in zip(("`published`", "`pnp`: a pack of 52"), GAME.content.decks.values(), strict=True):
        told = rows(rules(GAME), "What is in the box")[name].split(" | ")
        assert [int(count) for count in told] == [*counts.values(), sum(counts.values())]
    published, pnp = (sum(deck.values()) for deck in GAME.content.decks.values())
    assert rows(page(GAME), "Facts")["Decks"].startswith(f"{published} cards, or {pnp} ")

"""The docs of the Untitled Movement Game agree with the code: decks, longest match."""

from games.game_docs import page, rows, rules
from sparring.games.untitled_movement import GAME


def test_the_longest_match_follows_the_formula() -> None:
    for seats in GAME.seats:
        assert GAME.max_choices(GAME.setup({"stall_rounds": 37}), seats) == seats + (7 * seats + 1) * 37 * seats * 11


def test_the_documented_decks_are_those_of_the_content() -> None:
    for name, counts in zip(("`published`", "`pnp`: a pack of 52"), GAME.content.decks.values(), strict=True):
        documented = rows(rules(GAME), "What is in the box")[name].split(" | ")
        assert [int(count) for count in documented] == [*counts.values(), sum(counts.values())]
    published, pnp = (sum(deck.values()) for deck in GAME.content.decks.values())
    assert rows(page(GAME), "Facts")["Decks"].startswith(f"{published} cards, or {pnp} ")

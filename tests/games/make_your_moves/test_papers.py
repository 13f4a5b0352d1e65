"""The papers of Make Your Moves say what is so: the deck, the longest match."""

from games.make_your_moves.table import NAME
from games.papers import page, rows, rules
from sparring.engine.game import game

GAME = game(NAME)


def test_the_longest_match_as_a_formula() -> None:
    for seats in GAME.seats:
        assert GAME.longest(GAME.box({"turn_limit": 37}), seats) == 37 * (11 * seats + 6)


def test_the_deck_is_the_one_of_the_rules() -> None:
    for colour, rest in rows(rules(GAME), "The cards").items():
        counted = [
            sum(card.colour == colour and card.power == power for card in GAME.content.cards) for power in (1, 2, 3)
        ]
        assert rest.split(" | ")[1:] == [str(number) for number in counted]
    assert rows(page(GAME), "Facts")["Deck"].startswith(f"{len(GAME.content.cards)} cards")

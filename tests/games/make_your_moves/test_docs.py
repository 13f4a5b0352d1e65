"""The docs of Make Your Moves are correct: the deck, the longest match."""

from games.game_docs import page, rows, rules
from games.make_your_moves.table import NAME
from sparring.engine.game import game

GAME = game(NAME)


def test_the_formula_for_the_longest_match() -> None:
    for seats in GAME.seats:
        assert GAME.max_choices(GAME.setup({"turn_limit": 37}), seats) == 37 * (11 * seats + 6)


def test_the_rules_list_the_deck() -> None:
    for colour, rest in rows(rules(GAME), "The cards").items():
        counted = [
            sum(card.colour == colour and card.power == power for card in GAME.content.cards) for power in (1, 2, 3)
        ]
        assert rest.split(" | ")[1:] == [str(number) for number in counted]
    assert rows(page(GAME), "Facts")["Deck"].startswith(f"{len(GAME.content.cards)} cards")

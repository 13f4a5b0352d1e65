"""Compare games with OpenSpiel: with the same deal and choices, legal choices and payoffs are the same."""

import io
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from sparring import Game, Match
from sparring.cli.simulation import summary_table
from sparring.engine.cards import members
from sparring.engine.game import game as find_game
from sparring.engine.laws import check_game, check_match
from sparring.lab import simulate
from sparring.lab.simulate import SimulationSummary

pytestmark = pytest.mark.compiled("leduc-poker")

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES / name) for name in ("kuhn_poker", "leduc_poker", "crazy_eights")]
KUHN, LEDUC, EIGHTS = (import_module(name).GAME for name in ("kuhn_poker", "leduc_poker", "crazy_eights"))

EIGHT = range(24, 28)
VARIANTS = [
    {},
    {"special": "yes"},
    {"reshuffle": "yes"},
    {"special": "yes", "reshuffle": "yes", "draws": 2},
    {"special": "yes", "draws": 1, "turns": 12},
]


def test_kuhn_poker_keeps_the_laws() -> None:
    check_game(KUHN, matches=50)


def test_crazy_eights_keeps_the_laws() -> None:
    """All options compiled, and an eventful match in plain Python."""
    check_game(EIGHTS, matches=50, interpreted=0)
    check_match(EIGHTS.setup({"special": "yes", "reshuffle": "yes", "turns": 25}), 3, seed=1)


def test_penalties_have_intervals_and_the_lowest_wins() -> None:
    match = Match.deal(EIGHTS.setup(), 3, 1)
    rng = random.Random(1)
    while not match.over:
        match.choose(rng.choice(match.legal()))
    paid = match.payoffs or {}
    assert match.winners == (max(paid, key=paid.__getitem__),)

    result = simulate(EIGHTS, 2000, seats=3, seed=1)
    assert sum(result.wins_by_bot.values()) + result.draws == pytest.approx(2000)
    assert result.draws < 20
    assert result.unit == "points"
    for mean, margin in (*result.payoffs_by_seat.values(), *result.payoffs_by_bot.values()):
        assert -80 < mean < -40
        assert 0 < margin < 5
    assert "seat 3, payoff per match" in printed(result)


def test_a_win_loss_game_reports_no_payoffs() -> None:
    result = simulate(find_game("world-of-fighters"), 20)
    assert (result.payoffs_by_bot, result.payoffs_by_seat, result.unit) == ({}, {}, "")


def printed(result: SimulationSummary) -> str:
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(summary_table(result))
    return console.export_text()


def in_kuhn(match: Match, drawn: int) -> int:
    return int(match.state.card[drawn])


def in_leduc(match: Match, drawn: int) -> int:
    return int([*match.state.card, match.state.public][drawn])


def follow(match: Match, peer: Any, rng: random.Random, card: Any) -> None:
    """Play both at random to the end with the same choices; `card` feeds our draws to our match."""
    drawn = 0
    while not peer.is_terminal():
        if peer.is_chance_node():
            peer.apply_action(card(match, drawn))
            drawn += 1
            continue
        assert match.seat == peer.current_player() + 1
        assert match.legal() == peer.legal_actions()
        action = rng.choice(match.legal())
        match.choose(action)
        peer.apply_action(action)
    assert list((match.payoffs or {}).values()) == peer.returns()


@pytest.mark.parametrize(("game", "card"), [(KUHN, in_kuhn), (LEDUC, in_leduc)], ids=["kuhn", "leduc"])
def test_poker_agrees_with_openspiel(game: Game, card: Any) -> None:
    peer = pytest.importorskip("pyspiel").load_game(game.name.replace("-", "_"))
    rng = random.Random(1)
    for seed in range(300):
        follow(Match.deal(game.setup(), 2, seed), peer.new_initial_state(), rng, card)


def deal_to_peer(match: Match, peer: Any) -> None:
    """Deal the cards of our match in OpenSpiel."""
    seats, top = match.seats, int(match.state.top)
    hands = [list(members(hand)) for hand in match.state.hand[:seats]]
    special = match.setup.options["special"] == "yes"
    skipped = 2 if special and top // 4 == 10 else -1 if special and top // 4 == 12 else 1
    dealer = (match.state.player - skipped) % seats
    peer.apply_action(peer.legal_actions()[dealer])
    for number in range(sum(map(len, hands))):
        peer.apply_action(hands[(dealer + 1 + number) % seats].pop())
    peer.apply_action(top)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("seats", EIGHTS.seats)
def test_crazy_eights_agrees_with_openspiel(seats: int, options: dict[str, Any]) -> None:
    """OpenSpiel draws from our deck; a reshuffled deck is shuffled by us."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("crazy_eights", peer_options(seats, options))
    rng = random.Random(seats)
    for seed in range(6):
        match, peer = Match.deal(EIGHTS.setup(options), seats, seed), game.new_initial_state()
        deal_to_peer(match, peer)
        while not peer.is_terminal():
            assert match.seat == peer.current_player() + 1
            assert match.legal() == peer.legal_actions()
            action = rng.choice(match.legal())
            before = match.state.hand.copy()
            match.choose(action)
            peer.apply_action(action)
            took = [card for hand, held in zip(match.state.hand, before, strict=True) for card in members(hand & ~held)]
            while peer.is_chance_node():
                outcomes = [card for card in took if card in peer.legal_actions()]
                peer.apply_action(outcomes[0])
                took.remove(outcomes[0])
            assert not took
        assert list((match.payoffs or {}).values()) == peer.returns()


def peer_options(seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return our options under OpenSpiel's names."""
    return {
        "players": seats,
        "max_draw_cards": options.get("draws", 5),
        "max_turns": options.get("turns", 100),
        "use_special_cards": options.get("special") == "yes",
        "reshuffle": options.get("reshuffle") == "yes",
    }

"""The mixed-strategy bot: its exploitability, computed exactly on small poker games."""

import itertools
import re
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from sparring import Game, Match, bots
from sparring.bots.mixed_strategy_bot import MixedSearch, MixedStrategyBot, average_strategy
from sparring.bots.mixed_strategy_search import mixed_search_rule
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import game as find_game
from sparring.engine.views import View
from sparring.lab.game_tree import best_response, exploitability

pytestmark = pytest.mark.compiled("leduc-poker")

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES / name) for name in ("kuhn_poker", "leduc_poker")]
KUHN: Game = import_module("kuhn_poker").GAME
LEDUC: Game = import_module("leduc_poker").GAME


def leduc(*cards: int) -> Match:
    deck = [*cards[2:], *(card for card in range(6) if card not in cards)]
    return Match.from_position({"game": LEDUC.name, "cards": list(cards[:2]), "deck": deck}, game=LEDUC)


def kuhn(*cards: int) -> Match:
    return Match.from_position({"game": KUHN.name, "cards": list(cards)}, game=KUHN)


KUHN_DEALS = [kuhn(*cards).state for cards in itertools.permutations(range(3), 3)]
LEDUC_DEALS = [leduc(*cards).state for cards in itertools.permutations(range(6), 3)]


class MixedPolicy:
    """The policy of a mixed-strategy bot, averaged over a few of its streams; cards of equal rank count as equal."""

    def __init__(self, game: Game, iterations: int, streams: int = 1) -> None:
        self.game, self.iterations, self.streams = game, iterations, streams
        self.known: dict[object, list[float]] = {}

    def __call__(self, view: View) -> list[float]:
        news = int(self.game.rules.private_observation(view.setup.params, view.state, view.seat - 1))  # type: ignore[attr-defined]
        key = (view.seat, news, tuple(seen.choice for seen in view.memory))
        if key not in self.known:
            ways = [average_strategy(view, self.iterations, bots.stream(one, view.seat)) for one in range(self.streams)]
            self.known[key] = np.mean(ways, axis=0).tolist()
        return self.known[key]


def test_exploitability_in_kuhn_poker_is_below_two_hundredths() -> None:
    """Seat 1 loses 1/18 of a chip if both play optimally."""
    setup, policy = KUHN.setup(), MixedPolicy(KUHN, 10_000, streams=2)
    won = [best_response(setup, KUHN_DEALS, policy, seat) for seat in (0, 1)]
    assert sum(won) / 2 < 0.02
    assert won[0] > -1 / 18 - 1e-9
    assert won[1] > 1 / 18 - 1e-9


def test_exploitability_in_leduc_poker_falls_with_iterations() -> None:
    """Random play has 2.37; strength.md has the figures for more iterations."""
    short, long = (exploitability(LEDUC.setup(), LEDUC_DEALS, MixedPolicy(LEDUC, number)) for number in (50, 1000))
    assert long < 0.85 < short  # one stream is noisy


def test_a_queen_sometimes_calls_a_bet() -> None:
    """A single best choice would always be the same, and could be exploited."""
    match = kuhn(2, 1, 0)
    match.choose("bet")
    bot = bots.parse("mix:iterations=300")
    view = match.view(2, memory=bot.remembers)
    assert {bot.choose(view, bots.stream(number, 2)) for number in range(40)} == {0, 1}


def test_hidden_information_does_not_change_the_answer() -> None:
    bot = bots.parse("mix:iterations=50")
    answers = []
    for cards in ((4, 0, 2), (4, 3, 1)):
        match = leduc(*cards)
        match.play("check; bet")
        answers.append([bot.choose(match.view(1, memory=True), bots.stream(number, 1)) for number in range(20)])
    assert answers[0] == answers[1]


def test_actions_of_others_shift_beliefs_about_their_cards() -> None:
    """After a bet, a raise and another bet, a Jack has less reason to stay in than after two checks."""
    ways = []
    for choices in ("bet; call; bet", "check; check; bet"):
        match = leduc(4, 0, 2)
        match.play(choices)
        fold, *_ = average_strategy(match.view(2, memory=True), 2000, bots.stream(1, 2))
        ways.append(fold)
    assert ways[0] > 0.5


def test_interpreted_and_compiled_search_agree() -> None:
    match = leduc(4, 0, 2)
    match.play("bet; call; check")
    view = match.view(2, memory=True)
    shares = []
    for think in (mixed_search_rule(LEDUC), compiled(LEDUC, mixed_search_rule)):
        thought = MixedSearch(view, view.memory, 30)
        thought.begin(bots.stream(1, 2), 0, think)
        thought.run(30)
        shares.append((thought.shares(view.legal), thought.workspace.g.tolist()))
    assert shares[0] == shares[1]


def test_the_history_contains_only_what_the_seat_saw() -> None:
    match = leduc(4, 0, 2)
    match.play("bet; call")
    memory = match.view(2, memory=True).memory
    assert [seen.choice for seen in memory] == [2, 1]
    assert [seen.state.card.tolist() for seen in memory] == [[-1, 0], [-1, 0]]
    assert not match.view(2).memory


def test_a_contradictory_history_is_searched_from_a_later_state() -> None:
    """The history says that no card was revealed in the first round, which no state can be consistent with."""
    match = leduc(4, 0, 2)
    match.play("bet; call; check; bet")
    view = match.view(1, memory=True)
    wrong = view.memory[0].state.copy()
    wrong.chips[1] = 2
    broken = replace(view, memory=(view.memory[0], view.memory[1]._replace(state=wrong), *view.memory[2:]))
    for each, moment in ((view, 0), (broken, 2)):
        thought = MixedSearch(each, each.memory, 30)
        thought.reach_back(bots.stream(1, 1), compiled(LEDUC, mixed_search_rule))
        assert thought.moment == moment


def test_its_hint_has_frequencies_and_expected_payoffs() -> None:
    """A King that meets a bet: folding loses the blind for sure, and is never chosen."""
    match = leduc(4, 0, 2)
    match.play("check; bet")
    hint = match.hint(1, "mix:iterations=300")
    worth = {prospect.words: prospect for prospect in hint.choices}
    shares = [prospect.share or 0.0 for prospect in hint.choices]
    assert sum(shares) == pytest.approx(1.0)
    assert shares == sorted(shares, reverse=True)
    assert worth["fold"].value == pytest.approx(-1.0)
    assert worth["fold"].low < -1.0 < worth["fold"].high
    assert (worth["fold"].share or 0.0) < 0.1
    assert (worth["call"].value or -9.0) > 0
    assert re.search(r"fold +-1\.00 chips \(.*\), chosen \d+% of the time", str(hint))
    assert hint == match.hint(1, "mix:iterations=300")


def test_hidden_information_does_not_change_its_hint() -> None:
    hints = []
    for cards in ((4, 0, 2), (4, 3, 1)):
        match = leduc(*cards)
        match.play("check; bet")
        hints.append(match.hint(1, "mix:iterations=50"))
    assert hints[0] == hints[1]
    answer = bots.parse("mix:iterations=50").answer(match.view(1, memory=True), bots.stream(0, 1))
    assert answer.hint
    assert sorted(prospect.action for prospect in answer.hint.choices) == sorted(match.legal())


@pytest.mark.parametrize("quick", [True, False])
def test_it_plays_world_of_fighters(quick: bool) -> None:
    match = Match.new("world-of-fighters", seed=3)
    bot = bots.parse("mix:iterations=20")
    streams = [bots.stream(1, seat) for seat in (1, 2)]
    for _ in range(6):
        match.choose(bot.choose(match.view(match.seat or 0, memory=True), streams[(match.seat or 1) - 1], quick=quick))
    assert isinstance(bot, MixedStrategyBot)
    assert len(match.history) == 6
    assert find_game("world-of-fighters") is match.game

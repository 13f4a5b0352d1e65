"""Learning from matches, and outsiders to compare with; all of it on High Card, in moments."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from sparring import Game, Match, bots, games
from sparring.bots import Bot, judgements
from sparring.bots.judgements import find
from sparring.bots.judging import PRIOR_UNITS
from sparring.bots.search import thinking
from sparring.cli import main
from sparring.engine.errors import BadBot, BadOption
from sparring.engine.game import Box
from sparring.engine.views import View, view_of
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import priors, training
from sparring.lab.outsiders import _foreseen, rival, with_rules
from sparring.lab.practice import KEPT, Asked, Lesson, Part, Round, finish, play
from sparring.lab.rivals import Line, Outcome, _brought_to_half, duel, even, line_up, lines, told
from sparring.lab.rivals import main as main_of_rivals
from sparring.lab.training import learn, loss, rounds, train

sys.path.append(str(Path(__file__).parents[2] / "examples" / "leduc_poker"))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    judgements.forget()


def test_a_round_tells_what_each_seat_saw_and_what_came_of_it() -> None:
    lesson = finish(play(HIGH_CARD.box(), 2, Round(20, 0), 5, None))
    matches, positions = np.unique(lesson.match, return_counts=True)
    assert matches.tolist() == list(range(20))
    assert set(positions) == {4}  # of six choices the last of each seat is none
    assert KEPT > 4
    assert lesson.seen.shape == (80, 2, HIGH_CARD.rules.FEATURES)
    assert lesson.worth.sum(axis=1) == pytest.approx(1)
    first = Match.new(HIGH_CARD, seats=2, seed=5)
    seen = np.zeros(HIGH_CARD.rules.FEATURES, np.float32)
    HIGH_CARD.rules.observe(first.box.kit, first.view(2).state, 1, seen)
    assert lesson.seen[0, 1] == pytest.approx(seen, abs=1e-3)


def test_who_sees_more_wins_is_learned_from_made_up_matches() -> None:
    """Seat by seat the first number decides; the second one says nothing."""
    numbers = np.random.default_rng(1)
    seen = numbers.uniform(-1, 1, (2000, 2, 2)).astype(np.float16)
    worth = (seen[:, :, 0] == seen[:, :, 0].max(axis=1, keepdims=True)).astype(float)
    lesson = Lesson(seen, worth / worth.sum(axis=1, keepdims=True), np.arange(2000))
    learned = learn(lesson, 0, 0.3, network=False, random_state=0)
    assert learned.loss < 0.3 < learned.loss_of_none == pytest.approx(np.log(2))
    assert learned.judgement.straight[0] > 10 * abs(learned.judgement.straight[1])
    assert loss(learned.judgement, lesson.part(held_out=True)) == learned.loss


def test_a_network_learns_what_no_weighted_sum_can() -> None:
    """Whoever has both or neither of two things wins against one of them."""
    numbers = np.random.default_rng(2)
    things = numbers.integers(0, 2, (6000, 2, 2))
    even = things[:, :, 0] == things[:, :, 1]
    decided = even[:, 0] != even[:, 1]
    lesson = Lesson(things[decided].astype(np.float16), even[decided].astype(float), np.arange(decided.sum()))
    plain, network = (learn(lesson, 0, 0.3, network=network, random_state=0) for network in (False, True))
    assert plain.loss > 0.65
    assert network.loss < 0.2
    assert len(plain.judgement.bias) == 0 < len(network.judgement.bias)


def questions(choose: Callable[[Any, Any], Any]) -> tuple[Asked, Any]:
    """Two of four choices each, one of which is made by what is known and what there is; and which are held out."""
    numbers = np.random.default_rng(3)
    seen = numbers.integers(0, 2, (3000, 3)).astype(np.float16)
    there = np.sort(numbers.permuted(np.tile(np.arange(4), (3000, 1)), axis=1)[:, :2], axis=1)
    tries = np.zeros((3000, 3), np.int32)
    tries[np.arange(3000), choose(numbers, seen)] = 50
    choices = np.hstack([there, np.full((3000, 1), -1)]).astype(np.int16)
    return Asked(seen, choices, tries), np.arange(3000) % 5 == 0


def test_what_good_players_choose_is_learned_from_made_up_questions() -> None:
    """Who has both or neither of two things makes the first choice there is, all others the second."""
    asked, held_out = questions(lambda numbers, seen: (seen[:, 0] != seen[:, 1]).astype(int))
    looked = finish(priors.learning(asked, held_out, 4, 0))
    assert looked.loss < 0.1 < looked.loss_of_lots == pytest.approx(np.log(2))
    assert looked.prior is not None
    assert looked.prior.rows.shape == (4, PRIOR_UNITS)


def test_where_lots_are_drawn_no_prior_is_learned() -> None:
    asked, held_out = questions(lambda numbers, seen: numbers.integers(0, 2, 3000))
    looked = finish(priors.learning(asked, held_out, 4, 0))
    assert looked.prior is None
    assert looked.loss >= looked.loss_of_lots


def test_a_prior_stays_where_the_new_one_foretells_no_better(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, held_out = questions(lambda numbers, seen: (seen[:, 0] != seen[:, 1]).astype(int))
    good = finish(priors.learning(asked, held_out, 4, 0))
    bad = finish(priors.learning(*questions(lambda numbers, seen: (seen[:, 0] == seen[:, 1]).astype(int)), 4, 0))
    assert finish(priors.learning(asked, held_out, 4, 0, before=bad.prior)).loss == good.loss
    nothing = SimpleNamespace(x=np.zeros(priors._Shape(3, 4).size))
    monkeypatch.setattr("scipy.optimize.minimize", lambda *_, **__: nothing)
    kept = finish(priors.learning(asked, held_out, 4, 0, before=good.prior))
    assert kept.prior is good.prior is not None
    assert kept.loss == good.loss


def test_the_next_prior_is_learned_from_matches_that_are_played_by_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by = list[Any]()

    def playing(box: Box, seats: int, plan: Round, first_seed: int, judgement: Any, part: Part) -> Any:
        by.append(judgement.prior)
        return play(box, seats, plan, first_seed, judgement, part)

    learned = train(HIGH_CARD.box(), 2, rounds(60, 5, 0)).judgement
    weights = priors._Shape(HIGH_CARD.rules.FEATURES, len(HIGH_CARD.rules.ACTIONS))
    known = replace(learned, prior=weights.split(np.zeros(weights.size)))
    monkeypatch.setattr(training, "play", playing)
    train(HIGH_CARD.box(), 2, [Round(20, 10, prior=True)], known=known)
    assert by == [known.prior]


def test_it_is_told_how_far_a_prior_is_fitted_and_the_fit_ends_when_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = []

    def endless(*_: Any, callback: Callable[[Any], None], **__: Any) -> None:
        with suppress(StopIteration):
            while True:
                callback(None)
        ended.append(True)

    monkeypatch.setattr("scipy.optimize.minimize", endless)
    monkeypatch.setattr(priors, "PORTION", 0.01)
    course = priors.learning(*questions(lambda numbers, seen: seen[:, 2].astype(int)), 4, 0, Part("Fitting", 0.5, 0.2))
    told = [next(course) for _ in range(2)]
    assert {title for title, _ in told} == {"Fitting"}
    assert 0.5 <= told[0][1] < told[1][1]
    course.close()
    assert ended == [True]


def test_models_are_fitted_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """More would wait for each other, and what they add up would hang on how many there are."""
    seen: list[set[int]] = []

    def fitting(*_: Any, **__: Any) -> Any:
        seen.append({pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"})
        return SimpleNamespace(x=np.zeros(priors._Shape(3, 4).size))

    monkeypatch.setattr("scipy.optimize.minimize", fitting)
    with threadpool_limits(2):
        outside = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
        finish(priors.learning(*questions(lambda numbers, known: known[:, 2].astype(int)), 4, 0))
        training._fit(SimpleNamespace(fit=fitting))
    assert 2 in outside
    assert seen == [{1}, {1}]


def test_the_slope_of_a_prior_is_that_of_its_loss() -> None:
    asked, _ = questions(lambda numbers, seen: seen[:, 2].astype(int))
    known, shape = priors._Questions(asked.part(np.arange(3000) < 40)), priors._Shape(3, 4)
    weights = np.random.default_rng(8).normal(0, 0.5, shape.size)
    for place in (0, 97, 140, shape.size - 3):  # into, bias, rows, own
        step = np.zeros(shape.size)
        step[place] = 1e-2
        (more, _), (less, _) = known.slope(weights + step, shape), known.slope(weights - step, shape)
        assert known.slope(weights, shape)[1][place] == pytest.approx((more - less) / 2e-2, abs=5e-4)


def test_where_nobody_chooses_there_is_nothing_to_learn() -> None:
    """With one card each there is no choice; and of one match all is held out."""
    with pytest.raises(BadOption, match="Too little was chosen in these matches"):
        train(HIGH_CARD.box({"hand": 1}), 2, rounds(20, 5))
    with pytest.raises(BadOption, match="One match is not enough"):
        rounds(20, 5, 1)
    known = train(HIGH_CARD.box(), 2, rounds(20, 5, 0)).judgement
    learned = train(HIGH_CARD.box(), 2, [Round(1, 10, prior=True)], known=known)
    assert learned.judgement.prior is None
    assert learned.of_lots == 0


def test_a_round_for_priors_tells_what_was_asked_and_tried() -> None:
    lesson = finish(play(HIGH_CARD.box(), 2, Round(20, 30, prior=True), 5, None))
    asked = lesson.asked
    assert asked is not None
    assert asked.seen.shape == (80, HIGH_CARD.rules.FEATURES)
    assert (asked.tries.sum(axis=1) == 30).all()
    assert ((asked.choices >= 0) >= (asked.tries > 0)).all()
    first = Match.new(HIGH_CARD, seats=2, seed=5).view(1)
    assert [choice for choice in asked.choices[0] if choice >= 0] == list(first.legal)
    assert finish(play(HIGH_CARD.box(), 2, Round(20, 30), 5, None)).asked is None


def test_a_prior_is_learned_unless_it_is_left_out() -> None:
    assert [each.matches for each in rounds(100, 10)] == [200, 50, 50, 100, 25]
    assert [each.work for each in rounds(100, 10)] == [200, 550, 550, 1100, 2525]
    assert [each.prior for each in rounds(100, 10, 7)] == [False, False, False, False, True]
    without = train(HIGH_CARD.box(), 2, rounds(150, 10, 0), first_seed=3)
    assert without.judgement.prior is None
    assert without.of_lots == 0


def test_the_same_seed_gives_the_same_judgement_and_it_foretells_matches() -> None:
    learned = [train(HIGH_CARD.box(), 2, rounds(150, 10, 600), first_seed=3) for _ in range(2)]
    looks = [each.judgement.prior for each in learned]
    assert looks[0] is not None
    assert looks[1] is not None
    assert looks[0].rows.tolist() == looks[1].rows.tolist()
    assert learned[0].of_prior < learned[0].of_lots
    assert learned[0].judgement.straight.tolist() == learned[1].judgement.straight.tolist()
    assert learned[0].judgement.out_of.tolist() == learned[1].judgement.out_of.tolist()
    assert learned[0].loss < learned[0].loss_of_none


def test_other_payoffs_than_wins_and_losses_are_learned_where_two_share_them() -> None:
    leduc: Game = import_module("leduc_poker").GAME
    lesson = finish(play(leduc.box(), 2, Round(10, 0), 0, None))
    assert lesson.worth.sum(axis=1) == pytest.approx(1)


def test_the_command_line_trains_an_outside_game_and_bots_use_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparring.cli.training.find", lambda name: HIGH_CARD)
    with pytest.raises(SystemExit) as end:
        main(
            ["train", "high-card", "--seats-count", "2", "--matches", "60", "--iterations", "5", "--curiosity", "0.25"]
        )
    assert end.value.code == 0
    told = capsys.readouterr().out
    assert "High Card, 2 seats: log loss 0." in told
    assert "; choices of good players " in told
    found = find(HIGH_CARD.box(), 2)
    assert found is not None
    assert found.curiosity == 0.25


def of_high_card(monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    """What `sparring train high-card` for two seats ends with."""
    monkeypatch.setattr("sparring.cli.training.find", lambda name: HIGH_CARD)
    with pytest.raises(SystemExit) as end:
        main(["train", "high-card", "--seats-count", "2", "--matches", "60", "--iterations", "5", *words])
    return end.value.code


def test_a_prior_alone_is_learned_for_the_judgement_there_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert of_high_card(monkeypatch, "--only-prior") != 0
    assert "has no judgement of this table" in capsys.readouterr().err
    assert of_high_card(monkeypatch, "--for-prior", "0") == 0
    before = find(HIGH_CARD.box(), 2)
    assert before is not None
    assert before.prior is None
    assert of_high_card(monkeypatch, "--only-prior", "--for-prior", "0") != 0
    assert "from 0 matches" in capsys.readouterr().err
    assert of_high_card(monkeypatch, "--only-prior", "--for-prior", "900") == 0
    assert "log loss" not in capsys.readouterr().out.splitlines()[0]
    after = find(HIGH_CARD.box(), 2)
    assert after is not None
    assert after.prior is not None
    assert after.straight.tolist() == before.straight.tolist()


def test_rivals_take_every_seat_in_turn() -> None:
    assert [line_up(2, number) for number in range(3)] == [[0, 1], [1, 0], [0, 1]]
    four = [line_up(4, number) for number in range(8)]
    assert four[0] == [0, 1, 1, 1]
    assert four[5] == [0, 1, 0, 0]
    assert np.sum(four, axis=0).tolist() == [4, 4, 4, 4]


def test_outsiders_play_whole_matches_and_beat_chance() -> None:
    """In the game of which other tests of this process compile most already."""
    box = games()["world-of-fighters"].box()
    for outsider in ("cheat:100", "uct:200", "reads:200:search:iterations=5", "greedy:5"):
        outcome = duel(box, 2, outsider, "random", 20)
        assert outcome.won > 0.75, outsider
        assert outcome.matches == 20 == sum(outcome.endings.values())


def test_a_greedy_rival_needs_a_judgement_and_a_rival_a_number() -> None:
    with pytest.raises(BadBot, match="has none for this table"):
        rival("greedy:5", HIGH_CARD.box(), 2)
    with pytest.raises(BadBot, match="cheat:NUMBER"):
        rival("cheat:x", HIGH_CARD.box(), 2)
    with pytest.raises(BadBot, match="reads:NUMBER:BOT"):
        rival("reads:100", HIGH_CARD.box(), 2)


class Boldest(Bot):
    """It takes the last of its choices."""

    def choose(self, view: View, *more: Any, **others: Any) -> int:
        return view.legal[-1]


def test_who_reads_a_bot_imagines_the_secret_choices_that_it_would_make() -> None:
    match = Match.new("world-of-fighters", seed=3)
    match.play("Hai Wu; Milton Brown; move 1; punch")
    view, g = match.view(2, memory=True), bots.stream(1, 2)
    truths = [_foreseen(Boldest("boldest", ""), view, g) for _ in range(5)]
    assert {int(truth.movement[0]) for truth in truths} == {3}
    assert all(truth.player == 1 and truth.hand[1].tolist() == view.state.hand[1].tolist() for truth in truths)
    assert len({tuple(truth.hand[0].tolist()) for truth in truths}) > 1


def test_who_peeks_knows_all_cards_but_not_what_will_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """As against the cheat, who knows that too; interpreted here."""
    match, sights = Match.new("world-of-fighters", seed=3), list[Any]()

    def seeing(game: Game, sight: Any) -> Any:
        sights.append(sight)
        return thinking(with_rules(game, imagine=sight))

    monkeypatch.setattr("sparring.lab.outsiders.seeing", seeing)
    for kind in ("cheat:5", "peek:5"):
        assert rival(kind, match.box, 2)(match, bots.stream(1, 1)) in match.view(1).legal
    decks = set()
    for sight in sights:
        truth = match.state.copy()
        sight(match.box.kit, truth, 0, bots.stream(1, 1))
        assert truth.hand.tolist() == match.state.hand.tolist()
        assert sorted(truth.deck.tolist()) == sorted(match.state.deck.tolist())
        decks.add(truth.deck.tobytes())
    assert match.state.deck.tobytes() in decks, "who cheats sees the order"
    assert len(decks) == 2, "who peeks does not"


#: What it was shown.
REMEMBERED: list[View] = []


class Mindful(Boldest):
    """It takes the last of its choices too, and keeps what it remembered then."""

    remembers = True

    def choose(self, view: View, *more: Any, **others: Any) -> int:
        REMEMBERED.append(view)
        return view.legal[-1]


def test_who_reads_a_bot_that_remembers_hands_it_what_it_would_remember() -> None:
    match = Match.new("world-of-fighters", seed=3)
    match.play("Hai Wu; Milton Brown; move 1; punch")
    view, g = match.view(2, memory=True), bots.stream(1, 2)
    REMEMBERED.clear()
    truths = [_foreseen(Mindful("mindful", ""), view, g) for _ in range(20)]
    assert {int(truth.movement[0]) for truth in truths} == {3}
    assert all(view_of(match.box, truth, 2).state == view.state for truth in truths)
    asked = [seen for seen in REMEMBERED if seen.seat == 1]
    assert {len(seen.memory) for seen in asked} >= {2, 3}  # both secret choices, remembered from the match's first on
    for seen in (seen for seen in asked if len(seen.memory) == 3):
        before = seen.memory[-1].state
        assert set(seen.state.hand[0].tolist()) <= {0, *before.hand[0].tolist()}, "its own hand in this truth"
        assert before.hand[1].tolist() != view.state.hand[1].tolist(), "and nobody else's"


def test_payoffs_that_are_no_shares_are_refused() -> None:
    from dataclasses import replace

    from sparring.engine.game import Payoffs

    with pytest.raises(BadOption, match="pays other than wins"):
        train(replace(HIGH_CARD, payoffs=Payoffs(-5, 0, "points", zero_sum=False)).box(), 2, rounds(10, 5))


def test_a_duel_at_equal_time_is_told_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparring.lab.rivals.find_game", lambda name: HIGH_CARD)
    asked = ["high-card", "search:iterations=40", "plain:iterations=20", "--seats", "3", "--matches", "6", "--even"]
    main_of_rivals([*asked, "--option", "hand=4"])
    told = json.loads(capsys.readouterr().out)
    assert [words.partition("=")[0] for words in told["rivals"]] == ["search:iterations", "plain:iterations"]
    assert (told["seats"], told["matches"], sum(told["endings"].values())) == (3, 6, 6)
    assert 0 <= told["won"] <= 1


def test_at_equal_time_the_first_search_gets_the_iterations_that_take_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of the test's own: an iteration of the first takes three seconds, the other takes 600 in all."""

    def timed(box: Box, seats: int, first: str, second: str, matches: int, seed: int) -> Outcome:
        seconds = 3.0 * bots.parse(first).iterations, 600.0
        return Outcome("high-card", seats, (first, second), matches, 0.5, (0, 1), 0, seconds, 6, {})

    monkeypatch.setattr("sparring.lab.rivals.duel", timed)
    assert even(HIGH_CARD.box(), 2, "search:iterations=4000", "plain:iterations=200") == "search:iterations=200"


def test_the_table_plays_every_game_of_the_house() -> None:
    house = HIGH_CARD.folder.parent  # other tests bring games of their own
    assert {line.game for line in lines()} == {name for name, found in games().items() if found.folder.parent == house}
    assert [line.second for line in lines() if line.even] == ["plain:iterations=5000"] * 6


def test_a_rival_that_cannot_play_is_told_in_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.lab.rivals.find_game", lambda name: HIGH_CARD)
    answer = told(Line("high-card", 2, {}, "random", "greedy:5", 1, even=False), 1)
    assert answer["rivals"] == ("random", "greedy:5")
    assert "has none for this table" in answer["problem"]


def test_a_share_among_many_is_brought_to_the_scale_of_two() -> None:
    """One of four that wins a quarter is even; one that wins all has won, whoever it sits with."""
    alone, many = [0, 1, 1, 1], [1, 0, 0, 0]
    assert [_brought_to_half(share, alone) for share in (0.0, 0.25, 1.0)] == [0.0, 0.5, 1.0]
    assert [_brought_to_half(share, many) for share in (0.0, 0.75, 1.0)] == [0.0, 0.5, 1.0]

"""Value models: stored, found only where they fit, and the titles of bots without one."""

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bots.random_value_models import random_model, save_model
from sparring import Match, bots, games
from sparring.bots.bot_specs import title
from sparring.bots.value_models import file_name, find_model, fingerprint, folders, lacks_own_model, load, save
from sparring.engine.compilation.counters import blank_counters
from sparring.engine.state import Parameters, array, choice_option
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.games.high_card.params import CARDS, Params
from sparring.lab import simulate
from sparring.lab.measures import measure
from sparring.lab.measures.counts import play_interpreted
from sparring.lab.measures.match_plan import MatchPlan, line_up
from wording import says

pytestmark = [pytest.mark.usefixtures("own_value_models"), pytest.mark.compiled]


def test_a_fingerprint_depends_on_rules_options_content_and_seats(tmp_path: Path) -> None:
    cards = HIGH_CARD.content
    setups = [HIGH_CARD.setup(), HIGH_CARD.setup({"hand": 5}), HIGH_CARD.setup({}, type(cards)(tuple(range(2, 22))))]
    known = [fingerprint(setup, 2) for setup in setups] + [fingerprint(setups[0], 3)]
    assert len(set(known)) == 4
    assert fingerprint(HIGH_CARD.setup({}, type(cards)(cards.values)), 2) == known[0]
    assert fingerprint(replace(HIGH_CARD, version=2).setup(), 2) != known[0]


class WiderParams(Parameters):
    """The params of High Card in another order, with a new option and a field that nothing has filled."""

    room = array(7)
    encore = choice_option(("no", "yes"), "Whether there is an encore", when_missing="yes")
    value = array(CARDS)
    call = Params.call
    tie = Params.tie
    hand = Params.hand


def test_a_new_option_changes_no_fingerprint_while_it_plays_as_before() -> None:
    params = SimpleNamespace(**{**vars(HIGH_CARD.params), "Params": WiderParams})
    wider: Any = replace(HIGH_CARD, params=params)
    for options in ({}, {"hand": 5}, {"tie": "first", "call": "leader"}):
        before = fingerprint(HIGH_CARD.setup(options), 2)
        assert fingerprint(wider.setup({**options, "encore": "yes"}), 2) == before  # its `when_missing`
        assert fingerprint(wider.setup(options), 2) != before


def test_models_with_the_names_of_an_older_version_are_refused(caplog: pytest.LogCaptureFixture) -> None:
    match, own = Match.new(HIGH_CARD, seats=2, seed=1), folders(HIGH_CARD).own
    old = own / "2-seats-0a695a8f256e07e2a595.npz"
    save(old, random_model(HIGH_CARD))
    assert find_model(match.setup, 2) is None
    assert says(caplog.text, "older", "train", old)
    assert not lacks_own_model(match.setup, 2)


def test_a_saved_model_is_found_only_where_it_fits() -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    assert find_model(match.setup, 2) is None
    assert not lacks_own_model(match.setup, 2)
    save_model(match, random_model(HIGH_CARD, rollout=2, exploration=0.25))
    found = find_model(match.setup, 2)
    assert found is not None
    assert (found.rollout, found.exploration) == (2, 0.25)
    assert found.linear.tolist() == random_model(HIGH_CARD).linear.tolist()
    for setup, seats in ((match.setup, 3), (HIGH_CARD.setup({"hand": 5}), 2)):
        assert find_model(setup, seats) is None
        assert lacks_own_model(setup, seats)


def test_models_saved_or_deleted_by_another_process_are_noticed(tmp_path: Path) -> None:
    """As with a running server and `sparring train` beside it."""
    match, bot = Match.new(HIGH_CARD, seats=2, seed=1), bots.parse("search")
    save(folders(HIGH_CARD)[0] / file_name(match.setup, 3), random_model(HIGH_CARD))
    assert bot.title_at(match.setup, 2) == "Strong bot (new to these rules)"
    save(tmp_path / "elsewhere.npz", random_model(HIGH_CARD))
    mine = folders(HIGH_CARD)[0] / file_name(match.setup, 2)
    assert find_model(match.setup, 2) is None
    (tmp_path / "elsewhere.npz").rename(mine)
    os.utime(mine.parent, (1, 1))  # file times have a resolution of milliseconds
    assert find_model(match.setup, 2) is not None
    assert bot.title_at(match.setup, 2) == "Strong bot"
    mine.unlink()
    os.utime(mine.parent, (2, 2))
    assert find_model(match.setup, 2) is None


def test_concurrent_saves_of_the_same_model_do_not_clash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, file = np.savez_compressed, tmp_path / "judgement.npz"

    def slowly(*arguments: Any, **arrays: Any) -> None:
        monkeypatch.setattr(np, "savez_compressed", write)
        save(file, random_model(HIGH_CARD, rollout=2))
        write(*arguments, **arrays)

    monkeypatch.setattr(np, "savez_compressed", slowly)
    save(file, random_model(HIGH_CARD, rollout=1))
    assert load(file).rollout == 1
    assert list(tmp_path.iterdir()) == [file]


def test_a_model_with_the_wrong_shape_is_ignored() -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    other = games()["make-your-moves"]
    save_model(match, random_model(other))
    assert find_model(match.setup, 2) is None


def test_the_title_of_a_bot_says_that_it_has_no_model() -> None:
    match = Match.new(HIGH_CARD, seats=2, seed=1)
    bot = bots.parse("search")
    assert bot.title_at(match.setup, 2) == "Strong bot"
    save_model(match, random_model(HIGH_CARD))
    assert bot.title_at(match.setup, 2) == "Strong bot"
    assert bot.title_at(match.setup, 3) == "Strong bot (new to these rules)"
    assert title("search", match.setup, 3) == "Strong bot (new to these rules)"
    assert title("plain", match.setup, 3) == "Plain strong bot"


def test_models_in_the_folder_of_earlier_versions_are_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    (tmp_path / "judgements" / "high-card").mkdir(parents=True)
    for game in (HIGH_CARD, replace(HIGH_CARD), games()["mace"]):
        assert folders(game).own == tmp_path / "models" / game.name
    (message,) = caplog.messages
    assert says(message, "older", tmp_path / "judgements", "train", "delete")


def test_a_shared_value_model_serves_other_rules_and_the_title_says_so() -> None:
    game, bot = replace(HIGH_CARD, shared_value_model=True), bots.parse("search")
    usual, other = game.setup(), game.setup({"hand": 5})
    save(folders(game)[0] / file_name(usual, 2), random_model(HIGH_CARD, rollout=2))
    found = find_model(other, 2)
    assert found is not None
    assert found.rollout == 2
    assert lacks_own_model(other, 2)
    assert bot.title_at(other, 2) == "Strong bot (used to the default rules)"
    assert bot.title_at(usual, 2) == "Strong bot"
    assert find_model(other, 3) is None
    assert bot.title_at(other, 3) == "Strong bot (new to these rules)"
    assert bot.at_table(other, 2).iterations == game.levels["strong"].with_model
    assert bot.at_table(other, 3).iterations == game.levels["strong"].without_model


def test_a_simulation_names_the_bots_without_a_model() -> None:
    save_model(Match.new(HIGH_CARD, seats=2, seed=1), random_model(HIGH_CARD))
    pair = ["search:iterations=5", "plain:iterations=5"]
    assert simulate(HIGH_CARD, 2, bots=pair).without_value_model == []
    assert simulate(HIGH_CARD, 2, bots=pair, options={"hand": 5}).without_value_model == ["search:iterations=5"]


def test_compiled_matches_equal_single_decisions_with_a_value_model() -> None:
    save_model(Match.new(HIGH_CARD, seats=2, seed=1), random_model(HIGH_CARD, exploration=0.2))
    plan = MatchPlan(HIGH_CARD, {}, None, line_up(HIGH_CARD, ["search:iterations=90", "plain:iterations=30"], None), 3)
    whole = measure(plan, 0, 12)
    rows = np.zeros_like(whole.rows)
    play_interpreted(plan, 0, blank_counters(plan.setup), rows)
    assert whole.rows.tolist() == rows.tolist()


@pytest.mark.parametrize("game", ["mace", "make-your-moves", "untitled-movement", "world-of-fighters"])
def test_shipped_value_models_fit_the_default_rules(game: str) -> None:
    """A change of rules, options or content requires training that game again."""
    setup = games()[game].setup()
    assert find_model(setup, games()[game].seats[0]) is not None

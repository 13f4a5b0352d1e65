"""The sentences that a report begins with, and the questions that choose what is measured."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sparring.engine.errors import BadOption
from sparring.engine.game import Item
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab.experiments.config import QUESTIONS, ExperimentConfig, action_seconds, details_of, with_questions
from sparring.lab.experiments.runner import stopping_rule_of
from sparring.lab.measures import ItemFigures
from sparring.lab.report.figures_in_words import JudgedItem, _as_one, verdict
from sparring.lab.report.files import sentences
from wording import says


@pytest.mark.parametrize(
    ("mean", "low", "high", "expected"),
    [
        (0.56, 0.53, 0.59, "too much"), (0.42, 0.40, 0.44, "too little"), (0.50, 0.48, 0.52, "fair"),
        (0.515, 0.505, 0.525, "a little more than even"), (0.52, 0.40, 0.64, "too few matches to tell"),
        (0.49, 0.46, 0.52, "not too much"), (0.51, 0.48, 0.54, "not too little"),
    ],
)  # fmt: skip
def test_a_share_is_judged_against_the_even_share(mean: float, low: float, high: float, expected: str) -> None:
    assert verdict(mean, low, high, 0.5) == expected


def test_an_item_is_judged_by_its_corrected_interval() -> None:
    assert JudgedItem("Jab", "card", 0.18, 0.14, 0.22).verdict == "too strong"
    assert JudgedItem("Jab", "card", -0.1, -0.15, -0.05).verdict == "too weak"
    assert JudgedItem("Jab", "card", 0.0, -0.02, 0.02).verdict == "fair"
    assert JudgedItem("Jab", "card", 0.1, -0.2, 0.4).verdict == "too few matches to tell"


def test_the_matches_that_an_item_needs_follow_from_its_interval() -> None:
    """Half as wide an interval needs four times as many matches."""
    assert JudgedItem("Jab", "card", 0.1, -0.1, 0.3).matches_needed(500) == pytest.approx(2000)
    assert JudgedItem("Jab", "card", 0.0, -0.06, 0.06).matches_needed(500) == pytest.approx(2000)


def told_of(*judged: JudgedItem) -> list[str]:
    """Return the sentences about items, all of one sort, that random bots have played."""
    comparison = SimpleNamespace(matches=1, study=None)
    report = SimpleNamespace(
        comparison=comparison, variants=["unchanged game"], bots=["random"], items=[judged],
        sorts={judged[0].sort: judged}, more_for_items=0, unused=[],
    )  # fmt: skip
    return sentences("findings.md", report=report, order=["cards"])


def test_items_are_named_in_whole_sentences() -> None:
    """Small differences aren't rounded to `at most 0 points`, and sorts have their plural."""
    assert told_of(*(JudgedItem(name, "ability", 0.001, -0.02, 0.02) for name in ("Fast", "Sleep"))) == [
        "None of 2 abilities is too strong or weak for random bots: all are within 1 point."
    ]
    told = told_of(JudgedItem("Jab", "card", 0.1, -0.2, 0.4), JudgedItem("Chop", "card", 0.1, 0.05, 0.15))
    assert says(told, "Chop", "10 points", "too strong")
    assert says(told, "1 of 2 cards", "too few matches to tell")


def test_a_card_is_named_with_an_ability_that_only_it_has() -> None:
    """The chart named only the ability, so that a designer looked in vain for the card."""
    none: Any = None
    ability, card, other = (
        ItemFigures(Item(sort, name), 0, none, none, none)
        for sort, name in (("ability", "Heal 1"), ("character", "Kelp Nymph"), ("character", "Twin"))
    )
    assert _as_one([card]).item.name == "Kelp Nymph"
    assert _as_one([ability, card]).item == Item("ability", "Heal 1 (Kelp Nymph)")
    assert _as_one([ability, card, other, other]).item.name == "Heal 1", "a fighter's many moves aren't listed"


def test_a_question_chooses_bots_measures_and_precision() -> None:
    asked = with_questions(ExperimentConfig(ask=["length"]), HIGH_CARD)
    assert asked.measures == ["length/choices"]
    assert asked.bots == ["search:iterations=50"]
    assert stopping_rule_of(asked).precision == QUESTIONS["length"].precision
    assert stopping_rule_of(asked).is_default


def test_settings_override_a_question() -> None:
    asked = with_questions(ExperimentConfig(ask=["fair", "tension"], bots=["random"], matches=40), HIGH_CARD)
    assert asked.bots == ["random"]
    assert stopping_rule_of(asked).precision is None
    assert details_of(asked.ask or ()) == ("tension", "decisions")


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(BadOption, match='Unknown question "beauty"'):
        with_questions(ExperimentConfig(ask=["beauty"]), HIGH_CARD)


def test_times_of_people_are_read_from_saved_matches(tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    record.write_text(json.dumps({"table": {"spent": [40, 100, 0, 60]}}))  # 4 s and 6 s, a bot, then 6 s
    assert action_seconds([record]) == pytest.approx((4 + 6 + 6) / 3)
    record.write_text("{}")
    with pytest.raises(BadOption, match="no thinking times"):
        action_seconds([record])
    record.write_text("not a match")
    with pytest.raises(BadOption, match="not a saved match"):
        action_seconds([record])

"""Variants: combined options, one option at a time, content files, and changes of content."""

from pathlib import Path
from typing import Any

import pytest

from sparring import SparringError, games
from sparring.engine.schema import inferred
from sparring.lab.experiments.config import parse_duration, read_config
from sparring.lab.experiments.variants import UNCHANGED, Variant, apply_changes, parse_vary
from sparring.lab.experiments.variants import variants as all_variants

FIGHTERS, MOVES = games()["world-of-fighters"], games()["make-your-moves"]


def variants(game: Any = FIGHTERS, **given: Any) -> list[Variant]:
    usual: dict[str, Any] = {"given": {}, "varied": {}, "contents": [], "named": {}, "each": False}
    return all_variants(game, **{**usual, **given})


def test_options_are_combined() -> None:
    found = variants(varied={"board": ["5x5", "7x5"]})
    assert [variant.name for variant in found] == ["board 5x5", "board 7x5"]
    found = variants(MOVES, varied={"match": ["points", "elimination"], "first_control": ["seat1", "random"]})
    assert [variant.name for variant in found] == [
        "match points, first_control seat1", "match points, first_control random",
        "match elimination, first_control seat1", "match elimination, first_control random",
    ]  # fmt: skip
    assert found[3].options["match"] == "elimination"


def test_each_changes_one_option_at_a_time() -> None:
    found = variants(MOVES, varied={"match": ["points", "elimination"], "first_control": ["seat1"]}, each=True)
    assert [variant.name for variant in found] == [UNCHANGED, "match elimination", "first_control seat1"]


def test_every_content_file_is_a_variant(tmp_path: Path) -> None:
    own = (FIGHTERS.folder / "content.toml").read_text()
    for name in ("soft", "hard"):
        (tmp_path / f"{name}.toml").write_text(own.replace("punch = 3", f"punch = {4 if name == 'hard' else 1}"))
    found = variants(contents=[tmp_path / "soft.toml", tmp_path / "hard.toml"], varied={"board": ["5x5"]})
    assert [variant.name for variant in found] == ["board 5x5, soft", "board 5x5, hard"]
    assert [max(one.punch for one in variant.content.fighters) for variant in found] == [2, 4]


def test_a_named_variant_changes_one_field_of_one_fighter() -> None:
    changes = {"fighters": {"Milton Brown": {"punch": 3}}, "options": {"board": "7x7"}}
    usual, more = variants(named={"more-punch": changes})
    assert usual.name == UNCHANGED
    assert (more.name, more.options["board"]) == ("more-punch", "7x7")
    assert more.changes == ("board 7x7", "fighters Milton Brown punch: 3")
    fighters = FIGHTERS.content.fighters
    apart = [(old.name, new.punch) for old, new in zip(fighters, more.content.fighters, strict=True) if old != new]
    assert apart == [("Milton Brown", 3)]


def test_removed_cards_are_removed_everywhere() -> None:
    (_, fewer) = variants(MOVES, named={"fewer": {"remove": ["Jab", "Quick"]}})
    assert len(fewer.content.cards) == len(MOVES.content.cards) - 2
    assert fewer.changes == ("without Jab", "without Quick")
    data = {"cards": [{"name": "A"}, {"name": "B"}], "decks": [{"name": "D", "cards": ["A", "B", "A"], "B": 3}]}
    assert apply_changes(inferred(data), data, {}, ["a"], "x") == {
        "cards": [{"name": "B"}],
        "decks": [{"name": "D", "cards": ["B"], "B": 3}],
    }
    assert apply_changes(inferred(data), data, {}, ["B"], "x")["decks"] == [{"name": "D", "cards": ["A", "A"]}]


def test_a_field_can_be_added_to_a_card() -> None:
    game = games()["five-circles"]
    (_, new) = variants(game, named={"x": {"cards": {"pebble crab": {"attack": 2, "health": 1}}}})
    crab = next(card for card in new.content.cards if card.name == "Pebble Crab")
    assert (crab.attack, crab.health) == (2, 1)
    (_, split) = variants(games()["card-duel"], named={"x": {"cards": {"Tin Scout": {"deck": "first"}}}})
    assert split.content.cards[0].deck == "first", "the set's own file says no card's deck"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"fighters": {"Milton Braun": {"punch": 3}}}, 'fighters has no "Milton Braun"; .* Hai Wu'),
        ({"fighters": {"Milton Brown": {"jump": 3}}}, 'Milton Brown has no field "jump"; .* name, reach, punch'),
        ({"fighters": {"Milton Brown": 3}}, "field of Milton Brown"),
        ({"fighters": 3}, "fighters contains Hai Wu, "),
        ({"cards": {"Jab": {"power": 3}}}, 'variant x: unknown name "cards"; .* fighters'),
        ({"remove": ["Rolling Thunder"]}, 'remove: there is no "Rolling Thunder".* Hai Wu'),
        ({"remove": "Hai Wu"}, "remove must be a list of names"),
        ({"fighters": {"Milton Brown": {"punch": 30}}}, "variant x: fighter 2 .*punch"),
        ({"options": {"bord": "5x5"}}, "has no option bord"),
        ({"options": 3}, "options must be a table"),
        ({"preset": "chess"}, "has no preset chess"),
    ],
)  # fmt: skip
def test_invalid_changes_get_one_sentence(named: dict[str, Any], said: str) -> None:
    with pytest.raises(SparringError, match=said):
        variants(named={"x": named})


def test_variants_are_limited_and_have_unique_names() -> None:
    with pytest.raises(SparringError, match='same name "board 5x5"'):
        variants(varied={"board": ["5x5", "5x5"]})
    with pytest.raises(SparringError, match=r"At most 64 variants .* 81"):
        variants(varied={"board": ["5x5"] * 81})


def test_vary_needs_an_equals_sign() -> None:
    assert parse_vary("board=5x5, 7x5") == ("board", ["5x5", "7x5"])
    for wrong in ("board", "board=", "=5x5", "board=5x5,,7x7"):
        with pytest.raises(SparringError, match="option=value,value"):
            parse_vary(wrong)


def test_a_plan_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lab.toml"
    file.write_text(
        'bots = ["search:iterations=9"]\nat-most = "10m"\ncontent = ["mine.toml"]\n[vary]\nboard = ["5x5", "7x5"]\n'
        '[variant.more-kick]\nfighters."Milton Brown".punch = 3\nremove = ["Hai Wu"]\n'
    )
    config = read_config(file)
    assert (config.bots, config.at_most, config.content) == (
        ["search:iterations=9"],
        "10m",
        [str(tmp_path / "mine.toml")],
    )
    assert config.variant["more-kick"] == {"fighters": {"Milton Brown": {"punch": 3}}, "remove": ["Hai Wu"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bot = 3", 'lab.toml: unknown field "bot"; .* game, bots, seats'),
        ("bots = 3", "bots must be a list of bots"), ("bots = [3]", "each in quotes"),
        ("seats = true", "seats must be a whole number"),
        ('vary.board = "5x5"', "vary board must be a list"), ("variant.x = 3", r"must be a table \[variant.x\]"),
        ("x =", "lab.toml is not TOML"),
    ],
)  # fmt: skip
def test_an_invalid_plan_file_gets_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "lab.toml").write_text(text)
    with pytest.raises(SparringError, match=said):
        read_config(tmp_path / "lab.toml")
    with pytest.raises(SparringError, match=r"Can't read .*nowhere.toml"):
        read_config(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("1.5m", 90), ("2h", 7200)])
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "ten", "-3s", "0m", "5 days"])
def test_invalid_durations(text: str) -> None:
    with pytest.raises(SparringError, match="90s, 10m or 2h"):
        parse_duration(text)

"""New things begin legal: boards from a template, cards and fighters like the most ordinary one, empty sets."""

import pytest

from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import game
from sparring.engine.records import content_faults
from sparring.games.untitled_movement import maps
from sparring.studio.edits import Edit
from sparring.studio.sandboxes import SetDraft
from sparring.studio.set_sandbox import draft


@pytest.mark.parametrize(
    ("name", "part"),
    [("five-circles", "cards"), ("make-your-moves", "cards"), ("world-of-fighters", "fighters"),
     ("untitled-movement", "boards")],
)  # fmt: skip
def test_what_is_added_needs_no_repair(name: str, part: str) -> None:
    made = draft(SetDraft(name, game(name).content_text, edits=[Edit("add", [part])]))
    assert not made.problem
    assert [fault.words for fault in made.faults] == []
    new = made.data[part][-1]
    assert new["name"]
    assert "picture" not in new
    assert len(made.data[part]) == len(read_toml(game(name).content_text, "x")[part]) + 1


def test_a_new_card_has_median_values() -> None:
    own = game("world-of-fighters").content_text
    *others, new = draft(SetDraft("world-of-fighters", own, edits=[Edit("add", ["fighters"])])).data["fighters"]
    stats = ("punch", "kick", "grapple", "block")
    totals = sorted(sum(row[stat] for stat in stats) for row in others)
    assert abs(sum(new[stat] for stat in stats) - totals[len(totals) // 2]) <= 1


@pytest.mark.parametrize("name", ["world-of-fighters", "untitled-movement"])
def test_an_empty_set_is_legal(name: str) -> None:
    data = game(name).form.blank()
    assert content_faults(game(name), read_toml(write_toml(data), "x"), {}, "x") == []


def test_the_first_card_of_an_empty_set_pays_for_its_points() -> None:
    made = draft(SetDraft("five-circles", "", edits=[Edit("add", ["cards"])]))
    assert all(fault.at[0] == "decks" for fault in made.faults), "only the decks are missing"


@pytest.mark.parametrize("rows", range(maps.SMALLEST, 13))
@pytest.mark.parametrize("columns", [6, 7, 12])
def test_a_template_is_legal_and_has_every_symmetry(rows: int, columns: int) -> None:
    board = tuple(maps.template(rows, columns).split())
    assert (len(board), len(board[0])) == (rows, columns)
    assert list(maps.faults(board)) == []
    assert all(maps.has_symmetry(board, one) for one in ("mirror", "half turn"))
    assert rows != columns or maps.has_symmetry(board, "quarter turn")


def test_a_board_starts_again_with_another_size() -> None:
    text = game("untitled-movement").content_text
    made = draft(SetDraft("untitled-movement", text, edits=[Edit("template", ["boards", 0, "map"], "8 x 10")]))
    assert made.faults == []
    assert [len(row) for row in made.data["boards"][0]["map"].split()] == [10] * 8
    for size in ("99 x 2", "x", "8 x 8 x 8"):
        refused = draft(SetDraft("untitled-movement", text, edits=[Edit("template", ["boards", 0, "map"], size)]))
        assert refused.problem

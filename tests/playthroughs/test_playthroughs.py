"""The playthroughs match the games; a change of rules shows up as a difference (`make generated`)."""

from pathlib import Path

import pytest

from playthroughs.recordings import Recording, checksums, compare, readable_names, record
from playthroughs.write import FOLDER, Plan, is_built_in, plans, playthrough
from sparring import games

PLANS = plans()


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.file_name)
def test_playthroughs_are_up_to_date(plan: Plan) -> None:
    compare(FOLDER, plan.file_name, playthrough(plan))


@pytest.mark.parametrize("name", [game.name for game in games().values() if is_built_in(game)])
def test_every_built_in_game_has_one_match_to_read(name: str) -> None:
    assert len(list(FOLDER.glob(f"{name}-*.txt"))) == 1


def test_no_playthrough_is_obsolete() -> None:
    assert readable_names(FOLDER) | set(checksums(FOLDER)) == {plan.file_name for plan in PLANS}


def test_a_changed_match_fails_whether_it_is_recorded_as_text_or_checksum(tmp_path: Path) -> None:
    record(tmp_path, [Recording("short", "a\n", True), Recording("long", "b\n", False)], None, whole=True)
    for name, text in (("short", "a\n"), ("long", "b\n")):
        compare(tmp_path, name, text)
        with pytest.raises(AssertionError):
            compare(tmp_path, name, "c\n")
    with pytest.raises(AssertionError, match="--full /tmp/before"):
        compare(tmp_path, "long", "c\n")


def test_full_texts_leave_the_recordings_alone(tmp_path: Path) -> None:
    old, new = ([Recording("long", text, False)] for text in ("b\n", "c\n"))
    record(tmp_path, old, None, whole=True)
    record(tmp_path, new, tmp_path / "full", whole=True)
    assert (tmp_path / "full/long.txt").read_text(encoding="utf-8") == "c\n"
    compare(tmp_path, "long", "b\n")


def test_one_game_is_recorded_again_without_the_others(tmp_path: Path) -> None:
    record(tmp_path, [Recording("a", "1\n", True), Recording("b", "1\n", False)], None, whole=True)
    record(tmp_path, [Recording("a", "2\n", False)], None, whole=False)
    assert (readable_names(tmp_path), set(checksums(tmp_path))) == (set(), {"a", "b"})

"""The playthroughs match the games; a change of rules shows up as a diff (`make playthroughs`)."""

import pytest

from playthroughs.write import FOLDER, Plan, is_built_in, plans, playthrough
from sparring import games

PLANS = plans()


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.file.stem)
def test_playthroughs_are_up_to_date(plan: Plan) -> None:
    assert plan.file.exists(), f"{plan.game.name} has no playthrough {plan.name}; `make playthroughs` writes it."
    assert playthrough(plan) == plan.file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [game.name for game in games().values() if is_built_in(game)])
def test_every_built_in_game_has_a_playthrough(name: str) -> None:
    assert list(FOLDER.glob(f"{name}-*.txt"))


def test_no_playthrough_is_obsolete() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} <= {plan.file.name for plan in PLANS}

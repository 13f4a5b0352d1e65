"""The trees of a search, interpreted: which choice is made, when the search stops, and whose results are counted."""

import pytest

from sparring import Match
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.search import search_rule
from sparring.bots.search_trees import add_child, init_trees, is_decided, most_visited
from sparring.engine.chance import seed
from sparring.games.high_card import GAME as HIGH_CARD

ITERATIONS = 40


@pytest.fixture
def workspace() -> Workspace:
    """Return a workspace with empty trees for two seats."""
    made = Workspace(HIGH_CARD, nodes_for(2, ITERATIONS))
    init_trees(made.nodes, made.fields, 2)
    return made


def visit(workspace: Workspace, *visits: int) -> None:
    """Add the choices 0, 1, ... of the first seat, tried this often."""
    for choice, count in enumerate(visits):
        workspace.nodes[add_child(workspace.nodes, workspace.fields, 1, choice)]["visits"] = count


def test_the_choice_that_was_tried_most_is_made(workspace: Workspace) -> None:
    visit(workspace, 3, 9, 5)
    assert most_visited(workspace.nodes, 1) == 1


def test_a_search_stops_once_no_other_choice_can_catch_up(workspace: Workspace) -> None:
    visit(workspace, 3, 9, 5)
    assert [bool(is_decided(workspace.nodes, 1, remaining)) for remaining in (3, 4)] == [True, False]


def test_each_seat_counts_its_own_results(workspace: Workspace) -> None:
    """What one of two seats wins the other loses, so their returns from 0 to 1 add up to 1 in each iteration."""
    view = Match.new(HIGH_CARD, seats=2, seed=3, options={"hand": 4}).view(1)
    ws = workspace
    ws.work[0] = view.state
    seed(ws.fields.g, 1, 0)
    search_rule(HIGH_CARD)(view.setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings, 0, ITERATIONS)
    assert ws.nodes[1]["value"] + ws.nodes[2]["value"] == pytest.approx(ITERATIONS)

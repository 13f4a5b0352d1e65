"""Helpers for tests of value models: models with random weights, and trees grown with them."""

from typing import Any

import numpy as np

from sparring import Game, Match, bots
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import MAX_HIDDEN_UNITS, PRIOR_UNITS, value_features_of
from sparring.bots.search_trees import init_trees
from sparring.bots.value_models import PolicyPrior, ValueModel, file_name, folders, save
from sparring.engine.chance import seed
from sparring.engine.views import View


def random_model(game: Game, hidden: int = MAX_HIDDEN_UNITS, **more: Any) -> ValueModel:
    """Return a value model with random weights."""
    numbers, (features, _) = np.random.default_rng(4), value_features_of(game)
    shapes = features, (features, hidden), hidden, hidden
    straight, into, bias, out_of = (numbers.normal(size=shape).astype(np.float32) for shape in shapes)
    return ValueModel(straight, into, bias, out_of, **more)


def random_prior(game: Game) -> PolicyPrior:
    """Return a policy prior with random weights, rounded as when stored."""
    numbers, (features, _), choices = np.random.default_rng(5), value_features_of(game), len(game.rules.ACTIONS)
    shapes = (features, PRIOR_UNITS), PRIOR_UNITS, (choices, PRIOR_UNITS), choices
    return PolicyPrior(*(numbers.normal(size=shape).astype(np.float16).astype(np.float32) for shape in shapes))


def save_model(match: Match, model: ValueModel) -> None:
    save(folders(match.game)[0] / file_name(match.setup, match.seats), model)


def match_after(game: str, choices: int, start: int = 1, **more: Any) -> Match:
    match, stream = Match.new(game, seed=start, **more), bots.stream(start, 1)
    while match.seat and (len(match.history) < choices or len(match.view(match.seat).legal) < 2):
        match.choose(bots.parse("random").choose(match.view(match.seat), stream))
    return match_after(game, choices, start + 1000, **more) if match.over else match


def own_view(match: Match) -> View:
    return match.view(match.seat or 0)


def grow_trees(view: View, iterations: int, model: ValueModel, think: Any, stops: bool = False) -> Workspace:
    workspace = Workspace(view.setup.game, nodes_for(int(view.state.seats), iterations))
    workspace.work[0] = view.state
    model.fill(workspace.settings)
    workspace.settings["stops_early"], workspace.settings["discount"] = stops, view.setup.game.discount
    seed(workspace.fields.g, 9, 0)
    init_trees(workspace.nodes, workspace.fields, view.state.seats)
    room = workspace.work, workspace.raw, workspace.out, workspace.nodes, workspace.fields, workspace.settings
    think(view.setup.params, *room, view.seat - 1, iterations)
    return workspace

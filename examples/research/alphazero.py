"""Teach our search in self-play, as AlphaZero does: two networks learn from it, and it uses them (PyTorch).

    pip install torch
    python alphazero.py tic_tac_toe --rounds 3

Each round, the search plays itself and samples its actions from the visit counts (Silver et al. 2018). A policy network
learns those visits, a value network the results, and the next round's search uses both: the policy as its prior, the
value instead of simulated matches. The networks have the small shapes that the compiled search reads (`ValueModel`,
`PolicyPrior`), and get what *one seat* knows, so the search stays fair in games with hidden information.

`sparring train GAME` does the same at full scale in compiled code.
"""

import argparse
import os
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
from example_games import load_game
from torch import Tensor, nn

from sparring import Match, View, bots
from sparring.bots import value_models
from sparring.bots.evaluation import MAX_HIDDEN_UNITS, PRIOR_UNITS, value_features_of
from sparring.bots.value_models import PolicyPrior, ValueModel
from sparring.engine.game import Game
from sparring.lab.stats import wilson

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class Samples:
    """Decisions of self-play; F features, A actions, S seats."""

    own: Tensor  # (n, F): what the seat that chose knew
    mask: Tensor  # (n, A): its legal actions
    shares: Tensor  # (n, A): their shares of the visits
    every: Tensor  # (n, S, F): what each seat knew
    returns: Tensor  # (n, S): how the match ended, as shares that add up to 1


def features(view: View) -> np.ndarray:
    """Return what a seat knows, as the value model and the prior read it."""
    size, write = value_features_of(view.setup.game)
    values = np.zeros(size, np.float32)
    write(view.setup.params, view.state, view.seat - 1, values)
    return values


def self_play(game: Game, matches: int, iterations: int, seed: int) -> Samples:
    """Play matches of the search against itself; it uses the trained models if there are some."""
    bot, rng = bots.parse(f"search:iterations={iterations}"), np.random.default_rng(seed)
    size, rows = len(game.rules.ACTIONS), []
    for number in range(matches):
        match, decisions = Match.new(game, seed=seed + number), []
        streams = {seat: bots.stream(seed + number, seat) for seat in range(1, match.seats + 1)}
        while not match.over:
            view = match.view(match.seat)
            answer = bot.answer(view, streams[match.seat])
            action, shares = answer.action, np.zeros(size)
            if answer.shares:  # empty where only one action is legal
                shares[list(answer.shares)] = list(answer.shares.values())
                mask = np.isin(np.arange(size), bots.non_conceding(game, view.legal))
                every = np.stack([features(match.view(seat)) for seat in streams])
                decisions.append((features(view), mask, shares, every))
                action = int(rng.choice(size, p=shares / shares.sum()))
            match.choose(action)
        payoffs = np.array([match.payoffs[seat] for seat in streams], float)
        shares_won = (payoffs + 1) / (payoffs + 1).sum()  # a win 1 and 0, a draw 1/2 each
        rows += [(*decision, shares_won) for decision in decisions]
    columns = (np.stack(column) for column in zip(*rows, strict=True))
    own, mask, shares, every, returns = (torch.from_numpy(column).to(DEVICE) for column in columns)
    return Samples(own, mask, shares.float(), every, returns.float())


def fit(samples: Samples, steps: int, seed: int = 1) -> ValueModel:
    """Return a value model with a policy prior, trained on these samples."""
    torch.manual_seed(seed)
    size, actions = samples.own.shape[1], samples.mask.shape[1]
    prior = nn.Sequential(nn.Linear(size, PRIOR_UNITS), nn.ReLU(), nn.Linear(PRIOR_UNITS, actions)).to(DEVICE)
    linear = nn.Linear(size, 1, bias=False).to(DEVICE)
    hidden = nn.Sequential(
        nn.Linear(size, MAX_HIDDEN_UNITS), nn.ReLU(), nn.Linear(MAX_HIDDEN_UNITS, 1, bias=False)
    ).to(DEVICE)  # fmt: skip
    weights = [*prior.parameters(), *linear.parameters(), *hidden.parameters()]
    optimizer = torch.optim.AdamW(weights, lr=3e-3, weight_decay=1e-2)
    for _ in range(steps):
        index = torch.randint(len(samples.own), (256,), device=DEVICE)
        logits = prior(samples.own[index]).masked_fill(~samples.mask[index], -1e8)
        every = samples.every[index]
        # One logit for each seat from what it knows; a softmax over the seats gives expected shares.
        values = (linear(every) + hidden(every)).squeeze(-1)
        loss = cross_entropy(logits, samples.shares[index]) + cross_entropy(values, samples.returns[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return ValueModel(
        linear=array(linear.weight)[0], hidden_weights=array(hidden[0].weight).T, hidden_bias=array(hidden[0].bias),
        output_weights=array(hidden[2].weight)[0],
        prior=PolicyPrior(
            array(prior[0].weight).T, array(prior[0].bias), array(prior[2].weight), array(prior[2].bias)
        ),
    )  # fmt: skip


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy of the softmax of logits relative to target probabilities."""
    return -(targets * logits.log_softmax(1)).sum(1).mean()


def array(weights: Tensor) -> np.ndarray:
    """Return weights as an array."""
    return weights.detach().cpu().numpy()


def use(game: Game, model: ValueModel) -> None:
    """Store a model where every search for the game's default table finds it."""
    setup = game.setup()
    value_models.save(value_models.folders(game).own / value_models.file_name(setup, game.seats[0]), model)


def win_share(game: Game, matches: int, iterations: int) -> float:
    """Return what the search with the models wins against one without, at equal iterations; a draw is half a win."""
    rivals = bots.parse(f"search:iterations={iterations}"), bots.parse(f"plain:iterations={iterations}")
    points = 0.0
    for number in range(matches):
        match = Match.new(game, seed=1_000_000 + number // 2)  # both play each deal from both seats
        own = 1 + number % 2
        streams = {seat: bots.stream(number, seat) for seat in range(1, match.seats + 1)}
        while not match.over:
            match.choose(rivals[match.seat != own].choose(match.view(match.seat), streams[match.seat]))
        points += (np.sign(match.payoffs[own]) + 1) / 2
    return points / matches


def main() -> None:
    """Run the loop and print how strong the search becomes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="tic_tac_toe")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=200, help="matches of self-play in a round (default 200)")
    parser.add_argument("--iterations", type=int, default=50, help="search iterations per action (default 50)")
    parser.add_argument("--steps", type=int, default=1500, help="training steps in a round (default 1500)")
    chosen = parser.parse_args()
    game = load_game(chosen.game)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPARRING_DATA"] = folder  # don't replace the models that your bots use
        for number in range(1, chosen.rounds + 1):
            samples = self_play(game, chosen.matches, chosen.iterations, seed=number * 100_000)
            use(game, fit(samples, chosen.steps))
            share = win_share(game, chosen.matches, chosen.iterations)
            low, high = wilson(share * chosen.matches, chosen.matches)
            print(f"round {number}: wins {share:.1%} ({low:.1%} to {high:.1%}) against a search without models")


if __name__ == "__main__":
    main()

"""Learn a game by masked PPO (PyTorch) in self-play and against a bot, and measure the policy against the bot.

    python ppo.py world-of-fighters --to policy.pt

PPO (Schulman et al. 2017) in one file, in the style of CleanRL. In half of the environments one network plays both
seats, in the others a bot plays one of them. The game is zero-sum with two seats: what a position is worth to the seat
that acts now is minus what it is worth to the other one, so advantages change sign from one action to the next when the
actor changes. Illegal actions get a logit of minus infinity (Huang and Ontañón 2020). Uses a GPU if there is one.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from sparring.lab.stats import wilson
from sparring.research import BatchEnv, BatchStep

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class Settings:
    """The settings of a training; the defaults suit one or two CPU cores."""

    envs: int = 256
    steps: int = 64  # actions per environment and update
    epochs: int = 3
    minibatches: int = 8
    learning_rate: float = 1e-3
    clip: float = 0.2
    trace: float = 0.95  # lambda of the generalized advantage estimation; there is no discount, since matches end
    entropy: float = 0.01  # at the start; like the learning rate, it falls to 0
    bot: str = "search:level=gentle"
    bot_share: float = 0.5  # the share of environments in which the bot plays one seat
    value_weight: float = 0.5
    units: int = 128


class Network(nn.Module):
    """A policy and a value (the expected payoff of the seat that acts), with two shared layers."""

    def __init__(self, features: int, actions: int, units: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU())
        self.policy, self.value = nn.Linear(units, actions), nn.Linear(units, 1)
        nn.init.zeros_(self.policy.weight)  # starts as the uniform policy: explores everything
        nn.init.zeros_(self.policy.bias)

    def forward(self, obs: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """Return the policy over legal actions, and the values."""
        hidden = self.body(obs)
        logits = self.policy(hidden).masked_fill(~mask, -1e8)
        return Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


def train(
    env: BatchEnv, settings: Settings, actions: int, report: Callable[[int, Network], None] = lambda *_: None
) -> Network:
    """Train a network on this many actions; call `report` with their number so far before and after each update."""
    network = Network(env.num_features, env.num_actions, settings.units).to(DEVICE)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate, eps=1e-5)
    taken = 0
    report(taken, network)
    while taken < actions:
        left = 1 - taken / actions  # learns ever more slowly and explores ever less, so that the policy settles
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * left
        learn(network, optimizer, play(env, network, settings), settings, settings.entropy * left)
        taken += settings.envs * settings.steps
        report(taken, network)
    return network


@torch.no_grad()
def play(env: BatchEnv, network: Network, settings: Settings) -> tuple[Tensor, ...]:
    """Play in all environments; return observations, masks, actions, log-probabilities, advantages and returns.

    Rows of the bot's actions have a mask of zeros, which leaves them out of the policy's loss.
    """
    steps, envs = settings.steps, settings.envs
    obs = torch.zeros((steps, envs, env.num_features), device=DEVICE)
    mask = torch.zeros((steps, envs, env.num_actions), dtype=torch.bool, device=DEVICE)
    actions = torch.zeros((steps, envs), dtype=torch.long, device=DEVICE)
    logs, values, rewards, goes_on = torch.zeros((4, steps, envs), device=DEVICE)
    player = torch.zeros((steps + 1, envs), dtype=torch.long, device=DEVICE)
    rows = np.arange(envs)
    bot_seat = np.where(rows < envs * settings.bot_share, rows % 2, -1)
    for t in range(steps):
        # The arrays of the environment are overwritten by its next step, so these copy them.
        obs[t], mask[t], player[t] = map(torch.from_numpy, (env.obs, env.mask, env.player))
        policy, values[t] = network(obs[t], mask[t])
        actions[t] = policy.sample()
        logs[t] = policy.log_prob(actions[t])
        seat, taken = env.player.copy(), actions[t].cpu().numpy()
        if (theirs := seat == bot_seat).any():
            taken = np.where(theirs, env.bot_actions(settings.bot, theirs), taken)
            mask[t, torch.from_numpy(theirs)] = False
        step = env.step(taken)
        rewards[t] = torch.from_numpy(step.rewards[rows, seat])
        goes_on[t] = torch.from_numpy(~(step.terminated | step.truncated))
    player[steps] = torch.from_numpy(env.player)
    _, next_value = network(torch.from_numpy(env.obs).to(DEVICE), torch.from_numpy(env.mask).to(DEVICE))
    advantages, advantage = torch.zeros_like(values), torch.zeros(envs, device=DEVICE)
    for t in reversed(range(steps)):
        sign = torch.where(player[t + 1] == player[t], 1.0, -1.0) * goes_on[t]
        advantage = rewards[t] + sign * next_value - values[t] + settings.trace * sign * advantage
        advantages[t], next_value = advantage, values[t]
    batch = obs, mask, actions, logs, advantages, advantages + values
    return tuple(part.flatten(0, 1) for part in batch)


def learn(
    network: Network, optimizer: torch.optim.Optimizer, batch: tuple[Tensor, ...], settings: Settings, weight: float
) -> None:  # fmt: skip
    """Update the network from what was played, with this weight of the entropy."""
    chosen = batch[1].sum(1) > 1  # neither a forced action nor one of the bot teaches the policy
    batch = tuple(part[chosen] for part in batch)
    for _ in range(settings.epochs):
        for index in torch.randperm(len(batch[0]), device=DEVICE).chunk(settings.minibatches):
            obs, mask, actions, logs, advantages, returns = (part[index] for part in batch)
            policy, values = network(obs, mask)
            ratio = (policy.log_prob(actions) - logs).exp()
            scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy_loss = -torch.minimum(ratio * scaled, clipped * scaled).mean()
            value_loss = (values - returns).square().mean()
            entropy = entropy_of(policy, mask)
            loss = policy_loss + settings.value_weight * value_loss - weight * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def entropy_of(policy: Categorical, mask: Tensor) -> Tensor:
    """Return the mean entropy relative to its maximum, which differs with the number of legal actions."""
    return (policy.entropy() / mask.sum(1).float().log()).mean()


def win_share(network: Network, game: str, bot: str, matches: int, seed: int = 1_000) -> float:
    """Return the share of matches that the network wins against a bot, each deal with both seats; a draw is half."""
    points, seats = 0.0, np.arange(matches) % 2
    env = BatchEnv(game, matches, seed=np.arange(matches) // 2 + seed, autoreset="disabled")
    while not env.over.all():
        mine = ~env.over & (env.player == seats)
        with torch.no_grad():
            policy, _ = network(*(torch.from_numpy(array).to(DEVICE) for array in (env.obs, env.mask)))
        actions = policy.sample().cpu().numpy()
        if mine.any():
            points += score(env.step(actions, mine), seats)
        if (theirs := ~env.over & (env.player != seats)).any():
            points += score(env.step_bot(bot, theirs), seats)
    return points / matches


def score(step: BatchStep, seats: np.ndarray) -> float:
    """Return the points of these seats in matches that ended in this step: 1 for a win, 1/2 for a draw."""
    rewards = step.rewards[np.arange(len(seats)), seats]
    return float(((np.sign(rewards) + 1) / 2)[step.terminated].sum())


def main() -> None:
    """Train, print the learning curve as CSV, and store the policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--actions", type=int, default=3_000_000, help="actions to learn from (default 3,000,000)")
    parser.add_argument("--bot", default="search:level=gentle", help="whom to learn and measure against")
    parser.add_argument("--matches", type=int, default=400, help="matches of the last measurement (default 400)")
    parser.add_argument("--points", type=int, default=10, help="points of the learning curve (default 10)")
    parser.add_argument("--to", help="a file for the network's weights")
    chosen = parser.parse_args()
    settings = Settings(bot=chosen.bot)
    env = BatchEnv(chosen.game, settings.envs, seed=1)
    torch.manual_seed(1)
    torch.set_num_threads(1)  # for networks this small, faster than several
    due = [chosen.actions * k // chosen.points for k in range(chosen.points)]
    spent, start = 0.0, time.process_time()
    print("minutes,actions,random,bot", flush=True)

    def report(taken: int, network: Network) -> None:
        nonlocal spent, start
        if due and taken >= due[0]:
            spent += time.process_time() - start  # CPU time, without that of measuring
            due[:] = [number for number in due if number > taken]
            shares = (win_share(network, chosen.game, bot, 200) for bot in ("random", chosen.bot))
            print(f"{spent / 60:.2f},{taken},{','.join(f'{share:.3f}' for share in shares)}", flush=True)
            start = time.process_time()

    network = train(env, settings, chosen.actions, report)
    spent += time.process_time() - start
    if chosen.to:
        torch.save(network.state_dict(), chosen.to)
    share = win_share(network, chosen.game, chosen.bot, chosen.matches, seed=50_000)
    low, high = wilson(share * chosen.matches, chosen.matches)
    result = f"{share:.1%} of {chosen.matches} matches against {chosen.bot} ({low:.1%} to {high:.1%})"
    print(f"{result} after {spent / 60:.1f} minutes of CPU time")


if __name__ == "__main__":
    main()

"""Measure how often a beginner wins against a bot, to choose a new player's first opponent.

A beginner is a policy for each game: what the table makes look natural, without looking ahead. It uses only what the
seat sees. `python -m benchmarks.beginners GAME BOT ... --matches N --seed S` plays the game's recommended rules with
two seats, which alternate, and prints the beginner's share of wins (a draw counts half) with Wilson's 95% interval.
"""

import argparse
import random
from collections.abc import Callable, Mapping

from benchmarks.baselines import player
from sparring.bots.bot import stream
from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.game import game as find
from sparring.engine.match import Match
from sparring.engine.views import View
from sparring.games.five_circles import state as circles
from sparring.games.mace import params as mace_params
from sparring.games.mace import state as mace
from sparring.games.mace.moves import distance_to_nearest
from sparring.games.make_your_moves import state as moves
from sparring.games.make_your_moves.components import best_defence
from sparring.games.make_your_moves.moves import count_in
from sparring.games.untitled_movement import state as movement
from sparring.games.untitled_movement.params import KIND_NAMES
from sparring.games.world_of_fighters import state as fighters
from sparring.games.world_of_fighters.moves import ordinary_score
from sparring.lab.stats import wilson

#: A beginner's choice: from what the seat sees, the legal actions and a random generator.
Policy = Callable[[View, list[int], random.Random], int]


def any_but(view: View, legal: list[int], rng: random.Random, *stops: int) -> int:
    """Return a random action that does something; one of `stops` only if there is nothing else."""
    return rng.choice([action for action in legal if action not in stops] or legal)


def five_circles(view: View, legal: list[int], rng: random.Random) -> int:
    """Play resources of any colour, then every character and ability that can be paid for, and always attack."""
    return any_but(view, legal, rng, circles.DONE, circles.NONE, circles.HOLD_BACK, circles.KEEP, circles.TAKE)


def make_your_moves(view: View, legal: list[int], rng: random.Random) -> int:
    """Attack with everything that fits, the strongest card first; defend only if the attack can be stopped."""
    s, params = view.state, view.setup.params
    cards = [action for action in legal if moves.CARD <= action < moves.CARD + len(params.power)]
    if s.phase == moves.RESPOND and cards:
        attack, defence = (int(sum(params.power[card] for card in in_order(pile))) for pile in (s.attack, s.defence))
        if count_in(s) == 2 and (defence >= attack or best_defence(view.setup, s) < attack):
            return next((each for each in (moves.COUNTER, moves.DONE, moves.SKIP) if each in legal), cards[0])
    if moves.COUNTER in legal:
        return moves.COUNTER
    if cards:
        return max(cards, key=lambda action: int(params.power[action - moves.CARD]))
    return any_but(view, legal, rng)


def world_of_fighters(view: View, legal: list[int], rng: random.Random) -> int:
    """Play random cards, but move to where the card just played scores the most, and counter with the best card."""
    s, me = view.state, int(view.state.player)

    def score(action: int) -> int:
        trial = s.copy()
        if s.phase == fighters.MOVE:
            trial.square[me] = action - fighters.TO_SQUARE
            return int(ordinary_score(view.setup.params, trial, me, s.action[me]))
        if action == fighters.SKIP:
            return 0
        return int(ordinary_score(view.setup.params, trial, me, action - fighters.TO_COUNTER + 1))

    if s.phase == fighters.COUNTER or (s.phase == fighters.MOVE and s.action[me] in (1, 2, 3)):
        best = max(map(score, legal))
        return rng.choice([action for action in legal if score(action) == best])
    return any_but(view, legal, rng, fighters.NOT_CLAIM)


def mace_cards(view: View, legal: list[int], rng: random.Random) -> int:
    """Strike and blast with the highest card, move towards the nearest opponent, and block as well as possible."""
    s, params = view.state, view.setup.params

    def value(action: int) -> int:
        return int(params.value[action % mace_params.CARDS])

    def near(action: int) -> int:
        trial = s.copy()
        if mace.TO <= action < mace.STAY:
            trial.at[s.player] = action - mace.TO
        return int(distance_to_nearest(trial, s.player))

    attacks = [each for each in legal if mace.STRIKE <= each < mace.CHARGE or mace.BLAST <= each < mace.BOOST]
    blocks = [each for each in legal if mace.BLOCK <= each < mace.PAYING]
    paying = [each for each in legal if mace.PAYING <= each < mace.AIM]
    if s.phase in (mace.MOVE, mace.DODGE_MOVE):
        return min(legal, key=near)
    if attacks or blocks:
        return max(attacks or blocks, key=value)
    if paying:
        return min(paying, key=value)
    return any_but(view, legal, rng, mace.END, mace.TAKE)


def untitled_movement(view: View, legal: list[int], rng: random.Random) -> int:
    """Roll whenever the roll may be used, place new tokens, and move so that a token gets closest to its goal."""
    s, params = view.state, view.setup.params
    far = params.far[int(s.side[s.player])]
    if s.phase == movement.SPACE:
        return min(legal, key=lambda action: int(far[action - movement.TO]) if action < movement.NO_MOVE else 99)
    for action in (movement.ROLL, movement.PLACE_NEW):
        if action in legal:
            return action
    if s.phase == movement.CARD:
        cards = [action for action in legal if action < movement.PICK]
        forward = [action for action in cards if KIND_NAMES[action - movement.KIND].startswith("forward")]
        return rng.choice(forward or [action for action in legal if action >= movement.NO_MOVE] or legal)
    return rng.choice(legal)


POLICIES: Mapping[str, Policy] = {
    "five-circles": five_circles,
    "mace": mace_cards,
    "make-your-moves": make_your_moves,
    "untitled-movement": untitled_movement,
    "world-of-fighters": world_of_fighters,
}


def share_of_wins(name: str, bot: str, matches: int, seed: int) -> float:
    """Return the number of matches that the beginner wins; a draw counts half."""
    game = find(name)
    setup: GameSetup = game.setup(game.preset(game.recommended))
    won, choose = 0.0, player(bot, setup, 2)
    for number in range(matches):
        match, me, rng = Match.deal(setup, 2, seed + number), number % 2 + 1, random.Random(seed + number)
        generator = stream(seed + number, 3 - me)
        while not match.over:
            if match.seat == me:
                view = match.view(me)
                legal = [action for action in view.legal if action not in game.conceding] or list(view.legal)
                match.choose(POLICIES[name](view, legal, rng))
            else:
                match.choose(choose(match, generator))
        won += 1 if match.winners == (me,) else 0.5 if not match.winners else 0
    return won


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=POLICIES)
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for bot in given.bots:
        won = share_of_wins(given.game, bot, given.matches, given.seed)
        low, high = wilson(won, given.matches)
        share = f"{won / given.matches:.1%} ({low:.1%} to {high:.1%})"
        print(f"{given.game}, {bot}: {won:g} of {given.matches}, {share}", flush=True)


if __name__ == "__main__":
    main()

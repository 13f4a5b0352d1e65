"""Tic-tac-toe: options. It has no content file."""

from sparring.engine.state import Parameters, choice_option


class Params(Parameters):
    """What rules know besides the state: the options."""

    row = choice_option(("wins", "loses"), "What three in a row do for the player who makes them", "R2")

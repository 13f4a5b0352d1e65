"""How strong players are, and how sure one can be of it."""

from .scale import BEGIN, OPPONENTS, PROVISIONAL, Rating, rated

__all__ = ["BEGIN", "OPPONENTS", "PROVISIONAL", "Rating", "rated"]

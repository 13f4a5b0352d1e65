"""How strong players are, and how sure one can be of it."""

from .scale import BEGIN, PROVISIONAL, Rating, rated

__all__ = ["BEGIN", "PROVISIONAL", "Rating", "rated"]

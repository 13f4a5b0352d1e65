"""How strong players are, and how sure one can be of it."""

from .scale import BEGIN, OPPONENTS, PROVISIONAL, SkillRating, rated

__all__ = ["BEGIN", "OPPONENTS", "PROVISIONAL", "SkillRating", "rated"]

"""Skill ratings of players, with their uncertainty."""

from .scale import BEGIN, OPPONENTS, PROVISIONAL, SkillRating, rated

__all__ = ["BEGIN", "OPPONENTS", "PROVISIONAL", "SkillRating", "rated"]

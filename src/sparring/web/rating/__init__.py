"""Skill ratings of players, with their uncertainty."""

from .scale import NEW_PLAYER, OPPONENTS, PROVISIONAL, SkillRating, update_ratings

__all__ = ["NEW_PLAYER", "OPPONENTS", "PROVISIONAL", "SkillRating", "update_ratings"]

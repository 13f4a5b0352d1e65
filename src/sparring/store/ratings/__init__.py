"""Skill ratings of players, with their uncertainty.

`scale.py` has the model (openskill's Plackett-Luce) and its scale. Ratings are kept per variant: a game with its
changed options and custom content. `rating_store.py` stores them, and `rating_limits.py` says who may be rated
together. `tables/results/match_results.py` says which matches count. A rating is provisional while its ± exceeds 200
points or its player has met fewer than five opponents. With several processes, one of them rates at a time.
"""

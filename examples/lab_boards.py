# %% [markdown]
"""Compare rings: find out whether a larger one makes World of Fighters longer, or more even.

Jupyter (with Jupytext), VS Code and PyCharm open these cells as a notebook; `python examples/lab_boards.py` runs them
in order.
"""

# %%
import numpy as np

from sparring.lab import compare

rings = ["5x5", "7x5", "7x7"]
found = compare("world-of-fighters", vary={"board": rings}, matches=5000, seed=1)

# %% [markdown]
# Arrays have the shape (variants, measures); `names` holds the names of the measures.

# %%
length, seat = (found.names.index(name) for name in ("length/choices", "wins/seat 1"))
for variant, mean, low, high in zip(found.variants, found.means, found.low, found.high, strict=True):
    print(f"{variant.name}: {mean[length]:.1f} choices ({low[length]:.1f} to {high[length]:.1f}),", end=" ")
    print(f"seat 1 wins {mean[seat]:.1%} ({low[seat]:.1%} to {high[seat]:.1%})")

# %% [markdown]
# Differences are paired by match number; `verdicts` says which are significant after a correction for multiple
# comparisons.

# %%
for (one, other), difference, verdict in zip(found.pairs, found.differences, found.verdicts, strict=True):
    names = found.variants[one].name, found.variants[other].name
    print(f"{names[0]} minus {names[1]}: {difference[length]:+.1f} choices, which is {verdict[length]}")

# %% [markdown]
# All counts are in tables of arrays; `found.frame("lengths")` returns one as a pandas or polars frame. Here: the median
# length.

# %%
lengths = found.tables["lengths"]
middles = {}
for variant in found.variants:
    chosen = (lengths["variant"] == variant.name) & (lengths["unit"] == "turns")
    below = lengths["matches"][chosen].cumsum()
    middles[variant.name] = int(lengths["length"][chosen][np.searchsorted(below, found.matches / 2)])
print(middles)

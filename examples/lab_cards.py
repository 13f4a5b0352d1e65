# %% [markdown]
"""Make Your Moves without its strongest cards.

A variant lists its changes: cards to remove, fields to set, options. You can write the same in a `lab.toml` for
`sparring lab --plan lab.toml`.
"""

# %%
import tempfile
from pathlib import Path

from sparring import games
from sparring.lab import compare

cards = games()["make-your-moves"].content.cards
strongest = [card.name for card in cards if card.power == max(each.power for each in cards)]
print(len(cards), "cards;", "the strongest are", ", ".join(strongest))

# %%
variants = {
    "without the strongest": {"remove": strongest[:3]},
    "a stronger Jab": {"cards": {"Jab": {"power": 2}}},
    "elimination": {"options": {"match": "elimination"}},
}
found = compare("make-your-moves", variant=variants, bots=["random"], seats=3, matches=5000, seed=1)

# %% [markdown]
# The report has the results in sentences and charts, and the plan to reproduce them. It needs the extra `lab`.

# %%
from sparring.lab.report import write_report  # noqa: E402
from sparring.lab.report.files import summary  # noqa: E402

print("\n".join(summary(found)))
folder = Path(tempfile.mkdtemp())
print("Report:", write_report(found, folder))

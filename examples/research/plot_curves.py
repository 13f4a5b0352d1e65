"""Draw learning curves that `ppo.py` printed, a panel for each file.

    pip install matplotlib
    python plot_curves.py world-of-fighters.csv make-your-moves.csv --to curves.svg

The same data give the same picture.
"""

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")  # draws without a screen
import matplotlib.pyplot as plt


def draw(files: list[Path], to: Path) -> None:
    """Draw the share of wins against random play and against the bot over CPU time, a panel for each file."""
    mpl.rcParams["svg.hashsalt"] = "sparring"
    figure, panels = plt.subplots(1, len(files), figsize=(4 * len(files), 3), sharey=True, squeeze=False)
    for file, panel in zip(files, panels[0], strict=True):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.count(",") == 3]
        minutes, _, random, bot = np.loadtxt(lines, delimiter=",", skiprows=1, unpack=True)
        panel.plot(minutes, random, marker="o", markersize=3, label="against random play")
        panel.plot(minutes, bot, marker="o", markersize=3, label="against the bot")
        panel.axhline(0.5, color="grey", linewidth=0.8, linestyle="--")
        panel.set(title=file.stem, xlabel="minutes of CPU time", ylim=(0, 1))
    panels[0][0].set_ylabel("share of matches won")
    panels[0][0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(to, metadata={"Date": None})


def main() -> None:
    """Draw the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, default=Path("curves.svg"), help="the picture (default: curves.svg)")
    chosen = parser.parse_args()
    draw(chosen.files, chosen.to)


if __name__ == "__main__":
    main()

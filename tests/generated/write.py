"""Write everything that follows from the games' code: `make generated`, after each change of rules.

That is blocks in documents, recorded matches, and puzzles; models are only missed, because training them takes hours.
"""

import argparse
from pathlib import Path

from generated import documents, puzzles
from playthroughs import write as playthroughs
from playthroughs.recordings import record
from research import openspiel_playthroughs
from sparring import Game, games
from sparring.bots.value_models import file_name, folders, load


def model_faults(game: Game) -> list[str]:
    """Return what is wrong with the value models in a game's folder: those that no longer belong to its rules."""
    folder = folders(game).shipped
    found = []
    for file in sorted(folder.glob("*.npz")):
        name = file_name(game.setup(), int(file.name.partition("-")[0]))
        if file.name != name or not load(file).fits(game):
            found.append(f"{file} is for other rules. Train a model again, or rename this one: {name}")
    return found


def main() -> None:
    """Write all, or of some games; with `--full` write matches elsewhere, to compare them."""
    parser = argparse.ArgumentParser(description="Write what follows from the code of the games.")
    parser.add_argument("games", nargs="*", help="only the matches of these games")
    parser.add_argument("--full", type=Path, metavar="FOLDER", help="write every match in full here; change nothing")
    chosen = parser.parse_args()
    whole = not chosen.games
    if not chosen.full:
        for path in documents.write():
            print(path)
        for game in filter(playthroughs.is_built_in, games().values()):
            for path in puzzles.write(game):
                print(path)
    for made in (playthroughs, openspiel_playthroughs):
        record(made.FOLDER, made.recordings(chosen.games), chosen.full, whole)
    for game in filter(playthroughs.is_built_in, games().values()):
        for fault in model_faults(game):
            print(fault)
    print("If a match changed though its options didn't, raise the game's version: stored matches can't be replayed.")


if __name__ == "__main__":
    main()

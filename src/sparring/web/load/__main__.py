"""`python -m sparring.web.load`: measure at so many tables, or at more and more of them."""

import argparse

from . import GAME, SECONDS, THINK, measure

#: How many tables are tried one after the other.
LEVELS = (100, 300, 1000, 2000)


def main() -> None:
    """Measure at so many tables, or at more and more of them."""
    asked = argparse.ArgumentParser(prog="python -m sparring.web.load", description=main.__doc__)
    asked.add_argument("tables", nargs="*", type=int, help=f"how many tables there are ({LEVELS})")
    asked.add_argument("--seconds", type=float, default=SECONDS, help="for how long they play")
    asked.add_argument("--think", type=float, default=THINK, help="for how long people think, in seconds")
    asked.add_argument("--game", default=GAME, help="what they play")
    asked.add_argument("--processes", type=int, nargs="+", default=[1], help="how many processes serve (1 3: both)")
    asked.add_argument("--database", default="", help="an empty database of one's own; usually a file")
    asked.add_argument("--stored", type=int, default=0, help="how many tables lie in the database before it starts")
    wanted = asked.parse_args()
    first = ""
    for tables in wanted.tables or LEVELS:
        for processes in wanted.processes:
            load = measure(
                tables, wanted.seconds, wanted.think, wanted.game, processes=processes, database=wanted.database,
                stored=wanted.stored,
            )  # fmt: skip
            print(load, flush=True)
            first = first or (load.limit and f"The first limit that was met, at {tables} tables: {load.limit}.")
    print(first or "No limit was met.")


if __name__ == "__main__":
    main()

"""`python -m sparring.web.load`: run the load test at given numbers of tables."""

import argparse

from . import GAME, SECONDS, THINK, measure

#: The default numbers of tables.
LEVELS = (100, 300, 1000, 2000)


def main() -> None:
    """Measure the response times of a server at given numbers of tables, or at more and more of them."""
    asked = argparse.ArgumentParser(prog="python -m sparring.web.load", description=main.__doc__)
    asked.add_argument("tables", nargs="*", type=int, help=f"numbers of tables (default {LEVELS})")
    asked.add_argument("--seconds", type=float, default=SECONDS, help="duration of each measurement in seconds")
    asked.add_argument("--think", type=float, default=THINK, help="thinking time of people in seconds")
    asked.add_argument("--game", default=GAME, help="the game")
    asked.add_argument("--processes", type=int, nargs="+", default=[1], help="numbers of server processes (1 3: both)")
    asked.add_argument("--database", default="", help="URL of an empty database (default: a new SQLite file)")
    asked.add_argument("--stored", type=int, default=0, help="tables stored in the database before the server starts")
    wanted = asked.parse_args()
    first = ""
    for tables in wanted.tables or LEVELS:
        for processes in wanted.processes:
            load = measure(
                tables, wanted.seconds, wanted.think, wanted.game, processes=processes, database=wanted.database,
                stored=wanted.stored,
            )  # fmt: skip
            print(load, flush=True)
            first = first or (load.limit and f"First limit, at {tables} tables: {load.limit}.")
    print(first or "No limit reached.")


if __name__ == "__main__":
    main()

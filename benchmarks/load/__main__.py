"""`python -m benchmarks.load`: run the load test at given numbers of tables."""

import argparse

from . import GAME, SECONDS, THINK, measure

#: The default numbers of tables.
LEVELS = (100, 300, 1000, 2000)


def main() -> None:
    """Measure the response times of a server at given numbers of tables, or at more and more of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=main.__doc__)
    parser.add_argument("tables", nargs="*", type=int, help=f"numbers of tables (default {LEVELS})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="duration of each measurement in seconds")
    parser.add_argument("--think", type=float, default=THINK, help="thinking time of people in seconds")
    parser.add_argument("--game", default=GAME, help="the game")
    parser.add_argument(
        "--processes", type=int, nargs="+", default=[1], help="numbers of server processes, such as 1 3"
    )
    parser.add_argument("--database", default="", help="URL of an empty database (default: a new SQLite file)")
    parser.add_argument("--stored", type=int, default=0, help="tables stored in the database before the server starts")
    arguments = parser.parse_args()
    first_limit = ""
    for tables in arguments.tables or LEVELS:
        for processes in arguments.processes:
            load = measure(
                tables, arguments.seconds, arguments.think, arguments.game, processes=processes,
                database=arguments.database, stored=arguments.stored,
            )  # fmt: skip
            print(load, flush=True)
            first_limit = first_limit or (load.limit and f"First limit, at {tables} tables: {load.limit}.")
    print(first_limit or "No limit reached.")


if __name__ == "__main__":
    main()

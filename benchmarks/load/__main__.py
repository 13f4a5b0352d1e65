"""`python -m benchmarks.load`: run the load test at given numbers of tables."""

import argparse
import contextlib
from itertools import product
from pathlib import Path

from benchmarks.databases import postgres

from . import GAME, SECONDS, THINK, measure
from .server import ROOT

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
    parser.add_argument(
        "--pairs", action="store_true", help="two people at each table, connected to different processes"
    )
    parser.add_argument(
        "--postgres", nargs="?", const="new", default="", metavar="URL",
        help="use new databases of this PostgreSQL server (without a URL: start one; needs PYTHONPATH=tests)",
    )  # fmt: skip
    parser.add_argument("--other", type=Path, metavar="PATH", help="also measure the server of another checkout")
    parser.add_argument("--rounds", type=int, default=1, help="how often to measure, alternating (default: once)")
    arguments = parser.parse_args()
    trees = [ROOT, *filter(None, [arguments.other and arguments.other.resolve()])]
    first_limit = ""
    with contextlib.ExitStack() as stack:
        url = arguments.postgres.removeprefix("new")
        server = stack.enter_context(postgres(url)) if arguments.postgres else ""
        for tables in arguments.tables or LEVELS:
            for _, processes, tree in product(range(arguments.rounds), arguments.processes, trees):
                load = measure(
                    tables, arguments.seconds, arguments.think, arguments.game, processes=processes,
                    database=arguments.database, stored=arguments.stored, pairs=arguments.pairs, postgres=server,
                    tree=tree,
                )  # fmt: skip
                print(f"{tree}: {load}" if len(trees) > 1 else load, flush=True)
                first_limit = first_limit or (load.limit and f"First limit, at {tables} tables: {load.limit}.")
    print(first_limit or "No limit reached.")


if __name__ == "__main__":
    main()

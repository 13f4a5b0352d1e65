"""A bot that plays any game at the tables of a Sparring server over HTTP, in plain Python without packages.

It prefers actions from matches that it won. `SPARRING_TOKEN=sp_... python3 house_bot.py http://localhost:8000`
"""

import argparse
import json
import os
import random
from collections import Counter, defaultdict
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class HouseBot:
    """A player at every table where its owner gives it a seat."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url.rstrip("/"), token
        self.liked, self.made, self.won = Counter[str](), defaultdict[str, set[str]](set), dict[str, bool]()

    def ask(self, path: str, body: Any = None) -> Any:
        """Send a GET request, or with a body a POST request."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        return urlopen(Request(f"{self.url}/api/{path}", data, headers), timeout=60)

    def sit(self, table: str) -> None:
        """Take the first open seat of a table."""
        seats = json.load(self.ask(f"table/{table}"))["seats"]
        self.ask(f"table/{table}/sit", {"seat": next(seat["seat"] for seat in seats if seat["kind"] == "open")})

    def play(self, matches: int = 0) -> None:
        """Follow the events of its tables and act on its turns, until this many matches are over (0: forever)."""
        for line in self.ask("me/events"):
            if line.startswith(b"data: "):
                event = json.loads(line[6:])
                if event["is_turn"]:
                    self.choose(event["table"])
                elif event["over"] and event["table"] not in self.won:
                    self.learn(event["table"], event["seat"])
                if matches and len(self.won) >= matches:
                    return

    def choose(self, table: str) -> None:
        """Take the preferred action, and never concede."""
        seen = json.load(self.ask(f"table/{table}"))
        words = [choice["words"] for choice in seen["choices"] if not choice["concedes"]]
        choice = max(words, key=lambda word: self.liked[word] + random.random(), default="")
        try:
            self.ask(f"table/{table}/choose", {"version": seen["version"], "choice": choice or "pass"})
            self.made[table].add(choice)
        except HTTPError as refused:
            if refused.code not in (403, 409):  # the table has changed; another event will follow
                raise

    def learn(self, table: str, seat: int) -> None:
        """Raise the preference for the actions of a finished match after a win, and lower it after a loss."""
        self.won[table] = seat in json.load(self.ask(f"table/{table}"))["winners"]
        self.liked.update(dict.fromkeys(self.made.pop(table, ()), 1 if self.won[table] else -1))
        print(f"Table {table} is over; won {sum(self.won.values())} of {len(self.won)}.", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("tables", nargs="*", help="tables with an open seat to take; public: all public tables")
    parser.add_argument("--matches", type=int, default=0, help="stop after this many matches; 0: never")
    arguments = parser.parse_args()
    bot = HouseBot(arguments.url, os.environ["SPARRING_TOKEN"])
    for table in arguments.tables:
        for each in (
            [found["table"] for found in json.load(bot.ask("tables"))["open"]] if table == "public" else [table]
        ):
            bot.sit(each)
    bot.play(arguments.matches)

"""Count the modules that run between a posted choice and the event at the other player's stream.

`PYTHONPATH=tests python -m benchmarks.choice_modules`: two people play a match on a server in this process. After some
choices that warm up, each choice that the other player sees is traced, from its POST to the event. The median choice's
modules are listed by package.
"""

import argparse
import contextlib
import queue
import random
import tempfile
import threading
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from types import CodeType, FrameType
from typing import TypeAlias

import sparring
from web.app_server import AppServer, settings

Events: TypeAlias = "queue.Queue[bytes]"

SOURCE = Path(sparring.__file__).parent
#: The choices that aren't counted: what runs once only has run then.
WARM_UP = 6
#: Without an event within this time (seconds), the other player doesn't see a choice; nothing follows after a pause.
PATIENCE, PAUSE = 1.0, 0.2


class Trace:
    """The code that runs, while this is on, in all threads that started after it was created."""

    def __init__(self) -> None:
        self.on = False
        self.seen: set[CodeType] = set()
        threading.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if self.on and event == "call":
            self.seen.add(frame.f_code)

    def modules(self) -> list[str]:
        """Return the modules of the code, as sorted paths below `src/sparring`."""
        files = {Path(code.co_filename) for code in self.seen}
        return sorted(str(file.relative_to(SOURCE)) for file in files if file.is_relative_to(SOURCE))


def package(module: str) -> str:
    """Return the package that a module counts for."""
    return Path(module).parts[0]


def follow(stream: contextlib.AbstractContextManager[Iterator[bytes]], stack: contextlib.ExitStack) -> Events:
    """Return a queue of a stream's events."""
    blocks, events = stack.enter_context(stream), queue.Queue[bytes]()

    def read() -> None:
        with contextlib.suppress(Exception):  # the stream ends with the server
            for block in blocks:
                events.put(block)

    threading.Thread(target=read, daemon=True).start()
    return events


def arrives(events: Events, patience: float) -> bool:
    """Wait for an event; return whether one came."""
    with contextlib.suppress(queue.Empty):
        events.get(timeout=patience)
        return True
    return False


def traced(server: AppServer, trace: Trace, game: str, *, api: bool) -> Iterator[list[str]]:
    """Play a match; yield the modules of each choice that the other player sees."""
    rng = random.Random(1)
    table = server.table("ann", "ben", name=game)
    players = server.person("ann"), server.person("ben")
    with contextlib.ExitStack() as stack:
        streams = [follow((each.api_stream if api else each.stream)(table), stack) for each in players]
        while not (views := [player.look(table) for player in players])[0]["over"]:
            for events in streams:
                while arrives(events, PAUSE):
                    pass
            seat = next(seat for seat, view in enumerate(views) if view["is_turn"])
            choice = rng.choice([each["choice"] for each in views[seat]["choices"] if not each["concedes"]])
            trace.seen.clear()
            trace.on = True
            players[seat].choose(table, choice, views[seat]["version"]).raise_for_status()
            shown = arrives(streams[1 - seat], PATIENCE)
            trace.on = False
            if shown:
                yield trace.modules()


def main() -> None:
    """Trace the choices of one match and print the counts."""
    parser = argparse.ArgumentParser(prog="choice_modules", description=__doc__)
    parser.add_argument("--game", default="make-your-moves", help="a game for two (default %(default)s)")
    parser.add_argument("--choices", type=int, default=15, help="the choices traced (default %(default)s)")
    parser.add_argument("--api", action="store_true", help="follow the API's streams instead of the pages'")
    asked = parser.parse_args()
    trace = Trace()
    with tempfile.TemporaryDirectory() as folder:
        server = AppServer(settings(Path(folder)))
        choices = traced(server, trace, asked.game, api=asked.api)
        found = [*islice(choices, WARM_UP + asked.choices)]
        server.close()
    counts = sorted(found[WARM_UP:], key=len)
    median = counts[len(counts) // 2]
    print(f"{asked.game}, {len(counts)} choices: {len(counts[0])} to {len(counts[-1])} modules, median {len(median)}:")
    for name, modules in groupby(median, package):
        own = [*modules]
        print(f"{len(own):3} {name}: {', '.join(Path(module).stem for module in own)}")


if __name__ == "__main__":
    main()

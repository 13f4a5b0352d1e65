"""Plugin bots, working and failing ones, installed for some tests."""

import os
import random
import sys
import time

from sparring import View


class First:
    def choose(self, view: View) -> int:
        return view.legal[0]


class Wordy:
    def choose(self, view: View) -> str:
        return view.choices[-1].words


class Lottery:
    def choose(self, view: View) -> int:
        return random.choice(view.legal)


class Chatty:
    """Print what looks like another bot's answer."""

    def choose(self, view: View) -> object:
        print('{"choice": 0}', flush=True)
        print("thinking", file=sys.stderr, flush=True)
        return view.choices[-1]


class Raises:
    def choose(self, view: View) -> int:
        raise ValueError(f"I hold {view.state.hand[view.seat - 1]}, [bold]and\nthen")


class Hangs:
    def choose(self, view: View) -> int:
        while True:
            time.sleep(0.01)


class Nonsense:
    def choose(self, view: View) -> int:
        return 99_999


class Exits:
    def choose(self, view: View) -> int:
        os._exit(3)

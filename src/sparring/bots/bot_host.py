"""Run an installed bot in its own process: `python -m sparring.bots.bot_host NAME`.

It reads one question per line, lets the bot choose, and ends when its input ends. What the bot prints is discarded.
"""

import json
import operator
import os
import random
import sys
from pathlib import Path
from typing import Any

from sparring.engine.plugins import describe_error, find_line
from sparring.engine.views import from_data

from .external_bot import installed


def main() -> None:
    """Answer questions until the input ends."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    bot: Any = None
    for line in sys.stdin:
        try:
            question = json.loads(line)
            bot, view = bot or installed()[sys.argv[1]].load()(), from_data(question)
            random.seed(question["random"])
            answer = {"choice": as_choice(bot.choose(view))}
        except Exception as problem:  # noqa: BLE001 - report every error of the bot to the table
            answer = {"problem": one_line(problem)}
        output.write(json.dumps(answer) + "\n")
        output.flush()


def as_choice(choice: Any) -> int | str:
    """Return a bot's answer as a number or words; it may be a NumPy integer or one of `view.choices`."""
    if isinstance(choice, str):
        return choice
    return operator.index(getattr(choice, "action", choice))


def one_line(problem: Exception) -> str:
    """Return an error in one line, with the bot's file and line that raised it."""
    line = find_line(problem)
    return describe_error(problem) + (f" ({Path(line[0]).name}, line {line[1]})" if line else "")


if __name__ == "__main__":
    main()

"""The process in which a bot of a package thinks: `python -m sparring.bots.external.host NAME`.

It reads questions line by line, has the bot choose, and ends with its input. What the bot prints goes nowhere.
"""

import json
import operator
import os
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

from sparring.engine.plugins import describe_error, find_line

from .external_bot import installed
from .view_data import from_data


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    bot: Any = None
    for line in sys.stdin:
        try:
            question = json.loads(line)
            bot, view = bot or installed()[sys.argv[1]].load()(), from_data(question)
            random.seed(question["random"])
            answer = {"choice": plain(bot.choose(view))}
        except Exception as problem:  # noqa: BLE001 - whatever a bot does wrong, the table must hear of it
            answer = {"problem": told(problem)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def plain(choice: Any) -> int | str:
    """What a bot answers as a number or words: those may be NumPy's, or one of `view.choices`."""
    if isinstance(choice, str):
        return choice
    return operator.index(getattr(choice, "action", choice))


def told(problem: Exception) -> str:
    """Return an error in one line, with the file and line of the bot where it was raised."""
    line = find_line(problem)
    return describe_error(problem) + (f" ({Path(line[0]).name}, line {line[1]})" if line else "")


def _end_with(parent: int) -> None:
    """End when the process is gone that asked, also while the bot thinks."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)


if __name__ == "__main__":
    main()

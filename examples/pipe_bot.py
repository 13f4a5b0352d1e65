"""A bot over a pipe: it reads a line of JSON for each action and writes one. Any language can do this.

It doesn't import Sparring. `sparring play mace --terminal --seats "me,pipe:python3 examples/pipe_bot.py"` starts it.
"""

import json
import random
import sys

IDLE = ("pass", "done", "end", "stay")

for line in sys.stdin:
    question = json.loads(line)
    random.seed(question["random"])
    busy = [number for number, words in zip(question["legal"], question["words"], strict=True) if words not in IDLE]
    print(json.dumps({"choice": random.choice(busy or question["legal"])}), flush=True)

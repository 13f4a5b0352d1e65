"""A bot over a pipe, for any language: it reads a line of JSON for each decision and answers with one.

It needs nothing of Sparring. `sparring play mace --terminal --seats "me,pipe:python3 examples/pipe_bot.py"` starts it.
"""

import json
import random
import sys

IDLE = ("pass", "done", "end", "stay")

for line in sys.stdin:
    asked = json.loads(line)
    random.seed(asked["random"])
    busy = [number for number, words in zip(asked["legal"], asked["words"], strict=True) if words not in IDLE]
    print(json.dumps({"choice": random.choice(busy or asked["legal"])}), flush=True)

"""Bot process: read questions from standard input, and write answers to standard output, until the input ends."""

import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec
import numpy as np

from sparring import bots
from sparring.engine.errors import BadBot
from sparring.engine.game import game as find_game
from sparring.engine.hints import Hint
from sparring.engine.views import Observation, View, decoded_setup

from .bot_players import BotAnswer, BotQuestion, PrecompileRequest, one_line_reason
from .worker_pool import SIGN_OF_LIFE, framed

#: How often a process that thinks or compiles gives a sign of life (seconds).
BEAT = 1.0

#: How much memory a sandbox process may use beyond what it has when it begins (bytes).
MEMORY = 256 * 1024 * 1024
#: The same for jobs that run compiled rules, train or print, twice what they need.
JOB_MEMORY = 2 * 1024 * 1024 * 1024

#: The searches whose compiled code this process has found intact, by game and code.
_intact: set[tuple[str, str]] = set()


def main() -> None:
    """Answer until the input ends."""
    answer_all(BotQuestion | PrecompileRequest, _answer, beat=BEAT)


def answer_all(kind: Any, answer: Callable[[Any], msgspec.Struct], beat: float = 0.0) -> None:
    """Answer all questions of a kind. Other output, of bots and Numba, goes to standard error.

    With `beat` (seconds), a second thread gives signs of life at this interval while a question is being answered.
    """
    if hasattr(os, "nice"):
        os.nice(5)  # pages have priority, also during compilation
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signs = SignsOfLife(answers, beat)
    with suppress(BrokenPipeError):  # the server has ended
        while (question := _read(sys.stdin.buffer, kind)) is not None:
            with signs:
                body = framed(answer(question))
            answers.write(body)
            answers.flush()


def bound_memory(memory: int = MEMORY) -> None:
    """Limit the growth of the process's memory, where the system supports it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as pages:  # noqa: PTH123 - not a file of the project
            used = int(pages.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))


class SignsOfLife:
    """Writes signs of life from a second thread while its context lasts; none if `beat` (seconds) is 0."""

    def __init__(self, answers: BinaryIO, beat: float) -> None:
        self._answers, self._beat = answers, beat
        self._lock, self._busy = threading.Lock(), threading.Event()
        if beat:
            threading.Thread(target=self._run, daemon=True).start()

    def __enter__(self) -> None:
        self._busy.set()

    def __exit__(self, *_: object) -> None:
        self._busy.clear()
        with self._lock:  # a sign that has begun ends before the answer begins
            pass

    def _run(self) -> None:
        with suppress(BrokenPipeError):
            while self._busy.wait():
                with self._lock:
                    if self._busy.is_set():
                        self._answers.write(SIGN_OF_LIFE)
                        self._answers.flush()
                time.sleep(self._beat)


def _read(questions: BinaryIO, kind: Any) -> Any:
    head = questions.read(4)
    if len(head) < 4:
        return None
    (size,) = struct.unpack("<I", head)
    return msgspec.msgpack.decode(questions.read(size), type=kind)


def _answer(question: BotQuestion | PrecompileRequest) -> BotAnswer:
    try:
        if isinstance(question, BotQuestion):
            return _chosen(question)
        game, code = find_game(question.game), [question.code]
        if not bots.is_ready(game, code):  # loading the code as a check takes five times as long
            bots.compile_searches(game, code)
        return BotAnswer()
    except MemoryError:
        raise  # end the process: a new one has memory again
    except Exception as problem:  # noqa: BLE001 - the table must get every error of a bot
        return BotAnswer(problem=one_line_reason(f"{type(problem).__name__}: {problem}"))


def _chosen(question: BotQuestion) -> BotAnswer:
    lost = question.compiled and not _is_intact(question)
    if lost:  # don't let the player wait for the compiler
        question = msgspec.structs.replace(question, compiled=False)
    try:
        if question.advise:
            return BotAnswer(hint=advise(question), code_lost=lost)
        return BotAnswer(action=choose(question), code_lost=lost)
    except bots.BotFailed as lost:
        # The reason may reveal what only the bot's seat knows, and readers of the log may play too.
        return BotAnswer(lost=one_line_reason(lost))
    except BadBot as problem:
        return BotAnswer(
            lost=one_line_reason(f"{bots.title(question.bot)} isn't available here."), problem=one_line_reason(problem)
        )


def _is_intact(question: BotQuestion) -> bool:
    """Return whether the compiled code for a question is on disk; checked once, since it is then in memory."""
    code = bots.search_of(question.bot)
    if (question.game, code) not in _intact and bots.is_ready(find_game(question.game), [code]):
        _intact.add((question.game, code))
    return (question.game, code) in _intact


def view_of(question: BotQuestion) -> View:
    """Return the view in a question."""
    setup = decoded_setup(question.game, msgspec.json.encode(question.options), msgspec.json.encode(question.content))

    def decoded(state: bytes) -> Any:
        return np.frombuffer(bytearray(state), setup.game.rules.State.dtype)[0]

    memory = tuple(Observation(decoded(state), choice) for state, choice in question.memory)
    return View(setup, question.seat, decoded(question.state), tuple(question.legal), memory=memory)


def choose(question: BotQuestion) -> int:
    """Return the bot's choice; without compiled code it thinks briefly, interpreted."""
    stream = bots.stream(question.seed, question.seat)
    return bots.parse(question.bot).choose(view_of(question), stream, quick=not question.compiled, even=True)


def advise(question: BotQuestion) -> Hint:
    """Return the bot's rating of the choices."""
    return bots.parse(question.bot).advise(view_of(question), quick=not question.compiled)


if __name__ == "__main__":
    main()

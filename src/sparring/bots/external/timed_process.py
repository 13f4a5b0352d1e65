"""A process that is asked in lines and has so long for each answer; one that fails is ended, and started anew."""

import atexit
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from sparring.engine.errors import BadBot, SparringError

#: The environment variable that says how many seconds a bot has for a choice, and what it is without that.
SECONDS = "SPARRING_BOT_SECONDS"
USUAL = 2.0
MOST = 60.0

#: How much longer the first answer of a process may take, which has to start.
STARTING = 8.0

#: No answer is longer (bytes).
LONGEST_ANSWER = 10_000


class BotFailed(SparringError):
    """A bot did not choose as it should. The message may be read by everybody; `why` by who wrote the bot alone.

    The reason may name what only the bot's seat knows, as a card in an error.
    """

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why

    def __reduce__(self) -> tuple[type["BotFailed"], tuple[str, str]]:
        """Comes whole out of another process."""
        return BotFailed, (str(self), self.why)


class ProcessFailed(Exception):
    """What a process did instead of answering: it `did not answer in time`."""


def limit() -> float:
    """How many seconds a bot has for a choice."""
    text = os.environ.get(SECONDS, str(USUAL))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.05 <= seconds <= MOST:
        raise BadBot(f"{SECONDS} cannot be {text or 'nothing'}; it is a number of seconds from 0.05 to {MOST:g}.")
    return seconds


class TimedProcess:
    """A process, started when it is first asked and ended with this one. What it writes as errors is not shown."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        #: Writes the last question and reads its answer: either may never go through.
        self._exchange = Thread()
        atexit.register(self.stop)

    def ask(self, question: bytes) -> bytes:
        """The line that it answers to a line; Failed if there is none in time."""
        seconds = limit()
        if self._process is None or self._process.poll() is not None:
            self._process, seconds = self._started(), seconds + STARTING
        answers = SimpleQueue[bytes]()
        self._exchange = Thread(target=_exchange, args=(self._process, question, answers), daemon=True)
        self._exchange.start()
        try:
            answer = answers.get(timeout=seconds)
        except Empty:
            self.stop()
            raise ProcessFailed("did not answer in time") from None
        if not answer.endswith(b"\n"):
            self.stop()
            raise ProcessFailed("answered at too great length" if answer else "ended without an answer")
        return answer

    def stop(self) -> None:
        """End it, and what it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:  # or else its number may be another's by now
            with suppress(OSError):
                if os.name == "posix":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
        process.wait()
        if self._exchange.is_alive():
            self._exchange.join(1.0)
        if not self._exchange.is_alive():  # somebody else may hold the other end
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]

    def _started(self) -> subprocess.Popen[bytes]:
        self.stop()
        try:
            return subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as problem:
            raise ProcessFailed(f"could not be started: {problem.strerror or problem}") from None


def _exchange(process: subprocess.Popen[bytes], question: bytes, answers: SimpleQueue[bytes]) -> None:
    """Hand over a question, and what is answered; empty if there is nobody any more."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question)
        process.stdin.flush()
        answers.put(process.stdout.readline(LONGEST_ANSWER))
    except (OSError, ValueError):
        answers.put(b"")

"""External bots: classes installed under the entry point `sparring.bots`, and programs that exchange JSON lines.

Each runs in its own process, gets only what its seat knows, and has a time limit per action. If a bot raises, hangs or
sends an invalid answer, the caller gets `BotFailed` and lets a random bot take over.
"""

import atexit
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import msgspec
import numpy as np

from sparring.bots.bot import Bot, BotChoice
from sparring.engine import chance
from sparring.engine.errors import BadBot, ChoiceError, SparringError
from sparring.engine.formats.choice_parser import read_choice
from sparring.engine.plugins import entry_points
from sparring.engine.views import View, as_data, in_words

#: The environment variable with a bot's seconds per action, its default and its maximum.
SECONDS = "SPARRING_BOT_SECONDS"
DEFAULT_SECONDS = 2.0
MAX_SECONDS = 60.0

#: The environment variable with the megabytes of memory that a bot and its children may use, and its default.
MEMORY = "SPARRING_BOT_MEMORY"
DEFAULT_MEMORY = 2000.0

#: Extra time for the first answer, in which the process starts (s).
STARTUP_SECONDS = 8.0

#: The maximum length of an answer (bytes).
MAX_ANSWER = 10_000


class BotFailed(SparringError):
    """A bot failed to choose. The message is public; `why` is only for the bot's author.

    The reason may contain what only the bot's seat knows, such as a card in an error message.
    """

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why

    def __reduce__(self) -> tuple[type["BotFailed"], tuple[str, str]]:
        """Keep `why` when pickled between processes."""
        return BotFailed, (str(self), self.why)


class ProcessFailed(Exception):
    """A process failed to answer; the message completes a sentence, as in `did not answer in time`."""


def time_limit() -> float:
    """Return the seconds a bot has per action. Raises BadBot if the environment variable is invalid."""
    return _limit(SECONDS, "seconds", DEFAULT_SECONDS, 0.05, MAX_SECONDS)


def memory_limit() -> int:
    """Return the megabytes of memory a bot may use. Raises BadBot if the environment variable is invalid."""
    return int(_limit(MEMORY, "megabytes", DEFAULT_MEMORY, 10, 1_000_000))


def _limit(variable: str, unit: str, default: float, least: float, most: float) -> float:
    text = os.environ.get(variable, str(default))
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not least <= number <= most:
        raise BadBot(f"{variable} must be a number of {unit} from {least:g} to {most:,g}, not {text or 'empty'}.")
    return number


class TimedProcess:
    """A process that starts with the first question, and ends with its children when this process ends.

    Its stderr is discarded.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        #: Writes the last question and reads its answer; either may block for ever.
        self._exchange = Thread()
        atexit.register(self.stop)

    def ask(self, question: bytes) -> bytes:
        """Send a line and return the line that comes back. Raises ProcessFailed if none arrives in time."""
        seconds = time_limit()
        if self._process is None or self._process.poll() is not None:
            self._process, seconds = self._start(), seconds + STARTUP_SECONDS
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
            raise ProcessFailed("sent an answer that is too long" if answer else "exited without an answer")
        return answer

    def stop(self) -> None:
        """Kill the process and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:  # otherwise another process may have its id by now
            with suppress(OSError):
                if os.name == "posix":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
        process.wait()
        if self._exchange.is_alive():
            self._exchange.join(1.0)
        if not self._exchange.is_alive():  # closing a pipe in use would block
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]

    def _start(self) -> subprocess.Popen[bytes]:
        self.stop()
        leader = sys.executable, "-I", "-S", str(Path(__file__).with_name("group_leader.py"))
        lead = (*leader, str(os.getpid()), str(memory_limit())) if os.name == "posix" else ()
        try:
            return subprocess.Popen(
                (*lead, *self._command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as problem:
            raise ProcessFailed(f"could not be started: {problem.strerror or problem}") from None


def _exchange(process: subprocess.Popen[bytes], question: bytes, answers: SimpleQueue[bytes]) -> None:
    """Write a question and put the answer into the queue: an empty line if the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question)
        process.stdin.flush()
        answers.put(process.stdout.readline(MAX_ANSWER))
    except (OSError, ValueError):
        answers.put(b"")


#: Valid names of external bots, and reserved names.
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
RESERVED = {"random", "search", "plain", "mix", "stand-in", "pipe", "piped", "me", "open"}

PIPE = "pipe:"

Array = np.ndarray[Any, Any]


class ProcessReply(msgspec.Struct):
    """A reply of a bot's process: the number or the words of an action, or an error."""

    choice: int | str | None = None
    problem: str = ""


@dataclass(frozen=True)
class ExternalBot(Bot):
    """A bot in its own process, which is shared by all matches with this bot."""

    #: The command that starts the process.
    command: tuple[str, ...] = ()
    #: Whether requests also contain the words of actions and the table as text, because it cannot call the game's code.
    gets_words: bool = False

    @property
    def plays_compiled(self) -> bool:
        """Always false: the bot runs in another process."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """Ask the process for an action. Raises BotFailed if it does not send a legal one in time."""
        if len(view.legal) == 1 and not even:
            return BotChoice(view.legal[0], view)
        process = _process(self.command)
        try:
            reply = self._ask(process, {**self._question(view), "random": _bot_seed(stream)})
            return BotChoice(_legal_action(view, reply), view)
        except ProcessFailed as failed:
            public_part = str(failed).partition(":")[0]
            raise BotFailed(f"{self.title} {public_part}.", str(failed)) from None

    def _question(self, view: View) -> dict[str, Any]:
        return {**as_data(view), **(in_words(view) if self.gets_words else {})}

    def _ask(self, process: TimedProcess, question: dict[str, Any]) -> ProcessReply:
        line = process.ask(msgspec.json.encode(question) + b"\n")
        try:
            return msgspec.json.decode(line, type=ProcessReply)
        except msgspec.MsgspecError:
            process.stop()  # its next line would be taken for the answer to another question
            raise ProcessFailed(f"sent an invalid answer: {line[:80].decode(errors='replace').strip()}") from None


def _legal_action(view: View, reply: ProcessReply) -> int:
    """Return the legal action that a reply names. Raises ProcessFailed."""
    if reply.problem:
        raise ProcessFailed(f"stopped with an error: {reply.problem}")
    if isinstance(reply.choice, str):
        try:
            return read_choice(view.setup, view.state, list(view.legal), reply.choice)
        except ChoiceError as refused:
            raise ProcessFailed(f"chose an illegal action: {refused}") from None
    if reply.choice not in view.legal:
        raise ProcessFailed(f"chose an illegal action: number {reply.choice}")
    return reply.choice


def _bot_seed(stream: Array) -> int:
    """Return a random seed for the bot, hashed so that the seed of the match cannot be recovered from it."""
    chance.bits(stream)
    return int.from_bytes(hashlib.blake2b(stream.tobytes(), digest_size=4).digest(), "little")


@cache
def _process(command: tuple[str, ...]) -> TimedProcess:
    return TimedProcess(command)


@cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the entry points of installed bots by name, sorted."""
    found = {point.name: point for point in entry_points("sparring.bots")}
    return {name: found[name] for name in sorted(found) if NAME.fullmatch(name) and name not in RESERVED}


def find_bot(name: str) -> ExternalBot | None:
    """Return the installed bot of that name; None if there is none."""
    if name not in installed():
        return None
    title = f"{name.replace('-', ' ').capitalize()} bot"
    return ExternalBot(name, title, command=(sys.executable, "-m", f"{__package__}.bot_host", name))


def pipe_bot(text: str) -> ExternalBot:
    """Return a bot for a program that exchanges JSON lines; `text` is `pipe:` and its command. Raises BadBot."""
    try:
        command = shlex.split(text.removeprefix(PIPE))
    except ValueError:
        raise BadBot(
            f"This command has an opening quotation mark but no closing one: {text.removeprefix(PIPE)}"
        ) from None
    if not command:
        raise BadBot("pipe: needs a command that starts the bot, as in pipe:python3 my_bot.py.")
    if not shutil.which(command[0]):
        raise BadBot(f"The program {command[0]} is not on the PATH.")
    return ExternalBot(text, "Piped bot", command=tuple(command), gets_words=True)

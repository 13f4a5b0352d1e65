"""A guest: a bot of somebody else, in a process of its own."""

import hashlib
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any

import msgspec
import numpy as np

from sparring.bots.bot import Bot, BotChoice
from sparring.engine import chance
from sparring.engine.errors import BadBot, ChoiceError
from sparring.engine.formats.choice_parser import read_choice
from sparring.engine.plugins import entry_points
from sparring.engine.views import View

from .timed_process import BotFailed, ProcessFailed, TimedProcess
from .view_data import as_data, in_words

#: What bots may be called, and what names mean something else.
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
TAKEN = {"random", "search", "plain", "mix", "stand-in", "pipe", "piped", "me", "open"}

PIPE = "pipe:"

Array = np.ndarray[Any, Any]


class ProcessReply(msgspec.Struct):
    """The answer of a process: the number or the words of a choice, or what went wrong."""

    choice: int | str | None = None
    problem: str = ""


@dataclass(frozen=True)
class ExternalBot(Bot):
    """A bot that chooses in a process of its own, which is kept for all of its matches."""

    command: tuple[str, ...] = ()
    #: Whether it is told words and the table too, because it cannot ask the game.
    foreign: bool = False

    @property
    def plays_compiled(self) -> bool:
        """It never does."""
        return False

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> BotChoice:
        """Its choice; LostClock if it makes none."""
        if len(view.legal) == 1 and not even:
            return BotChoice(view.legal[0], view)
        process = _process(self.command)
        try:
            said = self._said(process, {**self._told(view), "random": _number(stream)})
            return BotChoice(_chosen(view, said), view)
        except ProcessFailed as failed:
            shown = str(failed).partition(":")[0]
            raise BotFailed(f"{self.title} {shown} and lost its clock.", str(failed)) from None

    def _told(self, view: View) -> dict[str, Any]:
        return {**as_data(view), **(in_words(view) if self.foreign else {})}

    def _said(self, process: TimedProcess, question: dict[str, Any]) -> ProcessReply:
        line = process.ask(msgspec.json.encode(question) + b"\n")
        try:
            return msgspec.json.decode(line, type=ProcessReply)
        except msgspec.MsgspecError:
            process.stop()  # what it writes next would be taken for the answer to another question
            raise ProcessFailed(f"answered what is no answer: {line[:80].decode(errors='replace').strip()}") from None


def _chosen(view: View, said: ProcessReply) -> int:
    """The legal choice that an answer names."""
    if said.problem:
        raise ProcessFailed(f"stopped with an error: {said.problem}")
    if isinstance(said.choice, str):
        try:
            return read_choice(view.box, view.state, list(view.legal), said.choice)
        except ChoiceError as refused:
            raise ProcessFailed(f"answered what cannot be chosen: {refused}") from None
    if said.choice not in view.legal:
        raise ProcessFailed(f"answered what cannot be chosen: number {said.choice}")
    return said.choice


def _number(stream: Array) -> int:
    """A number by which a bot may begin its chance; from it nobody finds the way back to the seed of the match."""
    chance.bits(stream)
    return int.from_bytes(hashlib.blake2b(stream.tobytes(), digest_size=4).digest(), "little")


@cache
def _process(command: tuple[str, ...]) -> TimedProcess:
    return TimedProcess(command)


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The bots that packages add, by name, in the order of their names."""
    found = {point.name: point for point in entry_points("sparring.bots")}
    return {name: found[name] for name in sorted(found) if NAME.fullmatch(name) and name not in TAKEN}


def named(name: str) -> ExternalBot | None:
    """The bot of that name that a package adds, if there is one."""
    if name not in installed():
        return None
    title = f"{name.replace('-', ' ').capitalize()} bot"
    return ExternalBot(name, title, command=(sys.executable, "-m", f"{__package__}.host", name))


def piped(text: str) -> ExternalBot:
    """A program that is spoken to in lines of JSON, by the command that starts it."""
    try:
        command = shlex.split(text.removeprefix(PIPE))
    except ValueError:
        raise BadBot(f"The quotation marks of this command do not fit: {text.removeprefix(PIPE)}") from None
    if not command:
        raise BadBot("pipe: is followed by the command that starts the bot, as in pipe:python3 my_bot.py.")
    if not shutil.which(command[0]):
        raise BadBot(f"There is no program {command[0]} that could be started here.")
    return ExternalBot(text, "Piped bot", command=tuple(command), foreign=True)

"""The process in which records are read, replayed and drawn: bounded like the one that reads uploads."""

import sys
from collections import OrderedDict

from sparring.engine.errors import SparringError
from sparring.engine.records import read_record, write_record
from sparring.web.bots.bot_worker import answer_all
from sparring.web.security.upload_sandbox import bound_memory
from sparring.web.tables.clocks.clock_record import read

from . import moment_text
from .moment_requests import MomentClient, MomentRequest, ShownMoment
from .timeline import ReplayTimeline, in_words, said, sentences_of, steps

#: How many matches are kept ready.
KEPT = 4

_films: OrderedDict[str, ReplayTimeline] = OrderedDict()


def main() -> None:
    """Answer until the input ends."""
    bound_memory()
    answer_all(MomentRequest, show)


def show(wanted: MomentRequest) -> MomentClient:
    """The moments that were asked for, or what is wrong with the record."""
    if not wanted.record:
        return MomentClient()
    try:
        return _shown(wanted)
    except SparringError as problem:
        return MomentClient(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - whatever a game does wrong, its server goes on
        sys.stderr.write(f"A match could not be shown: {type(problem).__name__}\n")
        return MomentClient(problem="This match cannot be shown.")


def film_of(record: str) -> ReplayTimeline:
    """A match carried out: one that was looked at before is carried on."""
    start, choices = read_record(record, None, None)
    begun = write_record(start, [])
    film = _films.pop(begun, None)
    if film is None or not film.goes_on(choices):
        film = ReplayTimeline(start)
    film.go_on(choices)
    _films[begun] = film
    while len(_films) > KEPT:
        _films.popitem(last=False)
    return film


def _shown(wanted: MomentRequest) -> MomentClient:
    film = film_of(wanted.record)
    match, reel = film.match, film.reel(wanted.viewer)
    last = len(reel.moments) - 1
    at = last if wanted.at is None else min(wanted.at, last)
    if wanted.choices is not None:
        at = reel.at(wanted.choices)
    ended = read(wanted.record).ended
    over, how = match.over or bool(ended.how), ended.sentence(match, max(0, wanted.viewer))
    moments = [_moment(film, wanted, number, how) for number in range(at, min(at + wanted.many, last + 1))]
    return MomentClient(match.game.name, match.seats, over, len(match.history), last, moments)


def _moment(film: ReplayTimeline, wanted: MomentRequest, at: int, ended: str) -> ShownMoment:
    reel, names = film.reel(wanted.viewer), wanted.names
    if wanted.form == "words":
        told_and_lying = [str(moment_text.told(reel, at, names)), str(moment_text.table(reel, at, names, ended))]
        answer = moment_text.answer(reel, at, names, ended, *wanted.asked) if wanted.asked else ([], False)
        return ShownMoment(
            at, reel.moments[at].choices, told_and_lying, str(moment_text.so_far(reel, at, names)), *answer
        )
    if wanted.form == "text":
        told = in_words(reel, at, ended)
        return ShownMoment(at, reel.moments[at].choices, told, "\n".join(sentences_of(reel, at)))
    drawn = steps(reel, at, names, ended, only_rest=wanted.many == 1)
    return ShownMoment(at, reel.moments[at].choices, [str(step) for step in drawn], str(said(reel, at, names)))


if __name__ == "__main__":
    main()

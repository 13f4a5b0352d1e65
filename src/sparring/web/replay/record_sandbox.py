"""The sandboxed process that reads, replays and renders records."""

import sys
from collections import OrderedDict

from sparring.engine.errors import SparringError
from sparring.engine.records import read_record, write_record
from sparring.web.bots.bot_worker import answer_all
from sparring.web.security.upload_sandbox import bound_memory
from sparring.web.tables.clocks.clock_record import read

from . import moment_text
from .moment_requests import MomentRequest, MomentResponse, ShownMoment
from .timeline import ReplayTimeline, as_text, log_html, sentences_of, steps

#: The most replayed matches cached.
KEPT = 4

_timelines: OrderedDict[str, ReplayTimeline] = OrderedDict()


def main() -> None:
    """Answer until the input ends."""
    bound_memory()
    answer_all(MomentRequest, show)


def show(wanted: MomentRequest) -> MomentResponse:
    """Return the requested moments, or the problem with the record."""
    if not wanted.record:
        return MomentResponse()
    try:
        return _shown(wanted)
    except SparringError as problem:
        return MomentResponse(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - a bug in a game mustn't stop the process
        sys.stderr.write(f"Replaying a match failed: {type(problem).__name__}\n")
        return MomentResponse(problem="This match can't be replayed.")


def timeline_of(record: str) -> ReplayTimeline:
    """Return the timeline of a record; a cached timeline of the same match is continued."""
    start, choices = read_record(record, None, None)
    begun = write_record(start, [])
    timeline = _timelines.pop(begun, None)
    if timeline is None or not timeline.is_continued_by(choices):
        timeline = ReplayTimeline(start)
    timeline.extend(choices)
    _timelines[begun] = timeline
    while len(_timelines) > KEPT:
        _timelines.popitem(last=False)
    return timeline


def _shown(wanted: MomentRequest) -> MomentResponse:
    timeline = timeline_of(wanted.record)
    match, reel = timeline.match, timeline.viewer_timeline(wanted.viewer)
    last = len(reel.moments) - 1
    at = last if wanted.at is None else min(wanted.at, last)
    if wanted.choices is not None:
        at = reel.at(wanted.choices)
    ended = read(wanted.record).ended
    over, how = match.over or bool(ended.how), ended.sentence(match, max(0, wanted.viewer))
    moments = [_moment(timeline, wanted, number, how) for number in range(at, min(at + wanted.many, last + 1))]
    return MomentResponse(match.game.name, match.seats, over, len(match.history), last, moments)


def _moment(timeline: ReplayTimeline, wanted: MomentRequest, at: int, ended: str) -> ShownMoment:
    reel, names = timeline.viewer_timeline(wanted.viewer), wanted.names
    if wanted.form == "words":
        told_and_lying = [str(moment_text.told(reel, at, names)), str(moment_text.table(reel, at, names, ended))]
        answer = moment_text.answer(reel, at, names, ended, *wanted.asked) if wanted.asked else ([], False)
        return ShownMoment(
            at, reel.moments[at].choices, told_and_lying, str(moment_text.so_far(reel, at, names)), *answer
        )
    if wanted.form == "text":
        told = as_text(reel, at, ended)
        return ShownMoment(at, reel.moments[at].choices, told, "\n".join(sentences_of(reel, at)))
    drawn = steps(reel, at, names, ended, only_rest=wanted.many == 1)
    return ShownMoment(at, reel.moments[at].choices, [str(step) for step in drawn], str(log_html(reel, at, names)))


if __name__ == "__main__":
    main()

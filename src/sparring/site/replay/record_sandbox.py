"""The sandboxed process that reads, replays and renders records."""

import sys
from collections import OrderedDict

from sparring.engine.errors import SparringError
from sparring.engine.records import read_record, write_record
from sparring.scene.sentences import importance_of
from sparring.tables.play.match_history import KeptLine
from sparring.tables.state.clock_record import read
from sparring.tables.state.player_feed import sentences
from sparring.tables.workers.bot_worker import answer_all, bound_memory

from .moment_requests import MomentRequest, MomentResponse, ShownMoment
from .timeline import ReplayTimeline, as_text, log_html, moment_in_words, position_svg, sentences_of, steps

#: The most replayed matches cached.
CACHED = 4

_timelines: OrderedDict[str, ReplayTimeline] = OrderedDict()


def main() -> None:
    """Answer until the input ends."""
    bound_memory()
    answer_all(MomentRequest, show)


def show(request: MomentRequest) -> MomentResponse:
    """Return the requested moments, or the problem with the record."""
    if not request.record:
        return MomentResponse()
    try:
        return _shown(request)
    except SparringError as problem:
        return MomentResponse(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - a bug in a game mustn't stop the process
        sys.stderr.write(f"Replaying a match failed: {type(problem).__name__}\n")
        return MomentResponse(problem="This match can't be replayed.")


def timeline_of(record: str) -> ReplayTimeline:
    """Return the timeline of a record; a cached timeline of the same match is continued."""
    start, choices = read_record(record, None, None)
    key = write_record(start, [])
    timeline = _timelines.pop(key, None)
    if timeline is None or not timeline.is_continued_by(choices):
        timeline = ReplayTimeline(start)
    timeline.extend(choices)
    _timelines[key] = timeline
    while len(_timelines) > CACHED:
        _timelines.popitem(last=False)
    return timeline


def _shown(request: MomentRequest) -> MomentResponse:
    if request.form == "lines":
        return MomentResponse(lines=_lines(request))
    timeline = timeline_of(request.record)
    if request.form == "picture":
        return _picture(timeline, request)
    match, viewer_timeline = timeline.match, timeline.viewer_timeline(request.viewer)
    last = len(viewer_timeline.moments) - 1
    at = last if request.at is None else min(request.at, last)
    if request.choices is not None:
        at = viewer_timeline.at(request.choices)
    ended = read(request.record).ended
    over, ending = match.over or bool(ended.how), ended.sentence(match, max(0, request.viewer))
    moments = [_moment(timeline, request, number, ending) for number in range(at, min(at + request.count, last + 1))]
    return MomentResponse(match.game.name, match.seats, over, len(match.history), last, moments)


def _lines(request: MomentRequest) -> list[KeptLine]:
    """Return the whole log of one view. It is needed once, so the timeline isn't cached."""
    start, choices = read_record(request.record, None, None)
    timeline = ReplayTimeline(start)
    timeline.extend(choices)
    log = timeline.viewer_timeline(request.viewer).log
    return [KeptLine(importance_of(line), str(line)) for _, line in sentences(log)]


def _picture(timeline: ReplayTimeline, request: MomentRequest) -> MomentResponse:
    """Return the position before a choice as a picture, with the choice and a better one marked."""
    number, game = request.choices or 0, timeline.match.game
    drawn = position_svg(timeline, number, request.viewer, request.better, request.names)
    return MomentResponse(game.name, timeline.match.seats, moments=[ShownMoment(0, number, [drawn], "")])


def _moment(timeline: ReplayTimeline, request: MomentRequest, at: int, ended: str) -> ShownMoment:
    viewer_timeline, names = timeline.viewer_timeline(request.viewer), request.names
    if request.form == "words":
        return moment_in_words(viewer_timeline, request, at, ended)
    if request.form == "text":
        shown, log = as_text(viewer_timeline, at, ended), "\n".join(sentences_of(viewer_timeline, at))
    else:
        shown = [str(step) for step in steps(viewer_timeline, at, names, ended, only_rest=request.count == 1)]
        log = str(log_html(viewer_timeline, at, names))
    return ShownMoment(at, viewer_timeline.moments[at].choices, shown, log)


if __name__ == "__main__":
    main()

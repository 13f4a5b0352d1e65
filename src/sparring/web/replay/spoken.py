"""A moment of a match in words, for people who listen: the parts that a page of words has at the table too."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.scene.html import described_here
from sparring.scene.markup import NOTHING, Names, el, join
from sparring.scene.sentences import together
from sparring.scene.spoken import Speaker
from sparring.web.tables.sight import last_exchange
from sparring.web.text import drawing

from .film import BEGINS, Reel, resting
from .opened import OPEN

#: What is told of a moment at which nothing was said.
SILENT = "Nothing was told here."


def speaker(reel: Reel, names: Sequence[str]) -> Speaker:
    """Who says everything."""
    return Speaker(Names(names), reel.view.box.game.aloud)


def told(reel: Reel, at: int, names: Sequence[str]) -> Markup:
    """What was told on the way to a moment, beat by beat."""
    say = speaker(reel, names)
    beats = [together(beat.lines) for beat in reel.moments[at].news.beats if beat.lines]
    if len(beats) > 1:
        return el("ol", join(el("li", drawing.lines(lines, say)) for lines in beats), class_="beats")
    return drawing.lines(beats[0] if beats else [SILENT if at else BEGINS], say)


def table(reel: Reel, at: int, names: Sequence[str], ended: str = "") -> Markup:
    """How it ended, if it did, and the table as it lay then: hands, seats, all else."""
    say, scene, news = speaker(reel, names), resting(reel, at, ended), reel.moments[at].news
    decided = last_exchange(news.decided[-1])
    about = described_here(decided.number, NOTHING) if decided and decided.number else NOTHING
    end = el("p", say.say(scene.prompt.sentence) if scene.over else "", class_="asked", id="end", hidden=not scene.over)
    hands = drawing.hand(scene, say, "All hands" if reel.viewer == OPEN else drawing.YOURS)
    last = drawing.last_time(news.decided[-1], say)
    return join([end, hands, drawing.seats(scene, say), drawing.on_table(scene, say, last, about)])


def so_far(reel: Reel, at: int, names: Sequence[str]) -> Markup:
    """All that was told until then."""
    return drawing.log(reel, speaker(reel, names), upto=reel.moments[at].news.log[1])

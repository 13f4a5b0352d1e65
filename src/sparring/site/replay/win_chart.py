"""Render a review: win-probability chart, costliest choices and a table of all choices."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from sparring.bots.match_review import ReviewedChoice, WinEstimate
from sparring.engine.game import Game
from sparring.engine.hints import ExpectedChoice
from sparring.scene.markup import NOTHING, SeatNames, el, join, void
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import mention, say
from sparring.scene.svg import SIGNS
from sparring.server.requests.identity import once_field
from sparring.site.texts import html_part

from .replay_access import ReplaySubject
from .review_jobs import CostlyChoice, MatchReview

#: The chart's width and height in SVG units, and its left, top and bottom margins.
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 800, 300, 54, 14, 32


class ChartScale:
    """A game's scale of results: a chance of winning in percent, or a payoff in its units."""

    def __init__(self, game: Game, seats: int) -> None:
        self.payoffs, self.even = game.payoffs, 1 / seats

    def format_share(self, share: float) -> str:
        """Return a share of a win (0 to 1) in words."""
        if self.payoffs is None:
            return f"{share:.0%}"
        return f"{self.payoffs.low + share * (self.payoffs.high - self.payoffs.low):+.2f} {self.payoffs.unit}"

    def format_estimate(self, estimate: WinEstimate) -> str:
        """Return an estimate with its 95% interval."""
        value, low, high = map(self.format_share, (estimate.value, estimate.low, estimate.high))
        return say("{value} ({low} to {high})", value=value, low=low, high=high)

    def worth(self, formatted: str) -> str:
        """Return a share or an estimate in a sentence: `50% to win`, `+1.00 chips`."""
        return say("{chance} to win", chance=formatted) if self.payoffs is None else formatted

    @property
    def title(self) -> str:
        """Return the chart's title."""
        return say("Chance of winning") if self.payoffs is None else say("Expected payoff")


def review_html(subject: ReplaySubject, review: MatchReview) -> Markup:
    """Render the review so far."""
    scale, names = ChartScale(subject.game, len(subject.names)), SeatNames(subject.names)
    return el(
        "section", _progress(review), costliest_html(subject, review, scale, names),
        el("h2", scale.title), _legend(subject, names), _curve(subject, review, scale),
        _table(subject, review, scale, names), id="review", data_going=not review.done and not review.problem,
    )  # fmt: skip


def _progress(review: MatchReview) -> Markup:
    reviewed, total = len(review.found), review.choices
    if review.problem:
        return el("p", review.problem, class_="problem", role="alert")
    if review.done:
        return el("p", say("All {total} choices reviewed.", total=total), class_="small", role="status")
    if len(review.glanced) < total and not reviewed:
        reviewed = len(review.glanced)
        words = say("First look: {done} of {total} choices.", done=reviewed, total=total)
    elif reviewed < total:
        words = say("{done} of {total} choices reviewed.", done=reviewed, total=total)
    else:
        words = say("Checking the costliest choices again.")
    return el(
        "p", el("progress", max=total, value=reviewed, aria_label=say("Choices reviewed")), " ", words, class_="so-far"
    )


def _legend(subject: ReplaySubject, names: SeatNames) -> Markup:
    """Render the legend: the player of each curve."""
    seats = range(1, len(subject.names) + 1)
    lines = join(
        el("li", el("svg", el("path", d="M0 6H36", class_="hope"), viewBox="0 0 36 12", width=36, height=12,
                    aria_hidden="true"),
           " ", el("b", names.of(seat)), class_=f"s{seat}")
        for seat in seats
    )  # fmt: skip
    return el("ul", lines, class_="legend", role="list")


def _curve(subject: ReplaySubject, review: MatchReview, scale: ChartScale) -> Markup:
    """Render the chart. The table has the same data for screen readers."""
    seats = range(len(subject.names))
    levels = (0.0, 0.25, 0.5, 0.75, 1.0)
    grid = join(
        el("path", d=f"M{LEFT} {_y(level):.1f}H{WIDTH}", class_="grid")
        + el("text", scale.format_share(level).split(" ")[0], x=LEFT - 6, y=f"{_y(level) + 4:.1f}", class_="level")
        for level in levels
    )
    choices = join(
        el("text", str(number), x=f"{_x(number - 1, review.choices):.1f}", y=HEIGHT - 8, class_="number")
        for number in _marks(review.choices)
    )
    bands = join(_band([each.hopes[seat] for each in review.found], seat, review.choices) for seat in seats)
    lines = join(_line(review, seat) for seat in seats)
    costly = review.worst_of(subject.seat) if review.done else []
    worst = join(_mark(each, place, review.choices) for place, each in enumerate(costly, 1))
    words = say("{title} for each player, choice by choice. The table below has the same data.", title=scale.title)
    return el("svg", grid, choices, bands, lines, worst, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="curve", role="img",
              aria_label=words)  # fmt: skip


def _x(number: float, choices: int) -> float:
    return LEFT + (WIDTH - LEFT - 8) * number / max(1, choices)


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _marks(choices: int) -> list[int]:
    """Return the choices numbered on the axis: about ten, from 1."""
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000) if choices <= 10 * each)
    return [1, *range(max(2, step), choices + 1, step)]


def _points(shares: Sequence[float], choices: int) -> list[str]:
    return [f"{_x(number, choices):.1f} {_y(share):.1f}" for number, share in enumerate(shares)]


def _band(estimates: Sequence[WinEstimate], seat: int, choices: int) -> Markup:
    """Render the 95% interval of one seat's curve."""
    if not estimates:
        return NOTHING
    above = _points([estimate.high for estimate in estimates], choices)
    below = _points([estimate.low for estimate in estimates], choices)[::-1]
    return el("path", d=f"M{'L'.join([*above, *below])}Z", class_=f"band s{seat + 1}")


def _line(review: MatchReview, seat: int) -> Markup:
    if not review.found:
        return NOTHING
    points = _points([each.hopes[seat].value for each in review.found], review.choices)
    return el("path", d=f"M{'L'.join(points)}", class_=f"hope s{seat + 1}")


def _mark(costly: CostlyChoice, place: int, choices: int) -> Markup:
    """Render the marker of a costly choice on its player's curve."""
    seat = costly.reviewed.seat
    x, y = _x(costly.number, choices), _y(costly.reviewed.hopes[seat - 1].value)
    return el("g", el("circle", r=11), el("text", str(place), y=5), class_=f"costly s{seat}",
              transform=f"translate({x:.1f} {y:.1f})")  # fmt: skip


def costliest_html(
    subject: ReplaySubject, review: MatchReview, scale: ChartScale, names: SeatNames,
    read: Callable[[str], str] | None = None,
) -> Markup:  # fmt: skip
    """Render the costliest choices so far as cards. In text mode `read` converts sentences for speaking."""
    worst = review.worst_of(subject.seat)
    if subject.seat:
        title = say("Your costliest choices") if review.done else say("Your costliest choices so far")
        none = say("No clear mistakes, given what you knew.")
    else:
        title = say("Costliest choices") if review.done else say("Costliest choices so far")
        none = say("No clear mistakes, given what each player knew.")
    if not worst:
        return el("h2", title) + el("p", none) if review.done else NOTHING
    items = join(
        el("li", _position(subject, costly) if read is None else NOTHING,
           el("div", _costly_choice(subject, costly, scale, names, read or str)))
        for costly in worst
    )  # fmt: skip
    return el("h2", title) + el("ol", items, class_="worst")


def _position(subject: ReplaySubject, costly: CostlyChoice) -> Markup:
    """Render the position before a choice: what its player saw, with the choice and the better one marked."""
    each, number, who = costly.reviewed, costly.number, subject.names[costly.reviewed.seat - 1]
    query = urlencode({"seat": each.seat, "better": each.best_action})
    alt = say("The position before choice {number}, as {who} saw it", number=number + 1, who=who)
    image = void("img", src=f"{subject.base}/review/{number}/position?{query}", alt=alt)
    legend = join([el("span", f"{SIGNS['chosen']} {say('chosen')}", class_="chosen"), " ",
                   el("span", f"{SIGNS['better']} {say('better')}", class_="better")])  # fmt: skip
    return el("figure", image, el("figcaption", html_part("As {who} saw it: {legend}", who=who, legend=legend)))


def _costly_choice(
    subject: ReplaySubject, costly: CostlyChoice, scale: ChartScale, names: SeatNames, read: Callable[[str], str]
) -> Markup:
    """Render what was chosen and what was better: one sentence, the details, and where to go from there."""
    each, name = costly.reviewed, names.of(costly.reviewed.seat)
    chosen, best = each.chosen, each.best
    assert chosen is not None
    assert best is not None
    link = el("a", _choice_title(costly.number), href=subject.link(each.seat, choices=costly.number))
    sentence = html_part(
        "{choice}: {who} chose <b>{chosen}</b>; <b>{best}</b> was better: {worth} instead of {other}.",
        choice=link, who=names.marked(mention(each.seat - 1)), chosen=read(each.words), best=read(best.words),
        worth=read(scale.worth(scale.format_share(best.hope.value))), other=read(scale.format_share(chosen.hope.value)),
    )  # fmt: skip
    values = {
        "who": name, "chosen": each.words, "worth": scale.worth(scale.format_estimate(chosen.hope)),
        "best": best.words, "other": scale.format_estimate(best.hope), "n": chosen.tried,
    }  # fmt: skip
    compared = [
        say("Given what {who} knew: {chosen} {worth}, {best} {other}, each from {n:,} simulated match.",
            "Given what {who} knew: {chosen} {worth}, {best} {other}, each from {n:,} simulated matches.", **values)
    ]  # fmt: skip
    if not each.is_certain:
        compared.append(say("The two may be equally good."))
    before = scale.worth(scale.format_estimate(each.hopes[each.seat - 1]))
    forecast = [
        say("Before the choice, {who} had {worth}.", who=name, worth=before),
        say("Hidden cards were sampled at random for each simulated match."),
    ]
    if each.line:
        steps = say("; ").join(_step(step, names) for step in each.line)
        forecast.append(say("Most likely continuation: {steps}.", steps=steps))
    lines = join(el("p", read(" ".join(sentences)), class_="small") for sentences in (compared, forecast))
    more = el("details", el("summary", say("Details")), lines)
    return join([el("p", sentence), more, _play_on(subject, costly.number)])


def _choice_title(number: int) -> str:
    return say("Choice {number}", number=number + 1)


def _step(step: ExpectedChoice, names: SeatNames) -> str:
    """Return a choice of the expected line."""
    choices = names.text(step.words) or say("a secret choice")
    return say("{who}: {choices}", who=names.of(step.seat), choices=choices)


def _play_on(subject: ReplaySubject, number: int) -> Markup:
    """Render the button that continues a match at a table from before a choice."""
    if not subject.base.startswith("/table"):
        return NOTHING
    button = el("button", say("Replay from here against a bot"))
    return el("form", once_field(), button, method="post", action=f"{subject.base}/review/{number}/play")


def chances_html(subject: ReplaySubject, review: MatchReview, choices: int) -> Markup:
    """Render each player's chance after `choices` choices; empty if that choice hasn't been reviewed."""
    if choices >= len(review.found):
        return NOTHING
    scale, speaker = ChartScale(subject.game, len(subject.names)), SceneSpeaker(SeatNames(subject.names))
    sentences = [
        say("{who}: {estimate}, given what {who} knew.", who=mention(seat), estimate=scale.format_estimate(estimate))
        for seat, estimate in enumerate(review.found[choices].hopes)
    ]
    return el("ul", join(el("li", speaker.spoken(line)) for line in sentences), role="list", class_="hopes")


def _table(subject: ReplaySubject, review: MatchReview, scale: ChartScale, names: SeatNames) -> Markup:
    """Render a table of all choices."""
    heads = ["", say("Chosen"), *[names.of(seat) for seat in _seats(subject)]]
    rows = join(_row(subject, number, each, scale, names) for number, each in enumerate(review.found))
    head = el("tr", *[el("th", words or el("span", say("Choice"), class_="unseen"), scope="col") for words in heads])
    caption = say("{title} before each choice, with 95% intervals", title=scale.title)
    table = el("table", el("caption", caption), el("thead", head), el("tbody", rows))
    return el(
        "details", el("summary", say("All choices as a table")),
        el("div", table, class_="wide", tabindex=0, role="region", aria_label=say("All choices")), id="all-choices",
    )  # fmt: skip


def _seats(subject: ReplaySubject) -> range:
    return range(1, len(subject.names) + 1)


def _row(subject: ReplaySubject, number: int, each: ReviewedChoice, scale: ChartScale, names: SeatNames) -> Markup:
    link = el("a", str(number + 1), href=subject.link(each.seat, choices=number), aria_label=_choice_title(number))
    cells: list[Any] = [el("td", names.marked(f"Seat {each.seat}"), f": {each.words}")]
    cells += [el("td", scale.format_estimate(estimate)) for estimate in each.hopes]
    return el("tr", el("th", link, scope="row"), *cells)

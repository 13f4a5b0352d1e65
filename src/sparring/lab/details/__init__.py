"""Details of a game that need more than the sums of many matches: match-ups, pairs, tension, decisions, luck, skill.

Each module measures one of them for the first variant of a study and returns a `Detail`: a table with intervals, and
sentences that say what it means. `DETAILS` has all of them by name.
"""

from collections.abc import Callable

from sparring.lab.measures.match_plan import MatchPlan

from . import decisions, match_ups, traces
from .traces import Detail

#: Every detail by name. Each takes the plan of the matches and the number of matches of the experiment.
DETAILS: dict[str, Callable[[MatchPlan, int], Detail]] = {
    "match-ups": match_ups.match_ups, "pairs": match_ups.pairs, "tension": traces.tension,
    "decisions": decisions.decisions, "skill-ladder": decisions.skill_ladder, "deals": decisions.deals,
}  # fmt: skip

__all__ = ["DETAILS", "Detail"]

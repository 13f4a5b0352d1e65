"""Proposals of a tuning job."""

from sparring.lab.experiments.set_balance import Estimate
from sparring.studio.jobs.job_messages import (
    Proposal,
    TuningProgress,
)


def proposed(**values: int) -> Proposal:
    return Proposal(values, Estimate(0.5, 0.48, 0.52), met=True)


PROPOSALS = TuningProgress(
    1.0, "", Proposal({}, Estimate(0.4, 0.38, 0.42), met=False), [proposed(power=1), proposed(power=3)], 4000
)

"""Proposals of a tuning job, and a server whose tunings find them at once."""

from typing import Any

import pytest

from sparring.lab.experiments.set_balance import Estimate
from sparring.studio.jobs.job_messages import (
    SetContent,
    TuningProgress,
    TuningProposal,
)
from web.app_server import AppServer


def proposed(**values: int) -> TuningProposal:
    return TuningProposal(values, Estimate(0.5, 0.48, 0.52), met=True)


PROPOSALS = TuningProgress(
    1.0, "", TuningProposal({}, Estimate(0.4, 0.38, 0.42), met=False), [proposed(power=1), proposed(power=3)], 4000
)


def find_at_once(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let tunings find these proposals at once; return the plans that they get."""
    processes, plans = server.app.state.studio_jobs.processes, list[str]()

    async def compiled(*_: str) -> bool:
        return True

    async def tune(content: SetContent, plan: str, progress: Any) -> TuningProgress:
        plans.append(plan)
        progress(TuningProgress(0.5, "7 of 20 candidates tried"))
        return PROPOSALS

    monkeypatch.setattr(processes, "compiled", compiled)
    monkeypatch.setattr(processes, "tune", tune)
    return plans

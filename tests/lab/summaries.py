"""Summaries of simulations, without what differs from run to run."""

from dataclasses import replace

from sparring.lab import SimulationSummary


def timeless(result: SimulationSummary) -> SimulationSummary:
    return replace(result, seconds=0.0, choices_per_second=0.0)

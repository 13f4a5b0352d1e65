"""The report of a comparison: one HTML file that needs nothing else, its numbers as JSON and CSV, and the plan."""

from .files import open_folder, write_report

__all__ = ["open_folder", "write_report"]

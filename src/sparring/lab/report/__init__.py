"""Write the report of a comparison: a self-contained HTML page, JSON, CSV and the experiment config."""

from .files import open_folder, write_report

__all__ = ["open_folder", "write_report"]

"""Benchmarks that need a browser; run each with `python -m benchmarks.NAME`."""

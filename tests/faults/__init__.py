"""Faults played against servers under load: `make faults`."""

"""Matches looked at again: moment by moment, and reviewed. Records that people bring are kept here too."""

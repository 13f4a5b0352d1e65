"""Matches, replays and tutorials in words: lines, and what can be typed about them.

The terminal (`terminal`) and the pages of text mode (`site/text_mode`) are two fronts of this package: both have the
same commands, parser, answers and lesson.
"""

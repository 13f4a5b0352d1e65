"""The site: pages, replays, text mode and the parts of a table's page, with their templates and static files.

It knows scenes, but no particular games.
"""

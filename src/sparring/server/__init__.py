"""The server: what happens to each request, and the JSON API of games and tables.

`requests` resolves the person and turns errors into answers, `security` bounds connections, `api` has the endpoints of
games and tables, and `monitoring` measures load.
"""

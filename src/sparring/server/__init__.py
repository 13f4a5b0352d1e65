"""The server: what happens to each request, and the JSON API of games and tables.

`requests` resolves the person and turns errors into answers, `api` has the endpoints of games and tables,
`connections.py` and `protocol.py` bound connections, and `monitoring.py` measures load.
"""

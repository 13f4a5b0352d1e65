"""The server: what happens to each request, and the JSON API of games and tables.

`requests` resolves the person and turns errors into answers, `api` has the endpoints of games and tables,
`protocol.py` bounds connections, `monitoring.py` has the log and checks the site from outside, and `database_watch.py`
looks after the database.
"""

"""The HTTP API: JSON and event streams under `/api`, with a generated reference.

Each module has the endpoints of one subject, as those in `site/api` and `studio` do. `sparring/routes.py` mounts all
that they define. Docstrings and field descriptions become the OpenAPI schema and the reference page
(`site/pages/api_pages.py`), so they address the programs' authors. `responses.py` has what the endpoints share:
ids, errors and scopes.

What must hold:

* An endpoint names the scope that a token needs (`endpoint`). Without a token, the browser's cookie counts.
* Programs see what a page would show to the same person, from the same feeds.
* Names of fields, paths and scopes never change.
"""

"""HTML pages of games, tables, lessons and leaderboards.

`page` (`table_pages.py`) renders every template with the context that all pages need. `new_table_form.py` reads the
form for a new table. `sparring/routes.py` mounts the pages that modules define; the other modules draw parts of pages.
Pages work without scripts: everything is a link or a form.
"""

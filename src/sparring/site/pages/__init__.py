"""HTML pages of games, tables, lessons and leaderboards.

`page` (`table_pages.py`) renders every template with the context that all pages need. `new_table_form.py` reads the
form for a new table. Modules with `HANDLERS` have the pages of one subject; the others draw parts of pages, and
`app.py` lists the handlers of `game_pictures.py`. Pages work without scripts: everything is a link or a form.
"""

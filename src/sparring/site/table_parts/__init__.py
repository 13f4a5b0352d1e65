"""The parts of a table's page as HTML.

`table_html.py` renders each version of a table. The other modules have a part each: chat, seats.
"""

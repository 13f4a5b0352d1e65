"""Persistence: the database schema, its migrations, and all reading and writing.

`Database` (`database.py`) opens SQLite or PostgreSQL and stores tables; there is one store class for each other
subject, in a package with others like it. `schema` declares the tables. `migrations.py` runs the migrations in
`versions`. `GroupCommitWriter` queues writes and commits several in one transaction.

What must hold:

* When an awaited write returns, it is on disk.
* A write is a function of a connection. It makes all its changes or raises StaleWrite before its first, since it
  shares a transaction with others.
* Rows that several writers change have an edition: a write names the edition that it has read.
* Names of tables and columns never change without a migration. Old databases are migrated when they are opened; a
  database of a newer version is refused.
* `personal_data/personal_data_store.py` handles every column that refers to a person; a test finds others.
* A lease is a counter, not a time: an observer measures with its own clock how long the counter has stood still.
* Each picture is stored once per person, under its digest (`studio/picture_store.py`).
"""

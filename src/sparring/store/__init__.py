"""Persistence: the database schema, its migrations, and all reading and writing.

`Database` (`database.py`) opens SQLite or PostgreSQL and stores tables; there is one `Store` for each other subject,
beside others like it in a module. `schema` declares the tables. `migrations.py` runs the migrations in
`versions`.

A store reads with `_rows`, `_all`, `_first` and `_get`, or several times in `async with self._store.reading() as
session`. It writes in a method with `@transaction` (`transactions.py`), which reads rows, decides, writes and returns
a value; one statement is `self._store.execute(...)`. Only the choices at tables are queued, and several share a
transaction (`group_commit.py`).

What must hold:

* When an awaited write returns, it is on disk.
* A transaction makes all its changes or none, one after the other in each process, and even if its caller is cancelled.
* A queued write makes all its changes or raises StaleWrite before its first, since it shares a transaction with others.
* Rows that several writers change have a row version: a write names the one that it has read.
* Names of tables and columns never change without a migration. Old databases are migrated when they are opened; a
  database of a newer version is refused.
* A column that refers to a person says what becomes of its row (`schema/base.py`); a test finds those that don't.
* Whether a process lives is measured by the database's clock, since those of machines may differ.
* Each picture is stored once per person, under its digest (`studio.py`).
"""

"""Several processes that are one server: who has which table, and how what is asked comes there."""

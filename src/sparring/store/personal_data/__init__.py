"""What refers to a person, in all tables: merging, export, deletion, and who has left."""

"""What refers to a person, in all tables: merging, deletion, and who has left."""

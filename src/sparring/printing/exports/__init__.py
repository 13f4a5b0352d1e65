"""Export cards, and whole tables to other programs and print services."""

"""Chat: preset phrases, free text, and descriptions of moves."""

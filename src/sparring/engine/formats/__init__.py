"""Read and write the text formats: positions, choices, TOML content, and card pictures."""

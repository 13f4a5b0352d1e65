"""Everything that the pages do, for programs: JSON under `/api`, described by itself, and streams of events."""

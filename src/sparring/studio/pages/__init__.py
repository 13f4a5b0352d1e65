"""Pages and forms of the studio: its sets, the editor, their tables, jobs and tuning."""

"""The seats of a table: who sits on them, invitations to open ones, shared screens, and who is present."""

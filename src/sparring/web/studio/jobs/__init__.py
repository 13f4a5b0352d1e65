"""What is made of a set in processes of its own: its worth is measured, a report is written, it is printed."""

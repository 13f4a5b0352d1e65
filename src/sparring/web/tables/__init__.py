"""Tables: matches with people at them, and what each viewer sees."""

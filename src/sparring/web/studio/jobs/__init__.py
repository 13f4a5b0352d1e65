"""Long-running jobs on sets, in their own processes: measuring, training, reports and printing."""

"""What commitments do to a decision: dates, months, plans, and the prices at which the answer flips."""

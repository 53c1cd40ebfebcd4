"""What people see, laid out from a decision: renderers compute nothing."""

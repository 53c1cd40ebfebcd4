"""`steelyard bench`: figures that an operator can take before trusting the bot with a fleet."""

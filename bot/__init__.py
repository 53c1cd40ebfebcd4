"""The shell around the engine: files, the command line, and what people read."""

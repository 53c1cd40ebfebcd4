"""A small strict GitHub in memory, in a process of its own: what the bot asks of GitHub, with faults on demand.

It counts what was done to it, so that a bench can tell lost from doubled. `emulate` is the counterpart of the
end-to-end tests; this one needs no Node, serves many more requests, and breaks on purpose.
"""

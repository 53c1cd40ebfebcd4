"""The pilot kit: makes the runs of a run sheet one after the other, and leaves a record that `compare` reads."""

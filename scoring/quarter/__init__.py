"""The optimal plan of a quarter: all workloads on all contracts, as a mixed-integer linear program."""

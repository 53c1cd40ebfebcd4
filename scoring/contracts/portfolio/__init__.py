"""All workloads on all contracts: who uses which hours, what is wasted, what everything costs."""

"""GitHub: the thread in, the reply and the ledger out."""

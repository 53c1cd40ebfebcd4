"""The readers of tools' files, asked in this order; a new one is one file and one line here."""

from scoring.reading import mlperf_training, vllm_serve
from scoring.reading.interface import Reader

READERS: tuple[Reader, ...] = (
    mlperf_training.READER,
    vllm_serve.READER,
)


def reader_for(head: bytes) -> Reader | None:
    """The first reader that claims a file by its first bytes."""
    return next((reader for reader in READERS if reader.claims(head)), None)

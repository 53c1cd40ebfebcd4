"""What passes between the bot, the process that waits, and the process that answers: blocks with their length."""

import base64
import json
import socket
import struct
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from bot.dossier import Answer, Dossier

_LENGTH = struct.Struct("!Q")
_BLOCK = 1 << 16
MOST_FILES = 32


class End(StrEnum):
    """How an answering process ended."""

    ANSWERED = "answered"
    TIMED_OUT = "timed-out"
    MEMORY = "memory"
    CRASHED = "crashed"


@dataclass(frozen=True)
class Limits:
    """What one answer may use: seconds on the clock, megabytes beyond the idle engine, of output, of any file.

    openpyxl writes sheets to the temporary folder before it zips them.
    """

    seconds: float = 120.0
    memory_mb: int = 2048
    output_mb: int = 32
    file_mb: int = 256


@dataclass(frozen=True)
class Request:
    """One question to the process that waits."""

    dossier: Dossier
    limits: Limits

    def packed(self) -> bytes:
        """As bytes."""
        return json.dumps({"dossier": self.dossier.model_dump(mode="json"), "limits": asdict(self.limits)}).encode()

    @classmethod
    def unpacked(cls, block: bytes) -> Self:
        """From bytes that this project packed."""
        values = json.loads(block)
        return cls(Dossier.model_validate(values["dossier"]), Limits(**values["limits"]))


def packed_answer(answer: Answer) -> bytes:
    """An answer with its files as bytes."""
    files = {name: base64.b64encode(data).decode() for name, data in answer.files.items()}
    return json.dumps({"answer": answer.model_dump(mode="json", exclude={"files"}), "files": files}).encode()


def unpacked_answer(block: bytes) -> Answer:
    """An answer from a process that is not trusted. Raises ValueError for anything else."""
    values = json.loads(block)
    if not isinstance(values, dict) or values.keys() != {"answer", "files"} or not isinstance(values["files"], dict):
        raise ValueError("no answer")
    if len(values["files"]) > MOST_FILES or any(not _is_name(name) for name in values["files"]):
        raise ValueError("files that no answer has")
    files = {name: base64.b64decode(data, validate=True) for name, data in values["files"].items()}
    return Answer.model_validate({**values["answer"], "files": files})


def _is_name(name: str) -> bool:
    return bool(name) and name.isprintable() and not name.startswith("/") and ".." not in name.split("/")


def packed_error(end: End, trace: str) -> bytes:
    """What an answering process says of its own failure."""
    return json.dumps({"error": end.value, "trace": trace}).encode()


def send(channel: socket.socket, block: bytes) -> None:
    """One block. Raises OSError where nobody reads."""
    channel.sendall(_LENGTH.pack(len(block)))
    channel.sendall(block)


def receive(channel: socket.socket, most: int) -> bytes:
    """One block of at most that many bytes. Raises EOFError, ValueError or OSError."""
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size))
    if length > most:
        raise ValueError(f"a block of {length} bytes")
    return _exactly(channel, length)


def _exactly(channel: socket.socket, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = channel.recv(min(length, _BLOCK))
        if not part:
            raise EOFError("nobody is there")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def header(end: End, detail: Any = "") -> bytes:
    """How it ended, and for the operator why."""
    return json.dumps({"end": end.value, "detail": str(detail)}).encode()

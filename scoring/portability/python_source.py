"""A Python text to hits: parsed by `ast`, walked once; what cannot be parsed says why."""

import ast
import re
import warnings
from collections.abc import Iterator
from functools import cache

from scoring.portability.catalogue import catalogue
from scoring.portability.families import families
from scoring.portability.syntax import At, Hit, Module, TooManyNodes, walk

_WORDS = (
    r"cuda|CUDA_|Activity\.CUDA|cudnn|nccl|NCCL|triton|nvrtc|float8|float16|fp8_|fp16|\.half\b|GradScaler|channels_last|jit\.|\.item\(|nonzero"
    r"|nvidia-smi|accelerator=|flash_attention_|load_in_[48]bit|_8bit|paged_|install_requires|extras_require|setup_requires"
    r"|masked_select|argwhere|torch\.unique|set_float32|torch\.compile|cpp_extension|\.any\(|\.all\("
)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)
_LATIN = frozenset({"latin-1", "latin1", "iso-8859-1", "iso-latin-1", "iso-8859-15", "cp1252", "windows-1252", "l1"})


class NotRead(Exception):
    """Why a file gives no findings: the code of a reason."""


def hits_in(text: str) -> Iterator[tuple[At, Hit]]:
    """What every family finds, in source order. Raises NotRead."""
    tree = parsed(text)
    if not _interesting().search(text):
        return
    module, visits = Module(), families()
    try:
        for at in walk(tree, module):
            for visit in visits.get(type(at.node), ()):
                for hit in visit(at, module):
                    yield at, hit
    except TooManyNodes:
        raise NotRead("too-large") from None


def parsed(text: str) -> ast.Module:
    """The tree. Raises NotRead: null-bytes, syntax or too-deep."""
    if "\0" in text:
        raise NotRead("null-bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (RecursionError, MemoryError):
        raise NotRead("too-deep") from None
    except (SyntaxError, ValueError, OverflowError):
        raise NotRead("syntax") from None


def decoded(data: bytes) -> str:
    """UTF-8, or what the file's own line declares of the Latin family. Raises NotRead: encoding."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        cookie = _COOKIE.search(b"\n".join(data[:400].split(b"\n")[:2]))
        if cookie and cookie[1].decode("ascii", "replace").casefold().replace("_", "-") in _LATIN:
            return data.decode("latin-1")
        raise NotRead("encoding") from None


@cache
def _interesting() -> re.Pattern[str]:
    """Words without which no family finds anything, so that most files are parsed and not walked."""
    libraries = "|".join(re.escape(name.split(".")[0]) for name in catalogue().libraries)
    return re.compile(f"{_WORDS}|{libraries}")

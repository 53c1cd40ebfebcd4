"""Import statements of libraries that need CUDA; relative imports are a package's own."""

import ast
from collections.abc import Iterator

from scoring.portability.catalogue import LIBRARY, library_of
from scoring.portability.families import Visits
from scoring.portability.syntax import At, Hit, Module


def _imported(at: At, _: Module) -> Iterator[Hit]:
    """One hit for each library of a statement."""
    node = at.node
    assert isinstance(node, ast.Import)  # noqa: S101 - by the table below
    for name in dict.fromkeys(library_of(alias.name) for alias in node.names):
        if name is not None:
            yield Hit(LIBRARY + name, node, name)


def _from(at: At, _: Module) -> Iterator[Hit]:
    """`from numba import cuda` is an import of numba.cuda."""
    node = at.node
    assert isinstance(node, ast.ImportFrom)  # noqa: S101 - by the table below
    if node.level or not node.module:
        return
    found = [library_of(node.module), *(library_of(f"{node.module}.{alias.name}") for alias in node.names)]
    for name in dict.fromkeys(found):
        if name is not None:
            yield Hit(LIBRARY + name, node, name)


VISITS: Visits = {ast.Import: _imported, ast.ImportFrom: _from}

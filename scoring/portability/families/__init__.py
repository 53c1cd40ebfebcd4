"""One small visitor a family: by node type, what is looked for at such a node."""

import ast
from collections.abc import Callable, Iterable

from scoring.portability.syntax import At, Hit, Module

Visit = Callable[[At, Module], Iterable[Hit]]
Visits = dict[type[ast.AST], Visit]


def families() -> dict[type[ast.AST], tuple[Visit, ...]]:
    """All visits by node type."""
    from scoring.portability.families import backends, cuda, device, distributed, graphs, kernels, libraries, precision

    every = (kernels, libraries, device, cuda, backends, distributed, precision, graphs)
    joined: dict[type[ast.AST], tuple[Visit, ...]] = {}
    for family in every:
        visits: Visits = family.VISITS
        for kind, visit in visits.items():
            joined[kind] = (*joined.get(kind, ()), visit)
    return joined

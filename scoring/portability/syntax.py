"""A Python file as nodes in source order, each with what stands around it; nothing is imported or executed."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BRANCHES = (ast.If, ast.IfExp, ast.Try)
LEARNT = frozenset({ast.Import, ast.ImportFrom, ast.Assign})
NODES = (
    ast.expr,
    ast.stmt,
    ast.keyword,
    ast.excepthandler,
    ast.withitem,
    ast.comprehension,
    ast.arguments,
    ast.arg,
    ast.match_case,
    ast.pattern,
)
NO_FIELDS: frozenset[str] = frozenset()
MOST_NODES = 200_000
ENDS = (ast.Return, ast.Continue, ast.Break)
CUDA_BUILT = "cpp_extension.CUDAExtension"
"""What builds a kernel by whatever name it is called."""
MISSING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "RuntimeError", "AttributeError", "OSError"})


class Hit(NamedTuple):
    """What a family found at a node."""

    entry: str
    node: ast.AST
    found: str
    choice: bool = False


class At:
    """A node, what holds it, and what its surroundings mean for it."""

    __slots__ = ("compiled", "guarded", "loop", "node", "up")

    def __init__(self, node: ast.AST, up: "At | None", guarded: bool, loop: bool, compiled: bool) -> None:
        self.node, self.up, self.guarded, self.loop, self.compiled = node, up, guarded, loop, compiled

    def outer(self, *kinds: type[ast.AST]) -> ast.AST | None:
        """The nearest node around it of these kinds."""
        at = self.up
        while at is not None and not isinstance(at.node, kinds):
            at = at.up
        return at.node if at else None


class Module:
    """What is known of a file while it is walked: what names stand for, and which names tell whether CUDA is there."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        self.guards: set[str] = set()

    def dotted(self, node: ast.AST) -> str | None:
        """`torch.cuda.synchronize` of an attribute chain, imported names put back; None for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        parts.append(self.aliases.get(node.id, node.id))
        return ".".join(reversed(parts))

    def learn(self, at: At) -> None:
        """Imports and flags, as they come."""
        node = at.node
        if isinstance(node, ast.Import):
            for name in node.names:
                top = name.name.partition(".")[0]
                self.aliases[name.asname or top] = name.name if name.asname else top
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            for name in node.names:
                self.aliases[name.asname or name.name] = f"{source}.{name.name}"
        elif isinstance(node, ast.Assign) and (self.guard(node.value) > 0 or _flag(at)):
            self.guards |= {target.id for target in node.targets if isinstance(target, ast.Name)}

    def guard(self, test: ast.AST) -> int:
        """1 where a test holds on CUDA alone, -1 where it holds elsewhere, 0 where it asks something else."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return -self.guard(test.operand)
        if isinstance(test, ast.BoolOp):
            return next((sign for value in test.values if (sign := self.guard(value))), 0)
        if isinstance(test, ast.Compare):
            return self._compared(test)
        if isinstance(test, ast.Call):
            return int(self.dotted(test.func) == "torch.cuda.is_available")
        if isinstance(test, ast.Name):
            return int(test.id in self.guards)
        return int(isinstance(test, ast.Attribute) and test.attr == "is_cuda")

    def _compared(self, test: ast.Compare) -> int:
        sides, op = (test.left, *test.comparators), test.ops[0]
        if len(sides) != 2 or not any(isinstance(s, ast.Constant) and s.value == "cuda" for s in sides):
            return 0
        return {ast.Eq: 1, ast.In: 1, ast.NotEq: -1, ast.NotIn: -1}.get(type(op), 0)


def _flag(at: At) -> bool:
    """`HAS_FLASH = True` beside an import that may fail."""
    node = at.node
    inside = at.up is not None and isinstance(at.up.node, ast.Try) and at.guarded
    return inside and isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is True


class TooManyNodes(Exception):
    """A file larger than any that a person wrote."""


def walk(tree: ast.Module, module: Module) -> Iterator[At]:
    """Every node in source order but docstrings and other strings that stand alone; deep trees cost no recursion.

    Raises TooManyNodes.
    """
    stack, left = [At(tree, None, False, False, False)], MOST_NODES
    while stack:
        at = stack.pop()
        left -= 1
        if left < 0:
            raise TooManyNodes
        if type(at.node) in LEARNT:
            module.learn(at)
        yield at
        stack += reversed(_children(at, module))


def _children(at: At, module: Module) -> list[At]:
    node, found = at.node, list[At]()
    fields = _guards(node, module) if isinstance(node, BRANCHES) else NO_FIELDS
    loop, compiled = at.loop or isinstance(node, LOOPS), at.compiled
    if isinstance(node, FUNCTIONS):
        loop, compiled = False, compiled or _is_compiled(node, at, module)
    for name in node._fields:
        value = getattr(node, name, None)
        guarded = at.guarded or name in fields
        if type(value) is list:
            found += _listed(value, at, module, (guarded, loop, compiled))
        elif isinstance(value, NODES) and _may_matter(value, node, module):
            found.append(At(value, at, guarded, loop and name != "iter", compiled))
    return found


def _may_matter(value: ast.AST, holder: ast.AST, module: Module) -> bool:
    """Most leaves matter to no family: numbers, names that were not imported, strings that stand alone."""
    kind = type(value)
    if kind is ast.Name:
        meant = module.aliases.get(value.id)  # type: ignore[attr-defined]
        return meant is not None and (type(holder) is ast.Attribute or meant.endswith(CUDA_BUILT))
    if kind is ast.Constant:
        return type(value.value) is str and type(holder) is not ast.Expr  # type: ignore[attr-defined]
    return True


def _listed(nodes: Sequence[object], at: At, module: Module, flags: tuple[bool, bool, bool]) -> Iterator[At]:
    """Behind `if not torch.cuda.is_available(): return …` the rest of the block is guarded.

    So is an `if torch.cuda.is_available():` that does no more than give another value to what has one already.
    """
    guarded, loop, compiled = flags
    given = set[str]()
    for node in nodes:
        if isinstance(node, NODES) and _may_matter(node, at.node, module):
            replaced = isinstance(node, ast.If) and _replaces(node, given, module)
            yield At(node, at, guarded or replaced, loop, compiled)
            given |= _names(node)
            if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ENDS):
                guarded = guarded or module.guard(node.test) < 0


def _replaces(node: ast.If, given: set[str], module: Module) -> bool:
    """`device = "cpu"`, and then `if torch.cuda.is_available(): device = "cuda"`."""
    if node.orelse or not given or module.guard(node.test) <= 0:
        return False
    return all(
        isinstance(part, ast.Assign) and _names(part) and _names(part) <= given and _is_plain(part.value)
        for part in node.body
    )


def _is_plain(value: ast.AST) -> bool:
    """A constant, or a call of constants such as `torch.device("cuda")`."""
    parts = (*value.args, *(k.value for k in value.keywords)) if isinstance(value, ast.Call) else (value,)
    return all(isinstance(part, ast.Constant) for part in parts)


def _names(node: ast.AST) -> set[str]:
    """What an assignment gives a value to, where these are plain names."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _guards(node: ast.AST, module: Module) -> frozenset[str]:
    """The fields of a node in which CUDA may be used, since there is another branch."""
    if isinstance(node, ast.IfExp):
        sign = module.guard(node.test)
    elif isinstance(node, ast.If):
        sign = module.guard(node.test)
        if sign and not node.orelse and not isinstance(node.body[-1], ENDS):
            return frozenset()
    elif isinstance(node, ast.Try):
        return frozenset({"body", "orelse"} if any(map(_falls_back, node.handlers)) else ())
    else:
        return NO_FIELDS
    return frozenset({"test", "body"} if sign > 0 else {"test", "orelse"} if sign < 0 else ())


def _falls_back(handler: ast.ExceptHandler) -> bool:
    """Whether it goes on without what was tried."""
    kinds: Iterable[ast.AST] = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type or handler]
    caught = any(isinstance(k, ast.ExceptHandler) or (isinstance(k, ast.Name) and k.id in MISSING) for k in kinds)
    return caught and not any(isinstance(statement, ast.Raise) for statement in handler.body)


def _is_compiled(node: ast.AST, at: At, module: Module) -> bool:
    """A function that `torch.compile` or `torch.jit.script` decorates, or a module's `forward`."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if node.name == "forward" and isinstance(at.up.node if at.up else None, ast.ClassDef):
        return True
    names = (module.dotted(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list)
    return any(name in ("torch.compile", "torch.jit.script") for name in names)

"""YAML with the line of every key: scalars stay texts, and anchors, duplicate keys and depth are refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.limits import MAX_YAML_BYTES, MAX_YAML_DEPTH
from scoring.reading.posted import whole_letters

Path = tuple[str | int, ...]
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
EMPTY = ("", "~", "null", "Null", "NULL")


@dataclass
class Document:
    """`value` of dicts, lists, texts and None; `lines` holds the line, from 1, of every path into it."""

    value: object = None
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int | None:
        """The line of a path, or of the nearest part of it that exists."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


class _Refused(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def load_yaml(text: str, file: str) -> tuple[Document, list[Problem]]:
    """The document, or an empty one and the problem that stopped it (`yaml-…` with its line)."""
    if len(text.encode("utf-8", "replace")) > MAX_YAML_BYTES:
        return Document(), [error("file-too-large", file=file, found=f"{len(text):,}", expected=f"{MAX_YAML_BYTES:,}")]
    try:
        _refuse_aliases(text, file)
        node = yaml.compose(text, Loader=_LOADER)
        document = Document()
        if node is not None:
            document.value = _build(node, (), document.lines, file)
        return document, []
    except _Refused as refused:
        return Document(), [refused.problem]
    except yaml.YAMLError as failure:
        mark = getattr(failure, "problem_mark", None)
        found = str(getattr(failure, "problem", None) or failure)[:200]
        return Document(), [error("yaml-syntax", file=file, row=mark.line + 1 if mark else None, found=found)]
    except (ValueError, RecursionError) as failure:
        return Document(), [error("yaml-syntax", file=file, found=str(failure)[:200])]


def _refuse_aliases(text: str, file: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        row = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Refused(error("yaml-alias", file=file, row=row, expected="plain values"))
        depth += isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent))
        depth -= isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent))
        if depth > MAX_YAML_DEPTH:
            raise _Refused(error("yaml-too-deep", file=file, row=row, expected=f"at most {MAX_YAML_DEPTH} levels"))


def _build(node: yaml.Node, path: Path, lines: dict[Path, int], file: str) -> object:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        built: dict[str, object] = {}
        for key, row, value in _entries(node):
            if key in built:
                raise _Refused(error("yaml-duplicate-key", file=file, row=row, column=key, found=key))
            lines[(*path, key)] = row
            built[key] = _build(value, (*path, key), lines, file)
        return built
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, (*path, i), lines, file) for i, item in enumerate(node.value)]
    plain = not getattr(node, "style", None)  # None by one parser, empty by the other
    return None if plain and node.value in EMPTY else whole_letters(str(node.value))


def _entries(node: yaml.MappingNode) -> Iterator[tuple[str, int, yaml.Node]]:
    for key, value in node.value:
        name = whole_letters(str(key.value)) if isinstance(key, yaml.ScalarNode) else "?"
        yield name, key.start_mark.line + 1, value

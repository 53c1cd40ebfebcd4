"""The last pass over the file: values beside formulas, fixed times and order, so that equal input gives equal bytes."""

import datetime as dt
import io
import math
import re
import zipfile
from collections.abc import Mapping
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import escape

from openpyxl.workbook import Workbook

from bot.render.workbook.cells import Value, storable

DAY_ZERO = dt.date(1899, 12, 30)
"""Day 0 of a spreadsheet's dates."""
EPOCH = (1980, 1, 1, 0, 0, 0)
_CELL = re.compile(rb'<c r="([A-Z]{1,3}[0-9]{1,7})"((?: [a-z]+="[^"]*")*)>(<f>.*?</f>)<v\s*(?:/>|></v>)</c>', re.DOTALL)
_TYPE = re.compile(rb' t="[^"]*"')
_TIMES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_MAIN = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


class MissingValue(Exception):
    """A formula without the value that it has: a bug of a sheet."""


def finished(workbook: Workbook, cached: Mapping[str, Mapping[str, Value]], decided_on: dt.date) -> bytes:
    """The file's bytes. Raises MissingValue for a formula without a cached value."""
    raw = io.BytesIO()
    workbook.save(raw)
    out = io.BytesIO()
    stamp = f"{decided_on.isoformat()}T00:00:00Z".encode()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as target:
        parts = _parts(source)
        for name in sorted(source.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            data = source.read(name)
            if name == "docProps/core.xml":
                data = _TIMES.sub(lambda m: m[1] + stamp, data)
            elif name in parts:
                data = _with_values(data, cached[parts[name]], parts[name])
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o600 << 16, 3
            target.writestr(entry, data)
    return out.getvalue()


def _parts(source: zipfile.ZipFile) -> dict[str, str]:
    """Sheet titles by the name of their part."""
    relations = fromstring(source.read("xl/_rels/workbook.xml.rels"))  # noqa: S314 - our own file
    targets = {r.get("Id"): (r.get("Target") or "").lstrip("/") for r in relations}
    sheets = fromstring(source.read("xl/workbook.xml")).find("m:sheets", _MAIN)  # noqa: S314 - our own file
    found = {}
    for sheet in sheets if sheets is not None else ():
        target = targets[sheet.get(_RELATION)]
        found[target if target.startswith("xl/") else f"xl/{target}"] = sheet.get("name") or ""
    return found


def _with_values(data: bytes, values: Mapping[str, Value], sheet: str) -> bytes:
    def filled(match: re.Match[bytes]) -> bytes:
        coordinate = match[1].decode()
        if coordinate not in values:
            raise MissingValue(f"{sheet}!{coordinate}")
        kind, text = _encoded(values[coordinate])
        attributes = _TYPE.sub(b"", match[2])
        return b'<c r="' + match[1] + b'"' + attributes + kind + b">" + match[3] + b"<v>" + text + b"</v></c>"

    filled_in = _CELL.sub(filled, data)
    if filled_in.count(b"<f>") != len(values):
        raise MissingValue(f"{sheet}: {filled_in.count(b'<f>')} formulas, {len(values)} values")
    return filled_in


def _encoded(value: Value) -> tuple[bytes, bytes]:
    if isinstance(value, bool):
        return b' t="b"', b"1" if value else b"0"
    if isinstance(value, dt.date):
        return b"", repr(float((value - DAY_ZERO).days)).encode()
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            raise MissingValue("a value that is no number")
        return b"", repr(value).encode()
    return b' t="str"', escape(storable(value)).encode()

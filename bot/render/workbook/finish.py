"""The last pass over the file: fixed times and order, so that equal input gives equal bytes."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Mapping

from openpyxl.workbook import Workbook

from bot.render.workbook.cells import Value
from bot.render.workbook.rows import MemoWriter

EPOCH = (1980, 1, 1, 0, 0, 0)
_TIMES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def finished(workbook: Workbook, cached: Mapping[str, Mapping[str, Value]], decided_on: dt.date) -> bytes:
    """The file's bytes. Raises MissingValue for a formula without a cached value."""
    raw = io.BytesIO()
    MemoWriter(workbook, zipfile.ZipFile(raw, "w", zipfile.ZIP_STORED), cached).save()
    out = io.BytesIO()
    stamp = f"{decided_on.isoformat()}T00:00:00Z".encode()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as target:
        for name in sorted(source.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            data = source.read(name)
            if name == "docProps/core.xml":
                data = _TIMES.sub(lambda m: m[1] + stamp, data)
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o600 << 16, 3
            target.writestr(entry, data)
    return out.getvalue()

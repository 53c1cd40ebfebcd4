"""LibreOffice, told to recalculate every formula on loading; without that it echoes the values in the file."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
needs_libreoffice = pytest.mark.skipif(
    SOFFICE is None and not os.environ.get("CI"), reason="LibreOffice is not installed (libreoffice-calc-nogui)"
)
ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>0</value></prop></item>
</oor:items>
"""

Values = dict[str, dict[str, Any]]


def recalculated(books: Mapping[str, bytes], folder: Path) -> dict[str, Values]:
    """Values of every cell after a forced recalculation, by workbook and sheet; all books in one call."""
    assert SOFFICE is not None, "LibreOffice is not installed"
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(ALWAYS, encoding="utf-8")
    posted, out = folder / "in", folder / "out"
    posted.mkdir()
    for name, data in books.items():
        (posted / f"{name}.xlsx").write_bytes(data)
    command = [SOFFICE, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless", "--convert-to", "xlsx"]
    files = [str(posted / f"{name}.xlsx") for name in books]
    subprocess.run([*command, "--outdir", str(out), *files], check=True, capture_output=True, timeout=300)
    return {name: values_of(out / f"{name}.xlsx") for name in books}


def values_of(path: Path) -> Values:
    """Every value of a workbook as its cells show it."""
    book = openpyxl.load_workbook(path, data_only=True)
    return {
        sheet.title: {
            cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None
        }
        for sheet in book.worksheets
    }

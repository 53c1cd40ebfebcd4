"""How the workbook looks: one font, a palette that survives colour blindness and grey printing, number formats."""

from math import floor, log10

from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.workbook import Workbook

FONT = "Arial"
INK, INPUT_INK, MUTED, RULE = "1B1B1B", "0B3C9C", "6B6B6B", "B8B8B8"
HEAD_FILL, INPUT_FILL, BAND_FILL, GOOD_FILL, BAD_FILL = "1F3A4D", "EEF4FB", "F4F4F1", "D5E8F2", "F6DFC4"
BLUE, ORANGE, GREY = "1F5F8B", "D5822B", "8C8C8C"

MONEY, PRICE, HOURS, RATIO, PERCENT, COUNT, DAY, GENERAL = (
    "#,##0;[Red]-#,##0", "#,##0.00", "#,##0.0", "0.0000", "0.0%", "0", "yyyy-mm-dd", "General",
)  # fmt: skip
UNIT_COST = "#,##0.00######"
CHANCE = '[>=0.9995]"> 99.9 %";[<0.0005]"< 0.1 %";0.0 %'
"""Of a chance that draws or a model gave: its ends are never told as certain."""
DIGITS_OF_A_COST = 4


def unit_cost(smallest: float) -> str:
    """Of costs for one unit of work: to the cent, and below one with four digits of the smallest that say something."""
    if not 0 < smallest < 1:
        return PRICE
    return f"#,##0.{'0' * min(DIGITS_OF_A_COST - 1 - floor(log10(smallest)), MOST_DECIMALS)}"


MOST_DECIMALS = 12


def amount_width(largest: float, least: float, letters: int = 0) -> float:
    """The column width that shows a whole amount, a word of so many letters before it, or `least` where that holds it.

    A spreadsheet shows # signs for a number that its column cannot hold.
    """
    return max(least, (letters + len(f"{-abs(largest):,.0f}")) * BOLD)


BOLD = 1.1
"""Widths of a bold character, in those of the column's."""

_LINE = Border(bottom=Side(style="thin", color=RULE))
_SIDE = Side(style="thin", color=RULE)
_BOX = Border(left=_SIDE, right=_SIDE, top=_SIDE, bottom=_SIDE)
_TOP = Alignment(vertical="top")
_WRAP = Alignment(vertical="top", wrap_text=True)
_ASIDE = Alignment(vertical="top", wrap_text=True, horizontal="left", indent=1)
"""For texts right of a number, which ends where they begin."""
_HEAD = Alignment(vertical="center", horizontal="center", wrap_text=True)


def _font(**more: object) -> Font:
    return Font(**{"name": FONT, "size": 10, "color": INK, **more})  # type: ignore[arg-type]


def _style(name: str, **parts: object) -> NamedStyle:
    return NamedStyle(name=name, **{"font": _font(), **parts})  # type: ignore[arg-type]


def register(book: Workbook) -> None:
    """Add the named styles; every cell uses one of them."""
    fill = {c: PatternFill("solid", fgColor=c) for c in (HEAD_FILL, INPUT_FILL, BAND_FILL)}
    styles = (
        _style("st_title", font=_font(size=16, bold=True)),
        _style("st_verdict", font=_font(size=20, bold=True, color=HEAD_FILL)),
        _style("st_section", font=_font(size=11, bold=True, color=HEAD_FILL), border=_LINE),
        _style("st_head", font=_font(bold=True, color="FFFFFF"), fill=fill[HEAD_FILL], alignment=_HEAD),
        _style("st_text", alignment=_WRAP),
        _style("st_strong", font=_font(bold=True), alignment=_WRAP),
        _style("st_note", font=_font(size=9, italic=True, color=MUTED), alignment=_WRAP),
        _style(
            "st_input",
            font=_font(color=INPUT_INK),
            fill=fill[INPUT_FILL],
            border=_BOX,
            alignment=_TOP,
        ),
        _style("st_value", alignment=_TOP),
        _style("st_right", alignment=Alignment(vertical="top", horizontal="right")),
        _style("st_aside", font=_font(color=MUTED), alignment=_ASIDE),
        _style("st_reads", font=_font(bold=True), alignment=_ASIDE),
        _style("st_centre", alignment=Alignment(vertical="top", horizontal="center")),
        _style("st_total", font=_font(bold=True), fill=fill[BAND_FILL], border=_LINE, alignment=_TOP),
        _style("st_beside", alignment=_ASIDE),
        _style("st_muted", font=_font(color=MUTED), alignment=_WRAP),
        _style("st_sign", border=_BOX, alignment=_WRAP),
    )
    for style in styles:
        book.add_named_style(style)
    book._fonts[0] = _font()  # type: ignore[attr-defined]  # the default of cells that were never touched

"""Tables of text and numbers as an `.xlsx` file, with a colour behind the cells that are marked."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

Cell = tuple[Any, str]  # a value, and the mark that it has: "" or one of MARKS
MARKS = {"title": "6495ED", "name": "F5F5F5", "bad": "FF0000", "half": "FFFF00", "far": "FFA500"}
_PARTS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_LONGEST_NAME = 31


def write_tables(path: str, tables: Mapping[str, Sequence[Sequence[Cell]]], widths: Sequence[int]) -> None:
    """Write a file of tables.

    Args:
        path: the file's.
        tables: rows of cells, by the table's name.
        widths: of the columns, in letters.
    """
    names = list(tables) or ["empty"]
    sheets = [f"xl/worksheets/sheet{number}.xml" for number in range(1, len(names) + 1)]
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        + "".join(
            f'<Override PartName="/{part}" ContentType="{_PARTS}.{kind}+xml"/>'
            for part, kind in (("xl/workbook.xml", "sheet.main"), ("xl/styles.xml", "styles"), *((s, "worksheet") for s in sheets))
        )
        + "</Types>",
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>'
        + "".join(f'<sheet name={quoteattr(name[:_LONGEST_NAME])} sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, start=1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations([*(("worksheet", sheet[3:]) for sheet in sheets), ("styles", "styles.xml")]),
        "xl/styles.xml": _styles(),
        **{sheet: _sheet(tables.get(name, ()), widths) for sheet, name in zip(sheets, names)},
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for part, text in parts.items():
            out.writestr(part, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + text)


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    told = "".join(f'<Relationship Id="rId{n}" Type="{_LINKS}/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(targets, start=1))
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{told}</Relationships>'


def _styles() -> str:
    solid = "".join(f'<fill><patternFill patternType="solid"><fgColor rgb="FF{c}"/></patternFill></fill>' for c in MARKS.values())
    marked = "".join(f'<xf fontId="1" fillId="{n}" applyFont="1" applyFill="1"/>' for n in range(2, 2 + len(MARKS)))
    return (
        f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts>'
        f'<fills count="{2 + len(MARKS)}"><fill><patternFill patternType="none"/></fill>'
        f'<fill><patternFill patternType="gray125"/></fill>{solid}</fills>'
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
        f'<cellXfs count="{1 + len(MARKS)}"><xf/>{marked}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )


def _sheet(rows: Sequence[Sequence[Cell]], widths: Sequence[int]) -> str:
    columns = "".join(f'<col min="{n}" max="{n}" width="{width}" customWidth="1"/>' for n, width in enumerate(widths, start=1))
    lines = "".join(f'<row r="{n}">{"".join(map(_cell, row))}</row>' for n, row in enumerate(rows, start=1))
    return f'<worksheet xmlns="{_MAIN}"><cols>{columns}</cols><sheetData>{lines}</sheetData></worksheet>'


def _cell(cell: Cell) -> str:
    value, mark = cell
    style = 1 + list(MARKS).index(mark) if mark else 0
    if isinstance(value, int):
        return f'<c s="{style}"><v>{value}</v></c>'
    return f'<c s="{style}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'

"""Small PDFs with a page for each text, made by hand."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence

from pypdf import PdfReader, PdfWriter


def pdf(*pages: str, title: str | None = None) -> bytes:
    """Return a PDF whose pages show these ASCII texts, a line each."""
    return _file([_shown(page) for page in pages], title)


def encrypted(*pages: str) -> bytes:
    """Return the same, readable with a password only."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(*pages))))
    writer.encrypt("a password", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def bomb(size: int) -> bytes:
    """Return a PDF with a stream that unpacks to so many bytes."""
    return _file([b"BT /F1 12 Tf (" + b"a" * size + b") Tj ET"], None)


def _shown(page: str) -> bytes:
    lines = [line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in page.split("\n")]
    return ("BT /F1 12 Tf 72 720 Td 14 TL\n" + "".join(f"({line}) Tj T*\n" for line in lines) + "ET").encode("ascii")


def _file(streams: Sequence[bytes], title: str | None) -> bytes:
    first = 4
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(len(streams)))
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, stream in enumerate(streams):
        packed = zlib.compress(stream)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {first + 2 * at + 1} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream",
        ]
    if title is not None:
        objects.append(f"<< /Title ({title}) >>".encode())
    written, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    table = len(written)
    info = f" /Info {len(objects)} 0 R" if title is not None else ""
    written += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    written += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    return written + f"trailer << /Size {len(objects) + 1} /Root 1 0 R{info} >>\nstartxref\n{table}\n%%EOF\n".encode()

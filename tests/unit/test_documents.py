"""Reading files and dividing their text into parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.documents.reading import read
from shared.documents.rules.media_types import MediaType
from shared.documents.rules.parts import TOKENS_MAX, divide
from shared.documents.text import CHARACTERS_MAX, Unreadable, text_of
from shared.kernel.sensitivity import POLICIES
from shared.language.tokens import count
from tests.support.pdfs import bomb, encrypted, pdf


def measure(text: str) -> int:
    return len(text)


def test_a_pdf_is_read_page_by_page() -> None:
    text = text_of(
        pdf("The boiler was made in 1987.\nIt leaks.", "The roof is (mostly) new.", title="House"), "application/pdf"
    )
    assert [page.strip() for page in text.pages] == [
        "The boiler was made in 1987.\nIt leaks.",
        "The roof is (mostly) new.",
    ]
    assert (text.paged, text.title) == (True, "House")


@pytest.mark.parametrize(
    ("data", "media_type", "fault"),
    [
        (encrypted("a secret"), "application/pdf", "document_encrypted"),
        (pdf("", " "), "application/pdf", "document_without_text"),
        (pdf("a text")[:200], "application/pdf", "document_malformed"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 40, "application/pdf", "document_malformed"),
        (b"GIF89a", "application/pdf", "document_malformed"),
        (b"", "application/pdf", "document_malformed"),
        (b"\x00\x01\x02", "text/plain", "document_not_text"),
        (b"\xff\xff\xfe\x80", "text/plain", "document_not_text"),
        (b" \n\t ", "text/markdown", "document_empty"),
        (b"", "text/plain", "document_empty"),
        (b"a" * (CHARACTERS_MAX + 1), "text/plain", "document_too_long"),
        (pdf("a", *(["b" * 60_000] * 40)), "application/pdf", "document_too_long"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(data: bytes, media_type: MediaType, fault: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(data, media_type, POLICIES["default"])
    assert refused.value.fault == fault


def test_a_bomb_costs_neither_time_nor_memory() -> None:
    with pytest.raises(Unreadable) as refused:
        read(bomb(600 * 2**20), "application/pdf", POLICIES["default"])
    assert refused.value.fault in ("document_too_complex", "document_too_long", "document_malformed")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_text_in_the_usual_encodings_is_read(encoding: str) -> None:
    assert text_of("租约到六月底为止。\r\n押金两个月。".encode(encoding), "text/plain").pages == [
        "租约到六月底为止。\n押金两个月。"
    ]


def test_a_heading_begins_a_part_and_is_the_title() -> None:
    markdown = (
        f"# Lease\n\n{'The rent is due. ' * 5}\n\n## Pets\n\nCats are allowed.\n\n## Garden\n\n{'Water it. ' * 10}"
    )
    text = text_of(markdown.encode(), "text/markdown")
    assert text.title == "Lease"
    parts = [one.text for one in divide(text.pages, paged=False, measure=measure)]
    assert [one.split("\n", 1)[0] for one in parts] == ["# Lease", "## Pets"]
    assert "## Garden" in parts[1], "a short section is not a part of its own"


@given(st.text(alphabet="ab .。\n#1", max_size=3_000), st.booleans())
def test_no_part_is_too_long_and_no_word_is_lost(text: str, paged: bool) -> None:
    parts = divide([text], paged=paged, measure=measure)
    assert all(one.text.strip() and measure(one.text) <= TOKENS_MAX + 20 for one in parts)
    assert "".join("".join(one.text for one in parts).split()) == "".join(text.split())
    assert {one.page for one in parts} <= {1 if paged else None}


@pytest.mark.parametrize(
    "text", ["x" * 300_000, "\n" * 300_000 + "x", "a\n" * 150_000, "知道。" * 100_000, "a" + " " * 300_000 + "b"]
)
def test_a_text_without_breaks_is_divided_all_the_same(text: str) -> None:
    parts = divide([text], paged=False, measure=count)
    assert "".join("".join(one.text for one in parts).split()) == "".join(text.split())


def test_a_long_text_is_read_like_a_short_one() -> None:
    short, long = b"The plum trees need water. " * 100, b"The plum trees need water. " * 1_000
    one, two = (read(data, "text/plain", POLICIES["default"]) for data in (short, long))
    assert two.parts[: len(one.parts) - 1] == one.parts[:-1]
    assert one.title == two.title[: len(one.title)] or one.title.startswith("The plum trees")

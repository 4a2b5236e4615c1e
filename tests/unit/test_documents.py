"""Reading files and dividing their text into parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.documents.extract_text import CHARACTERS_MAX, Unreadable, text_of
from shared.documents.prepare import PARTS_MAX
from shared.documents.reading import read
from shared.documents.rules.media_types import MediaType
from shared.documents.rules.parts import TOKENS_MAX, divide
from shared.kernel.sensitivity import POLICIES
from shared.language.sensitivity import mask_pages
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
    assert text.paged


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


def test_a_heading_begins_a_part() -> None:
    markdown = (
        f"# Lease\n\n{'The rent is due. ' * 5}\n\n## Pets\n\nCats are allowed.\n\n## Garden\n\n{'Water it. ' * 10}"
    )
    text = text_of(markdown.encode(), "text/markdown")
    parts = [one.text for one in divide(text.pages, paged=False, measure=measure)]
    assert [one.split("\n", 1)[0] for one in parts] == ["# Lease", "## Pets"]
    assert "## Garden" in parts[1], "a short section is not a part of its own"


def test_a_heading_needs_no_empty_line_and_is_never_left_without_its_text() -> None:
    filler = "Water it well. " * 70
    compact = f"# Lease\n{'The rent is due. ' * 5}\n## Pets\nCats are allowed.\n## Garden\n\n{filler}"
    parts = [one.text for one in divide([compact], paged=False, measure=measure)]
    assert [one.split("\n", 1)[0] for one in parts[:3]] == ["# Lease", "## Pets", "## Garden"]
    assert parts[2].startswith("## Garden\nWater it")


@given(st.text(alphabet="ab .。\n#1", max_size=3_000), st.booleans())
def test_no_part_is_too_long_and_no_word_is_lost(text: str, paged: bool) -> None:
    parts = divide([text], paged=paged, measure=measure)
    assert all(one.text.strip() and measure(one.text) <= TOKENS_MAX + 20 for one in parts)
    assert "".join("".join(one.text for one in parts).split()) == "".join(text.split())
    assert {one.page for one in parts} <= {1 if paged else None}


@pytest.mark.parametrize("block", ["x", "- a line of a list", "一行"])
def test_what_joins_blocks_counts_too(block: str) -> None:
    parts = divide(["\n\n".join([block] * 1_500)], paged=False, measure=count)
    assert max(count(one.text) for one in parts) <= TOKENS_MAX


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ("Die Straße in München kostet 500 Euro für Müller.", "latin-1"),
        ("Il a déjà mangé à côté de la forêt, près du château.", "cp1252"),
        ("Ünal paid 500 for it.", "latin-1"),
    ],
)
def test_western_text_is_not_taken_for_chinese(said: str, encoding: str) -> None:
    with pytest.raises(Unreadable) as refused:
        text_of(said.encode(encoding), "text/plain")
    assert refused.value.fault == "document_not_text"


@pytest.mark.parametrize(
    "said",
    [
        "我在Python里写了一个程序，用了pandas和numpy。",
        "房租下个月要涨价。",
        "A股K线B站的T恤",
        "It’s late and I don’t know what’s next. We’re fine.",
        "Here’s a list: apples “red” ones.",
    ],
)
def test_chinese_text_of_an_older_encoding_is_read(said: str) -> None:
    assert text_of(said.encode("gb18030"), "text/plain").pages == [said]


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


def private_key(lines: int) -> list[str]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    body = ["".join(letters[(7 * at + 13 * line + at * line) % 64] for at in range(64)) for line in range(lines)]
    return ["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"]


def test_a_key_longer_than_a_part_is_cut_out_as_a_whole() -> None:
    key = private_key(50)
    text = "\n".join(["The server stands in the cellar.", *key, "It was bought in May."])

    kept = "\n".join(part.text for part in read(text.encode(), "text/plain", POLICIES["default"]).parts)

    assert not [line for line in key[1:-1] if line in kept]
    assert "cellar" in kept
    assert "bought in May" in kept


def test_a_key_that_goes_on_over_the_page_is_cut_out() -> None:
    key = private_key(24)
    pages = ["The server.\n" + "\n".join(key[:12]), "\n".join(key[12:]) + "\nThe roof."]

    masked = mask_pages(pages, POLICIES["default"])

    assert len(masked) == 2
    assert not [line for line in key[1:-1] for page in masked if line in page]
    assert masked[0].startswith("The server.")
    assert masked[1].strip() == "The roof."


@given(st.lists(st.text(alphabet="ab \n1", max_size=40), max_size=5))
def test_pages_without_secrets_stay_as_they_are(pages: list[str]) -> None:
    assert mask_pages(pages, POLICIES["default"]) == pages


def test_rare_characters_do_not_make_a_part_too_long() -> None:
    text = "".join(chr(0x20000 + number) for number in range(3_000))

    parts = divide([text], paged=False, measure=count)

    assert "".join(one.text for one in parts) == text
    assert max(count(one.text) for one in parts) <= TOKENS_MAX


def test_a_text_of_too_many_parts_is_refused() -> None:
    blocks = "\n\n".join(
        f"# Chapter {number}\n\n{'The rent is due on the third. ' * 12}" for number in range(PARTS_MAX + 10)
    )

    with pytest.raises(Unreadable) as refused:
        read(blocks.encode(), "text/markdown", POLICIES["default"])

    assert refused.value.fault == "document_too_long"

"""What is done about sensitive fragments, and what finding them promises for any text."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.kernel.sensitivity import OUTCOMES, POLICIES, Category, PolicyName
from shared.language.sensitivity import Found, checksums, find, mask, screen
from shared.language.sensitivity.folding import fold
from tests.support.tables import each

DEFAULT = POLICIES["default"]
FINCLAW = POLICIES["finclaw"]

STRONG: list[Category] = ["credential", "key", "wallet", "payment", "identity", "path"]


class TestPolicies:
    def test_every_policy_decides_about_every_category(self):
        assert set(POLICIES) == set(get_args(PolicyName))
        for policy in POLICIES.values():
            assert set(policy) == set(get_args(Category))

    def test_credentials_and_keys_are_always_rejected(self):
        assert {policy[category] for policy in POLICIES.values() for category in ("credential", "key")} == {"reject"}

    def test_by_default_contact_data_is_redacted_and_names_are_allowed(self):
        assert {category for category in DEFAULT if DEFAULT[category] == "reject"} == set(STRONG)
        assert DEFAULT["email"] == DEFAULT["phone"] == "redact"
        assert DEFAULT["name"] == "allow"

    def test_finclaw_rejects_all(self):
        assert set(FINCLAW.values()) == {"reject"}


class TestScreening:
    def test_a_text_without_anything_sensitive_is_kept_as_it_is(self):
        screened = screen("I live in Berlin. 我不吃辣。", DEFAULT)
        assert screened.text == "I live in Berlin. 我不吃辣。"
        assert screened.withheld == {}

    def test_redacted_fragments_are_replaced_by_their_categories_name(self):
        screened = screen("写信到 li@example.com 或 wang@example.cn，手机13912345678，我住杭州", DEFAULT)
        assert screened.text == "写信到 [email] 或 [email]，手机[phone]，我住杭州"
        assert screened.withheld == {("email", "redacted"): 2, ("phone", "redacted"): 1}

    def test_one_rejected_fragment_rejects_the_text_and_the_others_are_counted_too(self):
        screened = screen("my password is Figtree.88, write to me@jane.example, I'm Rosa Delgado", DEFAULT)
        assert screened.text is None
        assert screened.withheld == {("credential", "rejected"): 1, ("email", "redacted"): 1}

    def test_names_are_kept_by_default_and_rejected_under_finclaw(self):
        text = "my name is Rosa Delgado and I teach maths"
        assert screen(text, DEFAULT).text == text
        assert screen(text, FINCLAW).text is None
        assert screen(text, FINCLAW).withheld == {("name", "rejected"): 1}

    def test_contact_data_is_rejected_under_finclaw(self):
        assert screen("我的邮箱是 li@example.com", FINCLAW).withheld == {("email", "rejected"): 1}

    def test_masking_replaces_what_is_rejected_and_what_is_redacted_and_nothing_else(self):
        text = "我叫王小明，密码是abc12345，邮箱 li@example.com，不吃辣"
        assert mask(text, DEFAULT) == "我叫王小明，密码是[credential]，邮箱 [email]，不吃辣"
        assert mask(text, FINCLAW) == "我叫[name]，密码是[credential]，邮箱 [email]，不吃辣"

    def test_what_was_masked_holds_nothing_more_to_find(self):
        for text in (
            "PIN 1203, PUK 83920174",
            "a@example.com / +49 176 04069031",
            "DATABASE_URL=postgresql://me:oops1@h/d",
        ):
            assert find(mask(text, FINCLAW)) == []

    def test_nothing_shows_the_fragment(self):
        found = find("my password is Figtree.88")
        assert found == [Found("credential", 15, 25)]
        assert "Figtree" not in repr(found)
        assert "jane" not in repr(screen("write to jane.doe@example.com", {**DEFAULT, "email": "allow"}))

    def test_what_is_allowed_leaves_nothing_to_tell(self):
        assert "allow" not in OUTCOMES


class TestFinding:
    @given(
        st.text(alphabet=st.sampled_from("aA1@.:/-+ =密码是我叫王李电话号卡验证\n,'\"{}[]()0x你好iE²٣"), max_size=120)
        | st.text(max_size=200)
    )
    def test_spans_are_in_order_apart_and_inside_any_text(self, text: str):
        found = find(text)
        at = 0
        for one in found:
            assert at <= one.start < one.end <= len(text)
            at = one.end

    @given(st.text(max_size=200))
    def test_folding_keeps_every_offset(self, text: str):
        assert len(fold(text)) == len(text)

    def test_what_two_detectors_see_is_found_once_by_the_surer_one(self):
        text = "OPENAI_API_KEY=sk-EXAMPLE0123456789abcdefEXAMPLE0123456789"
        assert find(text) == [Found("key", 15, len(text))]

    def test_full_width_and_traditional_characters_are_read_too(self):
        text = "手機號碼：１３９１２３４５６７８，驗證碼：４８２９１３"
        assert [(one.category, text[one.start : one.end]) for one in find(text)] == [
            ("phone", "１３９１２３４５６７８"),
            ("credential", "４８２９１３"),
        ]

    @pytest.mark.parametrize("length", [30_000, pytest.param(100_000, marks=pytest.mark.full)])
    @each(
        "piece",
        [
            *("a", "1 ", "a.", "my PIN ", "密码", "http://a:", "-----BEGIN PRIVATE KEY-----", "cookie=a=bbbbbbbbb;"),
            *("-----BEGIN PRIVATE KEY-----" + "-a" * 9_000, "PuTTY-User-Key-File-2:", "abandon ", "1. abandon ", "的 "),
        ],
    )
    def test_a_long_text_of_one_repeated_piece_ends(self, piece: str, length: int):
        """Time grows with the length alone: what backtracks more than that runs into the suite's timeout here."""
        text = (piece * length)[:length]
        assert all(one.end <= len(text) for one in find(text))


class TestChecksums:
    @each("digits", ["4111111111111111", "378282246310005", "6011111111111117", "79927398713"])
    def test_luhn(self, digits: str):
        assert checksums.luhn(digits)
        assert not any(checksums.luhn(digits[:-1] + wrong) for wrong in "0123456789" if wrong != digits[-1])

    @each(
        "number",
        ["GB29NWBK60161331926819", "DE89370400440532013000", "NO9386011117947", "MT84MALT011000012345MTLCAST001S"],
    )
    def test_iban(self, number: str):
        assert checksums.iban(number)
        assert not checksums.iban(number[:-1] + ("1" if number[-1] != "1" else "2"))
        assert not checksums.iban(number + "0")

    def test_chinese_identity_numbers_have_a_birthday_and_a_check_character(self):
        assert checksums.chinese_id("11010519491231002X")
        assert checksums.chinese_id("440524188001010014")
        assert not checksums.chinese_id("110105194912310021")
        assert not checksums.chinese_id("11010519491331002X")

    def test_identity_numbers_of_taiwan_hong_kong_and_singapore(self):
        assert checksums.taiwan_id("A123456789")
        assert not checksums.taiwan_id("A123456788")
        assert checksums.hong_kong_id("G123456A")
        assert checksums.hong_kong_id("A1234563")
        assert checksums.hong_kong_id("AB9876543")
        assert not checksums.hong_kong_id("A1234564")
        assert checksums.singapore_id("S1234567D")
        assert not checksums.singapore_id("S1234567E")

    def test_base58_addresses(self):
        assert checksums.base58check("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")
        assert checksums.base58check("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", ripple=True)
        assert not checksums.base58check("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb")
        assert checksums.base58("0OIl") is None

    def test_bech32_addresses_of_both_kinds(self):
        assert checksums.bech32("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
        assert checksums.bech32("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0")
        assert not checksums.bech32("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5")

"""What is sensitive never becomes a memory; its person sees that something was withheld, not what (FC-10, MC-17)."""

from __future__ import annotations

import pytest

from tests.support.workbench import Workbench

SECRETS = [
    ("I live in Berlin. My wifi password is Zx9-Quillfeather-77.", "Zx9-Quillfeather-77", "credential"),
    ("我住在柏林。我的银行卡密码是739105。", "739105", "credential"),
    ("I live in Berlin and my card number is 4111 1111 1111 1111.", "4111 1111 1111 1111", "payment"),
]


@pytest.mark.parametrize(("said", "secret", "category"), SECRETS)
def test_a_secret_is_said_and_never_remembered(bench: Workbench, said: str, secret: str, category: str) -> None:
    ada = bench.person()
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, (said, "OK."))
    bench.work()
    assert not [text for text in ada.memories() if secret in text]
    assert set(bench.holds(secret)) <= {"message_contents", "summary_contents"}
    assert "summary_contents" not in bench.holds(secret)
    derived = ada.get(f"/api/v1/memory/messages/{question}/derived")
    withheld = {(one["category"], one["outcome"]) for one in derived["withheld"]}
    assert (category, "rejected") in withheld
    assert secret not in str(derived)
    masked = said.replace(secret, f"[{category}]")
    [moment] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert moment["user_message"] == masked
    for path, asked in (("memory/search", {}), ("recall", {"layers": ["retrieved"]})):
        found = ada.post(f"/api/v1/{path}", {"query": masked, "conversation_id": conversation, **asked}, status=200)
        assert [one["kind"] for one in found["items"] if masked in one["content"]] == ["episode"], path
        assert secret not in str(found), path


@pytest.mark.parametrize(
    "said", ["Remember that my email is ada@quillfeather.com", "记住我的邮箱是 ada@quillfeather.com"]
)
def test_contact_data_is_taken_out_of_what_is_remembered(bench: Workbench, said: str) -> None:
    ada = bench.person()
    ada.say(ada.conversation(), (said, "OK."))
    bench.work()
    assert not [text for text in ada.memories() if "quillfeather" in text]
    assert [text for text in ada.memories() if "[email]" in text]


def test_forgetting_the_message_forgets_what_was_withheld_of_it(bench: Workbench) -> None:
    ada = bench.person()
    [(question, _)] = ada.say(ada.conversation(), (SECRETS[0][0], "OK."))
    bench.work()
    assert bench.count("select count(*) from withheld") > 0
    ada.forget("message", message_id=question)
    bench.work()
    assert bench.count("select count(*) from withheld") == 0

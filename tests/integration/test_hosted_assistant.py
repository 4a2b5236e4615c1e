"""The example in `docs/examples` lives on the product as it is documented (FC-16)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from tests.support.backing import Backing
from tests.support.workbench import Workbench, test_settings, workbench

ROOT = Path(__file__).parents[2]


@pytest.fixture
def finclaw(backing: Backing, database_url: str) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, policy_file=ROOT / "deploy/policies/finclaw.yaml")) as opened:
        yield opened


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hosted_assistant", ROOT / "docs/examples/hosted_assistant.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_hosted_assistant_lives_on_it(finclaw: Workbench) -> None:
    hosted = example()
    center: httpx.Client = finclaw.api
    center.headers.update(finclaw.service)
    assistant = hosted.Assistant(center, "ada")

    with pytest.raises(hosted.ConsentNeeded) as needed:
        assistant.snapshot("What is the case for SOL?")
    assert needed.value.scopes == ["create_task"]

    consent_id = assistant.consent(save_to_profile=True, save_to_thread=True, research_depth="deep")
    answer, trace = assistant.snapshot("What is the case for SOL?", risk_prompt_preference="risk_first")
    assert trace["slices_loaded"] == ["S1", "S2", "S3"]
    assert trace["slices_defaulted"] == ["S1"]
    assert "preferences" not in answer, "they are set"

    thread_id = assistant.save("Fees rise", consent_id=consent_id, research_style="bullets", title="SOL")
    trace = assistant.refresh(thread_id, "Supply unlocks outweigh demand", ["one"] * 6, research_depth="quick")
    assert trace["slices_loaded"] == ["S1", "S2", "S3", "S5"]
    assistant.feedback("agree", "I agree")
    assistant.feedback("disagree", "我之前的判断错了")
    kinds = "select count(*) from persona_drift where signal_kind = %(kind)s"
    for kind in ("grade_reversal", "feedback_conflict", "refresh_stance_flip"):
        assert finclaw.count(kinds, kind=kind) == 1, kind
    [ended] = [finclaw.count("select count(*) from tasks where status = 'succeeded'")]
    assert ended == 1
    center.headers.pop("Authorization")

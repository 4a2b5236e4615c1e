"""A bucket is told in full or not at all; what is wrong is said in a line, without the secrets beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from annotated_types import Le
from pydantic import SecretStr, ValidationError

from shared.lineage.sql.vector_keys import WRITE_SECONDS
from shared.runtime.bucket_settings import BucketSettings
from shared.runtime.heartbeat import SECONDS
from shared.runtime.package_files import package_files
from shared.runtime.settings import Settings, faults
from shared.stores.files import FileStore
from shared.stores.sealed.bucket_client import Bucket
from shared.stores.sealed.folder import FolderFiles
from workers.file_store import file_store

TOLD = {"BUCKET": "packages", "ACCESS_KEY": "an-access-key", "SECRET_KEY": "a-secret-canary"}


def told(monkeypatch: pytest.MonkeyPatch, **values: str) -> BucketSettings:
    for name, value in values.items():
        monkeypatch.setenv(f"MEMORY_CENTER_FILES_S3_{name}", value)
    return BucketSettings()


def test_without_a_bucket_packages_lie_in_the_data_directory(tmp_path: Path) -> None:
    settings = Settings(
        database_url=SecretStr("postgresql://u:p@h/x"),
        broker_url=SecretStr("redis://h"),
        milvus_uri="http://h",
        signing_key=SecretStr("s"),
        service_key=SecretStr("s"),
        data_dir=tmp_path,
    )
    assert settings.bucket is None
    files, store = package_files(settings), file_store(settings)
    assert isinstance(files, FolderFiles)
    assert isinstance(store, FileStore)
    assert files._root == store._root == tmp_path / "files" / "exports"


def test_a_bucket_is_named_with_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    place = told(monkeypatch, **TOLD, ENDPOINT="https://s3.example:9000", PREFIX="ours/here/").bucket
    assert place is not None
    assert (place.bucket, place.endpoint, place.region, place.prefix) == (
        "packages",
        "https://s3.example:9000",
        "us-east-1",
        "ours/here/",
    )
    assert "canary" not in repr(place)


def test_what_is_empty_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, **dict.fromkeys([*TOLD, "ENDPOINT", "REGION", "PREFIX"], "")).bucket is None


@pytest.mark.parametrize("missing", TOLD)
def test_a_part_of_it_is_refused_and_the_rest_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    with pytest.raises(ValidationError) as caught:
        told(monkeypatch, **{name: value for name, value in TOLD.items() if name != missing})
    [line] = faults(caught.value)
    assert line == f"packages lie in a bucket only with MEMORY_CENTER_FILES_S3_{missing}"
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("BUCKET", "no/bucket"),
        ("ENDPOINT", "s3.example"),
        ("ENDPOINT", "https://user:password@s3.example"),
        ("ENDPOINT", "https://s3.example/bucket"),
        ("ENDPOINT", "http://seaweed_fs:8333"),
        ("ENDPOINT", "http://-s3.example"),
        ("ENDPOINT", "http://s3..example"),
        ("ENDPOINT", f"http://{'a.' * 130}example"),
        ("ENDPOINT", "http://s3.example:abc"),
        ("ENDPOINT", "http://s3.example:99999"),
        ("ENDPOINT", "http://s3.example:0"),
        ("ENDPOINT", "http://[::1:9000"),
        ("ENDPOINT", "http://[1:2]:9000"),
        ("ENDPOINT", "http://s3.example\n"),
        ("ACCESS_KEY", "an-access-key\n"),
        ("SECRET_KEY", "a-secret\x7f"),
        ("SECRET_KEY", "a secret"),
        ("SECRET_KEY", "a-sécret"),
        ("PREFIX", "no-slash"),
        ("PREFIX", "/ours/"),
        ("REGION", "Some Where"),
        ("REGION", "-eu"),
        ("REGION", "eu-"),
        ("REGION", "123"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, wrong: str) -> None:
    with pytest.raises(ValidationError) as caught:
        told(monkeypatch, **{**TOLD, name: wrong})
    [line] = faults(caught.value)
    assert line.startswith(f"MEMORY_CENTER_FILES_S3_{name}: ")
    assert "\n" not in line
    assert wrong not in line


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://seaweedfs:8333",
        "https://s3.eu-central-1.example",
        "http://[::1]:9000/",
        "http://127.0.0.1:1",
        "https://S3.Example:65535",
    ],
)
@pytest.mark.parametrize("region", ["us-east-1", "garage", "e"])
def test_what_is_accepted_boto_accepts_too(monkeypatch: pytest.MonkeyPatch, endpoint: str, region: str) -> None:
    place = told(monkeypatch, **TOLD, ENDPOINT=endpoint, REGION=region).bucket
    assert place is not None
    Bucket(place)


def test_two_calls_end_within_the_deadline_of_an_intent(monkeypatch: pytest.MonkeyPatch) -> None:
    [longest] = [
        bound.le for bound in BucketSettings.model_fields["store_timeout_seconds"].metadata if isinstance(bound, Le)
    ]
    assert isinstance(longest, int)
    assert SECONDS + 2 * (longest + 1) < WRITE_SECONDS
    monkeypatch.setenv("MEMORY_CENTER_STORE_TIMEOUT_SECONDS", str(longest + 1))
    with pytest.raises(ValidationError):
        BucketSettings()


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_process_that_cannot_start_names_each_bad_variable_and_prints_no_secret() -> None:
    ended = run(
        "-m",
        "services.web",
        MEMORY_CENTER_DATABASE_URL="postgresql://u:canary@h/x",
        MEMORY_CENTER_FILES_S3_SECRET_KEY="canary",
        MEMORY_CENTER_FILES_S3_REGION="Canary",
    )
    assert ended.returncode == 2
    lines = ended.stderr.splitlines()
    assert "MEMORY_CENTER_BROKER_URL: Field required" in lines
    assert any(line.startswith("MEMORY_CENTER_FILES_S3_REGION: ") for line in lines)
    assert all(line.startswith("MEMORY_CENTER_") for line in lines)
    assert "anary" not in ended.stdout + ended.stderr


def test_up_starts_nothing_with_half_a_bucket(tmp_path: Path) -> None:
    ended = run(
        "-m",
        "services.cli.main",
        "up",
        "--data-dir",
        str(tmp_path / "data"),
        MEMORY_CENTER_FILES_S3_BUCKET="packages",
        MEMORY_CENTER_FILES_S3_SECRET_KEY="canary",
    )
    assert ended.returncode == 2
    assert "MEMORY_CENTER_FILES_S3_ACCESS_KEY" in ended.stderr
    assert "canary" not in ended.stdout + ended.stderr
    assert not (tmp_path / "data").exists()


def test_boto_is_imported_only_where_there_is_a_bucket() -> None:
    processes = "services.gateway.app, services.cli.doctor, workers.process, workers.scheduler.periodic"
    assert run("-c", f"import sys, {processes}; print('boto3' in sys.modules)").stdout == "False\n"

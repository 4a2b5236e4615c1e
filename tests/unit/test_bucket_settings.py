"""A bucket is told in full or not at all; what is wrong is said in a line, without the secrets beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from shared.packages.folder_files import FolderFiles
from shared.runtime.bucket_settings import BucketSettings
from shared.runtime.package_files import package_files
from shared.runtime.settings import Settings, faults
from shared.stores.files import FileStore
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
        ("PREFIX", "no-slash"),
        ("PREFIX", "/ours/"),
        ("REGION", "Some Where"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, wrong: str) -> None:
    with pytest.raises(ValidationError) as caught:
        told(monkeypatch, **{**TOLD, name: wrong})
    assert faults(caught.value)[0].startswith(f"MEMORY_CENTER_FILES_S3_{name}: ")
    assert wrong not in "".join(faults(caught.value))


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_process_that_cannot_start_says_which_variable_in_a_line_each_and_no_secret() -> None:
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
    processes = "services.gateway.app, services.cli.doctor, workers.process, workers.sweeper.__main__"
    assert run("-c", f"import sys, {processes}; print('boto3' in sys.modules)").stdout == "False\n"

"""What the file store promises of a folder beyond what every place does: whatever lies there, links, errors."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid4

import pytest

from shared.stores.files import FileStore
from shared.stores.port import ErasableStore, ErasureTarget, StoreMisconfigured, StoreUnavailable


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "exports"


@pytest.fixture
def store(root: Path) -> ErasableStore:
    return FileStore(root)


def a_file(root: Path, namespace: UUID, key: UUID, suffix: str = ".zip") -> Path:
    path = root / str(namespace) / f"{key}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("what a person wrote")
    return path


def test_announced_files_go_and_their_neighbours_stay(store: ErasableStore, root: Path) -> None:
    namespace, gone, stays = uuid4(), uuid4(), uuid4()
    a_file(root, namespace, gone)
    a_file(root, namespace, gone, ".zip.part")
    nested = root / str(namespace) / str(stays) / "part-1"
    nested.parent.mkdir()
    nested.write_text("kept")
    target = ErasureTarget(namespace=namespace, keys=(gone,))
    assert [one.found for one in store.residue([target])] == [{"files": 2}]

    assert store.erase([target]) == [1]
    assert store.erase([target]) == [1]

    assert store.residue([target])[0].total == 0
    assert list((root / str(namespace)).iterdir()) == [nested.parent]
    assert nested.read_text() == "kept"


def test_a_whole_namespace_goes_with_its_folder_and_no_other(store: ErasableStore, root: Path) -> None:
    namespace, stranger = uuid4(), uuid4()
    a_file(root, namespace, uuid4())
    deep = root / str(namespace) / str(uuid4()) / "a" / "b"
    deep.parent.mkdir(parents=True)
    deep.write_text("deep")
    kept = a_file(root, stranger, uuid4())
    targets = [
        ErasureTarget(namespace=namespace, whole_namespace=True),
        ErasureTarget(namespace=stranger, keys=(uuid4(),)),
    ]
    assert [one.total for one in store.residue(targets)] == [2, 0]

    assert store.erase(targets) == [2, 1]

    assert [one.total for one in store.residue(targets)] == [0, 0]
    assert list(root.iterdir()) == [kept.parent]
    assert kept.exists()


def test_without_a_root_there_is_nothing_and_none_is_made(store: ErasableStore, root: Path) -> None:
    assert store.erase([ErasureTarget(namespace=uuid4(), keys=(uuid4(),), whole_namespace=True)]) == [1]
    assert not root.exists()


def test_a_link_goes_and_what_it_names_stays(store: ErasableStore, root: Path, tmp_path: Path) -> None:
    namespace, key = uuid4(), uuid4()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("kept")
    a_file(root, namespace, uuid4())
    (root / str(namespace) / str(key)).symlink_to(outside, target_is_directory=True)
    inside = root / str(namespace) / str(uuid4())
    inside.mkdir()
    (inside / "link").symlink_to(outside, target_is_directory=True)

    store.erase([ErasureTarget(namespace=namespace, keys=(key,))])
    assert not (root / str(namespace) / str(key)).is_symlink()
    store.erase([ErasureTarget(namespace=namespace, whole_namespace=True)])

    assert not (root / str(namespace)).exists()
    assert (outside / "precious").read_text() == "kept"


def test_a_namespace_that_leads_elsewhere_is_refused(store: ErasableStore, root: Path, tmp_path: Path) -> None:
    namespace, key = uuid4(), uuid4()
    outside = a_file(tmp_path / "outside", namespace, key)
    root.mkdir()
    (root / str(namespace)).symlink_to(outside.parent, target_is_directory=True)

    for target in (
        ErasureTarget(namespace=namespace, keys=(key,)),
        ErasureTarget(namespace=namespace, whole_namespace=True),
    ):
        for call in (store.erase, store.residue):
            with pytest.raises(StoreMisconfigured):
                call([target])

    assert outside.exists()


@pytest.mark.parametrize(
    ("error", "expected"),
    [(PermissionError("canary"), StoreMisconfigured), (OSError(5, "canary"), StoreUnavailable)],
)
def test_failures_are_told_apart_without_naming_a_path(
    store: ErasableStore, root: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, expected: type[Exception]
) -> None:
    namespace, key = uuid4(), uuid4()
    a_file(root, namespace, key)

    def fail(_path: object) -> None:
        raise error

    monkeypatch.setattr(Path, "iterdir", fail)
    for call in (store.erase, store.residue):
        with pytest.raises(expected, match="files") as caught:
            call([ErasureTarget(namespace=namespace, keys=(key,))])
        assert "canary" not in str(caught.value)
        assert caught.value.__cause__ is None

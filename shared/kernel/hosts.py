"""The hosts that work on one database: each is a data directory. What one alone can see may not be everybody's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction

LIVING_SECONDS: Final = 15.0
"""A host that was not seen for so long is gone."""
NOTED_SECONDS: Final = 4.0
"""How often a living host is written down."""

OWN: Final = frozenset({"file", "folder", "lite"})
"""Places that only one host can see."""

Unshared: TypeAlias = Literal["ledger", "packages", "vectors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A host and where it keeps what is not in the database.

    Args:
        id: of its data directory, which all its processes share.
        version: of the product.
        ledger: `file`, or a name of the bucket that differs from other buckets' names.
        packages: `folder`, or a name as for `ledger`.
        vectors: `lite` or `server`.
    """

    id: UUID
    version: str
    ledger: str
    packages: str
    vectors: Literal["lite", "server"]


def note(tx: Transaction, host: Host) -> list[Host]:
    """Note that a host lives, unless one of its processes just did; return the others that do."""
    seen = _seen(tx)
    if not seen.get(host, False):
        tx.run(
            """
            insert into hosts (id, version, ledger, packages, vectors, seen_at)
            values (:id, :version, :ledger, :packages, :vectors, now())
            on conflict (id) do update set version = excluded.version, ledger = excluded.ledger,
              packages = excluded.packages, vectors = excluded.vectors, seen_at = excluded.seen_at
            """,
            **asdict(host),
        )
    return [one for one in seen if one.id != host.id]


def leave(tx: Transaction, host: Host) -> None:
    """Note that a process of a host ended properly. If others of that host run on, they note it again."""
    tx.run("delete from hosts where id = :id", id=host.id)


def living(tx: Transaction) -> list[Host]:
    """Return the hosts that live."""
    return [*_seen(tx)]


def _seen(tx: Transaction) -> dict[Host, bool]:
    """Return the hosts that live, and whether each was noted just now."""
    rows = tx.rows(
        """
        select id, version, ledger, packages, vectors, seen_at > now() - make_interval(secs => :noted) as just_now
        from hosts where seen_at > now() - make_interval(secs => :living) order by id
        """,
        noted=NOTED_SECONDS,
        living=LIVING_SECONDS,
    )
    return {Host(**{name: value for name, value in row.items() if name != "just_now"}): row["just_now"] for row in rows}


def unshared(hosts: Sequence[Host]) -> Unshared | None:
    """Return what these hosts must share and do not; None if nothing, or if there is one host only."""
    if len({host.id for host in hosts}) < 2:  # noqa: PLR2004 # one shares with nobody
        return None
    for what in ("ledger", "packages", "vectors"):
        places = {getattr(host, what) for host in hosts}
        if len(places) > 1 or places & OWN:
            return what
    return None

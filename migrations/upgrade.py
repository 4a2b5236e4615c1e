"""Alembic, without its ini file: the URL comes from the caller."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config

DIRECTORY = Path(__file__).parent


def configuration(url: str) -> Config:
    """Return an Alembic configuration for `url` (postgresql://…)."""
    config = Config()
    config.set_main_option("script_location", str(DIRECTORY))
    config.attributes["url"] = url
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database to `revision`; does nothing when it is already there."""
    command.upgrade(configuration(url), revision)


def downgrade(url: str, revision: str = "base") -> None:
    """Take the database back to `revision`, losing what newer schemas hold."""
    command.downgrade(configuration(url), revision)

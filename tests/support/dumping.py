"""Real backups of a test's database, and restoring them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deploy.embedded.postgres import PostgresServer, postgres_programs


def dump(url: str, path: Path) -> None:
    """Back a database up, as an operator does."""
    subprocess.run([postgres_programs() / "pg_dump", "--format=custom", f"--file={path}", url], check=True)


def restore(url: str, path: Path) -> None:
    """Replace a database by its backup, whoever is connected."""
    server, _, name = url.rpartition("/")
    assert urlsplit(url).path == f"/{name}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'drop database "{name}" with (force)'.encode())
        connection.execute(f'create database "{name}"'.encode())
    subprocess.run([postgres_programs() / "pg_restore", "--exit-on-error", f"--dbname={url}", path], check=True)


def base_backup(server: PostgresServer, folder: Path) -> None:
    """Copy all files of a running server, and the log that makes them consistent."""
    program = postgres_programs() / "pg_basebackup"
    subprocess.run(
        [program, f"--dbname={server.url('postgres')}", f"--pgdata={folder}", "--checkpoint=fast"], check=True
    )


def restore_base_backup(server: PostgresServer, folder: Path) -> None:
    """Replace a server's files by a copy of them, and start it again where it was."""
    server.stop()
    shutil.rmtree(server.directory)
    shutil.copytree(folder, server.directory)
    server.start()

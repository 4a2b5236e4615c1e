"""A process that imports shared modules once and forks copies, each of which runs one product module.

Run as `python -P -m deploy.embedded.forkserver SOCKET [MODULE…]`. Importing takes each process several seconds; a copy
starts at once, also after a crash, and shares the memory of imported modules. A client connects to the socket and sends
one line of JSON, `{"module", "environment", "log"}`. It receives the copy's pid in one line and, when the copy has
ended, its exit code in another. If this process dies, its connections close without a code.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from deploy.embedded import private

REQUEST_SECONDS: Final = 5.0
"""Timeout for a client's request, and for the pid on the client's side."""
LISTENING: Final = 16
LINE_BYTES: Final = 32
PID: Final = b"pid "
CODE: Final = b"code "
"""Prefixes of the answers: the copy sends its pid, the server the exit code."""


class Forked:
    """A forked copy that runs a module; see `deploy.embedded.processes.Running`.

    Args:
        server: the socket of the fork server.
        log: the file the copy's output is appended to.

    Raises:
        OSError: the fork server is not running.
    """

    def __init__(self, server: Path, module: str, environment: Mapping[str, str], log: Path) -> None:
        with ExitStack() as opened:
            self._connection = opened.enter_context(socket.socket(socket.AF_UNIX))
            self._connection.settimeout(REQUEST_SECONDS)
            self._connection.connect(str(server))
            asked = {"module": module, "environment": dict(environment), "log": str(log)}
            self._connection.sendall(json.dumps(asked).encode() + b"\n")
            first, _, second = self._connection.recv(LINE_BYTES).partition(b"\n")
            if not first.startswith(PID):
                raise ConnectionResetError("the fork server or its copy ended at once; see their logs")
            self.pid = int(first.removeprefix(PID))
            self._code = int(second.removeprefix(CODE)) if second else None
            self._connection.settimeout(0)
            opened.pop_all()

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, None while it runs; SIGKILL's if the fork server is gone."""
        if self._code is None:
            with suppress(BlockingIOError):
                answer = self._connection.recv(LINE_BYTES)
                self._code = int(answer.removeprefix(CODE)) if answer else -signal.SIGKILL
                self._connection.close()
        return self._code


class ForkServer:
    """The process that forks."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)  # left by a killed process
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        path.chmod(0o600)
        self._copies: dict[int, socket.socket] = {}
        self._stopping = False
        self._woken, self._wake = socket.socketpair()
        for end in (self._woken, self._wake):
            end.settimeout(0)

    def serve(self) -> str | None:
        """Fork copies on request until SIGTERM and the end of the last copy.

        Returns:
            In a copy, the module to run; None at the end.
        """
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the launcher handles Ctrl-C
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self._stop())
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        self._listener.listen(LISTENING)
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while self._copies or not self._stopping:
                for key, _ in selector.select():
                    if key.fileobj is self._woken:
                        self._woken.recv(4096)
                    elif module := self._answer():
                        return module
                self._tell_of_ends()
        return None

    def _stop(self) -> None:
        self._stopping = True

    def _answer(self) -> str | None:
        peer, _ = self._listener.accept()
        peer.settimeout(REQUEST_SECONDS)
        with suppress(OSError, ValueError, TypeError, KeyError):
            asked = json.loads(peer.makefile("rb").readline())
            module, environment, log = str(asked["module"]), dict(asked["environment"]), Path(asked["log"])
            pid = os.fork()
            if pid == 0:
                try:
                    self._become(peer, environment, log)
                except BaseException:  # noqa: BLE001 # whatever it is: there must not be two servers
                    os._exit(1)
                return module
            self._copies[pid] = peer
            return None
        peer.close()
        return None

    def _become(self, peer: socket.socket, environment: Mapping[str, str], log: Path) -> None:
        """Give a copy its own session, environment and log, and nothing of the server's."""
        os.setsid()
        with suppress(OSError):  # shown by `top`; the arguments are the server's
            Path("/proc/self/comm").write_text(log.stem, encoding="utf-8")
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with private.appending(log) as written:
            os.dup2(written.fileno(), 1)
            os.dup2(written.fileno(), 2)
        os.environ.clear()
        os.environ.update(environment)
        for one in (self._listener, self._woken, self._wake, *self._copies.values()):
            one.close()
        peer.sendall(b"%s%d\n" % (PID, os.getpid()))  # a signal to its group now reaches it
        peer.close()

    def _tell_of_ends(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with suppress(KeyError, OSError), self._copies.pop(ended[0]) as peer:
                    peer.sendall(b"%s%d\n" % (CODE, os.waitstatus_to_exitcode(ended[1])))


def main() -> None:
    path, *imported = sys.argv[1:]
    gc.disable()  # nothing that is imported becomes garbage; looking for it takes a sixth of the time
    for name in imported:
        importlib.import_module(name)
    gc.freeze()  # the copies' garbage collectors leave these pages alone, so they stay shared
    gc.enable()
    if module := ForkServer(Path(path)).serve():
        sys.argv[1:] = []
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

"""A port that was given out is not given out again while its server may still be about to listen there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from deploy.embedded import ports

FEW = range(20_000, 20_120)
ANOTHERS = f"""
from deploy.embedded import ports
ports._CANDIDATES = {FEW!r}
print(*(ports.claimed_port() for _ in range(40)), flush=True)
input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no claims")
def test_no_port_is_given_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_CANDIDATES", FEW)
    told = [sys.executable, "-c", ANOTHERS]
    pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONWARNINGS": "default"}
    with subprocess.Popen(told, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment) as another:
        assert another.stdout is not None
        theirs = {int(port) for port in another.stdout.readline().split()}
        ours = [ports.claimed_port() for _ in range(40)]
        _, complained = another.communicate("\n")
    assert len(theirs) == len(set(ours)) == 40
    assert theirs.isdisjoint(ours)
    assert not complained

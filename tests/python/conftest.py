"""Runs that several tests look at are trained once; `cli` is the program of the same build."""

import os
import re
import subprocess
from pathlib import Path
from typing import Callable

import pytest

import emergence

SMALL = {"seeds": 2, "num_mrps": 200, "bank_size": 64}
# Of code that is read as text.
SMALLER = ((r"num_mrps=\d+", "num_mrps=60"), (r"seeds=\d", "seeds=1"), (r"networks=\d+", "networks=8"),
           (r"worlds=\[ring, ring\]", "worlds=[ring, ring], num_mrps=20"))


def made_smaller(code: str) -> str:
    for pattern, small in SMALLER:
        code = re.sub(pattern, small, code)
    return code


@pytest.fixture(scope="session")
def run() -> emergence.Run:
    return emergence.run("td", threads=2, **SMALL)


@pytest.fixture(scope="session")
def cli() -> Callable[..., str]:
    program = os.environ["EMERGENCE_CLI"]

    def call(*arguments: object) -> str:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"

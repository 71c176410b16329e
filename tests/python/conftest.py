"""Runs that several tests look at are trained once; `cli` is the program of the same build."""

import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest

import emergence

SMALL = {"seeds": 2, "num_mrps": 200, "bank_size": 64}


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

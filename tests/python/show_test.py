"""emergence.show, with a program in the window's place that says what it was asked to open."""

import os
import time

import numpy as np
import pytest

import emergence


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """What the window would open: its arrays."""
    program = tmp_path / "emergence"
    program.write_text(f'#!/bin/sh\nsleep 0.2\ncp "$1" "{tmp_path}/opened.npz"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def show(*arguments, **named):
        start = time.monotonic()
        process = emergence.show(*arguments, **named)
        assert process.poll() is None or time.monotonic() - start > 0.2  # it did not wait
        assert process.wait() == 0
        return dict(np.load(tmp_path / "opened.npz"))

    return show


def test_show(opened):
    walk = np.random.default_rng(0).normal(size=(5, 3, 4))
    for arrays, names in (({"file": walk}, None), ([walk], ["file"]), (walk, ["file"]), (list(walk), ["file"])):
        found = opened(arrays, names)
        assert list(found) == ["file"] and np.array_equal(found["file"], walk)
    for arrays in (walk, list(walk), [walk]):
        assert np.array_equal(opened(arrays)["matrix"], walk)
    found = opened([walk, walk[0]])
    assert found["matrix_1"].shape == (5, 3, 4) and found["matrix_2"].shape == (3, 4)
    assert opened(walk[0])["matrix"].shape == (1, 3, 4)


@pytest.mark.parametrize("arrays, names, sentence", [
    ([np.ones((2, 2, 2))], ["a", "b"], "names: 2 different names for 1 arrays"),
    ({"W": np.ones((1, 1, 1, 1))}, None, "^W: has 4 dimensions"),
    ({"W": np.full((2, 2), np.nan)}, None, "^W: is nan in snapshot 0, row 1, column 1"),
    ({"W": np.array([[None]])}, None, "Object arrays"),
    ([], None, "no matrix"),
])
def test_arrays_that_cannot_be_shown(opened, arrays, names, sentence):
    with pytest.raises(ValueError, match=sentence):
        emergence.show(arrays, names)


def test_no_display_and_no_program(opened, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("EMERGENCE_ASSETS", "/nowhere/assets")
    monkeypatch.chdir(os.environ["TMPDIR"])
    with pytest.raises(RuntimeError, match="is not on the PATH"):
        emergence.show([np.ones((2, 2, 2))])
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(RuntimeError, match="there is no display"):
        emergence.show([np.ones((2, 2, 2))])

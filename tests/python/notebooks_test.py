"""The notebooks, executed as a student and an instructor would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import emergence  # finds the assets

FOLDER = Path(os.environ["EMERGENCE_ASSETS"]) / "notebooks"


def test_notebooks_are_as_their_sources_say():
    checked = subprocess.run([sys.executable, FOLDER / "make.py", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + "differ. Write them with assets/notebooks/make.py"


@pytest.mark.parametrize("notebook", sorted(path.name for path in FOLDER.glob("*.ipynb")))
def test_notebook(notebook, tmp_path):
    pytest.importorskip("nbconvert")
    subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--output-dir", tmp_path,
                    "--ExecutePreprocessor.timeout=60", FOLDER / notebook], check=True, capture_output=True, text=True)
    assert (tmp_path / notebook).with_suffix(".html").stat().st_size > 10_000

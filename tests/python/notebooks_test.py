"""The notebooks, executed as a student and an instructor would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import emergence  # finds the assets
from conftest import made_smaller

FOLDER = Path(os.environ["EMERGENCE_ASSETS"]) / "notebooks"


def test_notebooks_are_as_their_sources_say():
    checked = subprocess.run([sys.executable, FOLDER / "make.py", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + "differ. Write them with assets/notebooks/make.py"


@pytest.mark.filterwarnings("ignore:.*relax_add_props:DeprecationWarning")  # nbconvert's own
@pytest.mark.parametrize("notebook", sorted(path.name for path in FOLDER.glob("*.ipynb")))
def test_notebook(notebook):
    pytest.importorskip("nbconvert")
    import nbformat
    from nbconvert import HTMLExporter
    from nbconvert.preprocessors import ExecutePreprocessor
    book = nbformat.reads(made_smaller((FOLDER / notebook).read_text()), as_version=4)
    ExecutePreprocessor(timeout=60).preprocess(book, {"metadata": {"path": FOLDER}})
    assert len(HTMLExporter().from_notebook_node(book)[0]) > 10_000

"""The Python of the handbook's pages, run from top to bottom: the tutorial as it stands, the rest with small settings."""

import os
import re
from pathlib import Path

import pytest

from conftest import made_smaller

HANDBOOK = Path(os.environ["EMERGENCE_ASSETS"]) / "handbook"


@pytest.mark.parametrize("page", ["python", "your-own", "lab/by-hand"])
def test_page(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for code in re.findall(r"```python\n(.*?)```", (HANDBOOK / f"{page}.md").read_text(), re.S):
        exec(code if page == "your-own" else made_smaller(code), names)
    if page == "your-own":
        assert len(names["result"].verdicts) == 16 and "loss:" in capsys.readouterr().out

"""The Python of the handbook's pages, run from top to bottom with small settings."""

import os
import re
from pathlib import Path

import pytest

import emergence
from conftest import made_smaller

HANDBOOK = Path(os.environ["EMERGENCE_ASSETS"]) / "handbook"


@pytest.mark.parametrize("page", ["python", "your-own"])
def test_page(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for code in re.findall(r"```python\n(.*?)```", (HANDBOOK / f"{page}.md").read_text(), re.S):
        exec(made_smaller(code), names)
        if "run" in names:
            names["network"] = lambda prompts: emergence.forward(names["run"].P[0], names["run"].Q[0], prompts)
    if page == "your-own":
        assert len(names["result"].verdicts) == 8 and "loss:" in capsys.readouterr().out

"""The Python of the handbook's pages, run from top to bottom with small settings."""

import os
import re
from pathlib import Path

import pytest

import emergence

HANDBOOK = Path(os.environ["EMERGENCE_ASSETS"]) / "handbook"
SMALLER = ((r"num_mrps=\d+", "num_mrps=60"), (r"seeds=\d", "seeds=1"), (r"networks=60", "networks=8"),
           (r"worlds=\[ring, ring\]", "worlds=[ring, ring], num_mrps=20"))


@pytest.mark.parametrize("page", ["python", "your-own"])
def test_page(page, capsys):
    names = {}
    for code in re.findall(r"```python\n(.*?)```", (HANDBOOK / f"{page}.md").read_text(), re.S):
        for pattern, small in SMALLER:
            code = re.sub(pattern, small, code)
        exec(code, names)
        if "run" in names:
            names["network"] = lambda prompts: emergence.forward(names["run"].P[0], names["run"].Q[0], prompts)
    if page == "your-own":
        assert len(names["result"].verdicts) == 8 and "loss:" in capsys.readouterr().out

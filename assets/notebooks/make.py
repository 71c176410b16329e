"""Writes each notebook in two forms, from the .py file of its name: for students, and for instructors with solutions.

    /usr/bin/python3 assets/notebooks/make.py            writes NAME.ipynb and NAME-instructor.ipynb
    /usr/bin/python3 assets/notebooks/make.py --check    only compares

A source is cells, each after a line "# %%", "# %% [markdown]", "# %% [solution]" or "# %% [markdown solution]".
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def cells_of(source: str, instructor: bool) -> list:
    cells = []
    for part in source.split("# %%")[1:]:
        kind, _, body = part.partition("\n")
        if "solution" in kind and not instructor:
            continue
        lines = body.strip("\n").split("\n")
        if "markdown" in kind:
            lines = [line[2:] for line in lines]
        text = [line + "\n" for line in lines[:-1]] + lines[-1:]
        cell = {"cell_type": "markdown" if "markdown" in kind else "code", "id": f"cell-{len(cells)}", "metadata": {},
                "source": text}
        if cell["cell_type"] == "code":
            cell.update(execution_count=None, outputs=[])
        cells.append(cell)
    return cells


def notebook(source: str, instructor: bool) -> str:
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells_of(source, instructor), "metadata": {"kernelspec": python}, "nbformat": 4,
             "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    changed = []
    for source in sorted(HERE.glob("*.py")):
        if source.name == "make.py":
            continue
        for ending, instructor in ((".ipynb", False), ("-instructor.ipynb", True)):
            file, text = source.with_name(source.stem + ending), notebook(source.read_text(), instructor)
            if not file.exists() or file.read_text() != text:
                changed.append(file.name)
                if "--check" not in sys.argv:
                    file.write_text(text)
    print("\n".join(changed) or "all notebooks are as their sources say")
    return 1 if changed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())

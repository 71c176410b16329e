"""A bar of progress, in a notebook or a terminal."""

from __future__ import annotations

import sys
import time
from typing import Any

_PAUSE = 0.2  # seconds between two drawings


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class Bar:
    """Shows how far a run is. shown: None draws in notebooks, and in terminals if standard error is one."""

    def __init__(self, shown: bool | None) -> None:
        self._notebook = _in_notebook()
        self._shown = shown if shown is not None else self._notebook or sys.stderr.isatty()
        self._drawn = 0.0
        self._handle: Any = None

    def show(self, step: int, target: int, words: str, last: bool = False) -> None:
        if not self._shown or (not last and time.monotonic() - self._drawn < _PAUSE):
            return
        self._drawn = time.monotonic()
        if self._notebook:
            self._show_in_notebook(step, target, words)
        else:
            full = 24 * step // max(1, target)
            line = f"\r[{'#' * full}{'.' * (24 - full)}] {words}\033[K"
            print(line, end="\n" if last else "", file=sys.stderr, flush=True)

    def _show_in_notebook(self, step: int, target: int, words: str) -> None:
        from IPython.display import HTML, display  # type: ignore[import]

        bar = HTML(f'<progress value="{step}" max="{target}" style="width:20em"></progress> {words}')
        if self._handle is None:
            self._handle = display(bar, display_id=True)
        else:
            self._handle.update(bar)

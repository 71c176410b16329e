"""Pictures."""

from __future__ import annotations

import os
from base64 import b64encode
from concurrent.futures import Executor
from html import escape
from pathlib import Path
from typing import Any

from . import _native
from ._tables import text


class Picture:
    """A picture of a run, as the window draws it: a notebook shows it, `save` writes it.

    It describes itself: SVG, PDF and PNG hold the settings of the run, and the window opens them.
    """

    def __init__(self, native: _native.Picture) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """The usual stem of its file: "wang-2"."""
        return self._native.name

    @property
    def title(self) -> str:
        return self._native.title

    @property
    def caption(self) -> str:
        """Settings, seeds, number of runs and version, in sentences."""
        return self._native.caption

    def svg(self, width: str = "", caption: bool = True) -> str:
        """The picture as SVG. width: "3.4in", "7in", "slide", or "" for its own."""
        return self._native.bytes("svg", text("width", width), bool(caption)).decode()

    def png(self, width: str = "", caption: bool = True) -> bytes:
        """The picture as PNG, 150 dots per inch."""
        return self._native.bytes("png", text("width", width), bool(caption))

    def save(self, path: str | os.PathLike[str], width: str = "", caption: bool = True) -> Path:
        """Writes it in the format that the extension names: pdf, svg, png, or the drawn numbers as csv or npz.

        Raises ValueError for another extension, OSError if the file cannot be written.
        """
        file = Path(text("path", path))
        file.write_bytes(self._native.bytes(file.suffix[1:], text("width", width), bool(caption)))
        return file

    def _repr_svg_(self) -> str:
        svg = self.svg()
        return svg[svg.index("<svg"):]  # a page has its own declaration of XML

    def _repr_html_(self) -> str:
        # An image of its own: the names of glyphs in several pictures of one page would be mistaken for each other.
        data = b64encode(self.svg().encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(self.title)}" style="max-width:100%">'

    def __repr__(self) -> str:
        return f"<emergence.Picture {self.name}: {self.title}>"


def figure(name: str, *, threads: int | None = None, executor: Executor | None = None,
           out: str | os.PathLike[str] | None = None, jobs_per_task: int | None = None, progress: bool | None = None,
           **settings: Any) -> Picture:
    """A figure of a paper, with the runs that it needs trained first: what `emergence-cli figure NAME` draws.

    name: one of `emergence.figures()`.
    settings: as `seeds=3`, where they differ from the figure's own; one that the
    figure does not use is refused. Ctrl-C stops it.
    executor, out: with one of them the folder `out` (out/NAME unless given) gets what the command line writes there,
    and a job that it holds is not done again. Each network is a job of the executor; a figure that is drawn from one
    run is one job. See `emergence.sweep`.

        >>> emergence.figure("wang-2", seeds=30).save("wang-2.pdf")

    Raises ValueError for an unknown figure or setting.
    """
    from ._run import Run, threads_or_all

    if executor is not None or out is not None:
        from ._executors import figure_on

        folder = Path(text("out", out)) if out is not None else Path("out", Path(text("name", name)).stem)
        return figure_on(executor, text("name", name), settings, folder, threads_or_all(threads), jobs_per_task,
                         progress)
    experiment, values, of_one_run = _native.settings_of_figure(text("name", name), settings)
    if of_one_run:
        run = Run(experiment, threads=threads, **values)
        run.figure(name)  # what it lacks now it lacks after training
        return run.train().figure(name)
    return Picture(_native.trained_figure(experiment, name, values, threads_or_all(threads)))

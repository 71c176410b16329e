"""Dictionaries that a notebook shows as tables."""

from __future__ import annotations

import os
from difflib import get_close_matches
from html import escape
from operator import index
from pathlib import Path
from typing import Any, Iterable, Sequence, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")


def whole(name: str, given: object, low: int = -2**53, high: int = 2**53) -> int:
    """The whole number that an argument is. Raises TypeError for anything else, ValueError beyond its ends."""
    try:
        if isinstance(given, (bool, np.bool_)):
            raise TypeError
        number = index(given)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: {given!r} is not a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name}: {number} is not from {low} to {high}")
    return number


def real(name: str, given: object) -> float:
    """The number that an argument is. Raises TypeError for anything else, ValueError if no float holds it."""
    try:
        return float(given)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(f"{name}: {given!r} is too large") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {given!r} is not a number") from None


def text(name: str, given: object) -> str:
    """The text or path that an argument is. Raises TypeError for anything else, ValueError if it is not UTF-8."""
    try:
        path = os.fspath(given)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"{name}: {given!r} is not text") from None
    words: str = os.fsdecode(path)
    try:
        words.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {words!r} cannot be written as UTF-8") from None
    if "\0" in words:
        raise ValueError(f"{name}: {words!r} holds a NUL, as no text does")
    return words


def numbers(name: str, given: Any) -> npt.NDArray[Any]:
    """A numpy array of an array or a torch tensor. Raises ValueError for a masked array, whose hidden values would count."""
    parts = given if isinstance(given, (list, tuple)) else [given]
    if any(isinstance(part, np.ma.MaskedArray) for part in parts):
        raise ValueError(f"{name}: is a masked array, and its mask would be lost. Give array.filled(...), or a part of it")
    if not hasattr(given, "detach"):
        return np.asarray(given)
    tensor: Any = given.detach().cpu()
    try:
        return np.asarray(tensor.numpy())
    except TypeError:  # bfloat16, which numpy does not have
        return np.asarray(tensor.float().numpy())


def shortened(words: str, most: int) -> str:
    return words if len(words) <= most else words[:most - 1] + "…"


def no_such(name: object, names: Iterable[str]) -> KeyError:
    """The error for an unknown name, with similar names."""
    there = list(names)
    near = get_close_matches(str(name), there, n=3) or there
    return KeyError(f"{name!r} is not there. {'Near: ' if near != there else 'There are: '}{', '.join(near)}")


def html_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML; numbers with four digits."""

    def cell(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else "–" if value is None else str(value)

    lines = ["<table><tr>" + "".join(f"<th>{escape(one)}</th>" for one in head) + "</tr>"]
    for row in rows:
        lines.append("<tr>" + "".join(f'<td style="text-align:left">{escape(cell(one))}</td>' for one in row) + "</tr>")
    return "\n".join(lines) + "</table>"


class Named(dict[str, T]):
    """A dictionary whose KeyError suggests similar names."""

    def __missing__(self, name: str) -> T:
        raise no_such(name, self)


class Table(Named[T]):
    """An ordered dictionary. Iteration gives the names; a terminal shows one line for each."""

    def __repr__(self) -> str:
        wide = max((len(name) for name in self), default=0)
        lines = [f"{row[0]!s:{wide}}  {' '.join(str(row[-1]).split())}" for row in self._rows()]
        return "\n".join(shortened(line, 120) for line in lines)

    def _rows(self) -> list[Sequence[object]]:
        return [(name, getattr(one, "title", None) or getattr(one, "help", one)) for name, one in self.items()]

    def _head(self) -> Sequence[str]:
        return ("name", "")

    def _repr_html_(self) -> str:
        return html_table(self._head(), self._rows())


class Metrics(Named[npt.NDArray[Any]]):
    """The logged numbers of a run.

    `metrics["step"]`: the logged steps, shape (steps,). Every other entry: one metric, shape (seeds, steps), float64;
    NaN where a seed has failed. The arrays are read-only copies of the moment at which they were taken.
    """

    def __init__(self, columns: dict[str, npt.NDArray[Any]], seeds: Sequence[int], help: dict[str, str]) -> None:
        super().__init__(columns)
        self.seeds = tuple(seeds)
        #: What each metric means.
        self.help = help

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: one row for each seed and logged step, as in metrics.csv. Raises ImportError without
        pandas."""
        import pandas  # type: ignore[import]

        steps = len(self["step"])
        columns: dict[str, Any] = {"seed": np.repeat(np.asarray(self.seeds), steps),
                                   "step": np.tile(self["step"], len(self.seeds))}
        columns.update((name, values.ravel()) for name, values in self.items() if name != "step")
        return pandas.DataFrame(columns)

    def to_json_lines(self, path: str | os.PathLike[str]) -> Path:
        """Writes one JSON object on a line for each seed and logged step; null for what is not known."""
        from ._export import to_json_lines

        return to_json_lines(self, path)

    def to_tensorboard(self, folder: str | os.PathLike[str]) -> Path:
        """Writes event files, which TensorBoard reads: a folder for each seed."""
        from ._export import to_tensorboard

        return to_tensorboard(self, folder)

    def _repr_html_(self) -> str:
        def mean(last: npt.NDArray[Any]) -> object:
            known = last[np.isfinite(last)]
            if not known.size:
                return None
            if known.size == last.size:
                return float(known.mean())
            return f"{known.mean():.4g}, of {known.size} of {last.size}"

        rows = [(name, mean(values[:, -1]), self.help.get(name, "")) for name, values in self.items()
                if name != "step" and values.size]
        return html_table(("metric", "last, mean of seeds", ""), rows)

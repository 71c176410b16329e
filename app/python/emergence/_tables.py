"""Dictionaries that a notebook shows as tables."""

from __future__ import annotations

from difflib import get_close_matches
from html import escape
from operator import index
from typing import Any, Iterable, Sequence, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")


def whole(name: str, given: object) -> int:
    """The whole number that an argument is. Raises TypeError."""
    try:
        if isinstance(given, (bool, np.bool_)):
            raise TypeError
        return index(given)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: {given!r} is no whole number") from None


def no_such(name: object, names: Iterable[str]) -> KeyError:
    """What is raised for a name that a table does not have, with near ones."""
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
    """Things by their names. KeyError says which are near."""

    def __missing__(self, name: str) -> T:
        raise no_such(name, self)


class Table(Named[T]):
    """Things by their names, in an order that matters. Iteration gives the names; a terminal shows a line of each."""

    def __repr__(self) -> str:
        wide = max((len(name) for name in self), default=0)
        lines = [f"{row[0]!s:{wide}}  {' '.join(str(row[-1]).split())}" for row in self._rows()]
        return "\n".join(line if len(line) <= 120 else line[:119] + "…" for line in lines)

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

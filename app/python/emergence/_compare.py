"""Runs compared."""

from __future__ import annotations

import math
import os
from typing import Any, Sequence

from . import _native
from ._pictures import Picture
from ._run import Run, load
from ._tables import html_table, no_such, text


class Comparison(Sequence[dict[str, Any]]):
    """The scores of two runs, b minus a, over the seeds that they share.

    Each entry: score, paired, n_a, n_b, mean_a, mean_b, difference, low, high (95 %; NaN of a single pair), p (of a
    permutation test), dropped (the seeds that do not count, with the reason).
    """

    def __init__(self, rows: list[dict[str, Any]], settings: list[str], figure: Picture) -> None:
        self._rows_ = rows
        #: The settings in which the runs differ, a line each.
        self.settings = settings
        #: The score over training, seed by seed, and the change of each block's norm.
        self.figure = figure

    def __len__(self) -> int:
        return len(self._rows_)

    def __getitem__(self, place: Any) -> Any:
        """By place, or by the score's name."""
        if isinstance(place, str):
            for row in self._rows_:
                if row["score"] == place:
                    return row
            raise no_such(place, [row["score"] for row in self._rows_])
        return self._rows_[place]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: one row for each score. Raises ImportError without pandas."""
        import pandas  # type: ignore[import]

        return pandas.DataFrame(self._rows_).set_index("score")

    def __repr__(self) -> str:
        rows = ", ".join(f"{row['score']} {row['difference']:+.3g}" for row in self._rows_[:3])
        more = f", and {len(self) - 3} scores more" if len(self) > 3 else ""
        return f"<emergence.Comparison b - a: {rows}{more}>"

    def _repr_html_(self) -> str:
        rows = [(row["score"], row["mean_a"], row["mean_b"], row["difference"],
                 "none" if math.isnan(row["low"]) else f"{row['low']:.4g} to {row['high']:.4g}", row["p"], row["n_a"],
                 row["dropped"]) for row in self._rows_]
        return (f"<p>{'; '.join(self.settings) or 'The same settings.'}</p>"
                + html_table(("score", "a", "b", "b - a", "95 %", "p", "n", "left out"), rows))


def compare(a: Run | str | os.PathLike[str], b: Run | str | os.PathLike[str], score: str = "") -> Comparison:
    """Compares two runs, or folders of runs, score by score: what `emergence-cli compare` prints.

        >>> emergence.compare(run, emergence.run("td", loss="residual_gradient"))["msve"]["difference"]

    score: the metric of the figure, or a quantity of each seed that is compared too (see `Run.quantity`). Raises
    ValueError if the runs have no score in common.
    """
    runs = [one if isinstance(one, Run) else load(one) for one in (a, b)]
    names = [name if isinstance(one, Run) else text(name, one) for name, one in zip("ab", (a, b))]
    rows, settings, picture = _native.compared(runs[0]._native, runs[1]._native, names[0], names[1],
                                                text("score", score))
    return Comparison(rows, settings, Picture(picture))

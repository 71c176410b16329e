"""Reading a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _native
from ._pictures import Picture
from ._tables import Metrics, Named, Table, html_table, shortened, whole
from ._tables import text as as_text

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class SeedStatus:
    """The status of one network."""

    #: Its number, which its random streams follow from.
    seed: int
    step: int
    #: By the experiment's rule, see `Experiment.emergence_rule`.
    emerged: bool
    #: The step from which on it has; None if it has not.
    emerged_at: int | None
    #: The part of the rule that does not hold; "".
    lacks: str
    #: Whether it has computed its loss's algorithm for ten logged steps; None if that is not judged.
    function: bool | None
    #: What it computes now, as `Identified.verdict` says it; "" if not known.
    verdict: str
    #: What it computes, in words; "" if not known.
    computes: str
    failed: bool
    #: Why it failed, and at which step.
    reason: str


@dataclass(frozen=True)
class Measurement:
    """One number of a run, with its 95 % interval (None without one) and the number of seeds behind it."""

    value: float
    low: float | None
    high: float | None
    n: int

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Moment:
    """The weights of a run at an earlier step. `emergence.identify` takes it."""

    step: int
    #: As `Run.weights`.
    weights: dict[str, Array] = field(repr=False)
    #: Whose they are.
    run: Looking = field(repr=False, compare=False)

    @property
    def P(self) -> Array:
        """seeds x layers x D x D."""
        return self.weights["P"]

    @property
    def Q(self) -> Array:
        """seeds x layers x D x D."""
        return self.weights["Q"]

    def __repr__(self) -> str:
        arrays = ", ".join(f"{name} {array.shape}" for name, array in self.weights.items())
        return f"<emergence.Moment of {self.run.experiment}, step {self.step}: {shortened(arrays, 200)}>"


class Looking:
    """The read-only part of a run: see `Run`."""

    _native: _native.LabRun

    @property
    def steps(self) -> int:
        """The steps trained so far."""
        return self._native.step

    @property
    def target(self) -> int:
        """The step at which the run ends."""
        return self._native.target

    @property
    def finished(self) -> bool:
        """True at the end, or if all seeds have failed."""
        return self._native.finished

    @property
    def seconds(self) -> float:
        """Training time so far, in seconds, without what callbacks took."""
        return self._native.seconds

    @property
    def step_unit(self) -> str:
        """What a step is, in the plural: "MRPs"."""
        return self._native.step_unit

    @property
    def experiment(self) -> str:
        return self._native.experiment

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name; a copy."""
        return self._native.settings()

    @property
    def config(self) -> str:
        """The settings as TOML: a file that the window and the command line open."""
        return self._native.config()

    @property
    def status(self) -> list[SeedStatus]:
        """Where each seed is: emerged, failed, what it computes."""
        return [SeedStatus(**seed) for seed in self._native.seeds()]

    @property
    def seeds(self) -> list[int]:
        """The numbers of the seeds, in the order of all arrays."""
        return [seed["seed"] for seed in self._native.seeds()]

    @property
    def emerged(self) -> npt.NDArray[np.bool_]:
        """Which seeds have emerged by the experiment's rule: (seeds,)."""
        return np.array([seed["emerged"] for seed in self._native.seeds()], dtype=bool)

    @property
    def weights(self) -> dict[str, Array]:
        """All arrays of weights.npz by name, first axis seeds.

        Read-only. They are views of a copy that the library makes of this moment: they stay as they are when training
        goes on, and stay valid when the run is gone.
        """
        return Named(self._native.weights())

    def _weights(self, name: str) -> Array:
        weights = self.weights
        if name not in weights:
            raise AttributeError(f"a run of {self.experiment} has no {name}. run.weights has {', '.join(weights)}")
        return weights[name]

    @property
    def P(self) -> Array:
        """P of every seed and stored layer: seeds x layers x D x D, float32, D = 2d + 1; Eq. (3), Wang et al. 2025.

        One stored layer serves all L layers unless `sequential` is set. Read-only, of this moment: see `weights`.
        """
        return self._weights("P")

    @property
    def Q(self) -> Array:
        """Q of every seed and stored layer: seeds x layers x D x D, as P."""
        return self._weights("Q")

    @property
    def metrics(self) -> Metrics:
        """The logged numbers so far: `metrics["step"]` (steps,), others seeds x steps. The columns of metrics.csv."""
        return Metrics(self._native.metrics(), self.seeds, self._native.metric_help())

    def to_pandas(self) -> Any:
        """`metrics.to_pandas()`: one row for each seed and logged step."""
        return self.metrics.to_pandas()

    def to_torch(self, seed: int = 0) -> Any:
        """The network of one seed (by place, not number) as a torch.nn.Module in double: prompts, B x (2d + 1) x
        (n + 1), to B values. Its parameters are P and Q. Raises ValueError for other networks than attention of "td"."""
        from ._export import to_torch

        return to_torch(self, seed)

    @property
    def scalars(self) -> dict[str, float]:
        """The numbers that the experiment names at this moment, such as value errors on held-out tasks."""
        return Named(_native.scalars(self._native))

    @property
    def curves(self) -> dict[str, dict[str, Any]]:
        """The plots other than training history, by id: {"title", "x", "y", "series"}.

        series: by name, a pair of arrays: x (points,) and values (seeds, points); references have one row.
        """
        return Named(_native.curves(self._native))

    @property
    def matrices(self) -> dict[str, dict[str, Any]]:
        """The matrices as drawn, by name ("P0"): blocks of rows and columns as (label, size), one array for each seed,
        theory's
        matrix scaled to a largest entry of 1, or None."""
        return Named((one["name"], one) for one in _native.matrices(self._native))

    def quantity(self, text: str) -> Array | Measurement:
        """A number of the run in the language of claims, sweeps and lessons.

            >>> run.quantity("metric msve at 800")                    # of each seed: an array
            >>> run.quantity("median(metric msve of emerged)")        # of the run: a Measurement

        Raises ValueError, with the column and near names. The handbook's chapter is `emergence-cli handbook
        quantities`.
        """
        answer = _native.quantity(self._native, as_text("text", text))
        return Measurement(*answer) if isinstance(answer, tuple) else answer

    @property
    def quantities(self) -> Table[str]:
        """What `quantity` can read off this run, with what it says."""
        return Table(_native.quantities(self._native))

    @property
    def pictures(self) -> Table[str]:
        """The names of all pictures of this run, with their titles."""
        return Table(_native.picture_names(self._native))

    def picture(self, name: str) -> Picture:
        """A picture of this moment, as the window exports it: one of `run.pictures`. Raises ValueError."""
        return Picture(_native.picture(self._native, as_text("name", name)))

    def figure(self, name: str) -> Picture:
        """A paper's figure drawn from this run, such as "wang-2".

        Raises ValueError if the run does not fit, or if the figure trains runs of its own: see `emergence.figure`.
        """
        return self.picture(name)

    @property
    def moments(self) -> list[int]:
        """The steps at which all weights are kept: at most 64, evenly spaced. See `at`."""
        return self._native.moment_steps()

    def at(self, step: int) -> Moment:
        """The weights at the last kept moment at or before `step`; the answer's `step` says which that is.

        Training is not touched. Raises ValueError, naming the kept moments, if none is that early.
        """
        step = whole("step", step)
        kept = [one for one in self.moments if one <= step]
        if not kept:
            steps = shortened(", ".join(map(str, self.moments)) or "none", 200)
            raise ValueError(f"step: no moment at or before {step} is kept. Kept: {steps}")
        return Moment(kept[-1], Named(self._native.weights_at(kept[-1])), self)

    def _words(self) -> str:
        seeds = self._native.seeds()
        emerged, failed = (sum(1 for seed in seeds if seed[what]) for what in ("emerged", "failed"))
        words = f"step {self.steps} of {self.target} {self.step_unit}, {len(seeds)} seeds"
        return words + (f", {emerged} emerged" if emerged else "") + (f", {failed} failed" if failed else "")

    def __repr__(self) -> str:
        return f"<emergence.Run {self.experiment}: {self._words()}>"

    def _repr_svg_(self) -> str:
        return self._window()._repr_svg_()

    def _window(self) -> Picture:
        names = list(self.pictures)  # some experiments have only curves
        whole = [f"{self.experiment}-{what}" for what in ("window", "curves")]
        return self.picture(next((name for name in whole if name in names), names[-1]))

    def _repr_html_(self) -> str:
        rows: Sequence[Sequence[object]] = [
            (one.seed, one.step, "failed: " + one.reason if one.failed else "yes" if one.emerged else "no",
             one.emerged_at, one.computes or one.lacks) for one in self.status]
        return (f"<p><b>{self.experiment}</b>: {self._words()}</p>{self._window()._repr_html_()}"
                "<details><summary>Seeds</summary>"
                + html_table(("seed", "step", "emerged", "at", ""), rows) + "</details>")

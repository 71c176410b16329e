"""Emergence: watch a transformer discover a reinforcement-learning algorithm, from Python.

    >>> import emergence
    >>> run = emergence.run("td", seeds=8, num_mrps=800)   # trains eight networks
    >>> run.P.shape                                        # seeds x layers x D x D, D = 2d + 1
    (8, 1, 9, 9)
    >>> run.metrics["msve"][:, -1]                         # the last logged value of each seed
    >>> run.figure("wang-2")                               # Figure 2 of Wang et al. 2025, drawn from it
    >>> emergence.identify(run)                            # which algorithm each network computes

A run has the same bits as `emergence-cli run` with the same settings, on any number of threads. Settings are keywords
with the names that `emergence.fields("td")` lists; one that does not exist or is out of range raises ValueError with
the sentence of the command line.

Begin with `help(emergence.run)`, then `help(emergence.Run)`. The handbook's chapter is `emergence-cli handbook python`.
"""

import os as _os
from pathlib import Path as _Path


def _find_assets() -> None:
    if _os.environ.get("EMERGENCE_ASSETS"):
        return
    here = _Path(__file__).resolve().parent
    # In a wheel, in the source tree, installed under a prefix.
    installed = (up / "share" / "emergence" for up in here.parents[:5])
    for folder in (here / "assets", here.parents[2] / "assets", *installed):
        if (folder / "presets").is_dir():
            _os.environ["EMERGENCE_ASSETS"] = str(folder)
            return


_find_assets()

from ._bench import BenchNetwork, BenchResult, bench
from ._catalogue import Experiment, Field, Preset, experiments, fields, figures, presets, version
from ._compare import Comparison, compare
from ._executors import Sweep, reproduce, sweep
from ._looking import Measurement, Moment, SeedStatus
from ._networks import Bank, Identified, forward, identify, sample_prompts, state_dict, weights_of
from ._own import Minibatch, Targets, World
from ._pictures import Picture, figure
from ._run import Run, interrupted, load, run
from ._show import show
from ._tables import Metrics, Table

__version__ = version().split(" ")[0]

__all__ = [
    "Bank", "BenchNetwork", "BenchResult", "Comparison", "Experiment", "Field", "Identified", "Measurement", "Metrics",
    "Minibatch", "Moment", "Picture", "Preset", "Run", "SeedStatus", "Sweep", "Table", "Targets", "World", "bench", "compare",
    "experiments", "fields", "figure", "figures", "forward", "identify", "interrupted", "load", "presets",
    "reproduce", "run", "sample_prompts", "show", "state_dict", "sweep", "version", "weights_of",
]

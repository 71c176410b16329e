"""Test your own judge on networks whose algorithm is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from . import _native
from ._networks import forward
from ._tables import html_table, real, whole

Array = npt.NDArray[np.float64]
VERDICTS = ("td", "residual_gradient", "no_bootstrap", "reward_correlation", "wrong_sign", "ambiguous", "between", "none")


@dataclass(frozen=True)
class BenchNetwork:
    """A linear transformer with a label that judges do not see: P and Q of each layer, layers x D x D."""

    P: Array
    Q: Array
    #: The right verdict. A judge must not look.
    truth: str = field(repr=False)
    #: How it was built, whether with matrices as step sizes, and what hides it.
    built: str = field(repr=False)
    matrices: bool = field(repr=False)
    disguise: str = field(repr=False)
    #: The verdict on it, as `Run.identify` gives it.
    verdict: str = field(repr=False)

    @property
    def d(self) -> int:
        return (self.P.shape[1] - 1) // 2

    def values(self, prompts: npt.ArrayLike) -> Array:
        """Its values of prompts, (B,): see `emergence.forward`."""
        return forward(self.P, self.Q, prompts)

    def trace(self, prompts: npt.ArrayLike) -> Array:
        """Z_0 .. Z_L: (L + 1) x B x D x (n + 1)."""
        return forward(self.P, self.Q, prompts, trace=True)[1]


@dataclass(frozen=True)
class BenchResult:
    """The scores of a judge, beside those of the verdict on the same networks."""

    networks: list[BenchNetwork]
    verdicts: list[str]

    @property
    def truths(self) -> list[str]:
        return sorted({one.truth for one in self.networks})

    def confusion(self) -> dict[str, dict[str, int]]:
        """How many networks of each truth got each verdict."""
        counts: dict[str, dict[str, int]] = {truth: {} for truth in self.truths}
        for network, verdict in zip(self.networks, self.verdicts):
            counts[network.truth][verdict] = counts[network.truth].get(verdict, 0) + 1
        return counts

    def _named_right(self, verdicts: list[str]) -> float:
        shares = [np.mean([verdict == truth for one, verdict in zip(self.networks, verdicts) if one.truth == truth])
                  for truth in self.truths]
        return float(np.mean(shares))

    @property
    def named_right(self) -> float:
        """The mean over the truths of the share that gets the right name."""
        return self._named_right(self.verdicts)

    @property
    def named_right_by_verdict(self) -> float:
        """The same for the verdict of the laboratory."""
        return self._named_right([one.verdict for one in self.networks])

    @property
    def wrong(self) -> float:
        """The share of networks that get another network's name: neither their own nor ambiguous, between or none."""
        named = [verdict not in ("ambiguous", "between", "none") for verdict in self.verdicts]
        return float(np.mean([is_name and verdict != one.truth
                              for is_name, verdict, one in zip(named, self.verdicts, self.networks)]))

    @property
    def balanced(self) -> float:
        """The mean of the share of TD that is called TD, and of the others that are not."""
        td = np.array([one.truth == "td" for one in self.networks])
        said = np.array([one == "td" for one in self.verdicts])
        return float((said[td].mean() + (~said[~td]).mean()) / 2)

    def _words(self) -> str:
        return (f"named right {self.named_right:.2f} (the verdict {self.named_right_by_verdict:.2f}), wrong "
                f"{self.wrong:.2f}, TD or not {self.balanced:.2f}, {len(self.networks)} networks")

    def __repr__(self) -> str:
        return f"<emergence.BenchResult {self._words()}>"

    def _repr_html_(self) -> str:
        said = sorted(set(self.verdicts))
        rows = [(truth, *(row.get(one, 0) for one in said)) for truth, row in self.confusion().items()]
        return (f"<p>{self._words()}</p>" + html_table(("truth", *said), rows))


def bench(judge: Callable[[BenchNetwork], Any], networks: int = 60, *, d: int = 4, num_layers: int = 3,
          noise: float = 0.02, seed: int = 0) -> BenchResult:
    """Tests your own judge: can it name disguised networks whose algorithm is known?

    judge: a function of a `BenchNetwork` that answers "td", "residual_gradient", "no_bootstrap", "reward_correlation",
    "wrong_sign" (of the steps), "ambiguous", "between" or "none". It may read the weights, or values and traces of prompts of its own
    (`emergence.sample_prompts`).

        >>> prompts = emergence.sample_prompts(64)
        >>> def judge(network):
        ...     read_only_rewards = abs(network.Q[0, :4, 4:8]).max() < 0.1 * abs(network.Q[0]).max()
        ...     return "no_bootstrap" if read_only_rewards else "td"
        >>> emergence.bench(judge).named_right

    noise: on every entry of a third of the networks, as a share of the largest; another third has twice as much. What the judge raises is raised; another
    answer raises ValueError.
    """
    networks, d = whole("networks", networks, 1, 100_000), whole("d", d, 1, 64)
    num_layers, seed = whole("num_layers", num_layers, 1, 64), whole("seed", seed, 0)
    made = [BenchNetwork(one["P"], one["Q"], one["truth"], one["built"], one["matrices"], one["disguise"],
                         one["verdict"])
            for one in _native.bench_networks(networks, d, num_layers, real("noise", noise), seed)]
    return BenchResult(made, [_known(judge(one)) for one in made])


def _known(answer: object) -> str:
    if answer not in VERDICTS:
        raise ValueError(f"judge: answered {answer!r}; allowed: {', '.join(VERDICTS)}")
    return str(answer)

"""Your own loss and worlds, for experiment "td"."""

from __future__ import annotations

import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np
import numpy.typing as npt

from ._tables import numbers

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Minibatch:
    """What a loss sees: the B windows of one trajectory. Window w ends in state S_w, of which v_w is the network's
    value."""

    #: v_0 .. v_B: (B + 1,); v_B is that of the window after the last.
    values: Vector
    #: R_w, received on leaving the query of window w: (B,).
    rewards: Vector
    gamma: float
    #: The mean reward of the trajectory up to R_w: (B,).
    mean_rewards: Vector


@dataclass(frozen=True)
class Targets:
    """What a loss answers. Training follows the gradient of

        loss = (1/B) sum_w weight_w (target_w - v_w)^2

    by the network's weights. Targets are held fixed, but for the part of d target_w / d v_{w+1} that `slopes` gives.
    Each of the three has B numbers, or one for all windows.

        >>> def td(batch):                         # the loss of Wang et al. 2025: semi-gradient TD
        ...     return batch.rewards + batch.gamma * batch.values[1:]
        >>> def residual_gradient(batch):          # Baird 1995: the target is not held fixed
        ...     return emergence.Targets(batch.rewards + batch.gamma * batch.values[1:], slopes=batch.gamma)
        >>> emergence.run("td", loss=residual_gradient)

    A loss may also answer the targets alone, or a tuple (targets, weights) or (targets, weights, slopes). It is called
    on the threads that train, once for the network and once for batch TD, whose step size learns beside it; `run.cost`
    says what that took.
    """

    targets: npt.ArrayLike
    weights: npt.ArrayLike = 1.0
    slopes: npt.ArrayLike = 0.0


class _Timed:
    """Counts calls of a user's function, and what they took."""

    def __init__(self, function: Callable[..., object], what: str) -> None:
        self._function, self._what = function, what
        self._calls, self._seconds = 0, 0.0

    def _call(self, *arguments: object) -> object:
        start = time.perf_counter()
        try:
            return self._function(*arguments)
        finally:
            self._calls += 1
            self._seconds += time.perf_counter() - start

    def words(self) -> str:
        if self._calls == 0:
            return f"{self._what}: not called yet"
        return f"{self._what}: {self._calls:,} calls of {1e6 * self._seconds / self._calls:.0f} microseconds"


def _numbers(what: str, given: object) -> Vector:
    array = numbers(f"loss: {what}", given)
    if array.dtype.kind not in "fiub":
        kind = type(given).__name__ if array.dtype.kind not in "c" else "complex numbers"
        raise ValueError(f"loss: {what}: returned {kind}. Return real numbers, one for each reward, "
                         "or emergence.Targets")
    return array.astype(float, copy=False)


class OwnLoss(_Timed):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function, "loss")

    def __call__(self, values: Vector, rewards: Vector, gamma: float, means: Vector) -> tuple[Any, Any, Any]:
        parts = self._parts(self._call(Minibatch(values, rewards, gamma, means)))
        targets, weights, slopes = (_numbers(*one) for one in zip(("targets", "weights", "slopes"), parts))
        if (weights < 0).any():
            raise ValueError(f"loss: a weight is {weights.min():.4g}. Weights are 0 or more")
        if not np.isfinite(targets.sum() + weights.sum() + slopes.sum()) and np.isfinite(values).all():
            warnings.warn("loss: returned a number that is not finite, and the network stops there", RuntimeWarning)
        return targets, weights, slopes

    def _parts(self, answer: Any) -> tuple[Any, Any, Any]:
        if isinstance(answer, Targets):
            return answer.targets, answer.weights, answer.slopes
        if isinstance(answer, tuple):
            if not 1 <= len(answer) <= 3:
                raise ValueError(f"loss: returned {len(answer)} parts. "
                                 "Return targets, weights and slopes, or emergence.Targets")
            return answer[0], answer[1] if len(answer) > 1 else 1.0, answer[2] if len(answer) > 2 else 0.0
        if answer is None:
            raise ValueError("loss: returned None. Return the targets, one for each reward, or emergence.Targets")
        return answer, 1.0, 0.0


def own_loss(function: Callable[..., object]) -> OwnLoss:
    return OwnLoss(function)


@dataclass(frozen=True, eq=False)
class World:
    """A Markov reward process with features, m states: one task of policy evaluation.

    transition: m x m, rows sum to 1. reward: (m,), r(s) of the state being left. features: m x d, one row for each
    state. initial: (m,), sums to 1; every state alike unless given. Raises ValueError if they do not fit each other.

        >>> ring = emergence.World(np.roll(np.eye(5), 1, axis=1), reward=[0, 0, 0, 0, 1], features=np.eye(5)[:, :4])
        >>> emergence.run("td", worlds=ring, num_mrps=500)
    """

    transition: npt.ArrayLike
    reward: npt.ArrayLike
    features: npt.ArrayLike
    initial: npt.ArrayLike | None = None

    def __post_init__(self) -> None:
        p = numbers("transition", self.transition).astype(float)
        if p.ndim != 2 or p.shape[0] != p.shape[1] or len(p) < 1:
            raise ValueError(f"transition: has shape {p.shape}. It is m x m, one row for each state")
        m = len(p)
        r, phi = numbers("reward", self.reward).astype(float), numbers("features", self.features).astype(float)
        start = np.full(m, 1.0 / m) if self.initial is None else numbers("initial", self.initial).astype(float)
        if phi.ndim != 2 or len(phi) != m:
            raise ValueError(f"features: has shape {phi.shape} for {m} states. It is m x d, one row for each state")
        for name, array in (("reward", r), ("initial", start)):
            if array.shape != (m,):
                raise ValueError(f"{name}: has shape {array.shape} for {m} states. Give {m} numbers")
        for name, array in (("transition", p), ("reward", r), ("features", phi), ("initial", start)):
            if not np.isfinite(array).all():
                raise ValueError(f"{name}: holds a number that is not finite")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        for name, rows in (("transition", p), ("initial", start[None])):
            wrong = np.flatnonzero((rows < 0).any(axis=1) | (np.abs(rows.sum(axis=1) - 1) > 1e-6))
            if len(wrong):
                row = f" of state {wrong[0]}" if name == "transition" else ""
                raise ValueError(f"{name}: the probabilities{row} sum to {rows[wrong[0]].sum():.6g}, "
                                 "or one is negative")

    @property
    def d(self) -> int:
        """Features of a state."""
        return int(np.shape(self.features)[1])

    def true_value(self, gamma: float = 0.9) -> Vector:
        """v = (I - gamma p)^-1 r: (m,)."""
        p = np.asarray(self.transition)
        value: Vector = np.linalg.solve(np.eye(len(p)) - gamma * p, np.asarray(self.reward))
        return value


def _world(given: object) -> World:
    if isinstance(given, World):
        return given
    if isinstance(given, dict):
        return World(**given)
    if isinstance(given, tuple):
        return World(*given)
    raise ValueError(f"worlds: {type(given).__name__} is not a world. Give emergence.World(transition, reward, features)")


class OwnWorlds(_Timed):
    """A user's sampler: the same MRP for the same number, on any thread."""

    def __init__(self, draw: Callable[..., object]) -> None:
        super().__init__(draw, "worlds")
        self.d = _world(draw(np.random.default_rng([0, 0]))).d

    def expect(self, d: int) -> None:
        self.d = d

    def __call__(self, seed: int, index: int) -> tuple[Any, Any, Any, Any]:
        world = _world(self._call(np.random.default_rng([seed, index])))
        if world.d != self.d:
            raise ValueError(f"worlds: a world has {world.d} features, and the networks have d = {self.d}")
        return world.transition, world.reward, world.features, world.initial


class WorldFolder:
    """Worlds as the folder of files that the setting `worlds` names, deleted with this object."""

    def __init__(self, worlds: Sequence[object]) -> None:
        self.given = list(worlds)
        all = [_world(one) for one in worlds]
        if not all:
            raise ValueError("worlds: is empty. Give at least one")
        self.d = all[0].d
        self._folder = tempfile.TemporaryDirectory(prefix="emergence-worlds-")
        self.path = self._folder.name
        held_out = len(all) // 5
        train, judged = (all[:-held_out], all[-held_out:]) if held_out else (all, all)
        for folder, some in ((Path(self.path), train), (Path(self.path) / "held-out", judged)):
            folder.mkdir(exist_ok=True)
            for number, world in enumerate(some):
                _write_world(folder / f"world-{number:05}.csv", world)


def _write_world(file: Path, world: World) -> None:
    p, r = np.asarray(world.transition), np.asarray(world.reward)
    phi, start = np.asarray(world.features), np.asarray(world.initial)
    m, d = phi.shape
    head = ["reward", "initial", *(f"p{s + 1}" for s in range(m)), *(f"phi{i + 1}" for i in range(d))]
    lines = [",".join(head)]
    for s in range(m):
        lines.append(",".join(repr(float(x)) for x in (r[s], start[s], *p[s], *phi[s])))
    file.write_text("\n".join(lines) + "\n")


def own_worlds(worlds: object) -> OwnWorlds | WorldFolder:
    """worlds: a sampler, one world, or a list of them, of which the last fifth is held out for evaluation (of fewer
    than
    five all serve both)."""
    if callable(worlds):
        return OwnWorlds(worlds)
    return WorldFolder(worlds if isinstance(worlds, list) else [worlds])

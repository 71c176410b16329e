"""Runs: trained, looked at, saved."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from . import _native
from ._looking import Looking
from ._own import OwnLoss, OwnWorlds, WorldFolder, own_loss, own_worlds
from ._progress import Bar
from ._tables import text, whole

if TYPE_CHECKING:
    from ._networks import Identifications, WeightsFile

Callback = Callable[["Run"], object]

_interrupted: Run | None = None


def threads_or_all(threads: int | None) -> int:
    return whole("threads", threads, 1, 256) if threads is not None else max(1, len(os.sched_getaffinity(0)))


class Run(Looking):
    """Networks that learn, one for each seed: trained as far as you ask, looked at in between.

        >>> run = emergence.Run("td", seeds=8, num_mrps=2000)
        >>> run.step(500)                   # 500 steps (here: MRPs) of each seed
        >>> for _ in run:                   # to the end, a bar of progress, a look every hundredth of the way
        ...     print(run.steps, run.metrics["loss"][:, -1].mean())

    experiment: one of `emergence.experiments()`, a preset's name, or a file with settings: a config.toml, or a figure.
    preset: settings to begin with.
    threads: all cores unless given; results do not depend on it.
    settings: keywords, see `emergence.fields(experiment)`. `seed` is the first seed's number, `seeds` how many.

    Three settings of experiment "td" may be your own objects:

    loss: a function of a minibatch, see `emergence.Targets`.
    worlds: an `emergence.World`, a list of them, or a function `draw(rng) -> World`, called for every MRP.
    weights: a mapping with arrays P and Q (layers x D x D, or seeds x layers x D x D) to begin with, for example
        `other.state_dict()`.

    callback, every, progress: see `train`.

    Raises ValueError, with the sentence of the command line, for settings that do not exist, are out of range or
    contradict each other. A run is used by one thread at a time; others may use other runs meanwhile, training does
    not hold Python's lock.
    """

    def __init__(self, experiment: str | os.PathLike[str] = "td", *, preset: str | None = None,
                 threads: int | None = None, loss: str | Callable[..., object] | None = None, worlds: object = None,
                 weights: str | os.PathLike[str] | Mapping[str, object] | None = None, callback: Callback | None = None,
                 every: int | None = None, progress: bool | None = None, **settings: Any) -> None:
        self._callback, self._every, self._progress = callback, every, progress
        self._own_loss: OwnLoss | None = None
        self._own_worlds: OwnWorlds | None = None
        self._folder: WorldFolder | None = None
        self._weights_file: WeightsFile | None = None
        if callable(loss):
            self._own_loss = own_loss(loss)
        elif loss is not None:
            settings["loss"] = loss
        if isinstance(worlds, (str, os.PathLike)):
            settings.update({"task": "files"} if os.fspath(worlds) else {}, worlds=worlds)
        elif worlds is not None:
            self._bring_worlds(worlds, settings)
        if isinstance(weights, Mapping):
            self._bring_weights(weights, settings)
        elif weights is not None:
            settings["weights"] = weights
        workers = threads_or_all(threads)
        try:
            name, values = _native.settings_for(
                text("experiment", experiment), None if preset is None else text("preset", preset), settings)
            self._native = _native.LabRun(name, values, workers, self._own_loss, self._own_worlds)
        except ValueError as error:  # the arrays that were given have no name of a file
            file = getattr(self._weights_file, "name", "")
            if not file or file not in str(error):
                raise
            raise ValueError(str(error).replace(f"{file}: ", "")) from None

    def _bring_worlds(self, worlds: object, settings: dict[str, Any]) -> None:
        brought = own_worlds(worlds)
        settings.setdefault("d", brought.d)
        if isinstance(brought, WorldFolder):
            self._folder = brought
            settings.update(task="files", worlds=brought.path)
        else:
            self._own_worlds = brought
            brought.expect(int(settings["d"]))

    def _bring_weights(self, weights: Mapping[str, object], settings: dict[str, Any]) -> None:
        from ._networks import weights_file

        self._weights_file = weights_file(weights)
        shape = self._weights_file.shape
        settings["weights"] = self._weights_file.name
        settings.setdefault("d", (shape[-1] - 1) // 2)
        if len(shape) == 4 and shape[0] not in (1, settings.setdefault("seeds", shape[0])):
            raise ValueError(f"weights: hold {shape[0]} networks for seeds = {settings['seeds']}. Give one network for "
                             "each seed, or one for all")
        if shape[-3] > 1:
            settings.setdefault("num_layers", shape[-3])
            settings.setdefault("sequential", True)

    # ---- training

    def step(self, n: int = 1) -> Run:
        """Trains `n` steps more, or to the end if that is nearer, and returns the run.

        A step is what the experiment counts: one MRP in "td"; `run.step_unit` says it. Python's lock is released
        meanwhile. Ctrl-C stops between two steps with KeyboardInterrupt; the run then stands at the step that it has
        reached, and goes on with the next call as if it had never been stopped. If a loss or a sampler of your own
        raises, the steps since the last good state, at most some tenths of a second, are undone in every seed: the
        next call repeats them, and they come out the same.
        """
        n = whole("n", n)
        if n < 0:
            raise ValueError(f"n: {n} is negative. A run only goes forward; see run.at(step)")
        self._native.advance_to(self.steps + n)
        return self

    def train(self, to: int | None = None, *, callback: Callback | None = None, every: int | None = None,
              progress: bool | None = None) -> Run:
        """Trains to step `to`, or to the end, and returns the run.

        callback: called with the run after every `every` steps (a hundredth of the way unless given) and at the end;
        an answer that is true stops the training there. What it raises stops the training with that exception, after
        which the run can be looked at and go on. The callback that the run was made with is called until it stops the
        training or raises, not afterwards.
        progress: True or False; otherwise a bar in notebooks and terminals.
        to: beyond the end it makes the run longer (in "td": raises `num_mrps`), with the bits of one that was as long
        from the beginning. Raises ValueError if the experiment cannot.
        """
        called = callback or self._callback
        for _ in self._stretches(to, every, progress):
            try:
                stop = called is not None and bool(called(self))
            except Exception:
                self._callback = None
                raise
            if stop:
                self._callback = None
                break
        return self

    def __iter__(self) -> Iterator[Run]:
        """Trains to the end, and yields the run after every `every` steps: see `train`."""
        yield from self._stretches(None, None, None)

    def _stretches(self, to: int | None, every: int | None, progress: bool | None) -> Iterator[Run]:
        every = every if every is not None else self._every
        if every is None:
            every = max(1, self.target // 100)
        every = whole("every", every)
        if every < 1:
            raise ValueError(f"every: {every} is below 1. Give the steps between two calls")
        end = self.target if to is None else whole("to", to)
        if end > self.target:
            self._native.extend_to(end)
        bar = Bar(progress if progress is not None else self._progress)
        while self.steps < end and not self.finished:
            self._native.advance_to(min(self.steps + every, end))
            bar.show(self.steps, end, self._words(), last=self.steps >= end or self.finished)
            yield self

    # ---- keeping

    def identify(self) -> Identifications:
        """Which algorithm each network computes: `emergence.identify(run)`."""
        from ._networks import identify

        return identify(self)

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Saves the run in a folder that the window and the command line open, and `emergence.load` too.

        The folder is made; one that holds this very run is brought up to date. Raises ValueError if it holds anything
        else, or if the run learned with a loss or a sampler of your own, which settings cannot say; OSError if it
        cannot be written.
        """
        self._native.save(text("folder", folder))
        return Path(folder)

    def save_weights(self, path: str | os.PathLike[str]) -> Path:
        """Writes the arrays of `weights`, with the settings, as NPZ: NumPy, the window and the command line open it."""
        self._native.save_weights(text("path", path))
        return Path(path)

    def to_published(self, folder: str | os.PathLike[str], seed: int = 0) -> Path:
        """Writes one network (by place, not number) at all `moments` as the code of Wang et al. 2025 does: data.npz and
        params.json. Raises ValueError for other networks than attention of "td"."""
        from ._export import to_published

        return to_published(self, folder, seed)

    def state_dict(self, seed: int = 0, torch: bool = False) -> dict[str, Any]:
        """P and Q of one seed (by place, not number), as float32: {"P": layers x D x D, "Q": layers x D x D}.

        torch: as tensors. `emergence.Run("td", weights=...)` begins with such a dictionary.
        """
        from ._networks import state_dict

        return state_dict(self, seed=seed, torch=torch)

    def __reduce__(self) -> tuple[Any, ...]:
        worlds = self._folder.given if self._folder is not None else None
        inputs = {name: Path(self._weights_file.name).read_bytes() for name in ("weights",) if self._weights_file}
        return _unpickled, (self._native.state(), self._native.threads, worlds, inputs)

    @property
    def cost(self) -> str:
        """What functions of your own have cost so far, in words; "" without any. Only one thread at a time has Python's
        lock: the others wait for it, which often takes longer than the functions themselves."""
        words = [part.words() for part in (self._own_loss, self._own_worlds) if part is not None]
        if words and self.seconds > 0:
            share = 100 * self._native.own_seconds / (self.seconds * self._native.threads)
            words.append(f"with the way into Python and the wait for its lock {min(share, 100):.0f} % of the time of "
                         f"{self._native.threads} threads")
        return "; ".join(words)


def _unpickled(state: tuple[Any, ...], threads: int, worlds: object, inputs: dict[str, bytes]) -> Run:
    run = Run.__new__(Run)
    name, settings, loss, draw, checkpoint, moments, seconds = state
    run._callback, run._every, run._progress, run._weights_file = None, None, None, None
    run._own_loss, run._own_worlds, run._folder = loss, draw, None
    if worlds is not None:
        folder = own_worlds(worlds)
        assert isinstance(folder, WorldFolder)
        run._folder, settings["worlds"] = folder, folder.path
    if inputs:
        from ._networks import WeightsFile

        run._weights_file = WeightsFile(inputs["weights"], ())
        settings["weights"] = run._weights_file.name
    run._native = _native.LabRun.from_state(name, settings, threads, loss, draw, checkpoint, moments, seconds)
    return run


def run(experiment: str | os.PathLike[str] = "td", *, preset: str | None = None, threads: int | None = None,
        callback: Callback | None = None, every: int | None = None, progress: bool | None = None,
        **settings: Any) -> Run:
    """Trains a run to its end, and returns it.

        >>> run = emergence.run("td", seeds=30, num_mrps=4000)
        >>> run = emergence.run("td", loss="residual_gradient", callback=lambda run: print(run.steps), every=100)

    experiment: one of `emergence.experiments()`, a preset's name, or a file with settings.
    preset: settings to begin with.
    threads: all cores unless given; results do not depend on it, and are those of `emergence-cli run`, bit for bit.
    callback: called with the run after every `every` steps and at the end. An answer that is true stops the training
        there, and what it raises stops it with that exception.
    progress: True or False; otherwise a bar in notebooks and terminals.
    settings: keywords, see `emergence.fields(experiment)`; `loss`, `worlds` and `weights` may be your own objects, see
        `emergence.Run`.

    Ctrl-C raises KeyboardInterrupt between two steps. Nothing is lost: `emergence.interrupted()` is the run as far as
    it came, and its `train()` goes on with the same bits. So it is after an exception of the callback, or of a loss or
    a sampler of your own: see `Run.step`.

    Raises ValueError, with the sentence of the command line, for settings that do not exist, are out of range or
    contradict each other.
    """
    global _interrupted
    _interrupted = None
    begun = Run(experiment, preset=preset, threads=threads, callback=callback, every=every, progress=progress,
                **settings)
    try:
        return begun.train()
    except BaseException:
        _interrupted = begun
        raise


def interrupted() -> Run | None:
    """The run that the last call of `emergence.run` was training when Ctrl-C or an exception stopped it; None if it
    ended, or never began."""
    return _interrupted


def load(folder: str | os.PathLike[str], *, threads: int | None = None) -> Run:
    """A run that the window, the command line or `Run.save` has saved, at its last checkpoint, with its moments.

    It can be looked at, trained on (`run.train()`), and saved again. Raises ValueError, with all that is wrong, if the
    folder holds no run; a UserWarning says if the last checkpoint is damaged and an older one was taken.
    """
    loaded = Run.__new__(Run)
    loaded._callback, loaded._every, loaded._progress, loaded._weights_file = None, None, None, None
    loaded._own_loss, loaded._own_worlds, loaded._folder = None, None, None
    loaded._native = _native.LabRun.loaded(text("folder", folder), threads_or_all(threads))
    # Arrays of a run of Python were files for a while; the folder has its copy of them.
    notice = re.sub(r"(worlds|weights): \S*emergence-\1-\w+(\.npz)? is gone\. Using the run's copy, .*\n?", "",
                    loaded._native.notice).strip()
    if notice:
        import warnings

        warnings.warn(notice, UserWarning, stacklevel=2)
    return loaded

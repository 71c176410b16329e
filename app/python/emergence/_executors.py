"""Sweeps and figures whose jobs are done by other processes: on anything with the interface of concurrent.futures."""

from __future__ import annotations

import csv
import logging
import math
import os
import queue
import socket
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Callable, Iterable, Sequence

import numpy as np

from . import _native
from ._pictures import Picture
from ._progress import Bar
from ._tables import Table, shortened, text

log = logging.getLogger("emergence")

RUN = "the run"  # the job of a figure that is drawn from one run
OVERHEAD = 0.02  # of a task's time, at most
SHARES = 3  # tasks a worker, at least, so that they end at about the same time
PATIENCE = 10.0  # seconds in which the first task says how long jobs take; without its answer they are long


@dataclass(frozen=True)
class Task:
    """A command whose grid is done in parts; `file`: name and text of the file that it reads, written beside it."""

    words: tuple[str, ...]
    file: tuple[str, str] | None = None

    def do(self, out: Path, jobs: list[str] | None, threads: int, stopped: Callable[[], bool] | None) -> dict[str, Any]:
        """Does these jobs; none of an empty list, whose answer says which are missing; all for None."""
        with tempfile.TemporaryDirectory(prefix="emergence-file-") as folder:
            words = list(self.words)
            if self.file is not None:
                words[1] = os.path.join(folder, self.file[0])
                Path(words[1]).write_text(self.file[1], encoding="utf-8")
            said = _native.command([*words, "--out", str(out), "--threads", str(threads)], jobs, stopped)
        lines = [line.split(": ", 1)[1] for line in said["err"].splitlines() if line.startswith("emergence-cli: ")]
        if said["code"] == 2:
            raise ValueError(lines[-1] if lines else said["err"])
        return {**said, "lines": lines}


def work(task: Task, jobs: list[str], stopped: Callable[[], bool] | None = None) -> dict[str, Any]:
    """What a worker does: these jobs, one after the other, in a folder of its own. The answer holds their files."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="emergence-jobs-") as folder:
        out = Path(folder, "out")
        said = task.do(out, jobs, 1, stopped)
        files = {str(file.relative_to(out)): file.read_bytes() for file in sorted(out.rglob("[!.]*"))
                 if file.is_file() and (jobs == [RUN] or file.parent.name == "jobs" or file.name == "cells.csv")}
    seconds = time.perf_counter() - began
    return {"files": files, "seconds": seconds, "work": said["seconds"] or seconds, "version": _native.version(),
            "host": socket.gethostname()}


class Grid:
    """A command in the folder of its results: `task` for workers, `here` for this process."""

    def __init__(self, task: Task, out: Path, here: Task | None = None) -> None:
        self.task, self.out, self.here, self.missing = task, out, here or task, list[str]()

    def keep(self, jobs: list[str], answer: dict[str, Any]) -> None:
        if answer["version"] != _native.version():
            raise RuntimeError(f"a worker on {answer['host']} has emergence {answer['version']}, and this process "
                               f"{_native.version()}. Install the same version everywhere")
        for name, content in answer["files"].items():
            if name == "cells.csv":
                name = f"jobs/{sha256(repr(jobs).encode()).hexdigest()[:16]}.csv"
            file = self.out / name
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_name(f".emergence-{os.getpid()}-0.tmp")  # removed by the next command if this one dies
            part.write_bytes(content)
            part.replace(file)


def workers_of(executor: Executor) -> int:
    """How many jobs the executor does at once, as far as it says."""
    client = getattr(executor, "_client", None)  # of Dask
    return sum(client.nthreads().values()) if client is not None else getattr(executor, "_max_workers", None) or 64


def spread(grids: Sequence[Grid], executor: Executor, jobs_per_task: int | None, bar: Bar,
           stopped: Callable[[], bool] | None) -> list[str]:
    """Has all missing jobs done and keeps their files. A job that dies is tried once more. Returns those that died
    twice, each with its reason."""
    waiting = deque((grid, job) for grid in grids for job in grid.missing)
    total, done, size, died = len(waiting), 0, jobs_per_task or 1, list[str]()
    tasks: dict[Future[Any], tuple[Grid, list[str], bool]] = {}
    answers: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()

    def submit(grid: Grid, jobs: list[str], again: bool) -> None:
        try:
            future = executor.submit(work, grid.task, jobs, *([stopped] if stopped else []))
        except RuntimeError as error:  # the executor is broken or closed
            died.extend(f"{job} ({error or type(error).__name__})" for job in jobs)
            return
        tasks[future] = (grid, jobs, again)
        future.add_done_callback(answers.put)

    def submit_next() -> None:
        grid, job = waiting.popleft()
        jobs = [job]
        while waiting and waiting[0][0] is grid and len(jobs) < size:
            jobs.append(waiting.popleft()[1])
        submit(grid, jobs, False)

    try:
        if waiting:
            submit_next()
        while tasks:
            try:
                future = answers.get(timeout=PATIENCE if waiting else None)
            except queue.Empty:
                while waiting:
                    submit_next()
                continue
            grid, jobs, again = tasks.pop(future)
            try:
                answer = future.result()
            except ValueError:
                raise
            except Exception as error:
                reason = " ".join(str(error).split()) or type(error).__name__
                log.warning("%s: died (%s)%s", ", ".join(jobs), reason, "" if again else "; is tried again")
                if again:
                    died.extend(f"{job} ({reason})" for job in jobs)
                else:
                    for job in jobs:  # alone, so that only those that die are named
                        submit(grid, [job], True)
                continue
            grid.keep(jobs, answer)
            done += len(jobs)
            overhead = answer["seconds"] - answer["work"]
            if jobs_per_task is None:
                size = math.ceil(overhead / OVERHEAD / max(answer["work"] / len(jobs), 1e-6))
                size = max(1, min(size, len(waiting) // (SHARES * max(1, workers_of(executor)))))
            bar.show(done, total, f"{done} of {total} jobs", done == total)
            while waiting:
                submit_next()
    finally:
        for future in tasks:
            future.cancel()
    return died


def do(grids: Sequence[Grid], executor: Executor | None, threads: int, jobs_per_task: int | None,
       progress: bool | None) -> list[dict[str, Any]]:
    """Does the jobs that the folders lack and then each command, which finds them there. What it said, of each."""
    for grid in grids:
        grid.missing = grid.here.do(grid.out, [], threads, None)["missing"]
    bar, stop = Bar(progress), threading.Event()
    if executor is not None:
        died = spread(grids, executor, jobs_per_task, bar, None)
    else:
        with ThreadPoolExecutor(threads) as own:
            try:
                died = spread(grids, own, jobs_per_task, bar, stop.is_set)
            except BaseException:
                stop.set()
                raise
    if died:
        names = "; ".join(died[:5]) + (f"; and {len(died) - 5} more" if len(died) > 5 else "")
        raise RuntimeError(f"{len(died)} jobs died twice: {shortened(names, 2000)}. All others are saved: the same "
                           "call does these alone")
    said = []
    for grid in grids:
        said.append(grid.here.do(grid.out, None, threads, None))
        if said[-1]["code"] == 1 and not said[-1]["out"]:
            raise OSError("; ".join(said[-1]["lines"]))
        for line in said[-1]["lines"]:
            if "holds this run; resumed" not in line:
                log.warning("%s", line)
    return said


def changes(settings: dict[str, Any]) -> list[str]:
    """Keywords as the command line takes them: gamma=[0.5, 0.9] are the values of an axis."""

    def words(value: Any) -> str:
        if isinstance(value, (list, tuple, np.ndarray)):
            return ",".join(words(one) for one in value)
        return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)

    given = [f"{name}={words(value)}" for name, value in settings.items()]
    return ["--set", *given] if given else []


class Sweep:
    """A sweep that is done: its scores, and its folder, which the window and the command line open."""

    def __init__(self, folder: Path) -> None:
        #: What `emergence-cli sweep` writes: cells.csv, sweep.svg, ...
        self.folder = folder

    @property
    def table(self) -> Any:
        """cells.csv, a row for each cell and seed: a pandas.DataFrame if pandas is there, else a dictionary of
        arrays."""
        file = self.folder / "cells.csv"
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            with file.open(newline="", encoding="utf-8") as lines:
                rows = list(csv.reader(lines))
            return {name: _column([row[i] for row in rows[1:]]) for i, name in enumerate(rows[0])}
        return pandas.read_csv(file)

    def _repr_svg_(self) -> str:
        svg = (self.folder / "sweep.svg").read_text(encoding="utf-8")
        return svg[svg.index("<svg"):]

    def __repr__(self) -> str:
        return f"<emergence.Sweep in {self.folder}>"


def _column(words: list[str]) -> Any:
    try:
        return np.array([float(word) if word else np.nan for word in words])
    except ValueError:
        return np.array(words)


def sweep(what: str | os.PathLike[str], *, executor: Executor | None = None,
          out: str | os.PathLike[str] | None = None, threads: int | None = None, jobs_per_task: int | None = None,
          progress: bool | None = None, **settings: Any) -> Sweep:
    """All scores over a grid of settings, several seeds for each cell: what `emergence-cli sweep` computes, bit for
    bit.

        >>> with concurrent.futures.ProcessPoolExecutor() as executor:
        ...     emergence.sweep("td", gamma=[0.5, 0.9], num_layers=[1, 2, 3], executor=executor).table

    what: a sweep's file, the name of one that ships, or an experiment.
    settings: lists are axes; other values hold for all cells. `seeds`: for each cell.
    executor: anything with the interface of concurrent.futures.Executor; its workers need this module. None: threads.
    out: the folder of the results, out/NAME unless given. Cells that it holds are not computed again.
    jobs_per_task: as many cells as keep the overhead below 2 % unless given.

    A job that dies is tried once more. If it dies again, RuntimeError names it once all others are saved. Raises
    ValueError for what the command line refuses.
    """
    from ._run import threads_or_all

    given = text("what", what)
    folder = Path(text("out", out)) if out is not None else Path("out", Path(given).stem)
    seeds = settings.pop("seeds", None)
    words = ["sweep", given, *changes(settings), *([] if seeds is None else ["--seeds", str(seeds)])]
    workers = threads_or_all(threads)
    Task(tuple(words)).do(folder, [], workers, None)  # which writes the sweep with all that was given
    task = Task(("sweep", given), ("sweep.toml", (folder / "sweep.toml").read_text(encoding="utf-8")))
    do([Grid(task, folder, Task(("sweep", str(folder))))], executor, workers, jobs_per_task, progress)
    return Sweep(folder)


def figure_grid(name: str, settings: dict[str, Any], out: Path) -> Grid:
    file = Path(name)
    own = (file.name, file.read_text(encoding="utf-8")) if file.suffix == ".toml" and file.is_file() else None
    return Grid(Task(("figure", name, *changes(settings)), own), out)


def figure_on(executor: Executor | None, name: str, settings: dict[str, Any], out: Path, threads: int,
              jobs_per_task: int | None, progress: bool | None) -> Picture:
    """See `emergence.figure`."""
    from ._run import load

    do([figure_grid(name, settings, out)], executor, threads, jobs_per_task, progress)
    if (out / "checkpoint.npz").exists():
        return load(out).figure(name)
    return Picture(_native.figure_in(str(out), threads))


def reproduce(names: Iterable[str] | None = None, *, executor: Executor | None = None,
              out: str | os.PathLike[str] = "out/reproduce", threads: int | None = None,
              jobs_per_task: int | None = None, progress: bool | None = None, **settings: Any) -> Table[str]:
    """Draws figures of the papers and checks their claims, all of them unless `names` says which: each in a folder of
    its own in `out`. The jobs of all figures are one grid; see `sweep` for executor, jobs_per_task and errors.

    Returns by figure "its claims hold", or what else `emergence-cli figure` ended with.
    """
    from ._catalogue import figures
    from ._run import threads_or_all

    chosen, folder = list(names if names is not None else figures()), Path(text("out", out))
    grids = [figure_grid(name, settings, folder / name) for name in chosen]
    said = do(grids, executor, threads_or_all(threads), jobs_per_task, progress)
    words = {0: "its claims hold", 1: "a claim fails", 3: "a network diverged"}
    return Table((name, words.get(one["code"], "stopped")) for name, one in zip(chosen, said))

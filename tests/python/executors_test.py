"""Sweeps and figures on executors: the bytes of the command line, interrupted, with workers that die, on real engines."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import emergence

SWEEP = {"gamma": [0.5, 0.9], "num_layers": [1, 2], "num_mrps": 60, "bank_size": 16, "seeds": 2}
FIGURE = {"seeds": 2, "num_mrps": 60, "bank_size": 16}
TIMED = ("provenance.toml", "claims.toml")  # which hold seconds and the command
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}


def words(settings):
    axes = (f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
            for name, value in settings.items() if name != "seeds")
    return ["--seeds", settings["seeds"], "--set", *axes]


def bytes_of(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(Path(folder).rglob("[!.]*"))
            if file.is_file() and file.name not in TIMED and file.parent.name != "jobs"}


def assert_same(a, b):
    a, b = bytes_of(a), bytes_of(b)
    assert list(a) == list(b)
    assert [name for name in a if a[name] != b[name]] == []


@pytest.fixture(scope="module")
def by_command(cli, tmp_path_factory):
    folder = tmp_path_factory.mktemp("command")
    cli("sweep", "td", *words(SWEEP), "--out", folder / "sweep")
    cli("figure", "depths", *words(FIGURE), "--out", folder / "depths")
    return folder


def processes(count=2):
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


class Here(Executor):
    """Does each task at once. `fail(place)` may raise."""

    def __init__(self, fail=lambda place: None):
        self.fail, self.done = fail, []

    def submit(self, fn, /, *arguments):
        future = Future()
        place = len(self.done)
        self.done.append(arguments[1])
        try:
            self.fail(place)
            future.set_result(fn(*arguments))
        except BaseException as error:
            future.set_exception(error)
        return future


def test_processes_have_the_bytes_of_the_command_line(by_command, tmp_path):
    with processes() as executor:
        sweep = emergence.sweep("td", **SWEEP, executor=executor, out=tmp_path / "sweep")
        figure = emergence.figure("depths", **FIGURE, executor=executor, out=tmp_path / "depths")
    assert_same(by_command / "sweep", tmp_path / "sweep")
    assert_same(by_command / "depths", tmp_path / "depths")
    assert len(sweep.table["seed"]) == 8 and "<svg" in sweep._repr_svg_() and "sweep" in repr(sweep)
    assert figure.svg().encode() == (tmp_path / "depths" / "depths.svg").read_bytes()


def test_threads_are_the_executor_without_one(by_command, tmp_path):
    emergence.sweep("td", **SWEEP, out=tmp_path / "sweep", jobs_per_task=3)
    assert_same(by_command / "sweep", tmp_path / "sweep")


def test_an_interrupted_sweep_resumes_from_what_is_on_disk(by_command, tmp_path):
    def stop(place):
        if place == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        emergence.sweep("td", **SWEEP, executor=Here(stop), out=tmp_path / "sweep", jobs_per_task=1)
    rest = Here()
    emergence.sweep("td", **SWEEP, executor=rest, out=tmp_path / "sweep", jobs_per_task=1)
    assert len(rest.done) == 2
    assert_same(by_command / "sweep", tmp_path / "sweep")
    again = Here()
    emergence.sweep("td", **SWEEP, executor=again, out=tmp_path / "sweep")
    assert again.done == []


def test_a_job_that_dies_is_tried_once_more_and_then_named(by_command, tmp_path, caplog):
    def once(place):
        if place == 1:
            raise OSError("the worker was killed")

    executor = Here(once)
    emergence.figure("depths", **FIGURE, executor=executor, out=tmp_path / "once", jobs_per_task=1)
    assert len(executor.done) == 9 and "the worker was killed" in caplog.text
    assert_same(by_command / "depths", tmp_path / "once")

    def always(place):
        if "L = 2, seed 40001" in executor.done[place]:
            raise OSError("the worker was killed")

    executor = Here(always)
    with pytest.raises(RuntimeError, match=r"1 jobs died twice: L = 2, seed 40001 \(the worker was killed\)"):
        emergence.figure("depths", **FIGURE, executor=executor, out=tmp_path / "always", jobs_per_task=2)
    rest = Here()
    emergence.figure("depths", **FIGURE, executor=rest, out=tmp_path / "always")
    assert rest.done == [["L = 2, seed 40001"]]
    assert_same(by_command / "depths", tmp_path / "always")


def test_tasks_are_as_large_as_overhead_asks(tmp_path, monkeypatch):
    from emergence import _executors

    executor = Here()
    executor._max_workers = 1
    monkeypatch.setattr(_executors, "SHARES", 1)
    done = _executors.work
    monkeypatch.setattr(_executors, "work", lambda *given: {**done(*given), "seconds": 0.2, "work": 1.0 * len(given[1])}
                        | ({"seconds": 1.06} if len(given[1]) == 1 else {}))
    emergence.sweep("td", **SWEEP, executor=executor, out=tmp_path / "sweep")
    assert [len(jobs) for jobs in executor.done] == [1, 3]  # 0.06 s beside a second: three jobs keep it at 2 %


def test_a_figure_of_one_run_is_one_job(cli, tmp_path):
    small = {"seeds": 1, "num_mrps": 40, "bank_size": 16}
    executor = Here()
    emergence.figure("wang-2", **small, executor=executor, out=tmp_path / "mine")
    assert executor.done == [["the run"]]
    cli("figure", "wang-2", *words(small), "--out", tmp_path / "theirs")
    mine, theirs = bytes_of(tmp_path / "mine"), bytes_of(tmp_path / "theirs")
    for name in ("wang-2.svg", "weights.npz", "metrics.csv"):
        assert mine[name] == theirs[name]


def test_several_figures_are_one_grid(by_command, tmp_path):
    said = emergence.reproduce(["depths"], executor=Here(), out=tmp_path, **FIGURE)
    assert said == {"depths": "its claims hold"}
    assert_same(by_command / "depths", tmp_path / "depths")


def test_what_the_command_line_refuses_is_refused(tmp_path):
    for call, sentence in ((lambda: emergence.sweep("tdd", out=tmp_path / "a", gamma=[0.1, 0.2]), "td"),
                           (lambda: emergence.sweep("td", out=tmp_path / "b", gama=[0.1, 0.2]), "gamma"),
                           (lambda: emergence.figure("depths", out=tmp_path / "c", num_mrps=-1), "num_mrps")):
        with pytest.raises(ValueError, match=sentence):
            call()


def test_dask_whose_worker_is_killed_in_mid_job(cli, tmp_path):
    distributed = pytest.importorskip("distributed")
    large = {**SWEEP, "num_mrps": 1500}
    started = []

    def start(*arguments):
        started.append(subprocess.Popen([sys.executable, "-m", *arguments], cwd=tmp_path, stderr=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL))
        return started[-1]

    def kill_when_busy(client, worker):
        while not any(client.processing().values()):
            time.sleep(0.02)
        time.sleep(0.3)
        worker.send_signal(signal.SIGKILL)

    try:
        start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")
        workers = [start("distributed.cli.dask_worker", "--scheduler-file", "scheduler.json", "--nthreads", "1",
                         "--no-nanny", "--no-dashboard") for _ in range(2)]
        until = time.monotonic() + 60
        while not (tmp_path / "scheduler.json").exists() and time.monotonic() < until:
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(tmp_path / "scheduler.json"), timeout="60s") as client:
            client.wait_for_workers(2, timeout=60)
            killer = threading.Thread(target=kill_when_busy, args=(client, workers[0]))
            killer.start()
            emergence.sweep("td", **large, executor=client.get_executor(), out=tmp_path / "mine", jobs_per_task=1)
            killer.join()
            assert workers[0].wait(10) == -signal.SIGKILL and len(client.scheduler_info()["workers"]) == 1
    finally:
        for process in started:
            process.kill()
            process.wait()
    cli("sweep", "td", *words(large), "--out", tmp_path / "theirs")
    assert_same(tmp_path / "theirs", tmp_path / "mine")


def test_mpi(by_command, tmp_path):
    pytest.importorskip("mpi4py")
    script = tmp_path / "job.py"
    script.write_text("import emergence\nfrom mpi4py.futures import MPIPoolExecutor\n\n"
                      "if __name__ == '__main__':\n"  # workers read the file too
                      "    with MPIPoolExecutor() as executor:\n"
                      f"        emergence.sweep('td', **{SWEEP!r}, executor=executor, out='sweep')\n")
    subprocess.run(["mpiexec", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", script],
                   cwd=tmp_path, env={**os.environ, **MPI}, check=True, timeout=300)
    assert_same(by_command / "sweep", tmp_path / "sweep")

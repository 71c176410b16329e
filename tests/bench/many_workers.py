"""What limits a grid on very many workers: processor times measured here, and 1,000 workers simulated with them.

    PYTHONPATH=build/app/python /usr/bin/python3 tests/bench/many_workers.py
"""

import heapq
import pickle
import random
import tempfile
import time
from pathlib import Path

import emergence
from emergence import _executors
from emergence._executors import Grid, Task, work


def processor_seconds(do, times):
    began = time.process_time()
    for _ in range(times):
        do()
    return (time.process_time() - began) / times


def dask_seconds_per_task(tasks=400):
    """Of scheduler and client together, which share a process here as the asking process and a scheduler may."""
    from distributed import Client, LocalCluster

    with LocalCluster(2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster, Client(cluster) as client:
        executor, payload = client.get_executor(), b"x" * 30_000
        list(executor.map(len, [payload]))
        began = time.process_time()
        for future in [executor.submit(bytes, payload, pure=False) for _ in range(tasks)]:
            future.result()
        return (time.process_time() - began) / tasks


def simulate(jobs, workers, job, overhead, size, scheduler, writer):
    """Seconds until the last answer is on disk. A task of `size` jobs passes the scheduler twice, which serves one at a
    time, and then the writing process, which also does. Times of jobs vary by a third."""
    draw = random.Random(1)
    free, at_scheduler, answers = [0.0] * workers, 0.0, []
    for _ in range(-(-jobs // size)):
        at_scheduler += scheduler / 2
        begun = max(heapq.heappop(free), at_scheduler)
        ended = begun + overhead + sum(job * draw.uniform(2 / 3, 4 / 3) for _ in range(size))
        heapq.heappush(free, ended)
        answers.append(ended)
    written = scheduled = 0.0
    for ended in sorted(answers):
        scheduled = max(scheduled, ended) + scheduler / 2
        written = max(written, scheduled) + writer * size
    return written


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        task = Task(("figure", "depths", "--seeds", "10"))
        grid = Grid(task, out)
        grid.missing = task.do(out, [], 1, None)["missing"]
        few = [job for job in grid.missing if job.startswith("L = 3")][:3]
        began = time.process_time()
        answer = work(task, few)
        whole = time.process_time() - began
        one = answer["work"] / answer["seconds"] * whole / len(few)
        overhead = whole - one * len(few)
        writer = processor_seconds(lambda: grid.keep(few, pickle.loads(pickle.dumps(answer))), 200) / len(few)
        lists = processor_seconds(lambda: task.do(out, [], 1, None), 3)
    scheduler = dask_seconds_per_task()
    size = max(1, -(-overhead // (_executors.OVERHEAD * one)))
    print(f"{emergence.version()}: a job {one:.3f} s, of a task {overhead:.3f} s more, so {size:.0f} jobs a task; "
          f"bytes of a job {len(pickle.dumps(answer)) // len(few)}; the writing process {1e3 * writer:.2f} ms a job, "
          f"Dask {1e3 * scheduler:.2f} ms a task; listing {len(grid.missing)} jobs {lists:.2f} s")
    for workers in (10, 100, 1000, 4000):
        for jobs in (1000, 100_000):
            for per_task in sorted({1, int(max(1, min(size, jobs // (_executors.SHARES * workers))))}):
                took = simulate(jobs, workers, one, overhead, per_task, scheduler, writer)
                ideal = jobs * one / min(workers, jobs)
                print(f"{workers:5} workers, {jobs:6} jobs, {per_task:2} a task: {took:8.1f} s, {ideal / took:6.1%} of "
                      "the workers' time is training")


main()

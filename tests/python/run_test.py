"""Runs: the same bits as the command line, in pieces, stopped, called back, saved, loaded, pickled."""

import gc
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import emergence
from conftest import SMALL


def arrays_equal(a, b):
    """All but the settings, which name the program's commit, and the checksum over them."""
    return set(a.files) == set(b.files) and all(
        np.array_equal(a[name], b[name]) or np.array_equal(a[name], b[name], equal_nan=True)
        for name in a.files if name not in ("emergence-config", "checksum"))


def test_the_command_line_has_the_same_bits(run, cli, folder, tmp_path):
    cli("run", "td", "--seeds", 2, "--set", "num_mrps=200", "bank_size=64", "--out", folder, "--threads", 1)
    mine = run.save(tmp_path / "mine")
    for name in ("weights.npz", "checkpoint.npz", "moments.npz"):
        assert arrays_equal(np.load(folder / name), np.load(mine / name)), name
    assert (folder / "metrics.csv").read_text() == (mine / "metrics.csv").read_text()


def test_pieces_make_the_whole(run):
    pieces = emergence.Run("td", threads=1, **SMALL)
    for n in (1, 49, 3):
        pieces.step(n)
    assert pieces.steps == 53 and not pieces.finished
    for _ in pieces:
        pass
    assert pieces.finished and pieces.steps == pieces.target == 200
    assert np.array_equal(pieces.P, run.P) and np.array_equal(pieces.Q, run.Q)
    assert np.array_equal(pieces.metrics["msve"], run.metrics["msve"])
    assert pieces.step(5).steps == 200
    with pytest.raises(ValueError, match="negative"):
        pieces.step(-1)


def test_shapes(run):
    assert run.P.shape == run.Q.shape == (2, 1, 9, 9) and run.P.dtype == np.float32
    assert run.metrics["step"].tolist() == list(range(0, 201, 10))
    assert run.metrics["loss"].shape == (2, 21)
    assert run.metrics.help["loss"]
    table = run.to_pandas()
    assert len(table) == 42 and list(table.columns[:2]) == ["seed", "step"]
    assert np.array_equal(table[table.seed == 1].loss, run.metrics["loss"][1])
    sequential = emergence.Run("td", sequential=True, num_layers=2, d=3, seeds=3, num_mrps=10, bank_size=16)
    assert sequential.P.shape == (3, 2, 7, 7)


def test_views_are_read_only_and_outlive_the_run():
    run = emergence.Run("td", seeds=1, num_mrps=20, bank_size=16)
    P, loss = run.P, run.metrics["loss"]
    before = P.copy()
    assert not P.flags.writeable and not P.flags.owndata and not loss.flags.writeable
    with pytest.raises(ValueError):
        P[0] = 0
    run.step(10)
    assert np.array_equal(P, before) and not np.array_equal(run.P, before)
    del run
    gc.collect()
    assert np.array_equal(P, before) and loss.shape == (1, 1)


def test_settings_are_refused_as_the_command_line_does():
    for settings, words in (({"num_layer": 3}, "did you mean 'num_layers'"), ({"num_layers": 99}, "1 to 12"),
                            ({"d": 2.5}, "whole number"), ({"sequential": 1}, "flag"),
                            ({"loss": "tdd"}, "residual_gradient"),
                            ({"d": [1]}, "number"), ({"log_interval": 500, "num_mrps": 10}, "log_interval")):
        with pytest.raises(ValueError, match=words):
            emergence.Run("td", **settings)
    with pytest.raises(ValueError, match="Did you mean 'td'"):
        emergence.Run("tdd")


def test_numbers_of_numpy_are_settings():
    run = emergence.Run("td", seeds=np.int64(1), num_mrps=np.float64(20), gamma=np.float32(0.5),
                        sequential=np.bool_(False), bank_size=16)
    assert run.settings["num_mrps"] == 20 and run.settings["gamma"] == 0.5


def test_presets_and_files_begin_runs(run, folder):
    opening = emergence.Run("opening", seeds=1, num_mrps=10, bank_size=16)
    assert opening.settings == emergence.Run("td", preset="opening", seeds=1, num_mrps=10, bank_size=16).settings
    run.save(folder)
    assert emergence.Run(folder / "config.toml").settings == run.settings
    with pytest.raises(ValueError, match="preset"):
        emergence.Run("td", preset="no-such")


def test_callback(run):
    seen = []
    called = emergence.run("td", callback=lambda at: seen.append(at.steps), every=80, **SMALL)
    assert seen == [80, 160, 200] and np.array_equal(called.P, run.P)
    early = emergence.run("td", callback=lambda at: at.steps >= 100, every=50, **SMALL)
    assert early.steps == 100
    assert emergence.run("td", callback=lambda at: np.bool_(at.steps >= 100), every=50, **SMALL).steps == 100
    with pytest.raises(ValueError, match="every"):
        emergence.run("td", callback=print, every=0, **SMALL)


def test_a_callback_that_raises_stops_the_run(run):
    def fail(at):
        if at.steps >= 100:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        emergence.run("td", callback=fail, every=50, **SMALL)
    stopped = emergence.interrupted()
    assert stopped.steps == 100
    assert np.array_equal(stopped.train().P, run.P)  # which calls nothing any more
    early = emergence.run("td", callback=lambda at: True, every=50, **SMALL)
    assert early.steps == 50 and early.train().finished


def test_a_run_that_never_began_is_not_the_interrupted_one():
    with pytest.raises(LookupError):
        emergence.run("td", callback=lambda at: {}["x"], **SMALL)
    with pytest.raises(ValueError):
        emergence.run("td", num_layers=99)
    assert emergence.interrupted() is None


def test_a_run_is_made_longer(run, folder):
    short = emergence.run("td", **{**SMALL, "num_mrps": 100})
    short.save(folder)
    assert np.array_equal(short.train(to=200).P, run.P) and short.settings == run.settings
    assert np.array_equal(short.metrics["msve"], run.metrics["msve"]) and short.moments == run.moments
    assert emergence.load(short.save(folder)).target == 200
    with pytest.raises(ValueError, match="past the end, step 200"):
        emergence.Run("bandit-race", seeds=1).train(to=300)
    with pytest.raises(ValueError, match="num_mrps"):
        run.train(to=10**12)


def test_what_is_no_whole_number_is_refused(run):
    for call in (lambda: emergence.Run("td", threads=1.5), lambda: run.step(1.5), lambda: run.train(to=1.5),
                 lambda: run.train(every=0.5), lambda: emergence.sample_prompts(2.5), lambda: emergence.Bank(True)):
        with pytest.raises(TypeError, match="is not a whole number"):
            call()


def test_interrupt_stops_at_once_and_loses_nothing():
    settings = {"seeds": 2, "num_mrps": 100000, "bank_size": 16}
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        emergence.run("td", **settings)
    run = emergence.interrupted()
    reached = run.steps
    assert 0 < reached < 100000
    run.step(10)
    assert run.steps == reached + 10
    assert np.array_equal(run.P, emergence.Run("td", **settings).step(reached + 10).P)


def test_other_threads_of_python_go_on_while_a_run_trains():
    run = emergence.Run("td", seeds=1, num_mrps=100000, bank_size=16, threads=1)
    done, count = threading.Event(), 0
    trainer = threading.Thread(target=lambda: (run.step(300), done.set()))
    trainer.start()
    refused = False
    while not done.is_set():
        count += 1
        try:
            run.P
        except RuntimeError as error:
            refused = "another thread" in str(error)
        time.sleep(0.001)
    trainer.join()
    assert count > 5 and refused and run.steps == 300


def test_two_threads_run_two_runs(run):
    runs = [None, None]

    def train(place):
        runs[place] = emergence.run("td", threads=1, **SMALL)

    threads = [threading.Thread(target=train, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(one.P, run.P) for one in runs)


def test_saved_and_loaded(run, folder, cli):
    half = emergence.Run("td", **SMALL).step(100)
    half.save(folder)
    loaded = emergence.load(folder)
    assert loaded.steps == 100 and loaded.moments == half.moments and np.array_equal(loaded.at(50).P, half.at(50).P)
    loaded.train().save(folder)
    assert np.array_equal(emergence.load(folder).P, run.P)
    assert "seed 0" in cli("identify", folder)
    with pytest.raises(ValueError, match="emergence.load"):
        emergence.Run(folder)
    with pytest.raises(ValueError, match="another run"):
        emergence.Run("td", seeds=1, num_mrps=10, bank_size=16).save(folder)
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "letter.txt").write_text("mine")
    with pytest.raises(ValueError, match="other files"):
        run.save(folder.parent / "other")
    with pytest.raises(ValueError, match="is not the folder of a run"):
        emergence.load(folder.parent / "other")


def test_moments_do_not_touch_training(run):
    before = run.P.copy()
    assert run.moments[0] == 0 and run.at(0).P.shape == run.P.shape and not np.array_equal(run.at(0).P, before)
    last = max(step for step in run.moments if step <= 97)
    assert run.at(97).step == last < 97 and run.at(last).step == last and np.array_equal(run.P, before)
    with pytest.raises(ValueError, match="at or before -1 is kept. Kept: 0, "):
        run.at(-1)


def test_pickled(run):
    half = pickle.loads(pickle.dumps(emergence.Run("td", **SMALL).step(100)))
    assert half.steps == 100 and np.array_equal(half.train().P, run.P)
    assert np.array_equal(half.metrics["loss"], run.metrics["loss"])


def test_status_and_words(run):
    assert [seed.seed for seed in run.status] == run.seeds == [0, 1]
    assert run.emerged.shape == (2,) and "200 of 200 MRPs" in repr(run)
    html = run._repr_html_()
    assert "data:image/svg+xml;base64," in html and "2 seeds" in html
    assert run._repr_svg_().startswith("<svg")


def test_every_experiment_runs():
    for name in emergence.experiments():
        fields = emergence.fields(name)
        small = {size: int(fields[size].minimum) for size in ("seeds", "bank_size") if size in fields}
        run = emergence.Run(name, **small)
        assert run.steps == 0 and run.target >= 0 and repr(run)
    assert "svg" in emergence.Run("bandit-eval", seeds=1)._repr_html_()

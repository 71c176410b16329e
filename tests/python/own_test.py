"""Your own loss and worlds."""

import gc
import os
import pickle
import signal
import warnings

import numpy as np
import pytest

import emergence
from conftest import SMALL


def td(batch):
    return batch.rewards + batch.gamma * batch.values[1:]


def residual_gradient(batch):
    return emergence.Targets(td(batch), slopes=batch.gamma)


def test_the_built_in_losses_written_in_python(run):
    """The same gradients up to rounding: float32 in the library, float64 here."""
    short = {**SMALL, "num_mrps": 20}
    for mine, name in ((td, "td"), (residual_gradient, "residual_gradient")):
        own, theirs = emergence.run("td", loss=mine, **short), emergence.run("td", loss=name, **short)
        assert np.allclose(own.P, theirs.P, atol=2e-4) and np.allclose(own.Q, theirs.Q, atol=2e-4)
        assert np.allclose(own.metrics["loss"], theirs.metrics["loss"], rtol=1e-3)
        assert not np.array_equal(own.P, emergence.Run("td", **short).P)
    assert "calls of" in own.cost and "wait for its lock" in own.cost


def test_the_gradient_is_that_of_the_loss():
    """One plain step of descent against finite differences of the loss, which the callback sees."""
    seen = []

    def loss(batch):
        w = np.linspace(0.5, 1.5, len(batch.rewards))
        seen.append((batch.values.copy(), w, td(batch)))
        return emergence.Targets(td(batch), weights=w)

    rate = 1e-3
    settings = dict(seeds=1, bank_size=16, optimizer=emergence.fields("td")["optimizer"].choices[1], weight_decay=0.0,
                    threads=1, num_layers=1, log_interval=1, learning_rate=rate, minibatches_per_mrp=1, num_mrps=1)

    def first_minibatch(weights):
        seen.clear()
        emergence.Run("td", loss=loss, weights=weights, **settings)
        return seen[0]

    rng = np.random.default_rng(0)
    start = {name: rng.normal(0, 0.2, (1, 9, 9)).astype(np.float32) for name in "PQ"}
    run = emergence.Run("td", loss=loss, weights=start, **settings)
    run.step(1)
    _, w, targets = first_minibatch(start)  # held fixed
    for name, (i, j) in (("P", (8, 8)), ("Q", (0, 0)), ("Q", (1, 5))):
        losses = []
        for change in (-1e-2, 1e-2):
            moved = {key: value.copy() for key, value in start.items()}
            moved[name][0, i, j] += change
            values = first_minibatch(moved)[0]
            losses.append(np.mean(w * (targets - values[:-1]) ** 2))
        slope = (losses[1] - losses[0]) / 2e-2
        step = float(getattr(run, name)[0, 0, i, j] - start[name][0, i, j])
        assert np.isclose(step, -0.5 * rate * slope, rtol=0.03, atol=1e-8), name


def test_what_a_loss_raises_is_raised():
    def fail(batch):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        emergence.run("td", loss=fail, **SMALL)
    for wrong, words in ((lambda batch: None, "None"), (lambda batch: (1, 2, 3, 4), "4 parts"),
                         (lambda batch: [1.0, 2.0], "targets has 2 numbers for 64 windows")):
        with pytest.raises(ValueError, match=words):
            emergence.run("td", loss=wrong, **SMALL)
    with pytest.raises(ValueError, match="experiment td"):
        emergence.Run("bandit-race", loss=td)


def test_what_a_loss_answers_is_checked():
    for wrong, words in ((lambda batch: "x", "returned str"), (lambda batch: {"a": 1}, "returned dict"),
                         (lambda batch: td(batch) + 0j, "complex"), (lambda batch: (td(batch), -1.0), "weight is -1")):
        with pytest.raises(ValueError, match=words):
            emergence.run("td", loss=wrong, **SMALL)
    with pytest.warns(RuntimeWarning, match="not finite"):
        assert all(seed.failed for seed in emergence.run("td", loss=lambda batch: td(batch) * np.nan, **SMALL).status)


@pytest.mark.parametrize("own", ["loss", "worlds"])
def test_interrupt_loses_nothing_of_a_run_with_own_parts(own):
    """Ctrl-C while the function is at work, on whichever thread."""
    function = {"loss": td, "worlds": ring}[own]
    settings = {**SMALL, "num_mrps": 160, "bank_size": 16}
    whole = emergence.run("td", **{own: function}, **settings)
    armed = []

    def interrupting(given):
        if armed:
            armed.clear()
            os.kill(os.getpid(), signal.SIGINT)
            sum(range(100000))
        return function(given)

    for step in (20, 100):
        with pytest.raises(KeyboardInterrupt):
            emergence.run("td", **{own: interrupting}, every=20, **settings,
                          callback=lambda at: armed.append(1) if at.steps == step else None)
        stopped = emergence.interrupted()
        assert step < stopped.steps < 160 and not any(seed.failed for seed in stopped.status)
        assert np.array_equal(stopped.train().P, whole.P)
        assert np.array_equal(stopped.metrics["loss"], whole.metrics["loss"])


def test_a_step_whose_loss_or_sampler_raised_is_repeated():
    def fails_once(function, call):
        calls = []

        def once(given):
            calls.append(1)
            if len(calls) == call:
                raise LookupError("once")
            return function(given)

        return once

    for name, function, call in (("loss", td, 900), ("worlds", ring, 600)):  # building a run asks for 451 worlds
        whole = emergence.run("td", **{name: function}, **SMALL)
        with pytest.raises(LookupError, match="once"):
            emergence.run("td", **{name: fails_once(function, call)}, **SMALL)
        stopped = emergence.interrupted()
        assert not any(seed.failed for seed in stopped.status)
        assert len(stopped.metrics["step"]) == stopped.steps // 10 + 1
        assert np.array_equal(stopped.train().P, whole.P) and stopped.moments == whole.moments
        assert np.array_equal(stopped.metrics["loss"], whole.metrics["loss"])


def test_networks_of_own_worlds_are_identified_on_them():
    run = emergence.run("td", worlds=ring, **SMALL)
    seen = []

    def counted(rng):
        seen.append(1)
        return ring(rng)

    again = emergence.run("td", worlds=counted, **SMALL)
    seen.clear()
    place = emergence.identify(run)[0].alphas
    assert emergence.identify(again)[0].alphas == place and len(seen) >= 384  # contexts: 128 to fit, 256 to judge
    assert emergence.identify({"P": run.P, "Q": run.Q}, d=3)[0].alphas != place


def test_a_run_with_an_own_loss_is_pickled_but_not_saved(folder):
    half = emergence.Run("td", loss=td, **SMALL).step(50)
    with pytest.raises(ValueError, match="save_weights"):
        half.save(folder)
    again = pickle.loads(pickle.dumps(half))
    assert np.array_equal(again.step(20).P, half.step(20).P)


def ring(rng):
    m = 6
    transition = np.roll(np.eye(m), 1, axis=1) * 0.9 + 0.1 / m
    return emergence.World(transition, rng.uniform(-1, 1, m), rng.uniform(-1, 1, (m, 3)))


def test_a_sampler_of_worlds():
    one = emergence.run("td", worlds=ring, threads=1, **SMALL)
    two = emergence.run("td", worlds=ring, threads=2, **SMALL)
    assert one.P.shape == (2, 1, 7, 7) and np.array_equal(one.P, two.P) and "worlds" in one.cost
    assert not np.array_equal(one.P, emergence.run("td", d=3, **SMALL).P)
    with pytest.raises(ValueError, match="has 3 features"):
        emergence.Run("td", worlds=ring, d=4, **SMALL)
    with pytest.raises(ZeroDivisionError):
        emergence.Run("td", worlds=lambda rng: 1 / 0, **SMALL)


def test_worlds_as_arrays(folder, cli):
    worlds = [ring(np.random.default_rng(number)) for number in range(5)]
    run = emergence.run("td", worlds=worlds, **SMALL)
    assert run.settings["task"] == "files" and run.P.shape[-1] == 7
    run.save(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(emergence.load(folder).P, run.P)
    path = run.settings["worlds"]
    del run
    gc.collect()
    assert not os.path.exists(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = emergence.load(folder)
    run = emergence.run("td", worlds=worlds, **SMALL)
    assert np.array_equal(loaded.P, run.P)
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.P, run.P)
    single = emergence.run("td", worlds=worlds[0], seeds=1, num_mrps=20, bank_size=16)
    assert single.finished


def test_worlds_are_checked():
    for change, words in (({"transition": np.eye(3) * 2}, "sum to 2"), ({"reward": [1, 2]}, "Give 3 numbers"),
                          ({"features": np.ones((2, 2))}, "m x d"), ({"initial": [1, 1, 1]}, "initial"),
                          ({"reward": [1, 2, np.nan]}, "not finite"), ({"transition": np.ones((2, 3))}, "m x m")):
        with pytest.raises(ValueError, match=words):
            emergence.World(**{"transition": np.eye(3), "reward": np.zeros(3), "features": np.ones((3, 2)), **change})
    with pytest.raises(ValueError, match="not a world"):
        emergence.Run("td", worlds=3.0)


def test_own_starting_weights(run):
    state = run.state_dict(0)
    begun = emergence.Run("td", weights=state, num_mrps=0, seeds=1, bank_size=16)
    assert np.array_equal(begun.P[0], state["P"])
    pickled = pickle.loads(pickle.dumps(begun))
    assert np.array_equal(pickled.P, begun.P)
    both = {"P": run.P, "Q": run.Q}
    assert emergence.Run("td", weights=both, num_mrps=0, bank_size=16).P.shape == run.P.shape
    for wrong, words in (({"seeds": 5}, "2 networks for seeds = 5"), ({"seeds": 1}, "2 networks for seeds = 1"),
                         ({"d": 3}, "^weights: array 'P' is 2 x 1 x 9 x 9")):
        with pytest.raises(ValueError, match=words):
            emergence.Run("td", weights=both, **wrong)

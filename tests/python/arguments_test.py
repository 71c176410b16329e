"""What people give that does not fit: sentences of ours, and nothing taken for what it is not."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import emergence

SMALL = {"seeds": 1, "num_mrps": 4, "bank_size": 8, "log_interval": 2}


@pytest.mark.parametrize("call", [
    lambda: emergence.Run("td", seeds=2**70),
    lambda: emergence.Run("td", gamma=10**400),
    lambda: emergence.Run("td", num_layers=-2**63 - 1),
    lambda: emergence.Run("td", task="\udcff"),
    lambda: emergence.Run("td", **{"\udc80": 1}),
    lambda: emergence.Run("\ud800"),
    lambda: emergence.Run("td", threads=2**40),
    lambda: emergence.fields("\udcff"),
    lambda: emergence.load("\udcff"),
    lambda: emergence.load("a\0b"),
    lambda: emergence.Run("td", weights="a\0b"),
    lambda: emergence.Run("td", **SMALL).save("a\0b"),
    lambda: emergence.Bank(2**70),
    lambda: emergence.Bank(4, seed=-1),
    lambda: emergence.sample_prompts(2**33),
    lambda: emergence.bench(lambda network: "td", networks=2**33),
    lambda: emergence.Run("td", **SMALL).step(2**70),
    lambda: emergence.Run("td", **SMALL).quantity("\udcff"),
])
def test_what_does_not_fit_is_a_value_error_with_a_sentence(call):
    with pytest.raises(ValueError) as raised:
        call()
    assert ":" in str(raised.value) and "C++" not in str(raised.value) and "arg0" not in str(raised.value)


@pytest.mark.parametrize("call", [
    lambda: emergence.fields(3),
    lambda: emergence.Run(3.5),
    lambda: emergence.Run("td", preset=7),
    lambda: emergence.Run("td", **SMALL).picture(None),
    lambda: emergence.Run("td", **SMALL).at("now"),
    lambda: emergence.Run("td", **SMALL).picture("td-curves").svg(width=3),
    lambda: emergence.compare("a", "b", score=2),
    lambda: emergence.bench(lambda network: "td", networks=1, noise="much"),
    lambda: emergence.figure(12),
])
def test_another_type_is_a_type_error_without_signatures(call):
    with pytest.raises((TypeError, ValueError)) as raised:
        call()
    assert "incompatible" not in str(raised.value) and "arg0" not in str(raised.value)


def layer(number):
    return np.full((5, 5), float(number))


def test_layers_are_sorted_by_number():
    state = {f"blocks.{i}.attention.{name}": layer(i) for i in (0, 1, 10, 11, 2) for name in ("P", "Q")}
    found = emergence._networks.weights_of(state)
    assert [one[0, 0] for one in found["P"]] == [0, 1, 2, 10, 11]


@pytest.mark.parametrize("names", [
    ("layers.0.", "ema.layers.0."), ("", "layers.0."), ("layers.0.", "layers.00."), ("a.0.b.0.", "a.1.b.1."),
    ("left.0.", "right.0.")])
def test_several_networks_in_one_mapping_are_refused_by_name(names):
    state = {prefix + name: layer(1) for prefix in names for name in ("P", "Q")}
    with pytest.raises(ValueError, match="several places|one number"):
        emergence._networks.weights_of(state)


def test_layers_without_their_partner_are_refused():
    with pytest.raises(ValueError, match="both of each layer"):
        emergence._networks.weights_of({"a.0.P": layer(0), "a.1.P": layer(0), "a.0.Q": layer(0), "a.2.Q": layer(0)})


def test_masked_arrays_are_refused_everywhere():
    masked = np.ma.masked_array(np.eye(5), mask=np.eye(5, dtype=bool))
    for call in (lambda: emergence._networks.weights_of({"P": masked, "Q": np.eye(5)}),
                 lambda: emergence._networks.weights_of({"P": [masked], "Q": [np.eye(5)]}),
                 lambda: emergence.forward(masked, np.eye(5), np.ones((1, 5, 4))),
                 lambda: emergence.forward(np.eye(5), np.eye(5), np.ma.ones((1, 5, 4))),
                 lambda: emergence.World(masked, np.ones(5), np.eye(5)),
                 lambda: emergence.Bank(4).values(lambda prompts: np.ma.ones(len(prompts)))):
        with pytest.raises(ValueError, match="masked array"):
            call()


def test_bfloat16_is_converted():
    torch = pytest.importorskip("torch")
    eye = torch.eye(5).to(torch.bfloat16)
    assert emergence._networks.weights_of({"P": eye, "Q": eye})["P"].dtype == np.float32
    prompts = emergence.sample_prompts(2)
    assert emergence._networks.call(lambda z: torch.ones(len(z), dtype=torch.bfloat16), prompts).tolist() == [1, 1]


def python(code, timeout=60):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True,
                          timeout=timeout, env=os.environ)


def test_a_child_of_fork_drops_uses_and_trains_a_run():
    done = python("""
        import os, emergence
        run = emergence.Run("td", threads=4, seeds=2, num_mrps=40, bank_size=16)
        run.step(10)
        children = []
        for trains in (False, True):
            child = os.fork()
            if child == 0:
                if trains:
                    run.train(progress=False)
                del run
                os._exit(0)
            children.append(child)
        for child in children:
            assert os.waitpid(child, 0)[1] == 0
        run.train(progress=False)
        print(run.steps)
    """)
    assert done.returncode == 0 and done.stdout.split()[-1] == "40", done.stderr


@pytest.mark.parametrize("loss", ["'td'", "lambda batch: batch.rewards + batch.gamma * batch.values[1:]"])
def test_the_interpreter_ends_while_a_daemon_trains(loss):
    done = python(f"""
        import threading, time, emergence
        run = emergence.Run("td", threads=2, seeds=4, num_mrps=1000000, loss={loss})
        threading.Thread(target=lambda: run.train(progress=False), daemon=True).start()
        time.sleep(0.5)
    """)
    assert done.returncode == 0 and done.stderr == "", done.stderr

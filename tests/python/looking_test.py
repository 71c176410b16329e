"""Pictures, quantities, comparisons, networks apart from runs."""

import re

import numpy as np
import pytest

import emergence
from conftest import SMALL


def test_catalogue():
    assert list(emergence.experiments())[0] == "td" and "wang-2" in emergence.experiments()["td"].figures
    field = emergence.fields("td")["num_layers"]
    assert (field.minimum, field.maximum, field.default) == (1, 12, 3) and "1 to 12" in field.allowed
    assert emergence.fields("td")["loss"].choices[:2] == ("td", "residual_gradient")
    assert emergence.presets()["opening"].experiment == "td" and "wang-2" in emergence.figures()
    for table in (emergence.experiments(), emergence.fields("td"), emergence.presets(), emergence.figures()):
        assert table._repr_html_().count("<tr>") == len(table) + 1
        assert len(repr(table).splitlines()) == len(table) and max(map(len, repr(table).splitlines())) <= 120
    with pytest.raises(ValueError, match="Known: td"):
        emergence.fields("no")
    assert re.match(r"\d+\.\d+\.\d+", emergence.__version__)


def test_pictures(run, tmp_path):
    assert {"wang-2", "td-window", "td-P0"} <= set(run.pictures)
    figure = run.figure("wang-2")
    assert figure._repr_svg_().startswith("<svg") and "seeds 0..1" in figure.caption.lower()
    for name in ("a.svg", "a.pdf", "a.png", "a.csv", "a.npz"):
        assert figure.save(tmp_path / name).stat().st_size > 100
    with pytest.raises(ValueError, match="jpg"):
        figure.save(tmp_path / "a.jpg")
    with pytest.raises(ValueError, match="td-P0"):
        run.picture("td-P")
    with pytest.raises(ValueError, match="emergence.figure"):
        run.figure("map-losses")
    # The picture opens as the run that it shows.
    assert emergence.Run(tmp_path / "a.svg").settings == run.settings


def test_figures_train_their_runs():
    assert "<svg" in emergence.figure("wang-2", seeds=1, num_mrps=20).svg(width="3.4in", caption=False)
    with pytest.raises(ValueError, match="wang-2"):
        emergence.figure("wang-22")
    with pytest.raises(ValueError, match="seedz"):
        emergence.figure("wang-2", seedz=1)


def test_quantities_curves_and_matrices(run):
    assert np.array_equal(run.quantity("metric msve at 200"), run.metrics["msve"][:, -1])
    mean = run.quantity("mean(metric msve)")
    assert mean.n == 2 and mean.low < mean.value < mean.high and float(mean) == run.metrics["msve"][:, -1].mean()
    assert "metric msve" in run.quantities
    with pytest.raises(ValueError, match="msve"):
        run.quantity("metric msv")
    x, values = run.curves["msve_by_context_length"]["series"]["transformer"]
    assert values.shape == (2, len(x))
    P0 = run.matrices["P0"]
    assert np.allclose(P0["seeds"][1], run.P[1, 0]) and P0["theory"].shape == (9, 9)
    assert sum(size for _, size in P0["rows"]) == 9
    assert run.scalars["msve_zero"] > 0


def test_compare(run, folder):
    other = emergence.run("td", loss="residual_gradient", **SMALL)
    compared = emergence.compare(run, other)
    difference = compared["msve"]
    assert difference["paired"] and difference["n_a"] == 2
    assert np.isclose(difference["difference"], (other.metrics["msve"] - run.metrics["msve"])[:, -1].mean())
    assert any("loss" in line for line in compared.settings)
    assert "msve" in compared.to_pandas().index and "<table" in compared._repr_html_()
    assert repr(compared).startswith("<emergence.Comparison b - a: ") and len(repr(compared)) < 120
    for table in (compared, run.metrics, run.weights, emergence.presets(), run.matrices):
        with pytest.raises(KeyError, match="'msv' is not there"):
            table["msv"]
    assert "<svg" in compared.figure.svg()
    other.save(folder)
    assert emergence.compare(run, folder)["msve"]["difference"] == difference["difference"]


def test_forward_agrees_with_a_prompt_by_hand(run):
    prompts = emergence.sample_prompts(4, seed=3)
    assert prompts.shape == (4, 9, 31) and np.all(prompts[:, 4:, -1] == 0)
    assert np.allclose(prompts[:, 4:8, :-2], 0.9 * prompts[:, :4, 1:-1])
    values, Z = emergence.forward(run.P[0], run.Q[0], prompts, trace=True)
    assert Z.shape == (4, 4, 9, 31) and np.array_equal(Z[0], prompts) and np.array_equal(-Z[-1, :, -1, -1], values)
    # One layer, one transition: v = -(P Z M Z' Q Z)[-1, -1].
    Z0 = np.array([[2.0, 3.0], [0.5, 0.0], [7.0, 0.0]])
    P, Q = np.diag([0, 0, 1.0]), np.diag([-1.0, 0, 0])
    assert np.isclose(emergence.forward(P, Q, Z0, layers=1)[0], 7.0 * 2.0 * 3.0)
    for activation in ("softmax", "softmax_columns", "relu", "elu", "tanh"):
        assert np.isfinite(emergence.forward(run.P[0], run.Q[0], prompts, activation=activation)).all()
    for wrong, words in (((run.P, run.Q, prompts), "layers x D x D"), ((run.P[0], run.Q[0], prompts[:, 1:]), "B x 9"),
                         ((run.P[0], run.Q[0], prompts[:, :, :1]), "n \\+ 1")):
        with pytest.raises(ValueError, match=words):
            emergence.forward(*wrong)
    with pytest.raises(ValueError, match="2d \\+ 1"):
        emergence.forward(np.eye(8), np.eye(8), prompts[:, :8])
    with pytest.raises(ValueError, match="tanh"):
        emergence.forward(run.P[0], run.Q[0], prompts, activation="gelu")


def batch_td(steps, alpha, d=4):
    """Batch TD as a transformer, Theorem 1 of Wang et al. 2025."""
    P, Q = np.zeros((2 * d + 1, 2 * d + 1)), np.zeros((2 * d + 1, 2 * d + 1))
    P[-1, -1] = 1
    Q[:d, :d], Q[:d, d:2 * d] = -alpha * np.eye(d), alpha * np.eye(d)
    return np.tile(P, (steps, 1, 1)), np.tile(Q, (steps, 1, 1))


def test_identify_weights_runs_and_functions(run, tmp_path):
    P, Q = batch_td(3, 0.5)
    by_weights = emergence.identify({"P": P, "Q": Q})
    by_values = emergence.identify(lambda prompts: emergence.forward(P, Q, prompts))
    for found in (by_weights, by_values):
        assert found.verdict == "td" and found.unexplained < 1e-6 and np.isclose(found.beta[0], 1, atol=1e-3)
    assert by_values.leaves["td"][0] < 1e-6 < by_values.leaves["no_bootstrap"][0]
    of_run = emergence.identify(run)
    assert [one.seed for one in of_run] == [0, 1]
    told = emergence.identify(run.save_weights(tmp_path / "told.npz"))
    assert [one.sentence for one in told] == [one.sentence for one in of_run]
    np.savez(tmp_path / "untold.npz", P=run.P, Q=run.Q)
    assert len(emergence.identify(tmp_path / "untold.npz")) == 2
    earlier = run.at(0)
    of_earlier = emergence.identify(earlier)
    assert len(of_earlier) == 2 and len(repr(earlier).splitlines()) <= 5 and of_earlier[0].beta != of_run[0].beta
    listed = emergence.identify([{"P": P, "Q": Q}, run])
    assert [one.sentence for one in listed] == [by_weights.sentence, *(one.sentence for one in told)]
    assert [one.seed for one in emergence.identify([{"P": P, "Q": Q}] * 2)] == [0, 1]
    pandas = pytest.importorskip("pandas")
    table = told.to_pandas()
    assert isinstance(table, pandas.DataFrame) and list(table["verdict"]) == [one.verdict for one in told]
    assert list(table["beta_low"]) == [one.beta[1] for one in told]
    with pytest.raises(ValueError, match="no Q among P"):
        emergence.identify({"P": P})
    with pytest.raises(ValueError, match="experiment td"):
        emergence.identify(emergence.Run("bandit-race", seeds=1))
    with pytest.raises(ValueError, match="3 values for"):
        emergence.identify(lambda prompts: [1, 2, 3])


def test_a_bank_measures_any_network():
    P, Q = batch_td(3, 0.5)
    bank = emergence.Bank(40)
    measured = bank.measure(lambda prompts: emergence.forward(P, Q, prompts))
    assert measured["alpha"] == 0.5 and measured["unexplained"] < 1e-10 and measured["nonlinear"] < 1e-10
    assert np.isclose(measured["msve"], measured["msve_batch_td"]) and measured["msve"] < measured["msve_zero"]
    world = bank.worlds()[0]
    same = emergence.World(world["transition"], world["reward"], world["features"])
    assert np.allclose(world["v"], same.true_value(0.9))


def test_torch_modules(run):
    torch = pytest.importorskip("torch")
    P, Q = batch_td(3, 0.5)

    class Transformer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.P, self.Q = (torch.nn.Parameter(torch.tensor(one[0], dtype=torch.float32)) for one in (P, Q))

        def forward(self, Z):
            n = Z.shape[2] - 1
            for _ in range(3):
                Z = Z + self.P @ Z[:, :, :-1] @ (Z.transpose(1, 2) @ self.Q @ Z)[:, :-1] / n
            return -Z[:, -1, -1]

    network = Transformer()
    assert emergence.identify(network).verdict == "td"
    assert emergence.Bank(40).measure(network)["unexplained"] < 1e-6
    begun = emergence.Run("td", weights=network.state_dict(), num_mrps=0, seeds=1, bank_size=16)
    assert np.allclose(begun.P[0, 0], P[0])
    state = run.state_dict(seed=1, torch=True)
    class Double(Transformer):
        def __init__(self):
            super().__init__()
            self.dropout = torch.nn.Dropout(0.5)
            self.double()

        def forward(self, Z):
            assert Z.dtype == torch.float64
            return super().forward(self.dropout(Z))

    double = Double()
    assert emergence.identify(double).verdict == "td" and double.training and double.dropout.training
    assert isinstance(state["P"], torch.Tensor) and np.array_equal(state["P"].numpy(), run.P[1])
    network.load_state_dict({name: tensor[0] for name, tensor in state.items()})


def test_a_judge_on_the_bench():
    def judge(network):  # bootstraps only what reads the next state's features
        d, Q = network.d, network.Q[0]
        return "td" if abs(Q[:d, d:2 * d]).max() > 0.1 * abs(Q).max() else "no_bootstrap"

    result = emergence.bench(judge, networks=8)
    assert len(result.networks) == 8 and 0 <= result.named_right <= result.named_right_by_verdict <= 1
    assert 0 <= result.wrong <= 1
    assert sum(sum(row.values()) for row in result.confusion().values()) == 8 and "<table" in result._repr_html_()
    assert repr(result).count("\n") == 0 and "8 networks" in repr(result) and len(repr(result)) < 120
    with pytest.raises(LookupError):
        emergence.bench(lambda network: {}["x"], networks=2)
    with pytest.raises(ValueError, match="'tdd'; allowed: td"):
        emergence.bench(lambda network: "tdd", networks=2)


def test_a_mean_over_some_seeds_says_over_how_many():
    from emergence._tables import Metrics

    loss = np.array([[3.0, 1.0], [3.0, np.nan], [3.0, 2.0]])
    columns = {"step": np.array([0, 1]), "loss": loss, "all": np.ones((3, 2)), "none": loss * np.nan}
    table = Metrics(columns, (0, 1, 2), {})
    page = table._repr_html_()
    assert "1.5, of 2 of 3" in page and ">1<" in page and ">–<" in page

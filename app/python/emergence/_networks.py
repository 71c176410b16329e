"""Networks and prompts apart from a run: forward passes, prompts, what a network computes."""

from __future__ import annotations

import io
import os
import re
import tempfile
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Callable, Mapping, Union, overload
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from . import _native
from ._tables import html_table, numbers, real, whole

if TYPE_CHECKING:
    from typing import Literal

    from ._looking import Moment
    from ._run import Run

Array = npt.NDArray[np.float64]
#: Values of prompts: `network(prompts)` with prompts (B, 2d + 1, n + 1) answers B numbers.
Network = Callable[[Any], Any]

_FITTED, _JUDGED = 160, 256  # contexts, as `emergence-cli identify` takes


# ---- the forward pass

def _softmax(scores: Array, axis: int) -> Array:
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    normalised: Array = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return normalised


_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "identity": lambda scores: scores,
    "softmax": lambda scores: _softmax(scores, -1),
    "softmax_columns": lambda scores: _softmax(scores, -2),
    "relu": lambda scores: np.maximum(scores, 0.0),
    "elu": lambda scores: np.where(scores > 0, scores, np.expm1(np.minimum(scores, 0.0))),
    "tanh": np.tanh,
}


@overload
def forward(P: npt.ArrayLike, Q: npt.ArrayLike, prompts: npt.ArrayLike, *, layers: int | None = None,
            activation: str = "identity", trace: Literal[False] = False) -> Array: ...
@overload
def forward(P: npt.ArrayLike, Q: npt.ArrayLike, prompts: npt.ArrayLike, *, layers: int | None = None,
            activation: str = "identity", trace: Literal[True]) -> tuple[Array, Array]: ...
def forward(P: npt.ArrayLike, Q: npt.ArrayLike, prompts: npt.ArrayLike, *, layers: int | None = None,
            activation: str = "identity", trace: bool = False) -> Array | tuple[Array, Array]:
    """The values that a transformer gives to prompts, in double: Eqs. (3) and (4), Wang et al. 2025.

        Z_{l+1} = Z_l + (1/n) P_l Z_l M act(Z_l' Q_l Z_l),   M = diag(1, .., 1, 0),   v = -Z_L[-1, -1]

    P, Q: D x D, or stored layers x D x D. One stored layer is used `layers` times (3 unless given); several are used
    once each.
    prompts: B x D x (n + 1), or one, D x (n + 1): see `sample_prompts`.
    activation: identity, softmax (rows sum to 1, as in Appendix E), softmax_columns, relu, elu or tanh.

    Returns the values, (B,); with trace=True also Z_0 .. Z_L, (L + 1) x B x D x (n + 1). Raises ValueError for shapes
    that do not fit.

        >>> values, Z = emergence.forward(run.P[0], run.Q[0], prompts, trace=True)
    """
    p, q = (numbers(name, one).astype(float) for name, one in (("P", P), ("Q", Q)))
    p, q = (one[None] if one.ndim == 2 else one for one in (p, q))
    z = numbers("prompts", prompts).astype(float)
    z = z[None] if z.ndim == 2 else z
    if p.ndim != 3 or p.shape != q.shape or p.shape[1] != p.shape[2]:
        raise ValueError(f"P has shape {np.shape(P)} and Q {np.shape(Q)}. "
                         "Both are layers x D x D; of a run: run.P[seed]")
    if p.shape[1] % 2 == 0 or p.shape[1] < 3:
        raise ValueError(f"P has {p.shape[1]} rows. A prompt has 2d + 1: features, the next state's, a reward")
    if z.ndim != 3 or z.shape[1] != p.shape[1] or z.shape[2] < 2:
        raise ValueError(f"prompts: has shape {np.shape(prompts)}. With these P and Q it is B x {p.shape[1]} x (n + 1)")
    if activation not in _ACTIVATIONS:
        raise ValueError(f"activation: '{activation}' is not one of {', '.join(_ACTIVATIONS)}")
    count = layers if layers is not None else 3 if len(p) == 1 else len(p)
    if count < 1 or (len(p) > 1 and count != len(p)):
        raise ValueError(f"layers: {count}, but P and Q have {len(p)}. Several stored layers are used once each")
    act, passes = _ACTIVATIONS[activation], [z]
    for layer in range(count):
        stored = layer % len(p)
        attention = act(z.transpose(0, 2, 1) @ q[stored] @ z)
        z = z + (p[stored] @ z[:, :, :-1] @ attention[:, :-1]) / (z.shape[2] - 1)
        passes.append(z)
    values: Array = -z[:, -1, -1]
    return (values, np.stack(passes)) if trace else values


# ---- prompts and their tasks

def sample_prompts(count: int = 16, *, seed: int = 0, **settings: Any) -> Array:
    """Prompts of held-out tasks: count x (2d + 1) x (n + 1), float64.

    Columns [phi(S_t); gamma phi(S_{t+1}); R_{t+1}] of n transitions, then the query [phi(S_n); 0; 0]. settings: those
    of experiment "td" that describe tasks (`emergence.fields("td")`: d, n, m, gamma, task, ...). seed: another one
    gives other tasks. See `Bank` for their true values. Raises ValueError.
    """
    return Bank(whole("count", count), seed=seed, **settings).prompts


class Bank:
    """Held-out tasks of experiment "td": one context of each, its states as queries, and what is true there.

        >>> bank = emergence.Bank(200, n=30)
        >>> bank.measure(lambda prompts: emergence.forward(run.P[0], run.Q[0], prompts))

    size: contexts.
    seed: another one gives other tasks.
    settings: those of experiment "td" that describe tasks.

    Any network can be measured: a function of prompts, B x (2d + 1) x (n + 1), that answers B values; a torch module
    gets a tensor of its first parameter's type (double if it has none), in the mode of evaluation.
    """

    def __init__(self, size: int = _FITTED + _JUDGED, *, seed: int = 0, **settings: Any) -> None:
        _, values = _native.settings_for("td", None, settings)
        size, seed = whole("size", size, 1, 1_000_000), whole("seed", seed, 0)
        self._native = _native.Bank(values, size, seed)
        self._contexts = self._native.contexts()
        self.layers = int(values["num_layers"])
        self.gamma = float(values["gamma"])
        #: One prompt for each context, with the state after it as query: size x (2d + 1) x (n + 1).
        self.prompts: Array = np.stack([one["prompt"] for one in self._contexts])
        self.prompts.setflags(write=False)

    def __len__(self) -> int:
        return len(self._contexts)

    def worlds(self) -> list[dict[str, Array]]:
        """Of each context's task: transition, reward, features (m x d), initial, stationary, and the true values v."""
        return [{name: array for name, array in one.items() if name != "prompt"} for one in self._contexts]

    def values(self, network: Network) -> list[Array]:
        """The network's value of every state, as query, in every context: one array (m,) for each."""
        counts = [len(one["features"]) for one in self._contexts]
        prompts = np.repeat(self.prompts, counts, axis=0)
        d = self._contexts[0]["features"].shape[1]
        prompts[:, :, -1] = 0.0
        prompts[:, :d, -1] = np.concatenate([one["features"] for one in self._contexts])
        answer = call(network, prompts)
        return [np.asarray(one) for one in np.split(answer, np.cumsum(counts)[:-1])]

    def weights(self, values: list[Array]) -> Array:
        """The implicit weight of each context, size x d: argmin_w sum_s d(s) (w' phi(s) - v(s))^2 (Appendix D.1.2,
        Wang et al.
        2025). Of a network that is linear in its query it is the network itself."""
        found = []
        for one, v in zip(self._contexts, values):
            root = np.sqrt(one["stationary"])
            found.append(np.linalg.lstsq(one["features"] * root[:, None], v * root, rcond=None)[0])
        return np.array(found)

    def measure(self, network: Network, alpha: float | None = None) -> dict[str, float]:
        """The network beside batch TD with step size alpha (the one nearest to the network unless given), in these
        contexts.

        msve, msve_batch_td, msve_zero: mean square value errors, weighted by the stationary distribution.
        value_difference: VD; implicit_weight_similarity: IWS; unexplained: VD over the network's mean square value;
        nonlinear: the share of that which no value linear in the features has. Appendix D.1.2, Wang et al. 2025.
        """
        values = self.values(network)
        weights = self.weights(values)
        steps = [real("alpha", alpha)] if alpha is not None else list(2.0 ** np.arange(-5, 4.01, 0.25))

        def mean_square(of: list[Array]) -> float:
            return float(np.mean([one["stationary"] @ np.square(v) for one, v in zip(self._contexts, of)]))

        def linear(w: Array) -> list[Array]:
            return [one["features"] @ row for one, row in zip(self._contexts, w)]

        def apart(a: list[Array], b: list[Array]) -> float:
            return mean_square([x - y for x, y in zip(a, b)])

        tried = [(apart(values, linear(self._native.batch_td(self.layers, step))), step) for step in steps]
        difference, step = min(tried)
        td = self._native.batch_td(self.layers, step)
        truth, square = [one["v"] for one in self._contexts], mean_square(values)
        norms = np.linalg.norm(weights, axis=1) * np.linalg.norm(td, axis=1)
        cosines = np.divide((weights * td).sum(axis=1), norms, out=np.zeros(len(norms)), where=norms > 0)
        share = float("nan") if square == 0 else 1.0 / square
        return {"msve": apart(values, truth), "msve_batch_td": apart(linear(td), truth), "alpha": float(step),
                "msve_zero": mean_square(truth), "value_difference": difference,
                "implicit_weight_similarity": float(cosines.mean()),
                "unexplained": difference * share, "nonlinear": apart(values, linear(weights)) * share}

    def identify(self, network: Network) -> Identified:
        """What the network computes, read off its values alone. At least 32 contexts; more judge better."""
        if len(self) < 32:
            raise ValueError(f"size: {len(self)} contexts are too few to identify a network. Use at least 32")
        weights = self.weights(self.values(network))
        fitted = max(16, len(self) * _FITTED // (_FITTED + _JUDGED) // 16 * 16)  # in groups of sixteen
        return Identified(**self._native.read(weights, fitted, self.layers))


def call(network: Network, prompts: Array) -> Array:
    """The network's answer as numpy; of a torch module that gets a tensor."""
    import sys

    torch = sys.modules.get("torch")
    if torch is not None and isinstance(network, torch.nn.Module):
        first = next(iter(network.parameters()), None)
        given = torch.as_tensor(prompts, dtype=torch.float64 if first is None else first.dtype,
                                device=None if first is None else first.device)
        modes = [(module, module.training) for module in network.modules()]
        network.eval()
        try:
            with torch.no_grad():
                answer: Any = network(given)
        finally:
            for module, mode in modes:
                module.training = mode
    else:
        answer = network(prompts)
    values = numbers("network", answer).astype(float).reshape(-1)
    if len(values) != len(prompts):
        raise ValueError(f"network: answered {len(values)} values for {len(prompts)} prompts. Return one for each")
    return values


# ---- which algorithm

@dataclass(frozen=True)
class Identified:
    """What one network computes: the verdict, and its place on the map of algorithms (`emergence-cli handbook findings-map`)."""

    #: The seed's number; of networks given one by one their place in the list; 0 for one function.
    seed: int
    #: "td", "residual_gradient", "no_bootstrap", "reward_correlation", "wrong_sign", "ambiguous", "between" or "none"; of
    #: masked networks also "td_lambda" and "average_reward".
    verdict: str
    #: Of "wrong_sign" the algorithm; else that of the verdict, or "".
    of: str
    #: Where networks are counted: "TD".
    label: str
    sentence: str
    #: How much it bootstraps, as (value, low, high): 1 is TD, 0 not at all. Infinite ends: not determined.
    beta: tuple[float, float, float]
    #: How much of the residual gradient it takes, likewise: 0 is TD, 1 residual gradient. Or what `second` says: lambda
    #: of its trace, or rho, how much of the mean reward it subtracts.
    c: tuple[float, float, float]
    #: beta gamma, likewise.
    discount: tuple[float, float, float]
    #: The step sizes, ascending.
    alphas: list[float]
    #: The share of the network's mean square value that this place leaves unexplained; the median over prompts.
    unexplained: float
    median_unexplained: float
    #: The same of the best algorithm with a matrix for each step; NaN if none was needed.
    unexplained_by_matrices: float
    #: The share that each named algorithm leaves, with its best step sizes, as (value, low, high).
    leaves: dict[str, tuple[float, float, float]]
    #: The algorithms of "ambiguous".
    ties: list[str]
    converged: bool
    #: "c", "lambda" or "rho".
    second: str = "c"
    #: Where the network's loss pulls, computed without a network: the keys loss, beta and c as (value, low, high), alphas,
    #: reachable (one shared layer reaches these step sizes), sentence. None for a function, and for losses without a star.
    star: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<emergence.Identified seed {self.seed}: {self.verdict}: {self.sentence}>"


class Identifications(list[Identified]):
    """One `Identified` for each network."""

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each network; intervals are columns such as beta, beta_low, beta_high."""
        import pandas  # type: ignore[import]

        rows = []
        for one in self:
            row = {field.name: getattr(one, field.name) for field in fields(one)
                   if field.name not in ("leaves", "star", "ties", "alphas")}
            for name in ("beta", "c", "discount"):
                row[name], row[f"{name}_low"], row[f"{name}_high"] = row[name]
            rows.append(row)
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        def interval(one: tuple[float, float, float]) -> str:
            return f"{one[0]:.2f} ({one[1]:.2f} to {one[2]:.2f})"

        return html_table(("seed", "verdict", "beta", "c", ""),
                          [(one.seed, one.verdict, interval(one.beta), interval(one.c), one.sentence) for one in self])


@overload
def identify(what: Run | Moment | str | os.PathLike[str], *, threads: int | None = None,
             **settings: Any) -> Identifications: ...
@overload
def identify(what: list[Any] | tuple[Any, ...], *, threads: int | None = None, **settings: Any) -> Identifications: ...
@overload
def identify(what: Mapping[str, object], *, threads: int | None = None,
             **settings: Any) -> Identified | Identifications: ...
@overload
def identify(what: Network, *, threads: int | None = None, **settings: Any) -> Identified: ...
def identify(what: Run | Moment | Mapping[str, object] | str | os.PathLike[str] | list[Any] | tuple[Any, ...] | Network,
             *, threads: int | None = None, **settings: Any) -> Identified | Identifications:
    """Which algorithm does a network compute? What `emergence-cli identify` says.

    Of one network the answer is an `Identified`: of a function of prompts that answers their values, for example a
    torch module, and of its weights, a mapping with P and Q, layers x D x D. Of several networks it is a list of them:
    of a run of "td", of its weights at an earlier step (`run.at(400)`), of a mapping with P and Q, seeds x layers x
    D x D, of a file of weights, and of a list of anything of all this. A run is judged on held-out tasks of its own, from a sampler of yours too.

    settings: of weights and functions, those of "td" that say what they were made for: num_layers (steps of the
        algorithm), d, n, gamma, m, ...

    Raises ValueError for a run of another experiment, or weights whose shapes do not fit.
    """
    from ._looking import Moment
    from ._run import Run, load, threads_or_all

    if isinstance(what, (list, tuple)):
        answers = [identify(one, threads=threads, **settings) for one in what]
        return Identifications(
            found for place, answer in enumerate(answers)
            for found in ([replace(answer, seed=place)] if isinstance(answer, Identified) else answer))
    if isinstance(what, (str, os.PathLike)) and os.path.isdir(what):
        what = load(what)
    if isinstance(what, (Run, Moment)):
        if settings:
            raise ValueError(f"identify: a run has its own settings; {', '.join(settings)} cannot be given")
        run, weights = (what, {}) if isinstance(what, Run) else (what.run, what.weights)
        return Identifications(Identified(**one)
                               for one in _native.identified(run._native, threads_or_all(threads), weights))
    if isinstance(what, (Mapping, str, os.PathLike)):
        given: dict[str, Any] = {"num_mrps": 0, "bank_size": 16, "log_interval": 1, "seeds": 1}
        if isinstance(what, Mapping):
            shape = np.shape(weights_of(what)["P"])
            given.update(settings, **({"seeds": shape[0]} if len(shape) == 4 else {}))
            found = identify(Run("td", weights=what, **given), threads=threads)
            return found if len(shape) == 4 else found[0]
        begin, told = _told_by(what)
        return identify(Run(begin, weights=what, **{**given, **told, **settings}), threads=threads)
    if callable(what):
        return Bank(**settings).identify(what)
    raise ValueError(f"identify: {type(what).__name__} is not a run, weights or a function of prompts")


def _told_by(file: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """What a run of a file's weights begins with: its settings or "td", and what its shapes say."""
    try:
        with np.load(file) as arrays:
            names, shape = set(arrays.files), arrays["P"].shape
    except (KeyError, ValueError, BadZipFile):
        return "td", {}  # the library says what is wrong with it
    several = len(shape) == 4 and "xs" not in names  # the published code has one network, at each logged point
    told: dict[str, Any] = {"seeds": shape[0] if several else 1}
    if "emergence-config" in names:
        return os.fspath(file), told
    told["d"] = (shape[-1] - 1) // 2
    if shape[-3:-2] > (1,):
        told.update(num_layers=shape[-3], sequential=True)
    return "td", told


# ---- weights in and out

def weights_of(state: Mapping[str, object]) -> dict[str, Array]:
    """P and Q as float arrays, layers x D x D or seeds x layers x D x D, from numpy arrays or torch tensors.

    Takes {"P", "Q"}, or the names of a torch module with one pair of parameters for each layer: "layers.0.P",
    "layers.0.Q", ..., which differ in one number, by which they are sorted. Raises ValueError, naming what is missing,
    and for names of several networks, such as "ema.layers.0.P" beside "layers.0.P".
    """
    found = {}
    layers = {name: _layers_of(state, name) for name in ("P", "Q")}
    if list(layers["P"]) != list(layers["Q"]):
        raise ValueError(f"weights: P stands at {', '.join(layers['P'])}, and Q at {', '.join(layers['Q'])}. "
                         "Give both of each layer")
    for name, parts in layers.items():
        arrays = [numbers(f"weights: {prefix}{name}", one) for prefix, one in parts.items()]
        if any(one.dtype.kind == "c" for one in arrays):
            raise ValueError(f"weights: {name} holds complex numbers. Give real ones")
        if len({one.shape for one in arrays}) > 1:
            raise ValueError(f"weights: the layers' {name} have shapes {', '.join(str(one.shape) for one in arrays)}")
        array = arrays[0] if len(arrays) == 1 else np.stack(arrays)
        array = array[None] if array.ndim == 2 else array
        if array.ndim not in (3, 4) or array.shape[-1] != array.shape[-2]:
            raise ValueError(f"weights: {name} has shape {array.shape}. "
                             "It is layers x D x D, or seeds x layers x D x D")
        if not np.issubdtype(array.dtype, np.floating):
            array = array.astype(float)
        found[name] = array
    return found


def _layers_of(state: Mapping[str, object], name: str) -> dict[str, object]:
    """What stands before `name` in the keys, up to the last dot, with the arrays: one for each layer, in their order."""
    parts = {key[:-len(name)]: one for key, one in state.items() if key.split(".")[-1] == name}
    if not parts:
        raise ValueError(f"weights: no {name} among {', '.join(state) or 'nothing'}. Give P and Q")
    words = {prefix: re.split(r"(\d+)", prefix) for prefix in parts}
    first = next(iter(words.values()))
    differ = [i for i in range(len(first)) if any(len(one) == len(first) and one[i] != first[i] for one in words.values())]
    if any(len(one) != len(first) for one in words.values()) or len(differ) > 1 or any(i % 2 == 0 for i in differ):
        raise ValueError(f"weights: {name} stands in several places: {', '.join(prefix + name for prefix in parts)}. "
                         "Give those of one network, which differ in one number")
    if not differ:
        return parts
    numbered = sorted(parts, key=lambda prefix: int(words[prefix][differ[0]]))
    if len({int(words[prefix][differ[0]]) for prefix in parts}) < len(parts):
        raise ValueError(f"weights: two layers have one number: {', '.join(prefix + name for prefix in numbered)}")
    return {prefix: parts[prefix] for prefix in numbered}


def state_dict(run: Run, seed: int = 0, torch: bool = False) -> dict[str, Any]:
    """P and Q of one seed of a run as float32: see `Run.state_dict`."""
    found: dict[str, Any] = {name: np.array(getattr(run, name)[seed]) for name in ("P", "Q")}
    if torch:
        import torch as library

        found = {name: library.from_numpy(array) for name, array in found.items()}
    return found


class WeightsFile:
    """A temporary NPZ file, deleted with this object. shape: of P, () if not known."""

    def __init__(self, content: bytes, shape: tuple[int, ...]) -> None:
        self._file = tempfile.NamedTemporaryFile(prefix="emergence-weights-", suffix=".npz")
        self._file.write(content)
        self._file.flush()
        self.name, self.shape = self._file.name, shape


def weights_file(weights: Mapping[str, object]) -> WeightsFile:
    """P and Q as a file."""
    arrays, content = weights_of(weights), io.BytesIO()
    np.savez(content, P=arrays["P"], Q=arrays["Q"])
    return WeightsFile(content.getvalue(), arrays["P"].shape)

"""Export runs for other programs: TensorBoard, JSON lines, the published code, PyTorch."""

from __future__ import annotations

import json
import math
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

if TYPE_CHECKING:
    from ._looking import Looking
    from ._run import Run
    from ._tables import Metrics


def _rows(metrics: Metrics, place: int) -> Iterator[tuple[int, dict[str, float]]]:
    """The logged steps of one seed, each with its metrics."""
    for i, step in enumerate(metrics["step"]):
        yield int(step), {name: float(values[place, i]) for name, values in metrics.items() if name != "step"}


def to_json_lines(metrics: Metrics, path: str | os.PathLike[str]) -> Path:
    """See `Metrics.to_json_lines`."""
    with open(path, "w", encoding="utf-8") as file:
        for place, seed in enumerate(metrics.seeds):
            for step, row in _rows(metrics, place):
                known = {name: value if math.isfinite(value) else None for name, value in row.items()}
                file.write(json.dumps({"seed": seed, "step": step, **known}) + "\n")
    return Path(path)


# ---- TensorBoard: TFRecords of protocol buffers, tensorflow/core/util/event.proto and framework/summary.proto

def _crc_table() -> list[int]:
    table = []
    for crc in range(256):
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_CRC = _crc_table()


def _check(data: bytes) -> bytes:
    """CRC-32C, rotated and moved, as TFRecords have it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _record(event: bytes) -> bytes:
    length = struct.pack("<Q", len(event))
    return length + _check(length) + event + _check(event)


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _varint(value >> 7)


def _bytes(number: int, value: bytes) -> bytes:
    """A field with a length before it."""
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _event(step: int, row: dict[str, float]) -> bytes:
    values = (_bytes(1, name.encode()) + b"\x15" + np.array(value, "<f4").tobytes()
              for name, value in row.items() if not math.isnan(value))
    summary = b"".join(_bytes(1, value) for value in values)
    # The clock time is the step's number, so that the same run gives the same bytes.
    return b"\x09" + struct.pack("<d", float(step)) + b"\x10" + _varint(step) + _bytes(5, summary)


def to_tensorboard(metrics: Metrics, folder: str | os.PathLike[str]) -> Path:
    """See `Metrics.to_tensorboard`."""
    for place, seed in enumerate(metrics.seeds):
        of_seed = Path(folder) / f"seed-{seed}"
        of_seed.mkdir(parents=True, exist_ok=True)
        events = [b"\x09" + struct.pack("<d", 0.0) + _bytes(3, b"brain.Event:2")]
        events += [_event(*row) for row in _rows(metrics, place)]
        (of_seed / "events.out.tfevents.0.emergence").write_bytes(b"".join(map(_record, events)))
    return Path(folder)


# ---- the code that Wang et al. 2025 published

_PUBLISHED = {"d": "d", "s": "num_states", "n": "n", "l": "num_layers", "gamma": "gamma", "activation": "activation",
              "sample_weight": "representable", "mrp_class": "task", "mini_batch_size": "minibatch_size",
              "n_batch_per_mrp": "minibatches_per_mrp", "n_mrps": "num_mrps", "lr": "learning_rate",
              "weight_decay": "weight_decay", "log_interval": "log_interval"}


def to_published(run: Run, folder: str | os.PathLike[str], seed: int = 0) -> Path:
    """See `Run.to_published`."""
    settings = run.settings
    if run.experiment != "td" or settings["model"] != "attention":
        raise ValueError("to_published: only for attention of experiment td")
    moments = [run.at(step) for step in run.moments]
    params = {key: settings[field] for key, field in _PUBLISHED.items()}
    params["mrp_class"] = {"cart_pole": "cartpole"}.get(settings["task"], settings["task"])
    params.update(mode="sequential" if settings["sequential"] else "auto", random_seed=run.seeds[seed])
    xs = np.array([moment.step for moment in moments])
    Path(folder).mkdir(parents=True, exist_ok=True)
    np.savez(Path(folder) / "data.npz", xs=xs, alpha=np.interp(xs, run.metrics["step"], run.metrics["alpha"][seed]),
             P=np.stack([moment.P[seed] for moment in moments]), Q=np.stack([moment.Q[seed] for moment in moments]))
    (Path(folder) / "params.json").write_text(json.dumps(params, indent=1) + "\n", encoding="utf-8")
    return Path(folder)


# ---- PyTorch

def to_torch(run: Looking, seed: int = 0) -> Any:
    """See `Run.to_torch`."""
    import torch

    settings = run.settings
    if run.experiment != "td" or settings["model"] != "attention" or settings["mask"] != "td":
        raise ValueError("to_torch: only for attention of experiment td with mask = td")
    activation = settings["activation"]
    if activation == "softmax" and settings["normalisation"] == "columns":
        activation = "softmax_columns"
    act = {"identity": lambda scores: scores, "softmax": lambda scores: torch.softmax(scores, -1),
           "softmax_columns": lambda scores: torch.softmax(scores, -2), "relu": torch.relu,
           "elu": torch.nn.functional.elu, "tanh": torch.tanh}[activation]

    class Transformer(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.P, self.Q = (torch.nn.Parameter(torch.tensor(one[seed], dtype=torch.float64)) for one in (run.P, run.Q))

        def forward(self, Z: Any) -> Any:
            n = Z.shape[-1] - 1
            for layer in range(settings["num_layers"]):
                P, Q = (one[layer % len(one)] for one in (self.P, self.Q))
                A = act(Z.transpose(-2, -1) @ Q @ Z)
                Z = Z + P @ Z[..., :n] @ A[..., :n, :] / n
            return -Z[..., -1, -1]

    return Transformer()

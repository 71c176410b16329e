"""Runs in the form of other programs, read back by parsers of our own and by PyTorch."""

import json
import struct

import numpy as np
import pytest

import emergence


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    while data:
        (length,), (check,) = struct.unpack("<Q", data[:8]), struct.unpack("<I", data[8:12])
        assert check == masked(data[:8])
        event, data = data[12:12 + length], data[12 + length:]
        assert struct.unpack("<I", data[:4])[0] == masked(event)
        data = data[4:]
        yield event


def message(data):
    """The fields of a protocol buffer: (number, value)."""
    def varint(at):
        value = shift = 0
        while True:
            byte = data[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at

    at = 0
    while at < len(data):
        key, at = varint(at)
        kind = key & 7
        if kind == 0:
            value, at = varint(at)
        elif kind == 2:
            length, at = varint(at)
            value, at = data[at:at + length], at + length
        else:
            size = {1: 8, 5: 4}[kind]
            value, at = struct.unpack("<d" if size == 8 else "<f", data[at:at + size])[0], at + size
        yield key >> 3, value


def test_checksum_of_the_standard():
    assert crc32c(b"123456789") == 0xE3069283


def test_tensorboard(run, tmp_path):
    run.metrics.to_tensorboard(tmp_path / "tb")
    for place, seed in enumerate(run.seeds):
        (file,) = (tmp_path / "tb" / f"seed-{seed}").glob("*tfevents*")
        first, *events = records(file.read_bytes())
        assert dict(message(first))[3] == b"brain.Event:2"
        assert len(events) == len(run.metrics["step"])
        for event, step, loss in zip(events, run.metrics["step"], run.metrics["loss"][place]):
            fields = dict(message(event))
            values = [dict(message(value)) for number, value in message(fields[5]) if number == 1]
            found = {value[1].decode(): value[2] for value in values}
            assert fields.get(2, 0) == step and found["loss"] == np.float32(loss)


def test_json_lines(run, tmp_path):
    file = run.metrics.to_json_lines(tmp_path / "metrics.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["seed"], line["step"]) for line in lines[:2]] == [(0, 0), (0, 10)] and len(lines) == 42
    assert [line["msve"] for line in lines if line["seed"] == 1] == run.metrics["msve"][1].tolist()


@pytest.mark.parametrize("activation", ["identity", "softmax", "elu"])
def test_torch(run, activation):
    torch = pytest.importorskip("torch")
    small = run if activation == "identity" else emergence.Run("td", activation=activation, seeds=1, num_mrps=10,
                                                               bank_size=16)
    prompts = emergence.sample_prompts(4)
    values = small.to_torch(seed=0)(torch.tensor(prompts)).detach().numpy()
    assert np.allclose(values, emergence.forward(small.P[0], small.Q[0], prompts, activation=activation), rtol=1e-9)


def test_published_form(run, tmp_path):
    folder = run.to_published(tmp_path / "published", seed=1)
    read = emergence.Run(folder)
    assert read.settings["d"] == run.settings["d"] and read.settings["seed"] == run.seeds[1]
    for name in ("P", "Q"):
        assert np.array_equal(read.weights[name][0], run.weights[name][1])
    with pytest.raises(ValueError, match="only for attention"):
        emergence.Run("bandit-race", seeds=1).to_published(tmp_path)


def test_citation(cli):
    assert cli("--version", "--cite").startswith(cli("--version"))
    assert "@software{emergence," in cli("--version", "--cite")

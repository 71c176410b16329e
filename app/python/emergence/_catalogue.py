"""What can be run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence, Union

from . import _native
from ._tables import Table, text

Value = Union[bool, int, float, str]


@dataclass(frozen=True)
class Field:
    """A setting of an experiment."""

    name: str
    #: The value that it has unless another is given; its type is the setting's.
    default: Value
    #: One or two sentences.
    help: str
    #: Both included; None for texts and flags.
    minimum: float | None
    maximum: float | None
    #: The allowed texts; empty: any.
    choices: tuple[str, ...]
    #: The allowed values in words.
    allowed: str
    unit: str
    #: "model", "task", "training", "evaluation" or "run".
    group: str
    #: Under which conditions it has an effect; "" if always.
    acts_while: str


@dataclass(frozen=True)
class Experiment:
    """An experiment of the registry."""

    name: str
    title: str
    summary: str
    #: When a seed counts as emerged; "" if there is no such rule.
    emergence_rule: str
    #: The names of its figures.
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Preset:
    """Settings that ship with the program."""

    name: str
    title: str
    description: str
    experiment: str


class Fields(Table[Field]):
    """The settings of an experiment by name."""

    def _head(self) -> Sequence[str]:
        return ("setting", "default", "allowed", "")

    def _rows(self) -> list[Sequence[object]]:
        return [(one.name, one.default, one.allowed, one.help) for one in self.values()]


def version() -> str:
    """Version and commit: "0.2.0 (1f2d162ab3)"."""
    return _native.version()


def experiments() -> Table[Experiment]:
    """All experiments by name, in the order of the papers.

        >>> list(emergence.experiments())
        ['td', 'evaluation', 'construction', ...]
    """
    all: Table[Experiment] = Table()
    for one in _native.experiments():
        all[one["name"]] = Experiment(one["name"], one["title"], one["summary"], one["emergence_rule"],
                                      tuple(name for name, *_ in one["figures"]))
    return all


def presets() -> Table[Preset]:
    """All presets by name: `emergence.run("td", preset="opening")` or `emergence.run("opening")` trains one."""
    all: Table[Preset] = Table()
    for one in _native.presets():
        all[one["name"]] = Preset(one["name"], one["title"], one["description"], one["experiment"])
    return all


def fields(experiment: str = "td") -> Table[Field]:
    """The settings of an experiment by name, with default, range and help.

        >>> emergence.fields("td")["num_layers"].maximum

    Raises ValueError, with near names, for an unknown experiment.
    """
    all = Fields()
    for one in _native.fields(text("experiment", experiment)):
        keep: dict[str, Any] = {name: one[name] for name in Field.__dataclass_fields__}
        all[one["name"]] = Field(**keep)
    return all


def figures() -> Table[str]:
    """The papers' figures, and ours, by name, with their titles: see `emergence.figure`."""
    all: Table[str] = Table()
    for one in _native.experiments():
        for name, title, *_ in one["figures"]:
            all[name] = title
    return all

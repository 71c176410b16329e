"""The window on matrices of any program."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _native
from ._looking import Array


def show(arrays: Mapping[str, ArrayLike] | Iterable[ArrayLike], names: Sequence[str] | None = None
         ) -> subprocess.Popen[bytes]:
    """Opens the window on matrices of any program, snapshot by snapshot, and returns its process at once.

        >>> emergence.show({"W": np.stack(snapshots)})

    arrays: by name, or a list with `names`; each is snapshots x rows x columns, or rows x columns if it never changes.
        A list of matrices of one size with one name or none, or one array of three dimensions, is a single sequence. An array `steps` (snapshots,) says at which
        step of its training each snapshot was taken.

    The arrays are copied to a temporary file. Raises ValueError if they cannot be shown, RuntimeError without a display
    or without the program `emergence`.
    """
    file = Path(tempfile.mkdtemp(prefix="emergence-")) / "arrays.npz"
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in _named(arrays, names).items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.save(entry, array, allow_pickle=False)
    try:
        _native.settings_for("matrices", None, {"file": str(file)})
    except ValueError as error:
        shutil.rmtree(file.parent)
        raise ValueError(str(error).replace(f"{file}: ", "")) from None
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise RuntimeError(f"show: there is no display for the window. Copy {file} to a machine with one, and open it "
                           "there with: emergence arrays.npz")
    # The window has assets of its own.
    environment = {name: value for name, value in os.environ.items() if name != "EMERGENCE_ASSETS"}
    return subprocess.Popen([_program(), file], env=environment, stdin=subprocess.DEVNULL, start_new_session=True)


def _named(arrays: Mapping[str, ArrayLike] | Iterable[ArrayLike], names: Sequence[str] | None) -> dict[str, Array]:
    if isinstance(arrays, Mapping):
        return {str(name): np.asarray(array) for name, array in arrays.items()}
    listed = [np.asarray(array) for array in ([arrays] if getattr(arrays, "ndim", 0) == 2 else arrays)]
    if (names is None or len(names) == 1) and {array.ndim for array in listed} == {2} and len({array.shape for array in listed}) == 1:
        listed = [np.stack(listed)]
    if names is None:
        names = ["matrix"] if len(listed) == 1 else [f"matrix_{i + 1}" for i in range(len(listed))]
    if len(set(names)) != len(listed):
        raise ValueError(f"names: {len(set(names))} different names for {len(listed)} arrays. Give one for each")
    return dict(zip(names, listed))


def _program() -> str:
    sources = Path(os.environ.get("EMERGENCE_ASSETS", "/")).parent
    built = sources / "build/app/emergence"
    found = shutil.which("emergence") or (str(built) if built.exists() else None)
    if found is None:
        raise RuntimeError("show: the program 'emergence' is not on the PATH. Install it from the source folder with: "
                           "cmake --install build --prefix ~/.local")
    return found

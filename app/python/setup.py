"""pip's way to the module: CMake builds its compiled part in build/, which the programs share; assets go with it.

    sh app/python.sh
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

TOP = Path(__file__).resolve().parents[2]
ASSETS = ("presets", "figures", "sweeps", "worlds", "weights")


class Build(build_py):
    def run(self) -> None:
        super().run()
        jobs = str(len(os.sched_getaffinity(0)))
        # Another interpreter than Debian's has a tree of its own: a tree is for one.
        own = Path(sys.executable).resolve() != Path("/usr/bin/python3").resolve()
        tree = TOP / (f"build-python-{sysconfig.get_config_var('SOABI')}" if own else "build")
        python = f"-DPython_EXECUTABLE={Path(sys.executable).resolve()}"
        subprocess.check_call(["cmake", "--preset", "python", "-B", str(tree), python], cwd=TOP)
        subprocess.check_call(["cmake", "--build", str(tree), "--target", "emergence_python", "-j", jobs], cwd=TOP)
        package = Path(self.build_lib) / "emergence"
        package.mkdir(parents=True, exist_ok=True)
        for file in (tree / "app" / "python" / "emergence").glob("_native*.so"):
            shutil.copy2(file, package)
        for folder in ASSETS:
            shutil.copytree(TOP / "assets" / folder, package / "assets" / folder, dirs_exist_ok=True)
        shutil.copy2(TOP / "assets" / "presets.toml", package / "assets")


class Compiled(Distribution):
    """The wheel is for this interpreter and this machine."""

    def has_ext_modules(self) -> bool:
        return True


(TOP / "build").mkdir(exist_ok=True)
setup(cmdclass={"build_py": Build}, distclass=Compiled,
      options={"build": {"build_base": str(TOP / "build" / "wheel")}, "egg_info": {"egg_base": str(TOP / "build")}})

# SPDX-License-Identifier: Apache-2.0
"""The `tropic` program as a console script.

The program is in the extension module of the package `tropic`. The package itself is not imported: that would import
NumPy, which takes longer than most commands.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ExtensionFileLoader, PathFinder


def main() -> int:
    """Run the program with the arguments of this process; return its exit status."""
    # OpenMP reads these when it is loaded, with the extension module. Without any of them its threads would spin
    # between parallel regions (src/cli/program.cpp).
    if os.environ.keys().isdisjoint(("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")):
        os.environ["OMP_WAIT_POLICY"] = "passive"
    spec = PathFinder.find_spec("tropic._core", [os.path.join(folder, "tropic") for folder in sys.path])
    if spec is None or not isinstance(spec.loader, ExtensionFileLoader):
        raise ImportError("found no extension module tropic._core in sys.path")
    core = spec.loader.create_module(spec)
    spec.loader.exec_module(core)
    return core.run_program([b"tropic", *map(os.fsencode, sys.argv[1:])])

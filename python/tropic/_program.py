# SPDX-License-Identifier: Apache-2.0
"""The `tropic` program of the package as a console script."""

from __future__ import annotations

import os
import sys


def path() -> str:
    """Where the program is."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tropic")


def main() -> None:
    """Run the program in the place of this process."""
    os.execv(path(), ["tropic", *sys.argv[1:]])

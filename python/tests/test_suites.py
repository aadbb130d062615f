# SPDX-License-Identifier: Apache-2.0
"""The documentation of the tests of other packages against the lists of those that are known to fail."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent


@pytest.mark.parametrize("plugin, heading", [("scipy_csgraph", "## SciPy"), ("networkx_backend", "## NetworkX")])
def test_the_documented_failures_are_the_listed_ones(plugin, heading):
    tree = ast.parse((ROOT / "suites" / f"{plugin}.py").read_text())
    expected, = (ast.literal_eval(node.value) for node in tree.body
                 if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "EXPECTED")
    page = (ROOT.parents[1] / "docs" / "python-suites.md").read_text()
    section = page.split(heading + "\n")[1].split("\n## ")[0]
    rows = (line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `"))
    assert {name.strip("`"): reason for name, reason in rows} == expected

# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: SciPy's tests of scipy.sparse.csgraph run against tropic.csgraph.

    pytest -p scipy_csgraph --pyargs scipy.sparse.csgraph

Every function of tropic.csgraph takes the place of SciPy's before the tests are imported. The run
fails if a function was never called, a listed test passes, or a listed test does not exist.
floyd_warshall is called by tests with PyData Sparse alone, and not required without it.
"""

import functools
import importlib.util
from collections import Counter

import scipy.sparse.csgraph

import tropic.csgraph
from listed import expect_failures

#: Tests that fail, with the reason. docs/python-suites.md lists them.
EXPECTED = {
    "test_connected_components.py::test_int64_indices_directed":
        "strong components are numbered by their first vertices; SciPy numbers them in the order in "
        "which its search completes them",
    "test_shortest_path.py::test_predecessors":
        "several predecessors are equally good, and Tropic's choice differs from SciPy's",
}

calls = Counter()


def counted(name):
    function = getattr(tropic.csgraph, name)

    @functools.wraps(function)
    def wrapper(*arguments, **options):
        calls[name] += 1
        return function(*arguments, **options)

    return wrapper


for name in tropic.csgraph.__all__:
    setattr(scipy.sparse.csgraph, name, counted(name))


def pytest_collection_modifyitems(items):
    expect_failures(items, EXPECTED)


def pytest_sessionfinish(session):
    required = set(tropic.csgraph.__all__)
    if importlib.util.find_spec("sparse") is None:
        required.discard("floyd_warshall")
    if session.testscollected and any(calls[name] == 0 for name in required):
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    for name in tropic.csgraph.__all__:
        terminalreporter.write_line(f"{calls[name]:6} calls of {name}")

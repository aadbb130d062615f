# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: NetworkX's tests run with the backend.

    NETWORKX_TEST_BACKEND=tropic NETWORKX_FALLBACK_TO_NX=True pytest -p networkx_backend --pyargs networkx

NetworkX converts the graphs of its tests, and uses the backend wherever it can run. The run fails if
a function of the backend was never called, a listed test passes, or a listed test does not exist.
"""

from collections import Counter

from listed import expect_failures
from tropic._networkx import dispatcher
from tropic._networkx_info import FUNCTIONS

#: Tests that fail, with the reason. docs/python-suites.md lists them.
EXPECTED = {
    "test_strongly_connected.py::TestStronglyConnected::test_condensation_mapping_and_members":
        "strong components are in the order of their first nodes; in NetworkX they are in the order in "
        "which its search completes them",
}

calls, refusals = Counter(), Counter()


def counted(name, function):
    # NetworkX passes arguments by the names of the function.
    def wrapper(*arguments, **options):
        calls[name] += 1
        return function(*arguments, **options)

    return wrapper


def counted_refusals(can_run):
    def wrapper(name, *arguments):
        answer = can_run(name, *arguments)
        if answer is not True:
            refusals[name] += 1
        return answer

    return wrapper


for name in FUNCTIONS:
    setattr(dispatcher, name, counted(name, getattr(dispatcher, name)))
type(dispatcher).can_run = staticmethod(counted_refusals(dispatcher.can_run))


def pytest_collection_modifyitems(config, items):
    if config.backend != "tropic":
        raise ValueError("NETWORKX_TEST_BACKEND is not tropic: the tests would run without the backend")
    expect_failures(items, EXPECTED)


def pytest_sessionfinish(session):
    if session.testscollected and any(calls[name] == 0 for name in FUNCTIONS):
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    for name in FUNCTIONS:
        terminalreporter.write_line(f"{calls[name]:6} calls of {name}, {refusals[name]} left to NetworkX")

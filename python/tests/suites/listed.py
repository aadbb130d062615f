# SPDX-License-Identifier: Apache-2.0
"""Tests of another package that are known to fail."""

import pytest


def name_of(item):
    """The file and the test: the part of its name that does not depend on how pytest was called."""
    return item.path.name + "::" + item.nodeid.partition("::")[2]


def expect_failures(items, expected):
    """Mark the tests of `expected`, a dictionary of reasons by name; UsageError for unknown names."""
    left = set(expected)
    for item in items:
        name = name_of(item)
        if name in expected:
            left.discard(name)
            item.add_marker(pytest.mark.xfail(reason=expected[name], strict=True))
    if left:
        raise pytest.UsageError(f"listed tests that do not exist: {', '.join(sorted(left))}")

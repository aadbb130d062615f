# SPDX-License-Identifier: Apache-2.0
"""A graph, random matrices and vectors, and an oracle for products over any semiring."""

import networkx as nx
import numpy as np
import pytest

import tropic
from tropic import _core, _networkx_graph

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture(scope="module")
def graph():
    """A graph of NetworkX with weights, and its matrix."""
    g = nx.gnm_random_graph(60, 150, seed=3, directed=True)
    for number, (i, j) in enumerate(g.edges):
        g[i][j]["weight"] = number % 9 + 1
    i, j = np.array(g.edges).T
    weights = [g[u][v]["weight"] for u, v in g.edges]
    return g, tropic.Matrix.from_entries(i, j, weights, (60, 60))


def random_entries(rng, rows, columns, count, dtype):
    """Distinct positions, and small values that sums of a few do not round."""
    flat = rng.choice(rows * columns, size=min(count, rows * columns), replace=False)
    values = rng.integers(1, 4, size=len(flat)).astype(dtype)
    return flat // columns, flat % columns, values


def random_matrix(rng, rows=13, columns=11, count=40, dtype="float64", **options):
    i, j, values = random_entries(rng, rows, columns, count, dtype)
    return tropic.Matrix.from_entries(i, j, values, (rows, columns), **options)


def random_vector(rng, size=11, count=6, dtype="float64", **options):
    at = rng.choice(size, size=count, replace=False)
    return tropic.Vector.from_entries(at, rng.integers(1, 4, size=count).astype(dtype), size, **options)


def product_by_definition(a, u, add, multiply):
    """{i: sum over k of multiply(a[i, k], u[k])} of dictionaries."""
    result = {}
    for (i, k), value in a.items():
        if k in u:
            term = multiply(value, u[k])
            result[i] = add(result[i], term) if i in result else term
    return result


def converted_arrays(g, weight=None, default=1):
    """Of a graph of NetworkX: the arrays, or the exception."""
    try:
        converted = _networkx_graph.Graph(g, weight, default)
    except Exception as error:
        return type(error), str(error)
    arrays = converted._rows, converted._columns, converted._weights
    return [None if one is None else (one.dtype, one.shape, repr(one.tolist())) for one in arrays]


def converts_as_the_general_code(g, weight=None, default=1, quick=None):
    """Checks that the extension module converts a graph as the general code does, and returns the arrays.

    `quick`: what the extension module does of it: "nothing", "edges" or "weights" with the edges.
    """
    adjacency = _networkx_graph._adjacency(g)
    if quick is not None:
        found = _core.networkx_entries(adjacency, list(g), g.is_multigraph(), weight, default)
        taken = "nothing" if found is None else "edges" if found[2] is None else "weights"
        assert taken == quick
    found = converted_arrays(g, weight, default)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_core, "networkx_entries", lambda *_: None)
        expected = converted_arrays(g, weight, default)
    assert found == expected
    return found


@pytest.fixture(autouse=True)
def no_notes_about_conversions():
    """NetworkX warns whenever it uses a conversion that it has kept."""
    with nx.config(warnings_to_ignore={"cache"}):
        yield


class Tensor:
    """Has nothing but DLPack."""

    def __init__(self, values):
        self.values, self.dtype, self.shape = values, "torch." + values.dtype.name, values.shape

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

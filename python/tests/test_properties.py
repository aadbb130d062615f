# SPDX-License-Identifier: Apache-2.0
"""Operations on generated inputs, against SciPy, python-graphblas and plain dictionaries."""

import os

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph as scipy_csgraph

import tropic
from conftest import converts_as_the_general_code
from tropic import csgraph

hypothesis = pytest.importorskip("hypothesis", reason="hypothesis is not installed")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

# A failure prints its smallest input.
settings.register_profile("quick", max_examples=100, deadline=None, database=None, print_blob=True)
settings.register_profile("full", max_examples=2000, deadline=None, database=None, print_blob=True)
settings.load_profile("full" if os.environ.get("TROPIC_EVERY") == "1" else "quick")

DTYPES = ["int8", "int32", "int64", "uint16", "uint64", "float32", "float64"]
sizes = st.integers(1, 9)
# Sums of a few products of these are exact in every type.
numbers = st.integers(0, 3)


@st.composite
def dense_matrices(draw, rows=None, columns=None, dtype=None):
    """A dictionary of entries, its shape and its dtype."""
    rows = draw(sizes) if rows is None else rows
    columns = draw(sizes) if columns is None else columns
    dtype = draw(st.sampled_from(DTYPES)) if dtype is None else dtype
    at = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    return draw(st.dictionaries(at, numbers, max_size=30)), (rows, columns), dtype


def matrix_of(drawn):
    entries, shape, dtype = drawn
    i, j = np.array(list(entries), dtype=np.int64).reshape(-1, 2).T
    return tropic.Matrix.from_entries(i, j, np.array(list(entries.values()), dtype=dtype), shape)


def scipy_of(drawn):
    entries, shape, dtype = drawn
    i, j = np.array(list(entries), dtype=np.int64).reshape(-1, 2).T
    return sparse.csr_array((np.array(list(entries.values()), dtype=dtype), (i, j)), shape=shape)


def vector_of(entries, size, dtype):
    return tropic.Vector.from_entries(np.array(list(entries), dtype=np.int64),
                                      np.array(list(entries.values()), dtype=dtype), size)


def parts_of(data, drawn, count):
    """A vector of that size and the matrix's type."""
    return data.draw(st.dictionaries(st.integers(0, count - 1), numbers, max_size=count))


def plain(container):
    return dict(container.items())


# --- against SciPy

@given(dense_matrices())
def test_a_matrix_is_that_of_scipy_and_back(drawn):
    ours, theirs = matrix_of(drawn), scipy_of(drawn)
    assert ours.nvals == theirs.nnz and np.array_equal(ours.to_dense(0), theirs.toarray())
    for form in ("csr", "csc", "coo"):
        assert tropic.Matrix.from_scipy(ours.to_scipy(form)) == ours
    assert np.array_equal(ours.transpose().to_dense(0), theirs.T.toarray())


@given(st.data(), dense_matrices())
def test_products_with_vectors_are_those_of_scipy(data, drawn):
    ours, theirs = matrix_of(drawn), scipy_of(drawn)
    rows, columns = drawn[1]
    right = np.array(data.draw(st.lists(numbers, min_size=columns, max_size=columns)), dtype=drawn[2])
    left = np.array(data.draw(st.lists(numbers, min_size=rows, max_size=rows)), dtype=drawn[2])
    assert np.array_equal((ours @ right).to_numpy(0), theirs @ right)
    assert np.array_equal((left @ ours).to_numpy(0), theirs.T @ left)
    assert np.array_equal((ours.T @ left).to_numpy(0), theirs.T @ left)


@given(st.data(), dense_matrices())
def test_products_sums_and_parts_of_matrices_are_those_of_scipy(data, drawn):
    rows, columns = drawn[1]
    factor = data.draw(dense_matrices(rows=columns, dtype=drawn[2]))
    other = data.draw(dense_matrices(rows=rows, columns=columns, dtype=drawn[2]))
    a, b, c = matrix_of(drawn), matrix_of(factor), matrix_of(other)
    s, t, u = scipy_of(drawn), scipy_of(factor), scipy_of(other)
    assert np.array_equal((a @ b).to_dense(0), (s @ t).toarray())
    assert np.array_equal(a.ewise_add(c).to_dense(0), (s + u).toarray())
    assert np.array_equal(a.ewise_multiply(c).to_dense(0), s.multiply(u).toarray())
    assert np.array_equal(a.kronecker(b).to_dense(0), sparse.kron(s, t).toarray())
    assert np.array_equal(a.reduce_rows().to_numpy(0), s.toarray().sum(axis=1, dtype=drawn[2]))
    assert a.reduce() == s.toarray().sum(dtype=drawn[2])
    i = data.draw(st.lists(st.integers(0, rows - 1), max_size=5))
    j = data.draw(st.lists(st.integers(0, columns - 1), max_size=5))
    assert np.array_equal(a.extract(i, j).to_dense(0), s.toarray()[np.ix_(i, j)] if i and j else np.zeros((len(i), len(j))))
    k = data.draw(st.integers(-rows, columns))
    assert np.array_equal(a.select("tril", k).to_dense(0), sparse.tril(s, k).toarray())


@given(st.data(), sizes, st.sampled_from(["int8", "int32", "float32", "float64"]), st.booleans())
def test_paths_up_to_a_limit_are_those_of_scipy(data, size, dtype, relaxed_one_by_one):
    drawn = data.draw(dense_matrices(size, size, dtype))
    limit = data.draw(st.sampled_from([0, 0.5, 1, 2.5, 3, 5, 9, np.inf]))
    source, target = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    ours, theirs = matrix_of(drawn), scipy_of(drawn).astype(float)
    expected = scipy_csgraph.dijkstra(theirs, indices=source, limit=limit)
    found = tropic.shortest_paths(ours, source, limit=limit, delta=1.0 * relaxed_one_by_one)
    assert np.array_equal(found.distance.astype("float64").to_numpy(np.inf), expected)
    assert {v for v, _ in found.parent.items()} == set(np.flatnonzero(expected < np.inf).tolist())
    for v, before in found.parent.items():
        assert v == source or expected[v] == expected[before] + drawn[0][before, v]
    between = tropic.shortest_paths_between(ours, [source, target], [target, target], limit=limit)
    assert between.distance.astype("float64").to_numpy(np.inf).tolist() == [expected[target], 0]
    assert np.array_equal(csgraph.dijkstra(theirs, indices=[source, target], limit=limit),
                          scipy_csgraph.dijkstra(theirs, indices=[source, target], limit=limit))


# --- against the definition, with masks, accumulators and replace

@given(st.data(), dense_matrices(), st.sampled_from(["min_plus", "max_times", "plus_times", "min_first", "plus_pair"]),
       st.booleans(), st.booleans(), st.booleans(), st.sampled_from([None, "plus", "maximum"]))
def test_products_under_masks_follow_their_definition(data, drawn, semiring, structural, complemented, replace, accumulate):
    add, multiply = {
        "min_plus": (min, lambda x, y: x + y), "max_times": (max, lambda x, y: x * y),
        "plus_times": (lambda x, y: x + y, lambda x, y: x * y), "min_first": (min, lambda x, y: x),
        "plus_pair": (lambda x, y: x + y, lambda x, y: 1),
    }[semiring]
    entries, (rows, columns), dtype = drawn
    u = parts_of(data, drawn, columns)
    before = parts_of(data, drawn, rows)
    mask = parts_of(data, drawn, rows)
    product = {}
    for (i, k), value in entries.items():
        if k in u:
            term = multiply(value, u[k])
            product[i] = add(product[i], term) if i in product else term
    combine = {None: lambda x, y: y, "plus": lambda x, y: x + y, "maximum": max}[accumulate]
    expected = {}
    for i in range(rows):
        admitted = (i in mask and (structural or mask[i] != 0)) != complemented
        if not admitted:
            if i in before and not replace:
                expected[i] = before[i]
        elif i in product:
            expected[i] = combine(before[i], product[i]) if i in before else product[i]
        elif i in before and accumulate is not None:
            expected[i] = before[i]
    out = vector_of(before, rows, dtype)
    held = vector_of(mask, rows, dtype)
    chosen = held.structure if structural else tropic.Mask(held, False, False)
    matrix_of(drawn).mxv(vector_of(u, columns, dtype), semiring, out=out, mask=~chosen if complemented else chosen,
                        accumulate=accumulate, replace=replace)
    assert plain(out) == expected


@given(st.data(), dense_matrices())
def test_a_matrix_is_a_dictionary_of_its_entries(data, drawn):
    entries, (rows, columns), dtype = drawn
    a, expected = matrix_of(drawn), dict(entries)
    at = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    for position, value in data.draw(st.lists(st.tuples(at, st.none() | numbers), max_size=8)):
        if value is None:
            del a[position]
            expected.pop(position, None)
        else:
            a[position] = value
            expected[position] = value
        assert len(a) == len(expected) and a.get(*position) == expected.get(position)
    assert plain(a) == expected and list(a) == sorted(expected)
    assert a == matrix_of((expected, drawn[1], dtype))
    row = data.draw(st.integers(0, rows - 1))
    assert plain(a[row]) == {j: value for (i, j), value in expected.items() if i == row}


# --- the conversion of graphs of NetworkX, against its general code

labels = st.one_of(st.integers(-2, 12), st.integers(-2**70, 2**70), st.floats(allow_nan=False), st.booleans(),
                   st.text(max_size=2), st.tuples(st.integers(0, 3), st.text(max_size=1)), st.just(np.nan),
                   st.integers(0, 5).map(np.int64), st.frozensets(st.integers(0, 2), max_size=2))
node_lists = st.one_of(
    st.integers(0, 9).map(lambda n: list(range(n))),
    st.lists(st.integers(0, 9), unique=True),
    st.lists(st.text(max_size=3), unique=True),
    st.lists(labels, max_size=9),
)
plain_weights = st.one_of(st.integers(-3, 3), st.floats(), st.booleans(), st.integers(-2**63, 2**63 - 1))
weights_of_all_kinds = st.one_of(
    plain_weights, st.none(), st.integers(-2**80, 2**80), st.floats(width=32).map(np.float32),
    st.floats().map(np.float64), st.integers(-9, 9).map(np.int16), st.booleans().map(np.bool_), st.text(max_size=2),
    st.fractions(), st.lists(st.integers(0, 1), max_size=2), st.just(object),
)
attributes = st.sampled_from(["weight", "".join(["wei", "ght"]), "color", 1, None])


@st.composite
def networkx_graphs(draw):
    g = draw(st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))()
    g.add_nodes_from(draw(node_lists))
    weights = draw(st.sampled_from([st.integers(0, 9), st.floats(), plain_weights, weights_of_all_kinds]))
    end = st.sampled_from(list(g)) if len(g) else labels
    for _ in range(draw(st.integers(0, 20))):
        u, v = draw(st.tuples(end, end if draw(st.booleans()) else labels))
        data = draw(st.dictionaries(attributes.filter(lambda one: one is not None), weights, max_size=2))
        key = g.add_edge(u, v)
        (g[u][v][key] if g.is_multigraph() else g[u][v]).update(data)
    return g, weights


@given(data=st.data(), drawn=networkx_graphs())
def test_graphs_of_networkx_are_converted_as_by_the_general_code(data, drawn):
    g, weights = drawn
    converts_as_the_general_code(g)
    converts_as_the_general_code(g, data.draw(attributes), data.draw(weights))


# --- against python-graphblas

@pytest.fixture(scope="module")
def graphblas():
    gb = pytest.importorskip("graphblas", reason="python-graphblas is not installed")
    gb.init("suitesparse", blocking=True)
    return gb


def their_matrix(gb, drawn):
    entries, shape, dtype = drawn
    i, j = np.array(list(entries), dtype=np.int64).reshape(-1, 2).T
    return gb.Matrix.from_coo(i, j, np.array(list(entries.values()), dtype=dtype), nrows=shape[0], ncols=shape[1])


def their_vector(gb, entries, size, dtype):
    return gb.Vector.from_coo(np.array(list(entries), dtype=np.int64), np.array(list(entries.values()), dtype=dtype), size=size)


def their_entries(container):
    *at, values = container.to_coo()
    keys = at[0].tolist() if len(at) == 1 else list(zip(at[0].tolist(), at[1].tolist()))
    return dict(zip(keys, values.tolist()))


@pytest.mark.parametrize("semiring", ["min_plus", "max_plus", "plus_times", "min_max", "max_min", "min_times", "plus_first",
                                      "max_second"])
@given(data=st.data(), drawn=dense_matrices())
def test_products_are_those_of_graphblas(graphblas, semiring, data, drawn):
    entries, (rows, columns), dtype = drawn
    u = parts_of(data, drawn, columns)
    v = parts_of(data, drawn, rows)
    factor = data.draw(dense_matrices(rows=columns, dtype=dtype))
    a, b = their_matrix(graphblas, drawn), their_matrix(graphblas, factor)
    theirs = getattr(graphblas.semiring, semiring)
    ours = matrix_of(drawn)
    assert plain(ours.mxv(vector_of(u, columns, dtype), semiring)) == their_entries(
        a.mxv(their_vector(graphblas, u, columns, dtype), theirs).new())
    assert plain(vector_of(v, rows, dtype).vxm(ours, semiring)) == their_entries(
        their_vector(graphblas, v, rows, dtype).vxm(a, theirs).new())
    assert plain(ours.mxm(matrix_of(factor), semiring)) == their_entries(a.mxm(b, theirs).new())


@given(data=st.data(), drawn=dense_matrices())
def test_elementwise_operations_are_those_of_graphblas(graphblas, data, drawn):
    entries, (rows, columns), dtype = drawn
    other = data.draw(dense_matrices(rows=rows, columns=columns, dtype=dtype))
    mask = data.draw(dense_matrices(rows=rows, columns=columns, dtype=dtype))
    a, b = their_matrix(graphblas, drawn), their_matrix(graphblas, other)
    x, y = matrix_of(drawn), matrix_of(other)
    held = matrix_of(mask)
    for ours, theirs in (("plus", "plus"), ("minimum", "min"), ("maximum", "max"), ("first", "first"), ("second", "second")):
        operator = getattr(graphblas.binary, theirs)
        assert plain(x.ewise_add(y, ours)) == their_entries(a.ewise_add(b, operator).new())
        assert plain(x.ewise_multiply(y, ours)) == their_entries(a.ewise_mult(b, operator).new())
        w, z = y.copy(), b.dup()
        x.ewise_add(y, ours, out=w, mask=~held.structure, accumulate="plus", replace=True)
        z(~their_matrix(graphblas, mask).S, graphblas.binary.plus, replace=True) << a.ewise_add(b, operator)
        assert plain(w) == their_entries(z)
    assert plain(x.reduce_rows("maximum")) == their_entries(a.reduce_rowwise(graphblas.monoid.max).new())
    assert plain(x.transpose()) == their_entries(a.T.new())

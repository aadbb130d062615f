# SPDX-License-Identifier: Apache-2.0
"""Graphs of other packages: tables of edges, igraph, NetworkX, tensors of PyTorch."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import tropic

SOURCE, TARGET, LENGTH = [0, 2, 1, 2], [1, 1, 3, 2], [1.5, 2.0, 4.0, 8.0]
EXPECTED = {(0, 1): 1.5, (2, 1): 2.0, (1, 3): 4.0, (2, 2): 8.0}


def pandas_table(source, target, length):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    return pandas.DataFrame({"source": source, "target": target, "length": length})


def arrow_table(source, target, length):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    whole = arrow.table({"source": source, "target": target, "length": length})
    return arrow.concat_tables([whole.slice(0, 1), whole.slice(1)])  # columns of two chunks


def plain_table(source, target, length):
    return {"source": np.array(source), "target": np.array(target), "length": np.array(length)}


every_table = pytest.mark.parametrize("make", [plain_table, pandas_table, arrow_table])


def entries(matrix):
    return dict(matrix.items())


@every_table
def test_edges_between_numbered_vertices(make):
    table = make(SOURCE, TARGET, LENGTH)
    found = tropic.from_edges(table, weight="length")
    assert found.names is None and found.matrix.shape == (4, 4) and entries(found.matrix) == EXPECTED
    assert tropic.from_edges(table, count=9).matrix.shape == (9, 9)
    pattern = tropic.from_edges(table).matrix
    assert pattern.dtype == bool and set(pattern) == set(EXPECTED)
    turned = tropic.from_edges(table, "target", "source", "length").matrix
    assert entries(turned) == {(j, i): value for (i, j), value in EXPECTED.items()}


@every_table
def test_edges_between_names(make):
    names = np.array(["kiel", "bonn", "ulm", "bonn"], dtype=object), np.array(["ulm", "kiel", "jena", "ulm"], dtype=object)
    found = tropic.from_edges(make(*names, LENGTH), weight="length")
    assert found.names.tolist() == ["bonn", "jena", "kiel", "ulm"]
    assert entries(found.matrix) == {(2, 3): 1.5, (0, 2): 2.0, (3, 1): 4.0, (0, 3): 8.0}


@every_table
def test_undirected_edges_have_both_directions(make):
    found = tropic.from_edges(make(SOURCE, TARGET, LENGTH), weight="length", directed=False).matrix
    assert found.is_symmetric
    assert entries(found) == EXPECTED | {(j, i): value for (i, j), value in EXPECTED.items()}


@every_table
def test_parallel_edges(make):
    table = make([0, 0, 1], [1, 1, 0], [3.0, 5.0, 7.0])
    assert tropic.from_edges(table).matrix.nvals == 2
    for rule, value in (("sum", 8), ("min", 3), ("max", 5), ("first", 3), ("last", 5)):
        assert tropic.from_edges(table, weight="length", duplicates=rule).matrix[0, 1] == value
    with pytest.raises(tropic.UsageError):
        tropic.from_edges(table, weight="length")
    both = tropic.from_edges(table, weight="length", duplicates="sum", directed=False).matrix
    assert entries(both) == {(0, 1): 15, (1, 0): 15} and both.is_symmetric


@pytest.mark.parametrize("rule", ["sum", "min", "max", "first", "last"])
def test_undirected_parallel_edges_have_one_value(rule, rng):
    (i, j), length = rng.integers(0, 6, (2, 300)), rng.random(300)
    found = [tropic.from_edges(plain_table(i, j, length), weight="length", duplicates=rule, directed=False).matrix]
    try:
        import igraph
    except ImportError:
        pass
    else:
        g = igraph.Graph(n=6, edges=list(zip(i.tolist(), j.tolist())), edge_attrs={"length": length})
        found.append(tropic.from_igraph(g, "length", duplicates=rule))
    for matrix in found:
        dense = matrix.to_dense(0)
        assert matrix.is_symmetric and np.array_equal(dense, dense.T) and matrix == found[0]
    if rule == "first":
        at = next(k for k in range(300) if {i[k], j[k]} == {2, 3})
        assert dense[2, 3] == dense[3, 2] == length[at]


@every_table
def test_no_edges(make):
    empty = np.empty(0, dtype=np.int64)
    found = tropic.from_edges(make(empty, empty, empty.astype(float)), weight="length", directed=False)
    assert found.matrix.shape == (0, 0) and found.matrix.dtype == np.float64


@every_table
def test_tables_that_are_no_graph(make):
    table = make(SOURCE, TARGET, LENGTH)
    for bad, message in [
        (lambda: tropic.from_edges(table, "from"), "no column 'from'"),
        (lambda: tropic.from_edges(make([0, -1], [1, 1], [1.0, 2])), "a vertex is -1"),
        (lambda: tropic.from_edges(make(["a", "b"], ["b", "c"], ["x", "y"]), weight="length"), "needed numbers"),
        (lambda: tropic.from_edges(make(["a"], ["b"], [1.0]), count=2), "vertices are names"),
        (lambda: tropic.from_edges(table, count=2), "row index 2"),
    ]:
        with pytest.raises(tropic.UsageError, match=message):
            bad()
    if make is not plain_table:
        with pytest.raises(tropic.UsageError, match="column 'source' lacks 1 of its 2 values"):
            tropic.from_edges(make([0, None], [1, 1], [1.0, 2.0]))


class PolarsColumn:
    """As a Series of Polars: null_count is a method."""

    def __init__(self, values, missing):
        self.values, self.missing = values, missing

    def __len__(self):
        return len(self.values)

    def null_count(self):
        return self.missing

    def to_numpy(self):
        return np.array(self.values)


def test_columns_that_lack_values():
    found = tropic.from_edges({"source": PolarsColumn([0, 1], 0), "target": PolarsColumn([1, 2], 0)})
    assert set(found.matrix) == {(0, 1), (1, 2)}
    for lacks in (PolarsColumn([0, 1, 2], 1), np.ma.masked_array([0, 1, 2], [False, True, False])):
        with pytest.raises(tropic.UsageError, match="column 'source' lacks 1 of its 3 values"):
            tropic.from_edges({"source": lacks, "target": [1, 2, 3]})


def test_columns_of_different_lengths():
    for source, target, length in (([0, 1], [1], [1.0]), ([0], [1], [1.0, 2.0]), (["a", "b"], ["b"], [1.0])):
        for directed in (True, False):
            with pytest.raises(tropic.UsageError, match="of 'source'|columns"):
                tropic.from_edges(plain_table(source, target, length), weight="length", directed=directed)


@pytest.mark.parametrize("directed", [True, False])
def test_igraph(directed):
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    g = igraph.Graph(n=6, edges=list(EXPECTED), directed=directed)
    g.es["length"] = list(EXPECTED.values())
    found = tropic.from_igraph(g, "length")
    both = EXPECTED | {(j, i): value for (i, j), value in EXPECTED.items()}
    assert found.shape == (6, 6) and entries(found) == (EXPECTED if directed else both)
    assert found.is_symmetric is not directed and tropic.from_igraph(g).dtype == bool
    assert tropic.from_igraph(igraph.Graph(n=2), None).nvals == 0
    levels = tropic.bfs(found, 2).level.to_numpy(-1).tolist()
    assert levels == [-1 if d == float("inf") else d for d in g.distances(2, mode="out")[0]]
    g.add_edges([(0, 1)])
    with pytest.raises(tropic.UsageError, match="float64|object|numbers"):
        tropic.from_igraph(g, "length")  # the new edge has no length
    g.es["length"] = 1.0
    with pytest.raises(tropic.UsageError):
        tropic.from_igraph(g, "length")
    assert tropic.from_igraph(g, "length", duplicates="sum")[0, 1] == 2
    with pytest.raises(tropic.UsageError, match="no attribute 'width'"):
        tropic.from_igraph(g, "width")
    with pytest.raises(TypeError, match="igraph is needed, found a list"):
        tropic.from_igraph([])


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_networkx(kind):
    g = kind()
    g.add_nodes_from("dcba")
    g.add_weighted_edges_from([("a", "b", 2.0), ("b", "c", 3.0), ("c", "c", 5.0)])
    g.add_edge("b", "a")
    rule = "min" if g.is_multigraph() else None
    found = tropic.from_networkx(g, "weight", default=7.0, duplicates=rule)
    assert found.names.tolist() == list("dcba") and found.matrix.is_symmetric is not g.is_directed()
    for i, u in enumerate(found.names):
        for j, v in enumerate(found.names):
            edges = g.get_edge_data(u, v)
            if edges is None:
                assert (i, j) not in found.matrix
            else:
                edges = edges.values() if g.is_multigraph() else [edges]
                assert found.matrix[i, j] == min(edge.get("weight", 7) for edge in edges)
    assert tropic.from_networkx(g).matrix.dtype == bool
    if g.is_multigraph() and not g.is_directed():
        with pytest.raises(tropic.UsageError):
            tropic.from_networkx(g, "weight")
    assert tropic.from_networkx(nx.path_graph(3)).names is None
    assert tropic.from_networkx(nx.empty_graph(0)).matrix.shape == (0, 0)
    grid = tropic.from_networkx(nx.grid_2d_graph(2, 3)).names
    assert grid.tolist() == list(nx.grid_2d_graph(2, 3))
    pairs = kind([("a", "b", {"weight": [1, 2]})])
    with pytest.raises(tropic.UsageError, match="2 dimensions"):
        tropic.from_networkx(pairs, "weight")
    g.add_edge("a", "d", weight="far")
    with pytest.raises(tropic.UsageError, match="needed numbers"):
        tropic.from_networkx(g, "weight")
    with pytest.raises(TypeError, match="NetworkX is needed, found a dict"):
        tropic.from_networkx({})


# --- without a copy

def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_of_pandas_and_arrow_are_used_in_place():
    values = np.arange(5.0)
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    series = pandas.Series(values, copy=False)
    assert address(tropic.Vector.from_array(series).to_numpy()) == address(series.to_numpy())
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    column = arrow.array(values)
    assert address(tropic.Vector.from_array(column).to_numpy()) == column.buffers()[1].address
    parts = arrow.array([0, 1, 3], arrow.int32()), arrow.array([1, 0, 2], arrow.int32()), arrow.array([5.0, 6, 7])
    a = tropic.Matrix.from_csr(*parts, (2, 3))
    assert [address(one) for one in a.to_csr()] == [one.buffers()[1].address for one in parts]


pytestmark = pytest.mark.filterwarnings("ignore:Sparse")


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed")


def csr_tensor(torch, index, rng):
    s = sparse.random_array((7, 5), density=0.4, format="csr", rng=rng)
    s.sort_indices()
    parts = torch.from_numpy(s.indptr.astype(index)), torch.from_numpy(s.indices.astype(index)), torch.from_numpy(s.data)
    return s, torch.sparse_csr_tensor(*parts, size=s.shape)


def test_csr_tensors_of_torch_are_used_in_place(torch, rng):
    for index in ("int32", "int64"):
        s, tensor = csr_tensor(torch, index, rng)
        a = tropic.Matrix.from_torch(tensor)
        assert np.array_equal(a.to_dense(0), s.toarray())
        indptr, indices, values = a.to_csr()
        assert address(values) == tensor.values().data_ptr()
        if index == "int32":
            assert address(indptr) == tensor.crow_indices().data_ptr()
            assert address(indices) == tensor.col_indices().data_ptr()
        copied = tropic.Matrix.from_torch(tensor, copy=True)
        assert copied == a and address(copied.to_csr()[2]) != tensor.values().data_ptr()
        back = a.to_torch()
        assert back.layout == torch.sparse_csr and back.values().data_ptr() == tensor.values().data_ptr()
        assert torch.equal(back.to_dense(), tensor.to_dense())
        parts = [torch.from_dlpack(part) for part in a.to_dlpack()]
        assert [part.dtype for part in parts] == [torch.int32, torch.int32, torch.float64]
        assert parts[2].data_ptr() == tensor.values().data_ptr()


def test_a_matrix_of_an_opencl_device_is_copied_to_the_host_for_torch(torch, rng):
    if not any(device.name == "opencl:0" and device.available for device in tropic.devices()):
        pytest.skip("no OpenCL device is available")
    s, tensor = csr_tensor(torch, "int32", rng)
    there = tropic.Matrix.from_torch(tensor, context=tropic.Context("opencl:0"))
    back = there.to_torch()
    assert back.device.type == "cpu" and torch.equal(back.to_dense(), tensor.to_dense())
    assert [one.__dlpack_device__() for one in there.to_dlpack()] == [(4, 0)] * 3
    on_host = torch.utils.dlpack.from_dlpack(there.to_dlpack()[2].__dlpack__(dl_device=(1, 0)))
    assert torch.equal(on_host, tensor.values())


def test_other_layouts_of_torch(torch, rng):
    s, tensor = csr_tensor(torch, "int64", rng)
    for other in (tensor.to_sparse_csc(), tensor.to_sparse_coo()):
        assert np.array_equal(tropic.Matrix.from_torch(other).to_dense(0), s.toarray())
    repeated = torch.sparse_coo_tensor([[1, 0, 1], [2, 0, 2]], [1.0, 2.0, 4.0], size=(2, 3))
    assert dict(tropic.Matrix.from_torch(repeated).items()) == {(0, 0): 2.0, (1, 2): 5.0}
    for bad, message in [(torch.eye(3), "layout strided"), (np.eye(3), "layout None|layout"),
                         (torch.eye(4).to_sparse_bsr(2), "layout sparse_bsr"),
                         (torch.ones(2, 3, 3).to_sparse_csr(), "found 3")]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.Matrix.from_torch(bad)


def test_tensors_of_torch_and_vectors_share_memory(torch):
    for dtype in (torch.float32, torch.float64, torch.int8, torch.int32, torch.int64, torch.uint8, torch.bool):
        tensor = torch.ones(6, dtype=dtype)
        v = tropic.Vector.from_array(tensor)
        assert address(v.to_numpy()) == tensor.data_ptr()
        product = v.ewise_add(v, "maximum")
        back = torch.from_dlpack(product)
        assert back.data_ptr() == address(product.to_numpy()) and torch.equal(back, tensor)
    with pytest.raises(tropic.UsageError, match="bfloat16"):
        tropic.Vector.from_array(torch.ones(2, dtype=torch.bfloat16))
    strided = torch.arange(6.0)[::2]
    with pytest.raises(tropic.UsageError, match="stride of 2"):
        tropic.Vector.from_array(strided)
    needs_grad = torch.ones(3, requires_grad=True)
    with pytest.raises(tropic.UsageError, match="requires a gradient"):
        tropic.Vector.from_array(needs_grad)
    with pytest.raises(tropic.UsageError, match="requires a gradient"):
        tropic.Matrix.from_torch(torch.eye(3, requires_grad=True).to_sparse_csr())
    assert tropic.Vector.from_array(needs_grad.detach()).to_numpy().tolist() == [1, 1, 1]

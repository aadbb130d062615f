# SPDX-License-Identifier: Apache-2.0
"""Tensors of PyTorch on a CUDA device: no copies, the order of streams, lifetimes. Skipped only where
PyTorch is not installed or neither library finds a device: if one does and the other does not, the
tests fail. test_cuda.py has the same rules for a driver without a device."""

import gc
import itertools

import numpy as np
import pytest
from scipy import sparse

import tropic

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
has_device = any(one.name.startswith("cuda:") and one.available for one in tropic.devices())
if not has_device and not torch.cuda.is_available():
    pytest.skip("neither PyTorch nor Tropic finds a CUDA device", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore:Sparse")


def context(stream=None):
    """A context on PyTorch's stream, so that both work in one order."""
    return tropic.Context("cuda:0", queue=stream.cuda_stream if stream else 1)


def csr_tensor(rows, columns, dtype=torch.float32, index=torch.int32, seed=1):
    on_host = sparse.random_array((rows, columns), density=0.05, format="csr", rng=np.random.default_rng(seed))
    on_host.data = np.ceil(on_host.data * 100)
    return torch.sparse_csr_tensor(
        torch.from_numpy(on_host.indptr).to(index), torch.from_numpy(on_host.indices).to(index),
        torch.from_numpy(on_host.data).to(dtype), size=on_host.shape).cuda()


def delay():
    """Keeps the current stream busy for about 50 ms."""
    torch.cuda._sleep(100_000_000)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int32, torch.int64])
@pytest.mark.parametrize("index", [torch.int32, torch.int64])
def test_products_in_place_equal_those_of_the_cpu(dtype, index):
    tensor, where = csr_tensor(300, 200, dtype, index), context()
    a = tropic.Matrix.from_torch(tensor, context=where)
    values = torch.arange(200, device="cuda").to(dtype)
    u = tropic.Vector.from_array(values, context=where)
    assert torch.from_dlpack(u).data_ptr() == values.data_ptr()
    given = [torch.from_dlpack(part) for part in a.to_dlpack()]
    assert given[2].data_ptr() == tensor.values().data_ptr()
    if index == torch.int32:
        assert given[0].data_ptr() == tensor.crow_indices().data_ptr()
        assert given[1].data_ptr() == tensor.col_indices().data_ptr()
    on_host = tropic.Matrix.from_torch(tensor.cpu())
    for name in ("min_plus", "max_min", "plus_times", "plus_pair"):
        w = a.mxv(u, name)
        expected = on_host.mxv(tropic.Vector.from_array(values.cpu()), name)
        positions, found = w.to_entries()
        wanted_positions, wanted = expected.to_entries()
        assert np.array_equal(positions, wanted_positions)
        # The order of a sum differs; sums of these whole numbers are exact.
        assert np.array_equal(found, wanted), name


def test_matrices_are_tensors_over_the_same_memory():
    tensor = csr_tensor(300, 200)
    a = tropic.Matrix.from_torch(tensor, context=context())
    back = a.to_torch()
    assert back.layout == torch.sparse_csr and back.device == tensor.device
    assert back.values().data_ptr() == tensor.values().data_ptr()
    assert back.crow_indices().data_ptr() == tensor.crow_indices().data_ptr()
    assert torch.equal(back.to_dense(), tensor.to_dense())


def test_vectors_are_tensors_over_the_same_memory():
    where = context()
    v = tropic.Vector.from_array(torch.arange(1000.0, device="cuda"), context=where)
    doubled = v.apply("times", right=2.0)
    first, second = torch.from_dlpack(doubled), torch.from_dlpack(doubled)
    assert first.is_cuda and first.data_ptr() == second.data_ptr()
    assert torch.equal(first, torch.arange(0.0, 2000.0, 2.0, device="cuda"))
    del doubled, v
    gc.collect()
    torch.full((1 << 16,), 7.0, device="cuda")
    assert torch.equal(first, torch.arange(0.0, 2000.0, 2.0, device="cuda"))


def test_a_lent_stream_orders_both_libraries():
    tensor = csr_tensor(500, 500)
    dense = tensor.to_dense()
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        where = context(stream)
        a = tropic.Matrix.from_torch(tensor, context=where)
        values = torch.zeros(500, device="cuda")
        delay()
        values += 3  # runs after the delay
        w = a.mxv(tropic.Vector.from_array(values, context=where), "plus_times")
        delay()
        entries = w.to_entries()
    expected = (dense @ torch.full((500,), 3.0, device="cuda")).cpu().numpy()
    assert np.array_equal(entries[1], expected[entries[0]])


def test_another_stream_waits_for_the_values():
    n = 1 << 20
    own_stream = torch.cuda.Stream()
    where = context(own_stream)
    other = torch.cuda.Stream()
    for round_ in range(20):
        with torch.cuda.stream(own_stream):
            values = torch.zeros(n, device="cuda")
            delay()
            values += round_
        v = tropic.Vector.from_array(values, context=where)
        doubled = v.apply("times", right=2.0)
        with torch.cuda.stream(other):
            tensor = torch.from_dlpack(doubled)  # names this stream, which waits
            result = (tensor * 2).sum()
        other.synchronize()
        assert result.item() == 4.0 * round_ * n


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_owners_are_dropped_in_every_order(order):
    where = context()
    tensor = csr_tensor(400, 400)
    expected = tensor.to_dense().cpu()
    a = tropic.Matrix.from_torch(tensor, context=where)
    back = a.to_torch()
    owners = {0: where, 1: tensor, 2: a, 3: back}
    del where, tensor, a, back
    for one in order[:3]:
        del owners[one]
        gc.collect()
        torch.full((1 << 16,), 7.0, device="cuda")  # would reuse freed memory
        for kept in owners.values():
            if isinstance(kept, torch.Tensor):
                assert torch.equal(kept.to_dense().cpu(), expected)
            elif isinstance(kept, tropic.Matrix):
                assert np.array_equal(kept.to_dense(0), expected.numpy())

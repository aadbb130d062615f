# SPDX-License-Identifier: Apache-2.0
"""The operations, against SciPy, NumPy and their definitions."""

import numpy as np
import pytest

import tropic
from conftest import DTYPES, Tensor, product_by_definition, random_matrix, random_vector

NUMBERS = [dtype for dtype in DTYPES if dtype != "bool"]
SEMIRINGS = {
    "plus_times": (lambda x, y: x + y, lambda x, y: x * y),
    "min_plus": (min, lambda x, y: x + y),
    "max_times": (max, lambda x, y: x * y),
    "min_max": (min, max),
    "plus_pair": (lambda x, y: x + y, lambda x, y: 1),
    "any_second": (lambda x, y: x, lambda x, y: y),
}


@pytest.mark.parametrize("name", SEMIRINGS)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_mxv_and_vxm_follow_the_definition(rng, name, dtype):
    a, u = random_matrix(rng, dtype=dtype), random_vector(rng, dtype=dtype)
    t = random_vector(rng, size=13, count=8, dtype=dtype)
    add, multiply = SEMIRINGS[name]
    entries, flipped = dict(a.items()), {(j, i): value for (i, j), value in a.items()}
    if name != "any_second":
        assert dict(a.mxv(u, name).items()) == product_by_definition(entries, dict(u.items()), add, multiply)
        expected = product_by_definition(flipped, dict(t.items()), add, lambda x, y: multiply(y, x))
        assert dict(t.vxm(a, name).items()) == expected
    assert a.mxv(u, name) == u.vxm(a.T, name) or name == "any_second"
    assert a.T.mxv(t, getattr(tropic.semiring, name)).size == 11
    assert a.mxv(u, name).dtype == np.dtype(dtype)


def test_products_of_matrices_agree_with_scipy(rng):
    a, b = random_matrix(rng, 13, 11), random_matrix(rng, 11, 7)
    expected = (a.to_scipy() @ b.to_scipy()).toarray()
    assert np.array_equal((a @ b).to_dense(0), expected)
    assert np.array_equal(a.mxm(b).to_dense(0), expected)
    assert np.array_equal((a.T.to_matrix().T @ b).to_dense(0), expected)
    assert np.array_equal((b.T @ a.T).to_dense(0), expected.T)
    mask = random_matrix(rng, 13, 7, 30, "bool")
    masked = a.mxm(b, mask=mask.structure)
    assert np.array_equal(masked.to_dense(0), expected * mask.to_dense(False))
    assert a.reduce_mxm(b, mask=mask) == masked.reduce()
    for kernel in ("gustavson", "inner"):
        assert a.mxm(b, mask=mask.structure, kernel=kernel) == masked
        assert b.T.mxm(a.T, mask=mask.T.to_matrix().structure, kernel=kernel) == masked.T.to_matrix()
    with pytest.raises(tropic.UsageError, match="no kernel 'pull', expected one of gustavson, inner"):
        a.mxm(b, kernel="pull")
    with pytest.raises(tropic.UsageError, match="found no mask"):
        a.mxm(b, kernel="inner")


def test_the_operator_at_promotes_types_as_numpy_does(rng):
    a, u = random_matrix(rng, dtype="int32"), random_vector(rng, dtype="float32")
    w = a @ u
    assert w.dtype == np.result_type("int32", "float32")
    dense = u.to_numpy(0)
    expected = a.to_dense(0).astype(float) @ dense
    assert np.allclose(w.to_numpy(0), expected)
    assert np.allclose((a @ dense).to_numpy(0), expected)
    left = np.ones(13)
    assert np.allclose((left @ a).to_numpy(0), left @ a.to_dense(0))
    assert u @ u == float((dense**2).sum())
    pattern = tropic.grid(3)
    reached = pattern @ tropic.Vector.from_entries([0], True, 9)
    assert reached.dtype == bool and list(reached) == [1, 3]
    with pytest.raises(tropic.UsageError, match="mxv"):
        a.mxv(u)  # the named method converts nothing
    for other in (3, [1, 2]):
        with pytest.raises(TypeError):
            a @ other


@pytest.mark.parametrize("matrix_dtype", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_products_with_arrays_of_two_dimensions(rng, matrix_dtype, dtype):
    a = random_matrix(rng, dtype=matrix_dtype)  # some rows and columns have no entry
    dense = a.to_dense(0)
    x, y = rng.integers(0, 3, (11, 4)).astype(dtype), rng.integers(0, 3, (5, 13)).astype(dtype)
    for found, expected in [(a @ x, dense @ x), (y @ a, y @ dense), (a.T @ y.T, dense.T @ y.T),
                            (x.T @ a.T, x.T @ dense.T)]:
        assert type(found) is np.ndarray and found.dtype == expected.dtype and np.array_equal(found, expected)
        assert not found.flags.writeable
    column = tropic.Vector.from_array(np.ascontiguousarray(x[:, 1]))
    assert np.array_equal((a @ x)[:, 1], (a @ column).to_numpy(0))


def test_rows_of_arrays_may_be_apart(rng):
    a = random_matrix(rng)
    dense, wide = a.to_dense(0), rng.random((22, 9))
    for x in (wide[:11], wide[:11, 2:6], wide[11:, 3:4], wide[::2], wide[::2, 1:3], wide[10::-1], wide[:11, ::2],
              wide[:11, :0], np.asfortranarray(wide[:11]), np.broadcast_to(wide[3, :4], (11, 4)),
              np.broadcast_to(wide[:11, :1], (11, 4)), wide[:11, 0][:, None], wide[:11].astype(">f8")[:, :2]):
        if x.dtype.isnative:
            assert np.allclose(a @ x, dense @ x) and (a @ x).shape == (13, x.shape[1])
            assert np.allclose(x.T @ a.T, x.T @ dense.T)
        else:
            with pytest.raises(tropic.UsageError, match="dtype >f8"):
                a @ x
    fields = np.zeros(11, [("a", "i4"), ("x", "f8", (4,)), ("b", "i4")])
    fields["x"] = rng.random((11, 4))  # not at multiples of 8 bytes
    for x in (fields["x"], rng.random((11, 5000))[:, 7:9]):
        assert np.allclose(a @ x, dense @ x)
    one = random_matrix(rng, 3, 1, 2)
    for x in (wide[:1], wide[4:5, 2:7], wide[0][None, ::2]):
        assert np.allclose(one @ x, one.to_dense(0) @ x)
    empty = tropic.Matrix(3, 0)
    assert (empty @ np.ones((0, 2))).tolist() == [[0, 0]] * 3
    assert (tropic.Matrix(0, 3) @ np.ones((3, 2))).shape == (0, 2)
    assert (np.ones((2, 3)) @ tropic.Matrix(3, 4, "bool")).tolist() == [[0] * 4] * 2


def test_arrays_of_products_are_borrowed_and_released(rng):
    import sys

    a, x = random_matrix(rng), rng.random((11, 3))
    before, count = x.copy(), sys.getrefcount(x)
    found = a @ x
    kept = found.copy()
    x[:] = 0
    assert np.array_equal(found, kept)
    x[:] = before
    del found
    tropic.Vector(1).resize(2)  # releases what the last call dropped
    assert sys.getrefcount(x) == count

    class Arrayed:
        """Has nothing but __array__."""

        def __array__(self, dtype=None, copy=None):
            return x

    for given in (Tensor(x), Arrayed()):
        assert np.array_equal(a @ given, kept)
    assert a @ Tensor(x[:, 0].copy()) == a @ x[:, 0].copy()
    assert np.array_equal(Tensor(x.T.copy()) @ a.T, kept.T)
    with pytest.raises(tropic.UsageError, match="make it contiguous"):
        a @ Tensor(np.asfortranarray(x))


def test_arrays_that_do_not_fit_a_product_are_refused(rng):
    from scipy import sparse

    a = random_matrix(rng)
    for bad, words in [
        (lambda: a @ np.ones((12, 2)), "A is 13x11, B is 12x2, needs 11 rows"),
        (lambda: np.ones((2, 12)) @ a, "A is 2x12, B is 13x11, needs 12 rows"),
        (lambda: a.T @ np.ones((11, 2)), "needs 13 rows"),
        (lambda: a @ np.ones((11, 2), complex), "complex128"),
        (lambda: a @ np.array([[2]] * 11, np.uint8).view(bool), "the byte 2"),
    ]:
        with pytest.raises(tropic.UsageError, match=words):
            bad()
    for bad, words in [
        (lambda: a @ np.ones((11, 2, 2)), "1 or 2 dimensions, found 3"),
        (lambda: np.ones((2, 2, 13)) @ a, "1 or 2 dimensions, found 3"),
        (lambda: a @ np.array(2.0), "1 or 2 dimensions, found 0"),
        (lambda: a @ sparse.csr_array((11, 2)), "Matrix.from_scipy"),
        (lambda: a @ np.float64(2), "unsupported operand"),
        (lambda: a @ [[1.0]] * 11, "unsupported operand"),
    ]:
        with pytest.raises(TypeError, match=words):
            bad()


def test_products_with_arrays_agree_on_contexts(rng):
    a, x = random_matrix(rng), rng.random((11, 3))
    reference = tropic.Context("reference")
    assert np.allclose(a.to(reference) @ x, a @ x)
    assert np.allclose(x.T @ a.to(reference).T, (a @ x).T)


MASKS = ["none", "values", "structure", "not values", "not structure"]


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("accumulate", [None, "plus", "x - 2 * y", lambda x, y: np.maximum(x, y)])
@pytest.mark.parametrize("kind", MASKS)
def test_masks_accumulators_and_replace(rng, kind, accumulate, replace):
    a, u = random_matrix(rng), random_vector(rng)
    w = random_vector(rng, size=13, count=7)
    chosen = tropic.Vector.from_entries([1, 3, 4, 8, 12], [1.0, 0.0, 2.0, 0.0, 3.0], 13)
    mask = {"none": None, "values": chosen, "structure": chosen.structure, "not values": ~chosen,
            "not structure": ~chosen.structure}[kind]
    positions = {"none": range(13), "values": {1, 4, 12}, "structure": {1, 3, 4, 8, 12},
                 "not values": set(range(13)) - {1, 4, 12},
                 "not structure": set(range(13)) - {1, 3, 4, 8, 12}}[kind]
    merge = {"plus": lambda x, y: x + y, "x - 2 * y": lambda x, y: x - 2 * y}.get(
        accumulate if isinstance(accumulate, str) else None, max)
    before = dict(w.items())
    product = dict((a @ u).items())
    expected = {}
    for i in range(13):
        if i not in positions:
            if i in before and not replace:
                expected[i] = before[i]
        elif accumulate is not None and i in before:
            expected[i] = merge(before[i], product[i]) if i in product else before[i]
        elif i in product:
            expected[i] = product[i]
    result = a.mxv(u, out=w, mask=mask, accumulate=accumulate, replace=replace)
    assert result is w and dict(w.items()) == expected


def test_the_output_may_be_an_operand_and_the_mask():
    a = tropic.grid(3, dtype="int64").apply("one")
    w = tropic.Vector.from_entries([0], [1], 9)
    a.mxv(w, out=w, mask=~w.structure)
    assert dict(w.items()) == {0: 1, 1: 1, 3: 1}


def test_options_without_an_output_are_refused(rng):
    a, u = random_matrix(rng), random_vector(rng)
    with pytest.raises(tropic.UsageError, match="accumulate applies to"):
        a.mxv(u, accumulate="plus")
    with pytest.raises(tropic.UsageError, match="replace applies to"):
        u.apply("negate", replace=True)
    with pytest.raises(TypeError, match="the mask of a Vector is a Vector"):
        a.mxv(u, mask=a)
    with pytest.raises(TypeError, match="out is a Matrix"):
        a.mxv(u, out=a)
    with pytest.raises(tropic.UsageError, match="dtype is that of a new"):
        u.apply("negate", out=u, dtype="int8")
    with pytest.raises(tropic.UsageError, match="kernel"):
        a.mxv(u, kernel="no_such_kernel")
    with pytest.raises(tropic.UsageError, match="expected_calls is 0"):
        a.mxv(u, expected_calls=0)


def test_kernels_by_name_agree(rng):
    a, u = random_matrix(rng), random_vector(rng, count=11)
    for kernel in ("pull", "push"):
        assert a.mxv(u, kernel=kernel) == a @ u
    with pytest.raises(tropic.UsageError, match="no kernel 'nosuch' on cpu, which has .*pull"):
        a.mxv(u, kernel="nosuch")
    with pytest.raises(tropic.UsageError, match="kernel is empty"):
        a.mxv(u, kernel="")


def test_a_plan_has_a_picture(rng):
    a, u, reference = random_matrix(rng), random_vector(rng), tropic.Context("reference")
    for plan in (a.plan(u), a.to(reference).plan(u.to(reference), "min_plus", 100),
                 a.plan(u, tropic.semiring(add="plus", multiply="x * y + 1"))):
        picture = plan.picture()
        assert picture.startswith("<svg") and picture.rstrip().endswith("</svg>") and "13 x 11" in picture
        assert picture in plan._repr_html_() and plan.reason in repr(plan)
    before = a.plan(u)
    drawn = before.picture()
    a[0, 0] = 99
    a.clear()
    assert before.picture() == drawn  # of the matrix as it was
    empty = tropic.Matrix(0, 0)
    assert "<svg" in empty.plan(tropic.Vector(0)).picture()


def test_a_plan_gives_its_kernel_and_reason(rng):
    a, u = random_matrix(rng), random_vector(rng, count=11)
    plan = a.plan(u)
    assert plan.expected_calls == 1 and plan.reason and not plan.candidates
    assert a.mxv(u, kernel=plan.kernel or None) == a @ u
    reference = tropic.Context("reference")
    inspected = a.to(reference).plan(u.to(reference), "min_plus", 100)
    assert inspected.kernel == "reference" and "reference" in str(inspected)
    with pytest.raises(tropic.UsageError):
        a.plan(tropic.Vector(3))


def test_ewise_add_is_a_union_and_ewise_multiply_an_intersection(rng):
    u, v = random_vector(rng), random_vector(rng)
    x, y = dict(u.items()), dict(v.items())
    assert dict(u.ewise_add(v).items()) == {i: x.get(i, 0) + y.get(i, 0) for i in x.keys() | y}
    assert dict(u.ewise_multiply(v, "minus").items()) == {i: x[i] - y[i] for i in x.keys() & y}
    assert dict(u.ewise_union(v, "minus", 10, 100).items()) == {
        i: x.get(i, 10) - y.get(i, 100) for i in x.keys() | y}
    less = u.ewise_multiply(v, "less")
    assert less.dtype == bool and dict(less.items()) == {i: x[i] < y[i] for i in x.keys() & y}
    assert u.ewise_multiply(v, "x < y", dtype="int8").dtype == np.int8
    mixed = u.astype("int16").ewise_multiply(v.astype("float32"), "x / y")
    assert mixed.dtype == np.float32
    a, b = random_matrix(rng), random_matrix(rng)
    p, q = dict(a.items()), dict(b.items())
    assert dict(a.ewise_add(b, "maximum").items()) == {
        at: max(p.get(at, 0), q.get(at, 0)) for at in p.keys() | q}
    assert dict(a.ewise_multiply(b, lambda x, y: x * y + 1).items()) == {
        at: p[at] * q[at] + 1 for at in p.keys() & q}
    assert dict(a.ewise_union(b, "plus", 5).items()) == {
        at: p.get(at, 5) + q.get(at, 5) for at in p.keys() | q}
    with pytest.raises(TypeError, match="needed a Vector"):
        u.ewise_add(a)
    with pytest.raises(TypeError, match="needed a Matrix"):
        a.ewise_union(u, "plus", 0)


def test_apply_takes_texts_functions_positions_and_bound_values(rng):
    u, a = random_vector(rng), random_matrix(rng)
    x = dict(u.items())
    assert dict(u.apply("negate").items()) == {i: -v for i, v in x.items()}
    assert dict(u.apply(lambda x: np.sqrt(x) + 1).items()) == {i: v**0.5 + 1 for i, v in x.items()}
    assert dict(u.apply("minus", right=10).items()) == {i: v - 10 for i, v in x.items()}
    assert dict(u.apply("minus", left=10).items()) == {i: 10 - v for i, v in x.items()}
    assert dict(u.apply("i").items()) == {i: i for i in x} and u.apply("i").dtype == np.int64
    assert dict(a.apply(lambda x, i, j: x + 10 * i + 100 * j).items()) == {
        (i, j): v + 10 * i + 100 * j for (i, j), v in a.items()}
    integers = u.astype("int8")
    assert integers.apply("times", right=0.5).dtype == np.float64
    assert dict(integers.apply("times", right=0.5).items()) == {i: v * 0.5 for i, v in x.items()}
    with pytest.raises(tropic.UsageError, match="uses y"):
        u.apply("plus")
    with pytest.raises(tropic.UsageError, match="left and right"):
        u.apply("plus", left=1, right=2)
    with pytest.raises(tropic.UsageError, match="uses k"):
        u.apply("x + k")


def test_select_by_value_and_by_position(rng):
    u, a = random_vector(rng), random_matrix(rng, 9, 9)
    assert dict(u.select("x > 1").items()) == {i: v for i, v in u.items() if v > 1}
    assert u.select("greater", 1) == u.select(lambda x: x > 1) == u.select("x > 1")
    entries = dict(a.items())
    for k in (-2, 0, 3):
        expected = {
            "tril": lambda i, j: j - i <= k, "triu": lambda i, j: j - i >= k,
            "on_diagonal": lambda i, j: j - i == k, "off_the_diagonal": lambda i, j: j - i != k,
            "rows_up_to": lambda i, j: i <= k, "rows_after": lambda i, j: i > k,
            "columns_up_to": lambda i, j: j <= k, "columns_after": lambda i, j: j > k,
        }
        for name, keeps in expected.items():
            assert dict(a.select(name, k).items()) == {
                (i, j): v for (i, j), v in entries.items() if keeps(i, j)}, (name, k)
    assert a.select("strictly_lower_triangle") == a.select("j < i") == a.select("tril", -1)
    assert dict(a.diagonal(1).items()) == {i: v for (i, j), v in entries.items() if j - i == 1}
    assert a.diagonal(-2).size == 7
    with pytest.raises(tropic.UsageError, match="diagonal"):
        a.diagonal(20)


def test_reduce(rng):
    u, a = random_vector(rng), random_matrix(rng)
    dense = a.to_dense(0)
    assert u.reduce() == u.to_numpy(0).sum() and a.reduce("maximum") == dense.max()
    rows = a.reduce_rows()
    assert np.array_equal(rows.to_numpy(0), dense.sum(axis=1))
    assert np.array_equal(a.T.reduce_rows().to_numpy(0), dense.sum(axis=0))
    product = tropic.monoid(lambda x, y: x * y)
    assert product == tropic.monoid.times and u.reduce(product) == np.prod(list(dict(u.items()).values()))
    assert u.reduce(tropic.monoid("x + y + 1", -1)) == u.reduce() + len(u) - 1
    empty = tropic.Vector(4)
    assert empty.reduce() == 0 and empty.reduce("minimum") == np.inf and empty.reduce("any") is None


def test_extract_and_assign_follow_numpy(rng):
    u, a = random_vector(rng, count=11), random_matrix(rng, 6, 6, 36)
    dense, table = u.to_numpy(), a.to_dense()
    for key in (slice(2, 5), slice(None, None, -2), [3, 1, 3], np.array([10])):
        assert np.array_equal(u[key].to_numpy(), dense[key])
    assert np.array_equal(a[1].to_numpy(), table[1]) and np.array_equal(a[:, 2].to_numpy(), table[:, 2])
    assert np.array_equal(a[4, 1:3].to_numpy(), table[4, 1:3])
    assert np.array_equal(a[[3, 0], ::2].to_dense(), table[[3, 0]][:, ::2])
    writable = dense.copy()
    u[1:3], writable[1:3] = 50, 50
    u[[7, 5]], writable[[7, 5]] = [8, 9], [8, 9]
    u[-1], writable[-1] = 4, 4
    assert np.array_equal(u.to_numpy(), writable)
    u.assign(100, [0], accumulate="plus")
    assert u[0] == writable[0] + 100
    square = table.copy()
    a[0, :], square[0, :] = tropic.Vector.full(6, 7.0), 7
    a[:, 5], square[:, 5] = tropic.Vector.full(6, 8.0), 8
    a[1:3, [4, 0]], square[1:3, [4, 0]] = 9, 9
    a[3:5, 1:3] = tropic.Matrix.from_dense([[1.0, 2], [3, 4]])
    square[3:5, 1:3] = [[1, 2], [3, 4]]
    a[5, 5], square[5, 5] = 3, 3
    assert np.array_equal(a.to_dense(), square)
    with pytest.raises(tropic.UsageError, match="twice"):
        u[[1, 1]] = 2
    with pytest.raises(tropic.UsageError, match="found bools"):
        u[np.ones(11, dtype=bool)]
    with pytest.raises(tropic.UsageError, match="one row or one column"):
        a[1:3, 1:3] = tropic.Vector(2)


def test_arrays_are_assigned_to_rows_columns_and_parts(rng):
    a = random_matrix(rng, 6, 5, 12)
    table = a.to_dense(0)
    a.assign(table)
    for row in (np.arange(5), np.arange(10.0)[::2], [5, 4, 3, 2, 1], np.ones(5, bool), np.arange(5, dtype=">i2")):
        a[0, :] = row
        table[0, :] = row
        assert np.array_equal(a.to_dense(), table)
        a[-1] = row
        table[-1] = row
        assert np.array_equal(a.to_dense(), table)
    a[:, 2], table[:, 2] = np.arange(6), np.arange(6)
    a[1:4, 3], table[1:4, 3] = np.array([7, 8, 9]), [7, 8, 9]
    a[2, [4, 0]], table[2, [4, 0]] = np.array([1.5, 2.5]), [1.5, 2.5]
    a[3:5, 1:3], table[3:5, 1:3] = np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]
    a[[5, 0], :2], table[[5, 0], :2] = [[1, 2], [3, 4]], [[1, 2], [3, 4]]
    a[0, 0:2], table[0, 0:2] = np.array(6), 6
    assert np.array_equal(a.to_dense(), table)
    a.assign(np.ones((6, 5)), accumulate="plus")
    assert np.array_equal(a.to_dense(), table + 1)
    kept, narrow = a.copy(), tropic.Matrix(2, 2, "int8")
    for bad, kind in [
        (lambda: a.__setitem__((0, slice(None)), np.arange(4)), tropic.UsageError),
        (lambda: a.__setitem__((slice(None), 0), np.arange(5)), tropic.UsageError),
        (lambda: a.__setitem__((slice(1, 3), slice(1, 3)), np.arange(2)), tropic.UsageError),
        (lambda: a.__setitem__((slice(1, 3), slice(1, 3)), np.ones((2, 3))), tropic.UsageError),
        (lambda: a.__setitem__((0, slice(None)), np.ones(5, complex)), tropic.UsageError),
        (lambda: a.assign(np.ones((2, 2, 2))), tropic.UsageError),
        (lambda: a.assign("seven"), TypeError),
        (lambda: narrow.__setitem__((0, slice(None)), np.array([1, 300])), OverflowError),
        (lambda: narrow.assign([[1, 2], [3, 300]]), OverflowError),
    ]:
        with pytest.raises(kind):
            bad()
    assert a == kept and narrow.nvals == 0


def test_a_plan_takes_an_array(rng):
    a = random_matrix(rng)
    values = rng.random(11)
    assert str(a.plan(values)) == str(a.plan(tropic.Vector.from_array(values)))
    assert a.plan(values, "min_plus", 3).expected_calls == 3
    for bad, kind in [(np.ones(3), tropic.UsageError), (np.ones(11, "int8"), tropic.UsageError),
                      (np.ones((11, 1)), tropic.UsageError), ([1.0] * 11, TypeError), (a, TypeError)]:
        with pytest.raises(kind):
            a.plan(bad)


def test_transpose_kronecker_and_diagonals(rng):
    a, b = random_matrix(rng, 4, 3, 7), random_matrix(rng, 2, 5, 6)
    assert np.array_equal(a.transpose().to_dense(0), a.to_dense(0).T)
    assert a.T.to_matrix() == a.transpose() and a.T.T is a and a.T.shape == (3, 4)
    assert np.array_equal(a.kronecker(b).to_dense(0), np.kron(a.to_dense(0), b.to_dense(0)))
    assert a.kronecker(b.T).shape == (20, 6)
    v = random_vector(rng, 5, 3)
    diagonal = v.to_diagonal(-1)
    assert diagonal.shape == (6, 6) and diagonal.diagonal(-1) == v


def test_contexts_agree(rng):
    a, u = random_matrix(rng), random_vector(rng)
    reference = tropic.Context("reference")
    for name in ("min_plus", "plus_times"):
        expected = a.to(reference).mxv(u.to(reference), name)
        assert expected.to_numpy(0).tolist() == a.mxv(u, name).to_numpy(0).tolist()

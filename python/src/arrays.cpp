// SPDX-License-Identifier: Apache-2.0

// Arrays in and out: anything with the buffer protocol or DLPack, on the host or the context's
// device. An array that a container can hold is borrowed and kept alive; results are views of the
// host's memory (of the device's: shared_arrays.cpp). Products with arrays of two dimensions, which
// no container of Python holds, are here as well.

#include <span>
#include <tuple>

#include <tropic/detail/arrays.hpp>
#include <tropic/detail/full.hpp>

#include "arrays.hpp"

namespace tropic::python {

using detail::buffer_pointer;

nb::ndarray<nb::numpy, nb::ro> view(const buffer_pointer& from,
                                    std::initializer_list<std::size_t> shape,
                                    const type_description& type) {
  static const std::uint64_t nothing = 0;
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  const void* data = &nothing;
  if (count > 0) data = from->host();
  const nb::capsule owner(new std::shared_ptr<const void>(from), [](void* held) noexcept {
    delete static_cast<std::shared_ptr<const void>*>(held);
    release_dropped();
  });
  return {data, shape.size(), shape.begin(), owner, nullptr, array_type(type)};
}

namespace {

using array = nb::ndarray<nb::ro>;
using detail::given_array;

std::string to_text(nb::dlpack::dtype type) {
  for (const type_description& known : builtin_types)
    if (array_type(known) == type) return std::string(known.name);
  return "code " + std::to_string(type.code) + " of " + std::to_string(type.bits) + " bits";
}

bool on_host(const array& a) {
  return a.device_type() == nb::device::cpu::value ||
         a.device_type() == nb::device::cuda_host::value ||
         a.device_type() == nb::device::rocm_host::value;
}

// The first `count` elements of memory as the library takes them. `copied`: the container keeps a
// copy.
given_array given_memory(const call& c, const context_handle& of, const array& a, const char* what,
                         std::size_t count, bool copied) {
  const std::size_t bytes = a.itemsize();
  given_array result;
  result.size = count;
  result.bytes = bytes;
  result.alignment = bytes;
  result.is_signed = a.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
  result.data = static_cast<const std::byte*>(a.data_handle()) + a.byte_offset();
  if (!on_host(a)) {
    const std::string& name = of.where->name();
    const bool here =
        (a.device_type() == nb::device::cuda::value &&
         name == "cuda:" + std::to_string(a.device_id())) ||
        (a.device_type() == nb::device::cuda_managed::value && name.starts_with("cuda:")) ||
        (a.device_type() == nb::device::opencl::value && name.starts_with("opencl:"));
    if (!here)
      c.refuse(std::string(what) + " is on device type " + std::to_string(a.device_type()) +
               " number " + std::to_string(a.device_id()) + " of DLPack, the context is " + name);
    if (copied) c.refuse(std::string(what) + " is on a device: copy=True is for host arrays");
    result.on_device = true;
    if (a.device_type() == nb::device::opencl::value) {
      if (a.byte_offset() != 0) c.refuse(std::string(what) + " has an offset into a cl_mem");
      result.data = a.data_handle();
    }
  } else if (count > 0 && reinterpret_cast<std::uintptr_t>(result.data) % bytes != 0) {
    c.refuse(std::string(what) + " does not lie at a multiple of " + std::to_string(bytes) +
             " bytes");
  }
  result.copied = copied;
  if (!copied)
    result.owner = keep(
        nb::capsule(new array(a), [](void* held) noexcept { delete static_cast<array*>(held); }));
  return result;
}

given_array given(const call& c, const context_handle& of, const array& a, const char* what,
                  bool copied) {
  if (a.ndim() != 1)
    c.refuse(std::string(what) + " has " + std::to_string(a.ndim()) + " dimensions, needed 1");
  const std::size_t count = a.shape(0);
  if (count > 1 && a.stride(0) != 1)
    c.refuse(std::string(what) + " has a stride of " + std::to_string(a.stride(0)) +
             " elements, needed 1: make it contiguous");
  return given_memory(c, of, a, what, count, copied);
}

given_array given_indices(const call& c, const context_handle& of, const array& a, const char* what,
                          bool copied) {
  using nb::dlpack::dtype_code;
  const bool integers = a.dtype().code == static_cast<std::uint8_t>(dtype_code::Int) ||
                        a.dtype().code == static_cast<std::uint8_t>(dtype_code::UInt);
  if (!integers || (a.dtype().bits != 32 && a.dtype().bits != 64))
    c.refuse(std::string(what) + " holds " + to_text(a.dtype()) +
             ", needed integers of 32 or 64 bits");
  return given(c, of, a, what, copied);
}

void check_values(const call& c, const array& a, const type_description& type) {
  if (!(a.dtype() == array_type(type)))
    c.refuse("values hold " + to_text(a.dtype()) + ", needed " + std::string(type.name));
}

given_array given_values(const call& c, const context_handle& of, const array& a,
                         const type_description& type, bool copied) {
  check_values(c, a, type);
  given_array result = given(c, of, a, "values", copied);
  if (type.code == type_code::boolean && !result.on_device) {
    const auto* bytes = static_cast<const unsigned char*>(result.data);
    for (std::size_t n = 0; n < result.size; ++n)
      if (bytes[n] > 1)
        c.refuse("values[" + std::to_string(n) + "] is the byte " + std::to_string(bytes[n]) +
                 ", a bool is 0 or 1");
  }
  return result;
}

// An array of two dimensions whose rows are contiguous, and begin `leading` elements apart.
struct given_table {
  index_t rows, columns, leading;
  given_array values;
};

given_table table_of(const call& c, const context_handle& of, const array& a,
                     const type_description& type) {
  if (a.ndim() != 2)
    c.refuse("the array has " + std::to_string(a.ndim()) + " dimensions, needed 2");
  check_values(c, a, type);
  given_table result{static_cast<index_t>(a.shape(0)), static_cast<index_t>(a.shape(1)), 0, {}};
  result.leading = result.rows > 1 ? a.stride(0) : result.columns;
  if (a.size() == 0) {
    result.leading = result.columns;
  } else if ((result.columns > 1 && a.stride(1) != 1) || result.leading < result.columns) {
    c.refuse("the array has strides of " + std::to_string(a.stride(0)) + " and " +
             std::to_string(a.stride(1)) + " elements, needed contiguous rows: make it contiguous");
  }
  const index_t count = a.size() == 0 ? 0 : (result.rows - 1) * result.leading + result.columns;
  result.values = given_memory(c, of, a, "the array", static_cast<std::size_t>(count), false);
  if (type.code != type_code::boolean || result.values.on_device) return result;
  const auto* bytes = static_cast<const unsigned char*>(result.values.data);
  for (index_t i = 0; i < result.rows; ++i)
    for (index_t j = 0; j < result.columns; ++j)
      if (const unsigned char byte = bytes[i * result.leading + j]; byte > 1)
        c.refuse("values[" + std::to_string(i) + ", " + std::to_string(j) + "] is the byte " +
                 std::to_string(byte) + ", a bool is 0 or 1");
  return result;
}

std::unique_ptr<vector_handle> vector_from_array(const context_pointer& of, int type,
                                                 const array& values, truth copied) {
  call c("Vector");
  given_array data = given_values(c, *of, values, type_of(type), copied);
  return std::make_unique<vector_handle>(of, c.run(*of, [&] {
    return detail::vector_from_array(of->state(), type_of(type), std::move(data));
  }));
}

std::unique_ptr<vector_handle> vector_from_sparse(const context_pointer& of, int type, index_t size,
                                                  const array& indices, const array& values,
                                                  truth copied) {
  call c("Vector");
  given_array at = given_indices(c, *of, indices, "indices", copied);
  given_array data = given_values(c, *of, values, type_of(type), copied);
  return std::make_unique<vector_handle>(of, c.run(*of, [&] {
    return detail::vector_from_sparse(of->state(), type_of(type), size, std::move(at),
                                      std::move(data), {});
  }));
}

duplicates rule_of(const call& c, int rule) {
  if (rule < 0 || rule > static_cast<int>(duplicates::last))
    c.refuse("rule " + std::to_string(rule) + " for duplicates, there are 0 to 5");
  return static_cast<duplicates>(rule);
}

std::unique_ptr<vector_handle> vector_from_entries(const context_pointer& of, int type,
                                                   index_t size, const array& indices,
                                                   const array& values, int rule) {
  call c("Vector");
  const given_array at = given_indices(c, *of, indices, "indices", false);
  const given_array data = given_values(c, *of, values, type_of(type), false);
  if (at.size != data.size)
    c.refuse(std::to_string(at.size) + " indices, " + std::to_string(data.size) + " values");
  const duplicates merge = rule_of(c, rule);
  return std::make_unique<vector_handle>(of, c.run(*of, [&] {
    return detail::vector_from_entries(of->state(), type_of(type), size, at, data.data, merge);
  }));
}

std::unique_ptr<matrix_handle> matrix_from_csr(const context_pointer& of, int type, index_t rows,
                                               index_t columns, const array& offsets,
                                               const array& indices, const array& values,
                                               truth copied) {
  call c("Matrix");
  given_array start = given_indices(c, *of, offsets, "indptr", copied);
  given_array at = given_indices(c, *of, indices, "indices", copied);
  given_array data = given_values(c, *of, values, type_of(type), copied);
  return std::make_unique<matrix_handle>(of, c.run(*of, [&] {
    return detail::matrix_from_csr(of->state(), type_of(type), rows, columns, std::move(start),
                                   std::move(at), std::move(data), {});
  }));
}

std::unique_ptr<matrix_handle> matrix_from_csc(const context_pointer& of, int type, index_t rows,
                                               index_t columns, const array& offsets,
                                               const array& indices, const array& values) {
  call c("Matrix");
  given_array start = given_indices(c, *of, offsets, "indptr", false);
  given_array at = given_indices(c, *of, indices, "indices", false);
  given_array data = given_values(c, *of, values, type_of(type), false);
  return std::make_unique<matrix_handle>(of, c.run(*of, [&] {
    return detail::matrix_from_csc(of->state(), type_of(type), rows, columns, std::move(start),
                                   std::move(at), std::move(data), {});
  }));
}

// `values`: an array with one element per entry, or with a single one for all of them.
std::unique_ptr<matrix_handle> matrix_from_entries(const context_pointer& of, int type,
                                                   index_t rows, index_t columns, const array& row,
                                                   const array& column, const array& values,
                                                   bool iso, int rule) {
  call c("Matrix");
  const given_array i = given_indices(c, *of, row, "rows", false);
  const given_array j = given_indices(c, *of, column, "columns", false);
  const given_array data = given_values(c, *of, values, type_of(type), false);
  if (i.size != j.size || data.size != (iso ? 1 : i.size))
    c.refuse(std::to_string(i.size) + " rows, " + std::to_string(j.size) + " columns, " +
             std::to_string(data.size) + " values");
  const duplicates merge = rule_of(c, rule);
  return std::make_unique<matrix_handle>(of, c.run(*of, [&] {
    return detail::matrix_from_entries(
        of->state(), type_of(type), rows, columns, i, j, data.data,
        iso ? detail::value_layout::iso : detail::value_layout::per_entry, merge);
  }));
}

nb::ndarray<nb::numpy, nb::ro> vector_dense(vector_handle& v, nb::handle missing) {
  call c("to_numpy");
  c.read(v);
  const type_description& type = *v.base.type;
  const auto count = static_cast<std::size_t>(v.base.size);
  std::optional<scalar_bytes> gap;
  if (!missing.is_none()) gap = value_of(missing, type);
  const buffer_pointer values = c.run(*v.of, [&]() -> buffer_pointer {
    detail::vector_base dense = v.base;
    if (index_t{dense.nvals} == dense.size) {
      detail::convert(dense, vector_storage::full);
      if (count > 0) dense.values->host();
      return dense.values;
    }
    if (!gap)
      c.refuse(std::to_string(dense.size - index_t{dense.nvals}) + " of " + std::to_string(count) +
               " positions have no entry: give the value that they get, as missing=0");
    detail::convert(dense, vector_storage::bitmap);
    buffer_pointer result = detail::make_buffer(dense.context, count * type.size);
    auto* to = static_cast<std::byte*>(result->host_write());
    const auto* from = static_cast<const std::byte*>(dense.values->host());
    const auto* present = static_cast<const std::uint8_t*>(dense.present->host());
    for (std::size_t n = 0; n < count; ++n)
      std::memcpy(to + n * type.size, present[n] != 0 ? from + n * type.size : gap->data(),
                  type.size);
    return result;
  });
  return view(values, count, type);
}

nb::tuple vector_entries(vector_handle& v) {
  call c("to_entries");
  c.read(v);
  const detail::vector_base sparse = c.run(*v.of, [&] {
    detail::vector_base result = v.base;
    detail::convert(result, vector_storage::sparse);
    if (!result.nvals.is_zero_surely() && index_t{result.nvals} > 0) {
      result.indices->host();
      result.values->host();
    }
    return result;
  });
  const auto count = static_cast<std::size_t>(index_t{sparse.nvals});
  if (sparse.size <= index_t{1} << 31)
    return nb::make_tuple(view(sparse.indices, count, index_type(false)),
                          view(sparse.values, count, *sparse.type));
  return nb::make_tuple(view(sparse.indices, count, describe(type_code::uint32)),
                        view(sparse.values, count, *sparse.type));
}

nb::tuple matrix_compressed(matrix_handle& a, bool by_columns) {
  call c(by_columns ? "to_csc" : "to_csr");
  c.read(a);
  const auto [out, wide] = c.run(*a.of, [&] {
    const detail::matrix_base& m = a.base();
    const bool is_64 = is_wide(m);
    return std::pair(by_columns ? detail::to_csc(m, as_index(is_64), as_index(is_64))
                                : detail::to_csr(m, as_index(is_64), as_index(is_64)),
                     is_64);
  });
  const detail::matrix_base& m = a.base();
  const auto count = static_cast<std::size_t>(m.nnz);
  const auto majors = static_cast<std::size_t>(by_columns ? m.columns : m.rows) + 1;
  return nb::make_tuple(view(out.offsets, majors, index_type(wide)),
                        view(out.indices, count, index_type(wide)),
                        view(out.values, count, *m.type));
}

nb::tuple matrix_coordinates(matrix_handle& a) {
  call c("to_coo");
  c.read(a);
  const auto [out, wide] = c.run(*a.of, [&] {
    const bool is_64 = is_wide(a.base());
    return std::pair(detail::to_coo(a.base(), as_index(is_64), as_index(is_64)), is_64);
  });
  const auto count = static_cast<std::size_t>(a.base().nnz);
  return nb::make_tuple(view(out.rows, count, index_type(wide)),
                        view(out.columns, count, index_type(wide)),
                        view(out.values, count, *a.base().type));
}

// A X or X A with the array X of that type, which is converted to the semiring's. Positions that no
// product reaches get the identity of the add.
nb::ndarray<nb::numpy, nb::ro> multiply_table(bool array_first, const semiring_handle& semiring,
                                              matrix_handle& a, bool transposed, const array& x,
                                              int type) {
  using detail::full_base;
  call c("mxm");
  c.read(a);
  const semiring_description& over = semiring.description;
  const type_description &from = type_of(type), &to = array_first ? over.a() : over.x();
  given_table given = table_of(c, *a.of, x, from);
  unary_description converted;
  if (from.code != to.code) converted.op = operator_over("identity", from, from, to);
  const full_base product = c.run(*a.of, [&] {
    const detail::context_pointer& where = a.of->state();
    full_base table = detail::full_from_array(where, from, given.rows, given.columns,
                                              std::move(given.values), given.leading);
    if (from.code != to.code) {
      full_base other = detail::empty_full(where, to, given.rows, given.columns);
      detail::apply(other, converted, table, {});
      table = std::move(other);
    }
    const detail::matrix_factor factor{.matrix = a.base(), .transposed = transposed};
    const index_t rows = transposed ? factor.matrix.columns : factor.matrix.rows,
                  columns = transposed ? factor.matrix.rows : factor.matrix.columns;
    full_base result = detail::empty_full(where, over.z(), array_first ? given.rows : rows,
                                          array_first ? columns : given.columns);
    if (array_first)
      detail::mxm(result, over, table, factor, {});
    else
      detail::mxm(result, over, factor, table, {});
    if (result.nvals() != result.rows * result.columns) {
      const full_base present = result;
      detail::full_output gaps;
      gaps.mask = {&present, true, true, nullptr};
      const scalar_bytes missing = over.add.identity;
      detail::assign(result, missing.data(), gaps);
    }
    detail::vector_base& cells = result.flat();
    detail::convert(cells, vector_storage::full);
    if (cells.size > 0) cells.values->host();
    return result;
  });
  return view(product.cells.values,
              {static_cast<std::size_t>(product.rows), static_cast<std::size_t>(product.columns)},
              over.z());
}

}  // namespace

void bind_arrays(nb::module_& m) {
  m.def("vector_from_array", vector_from_array);
  m.def("vector_from_sparse", vector_from_sparse);
  m.def("vector_from_entries", vector_from_entries);
  m.def("matrix_from_csr", matrix_from_csr);
  m.def("matrix_from_csc", matrix_from_csc);
  m.def("matrix_from_entries", matrix_from_entries);
  m.def("vector_dense", vector_dense, nb::arg("vector"), nb::arg("missing").none());
  m.def("vector_entries", vector_entries);
  m.def("matrix_compressed", matrix_compressed);
  m.def("matrix_coordinates", matrix_coordinates);
  m.def("multiply_table", multiply_table);
}

}  // namespace tropic::python

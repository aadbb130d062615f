// SPDX-License-Identifier: Apache-2.0

// Matrices and vectors: making them, single entries, comparison.

#include <cstring>

#include <tropic/detail/structure.hpp>

#include "core.hpp"

namespace tropic::python {

namespace {

using detail::matrix_base;
using detail::vector_base;

// The same number; NaN is the same as NaN.
bool same_values(const void* a, std::size_t a_step, const void* b, std::size_t b_step,
                 std::size_t count, type_code type) {
  return with_builtin_type(type, [&]<class T>() {
    const auto* x = static_cast<const T*>(a);
    const auto* y = static_cast<const T*>(b);
    for (std::size_t n = 0; n < count; ++n) {
      const T p = x[n * a_step], q = y[n * b_step];
      if constexpr (std::is_floating_point_v<T>) {
        if (!(p == q) && !(p != p && q != q)) return false;
      } else {
        if (p != q) return false;
      }
    }
    return true;
  });
}

bool equal(const vector_base& a, const vector_base& b) {
  if (a.size != b.size || a.type->code != b.type->code || index_t{a.nvals} != index_t{b.nvals})
    return false;
  vector_base x = a, y = b;
  detail::convert(x, vector_storage::sparse);
  detail::convert(y, vector_storage::sparse);
  const auto count = static_cast<std::size_t>(index_t{x.nvals});
  return count == 0 ||
         (std::memcmp(x.indices->host(), y.indices->host(), count * sizeof(std::uint32_t)) == 0 &&
          same_values(x.values->host(), 1, y.values->host(), 1, count, x.type->code));
}

bool equal(const matrix_base& a, const matrix_base& b) {
  if (a.rows != b.rows || a.columns != b.columns || a.type->code != b.type->code || a.nnz != b.nnz)
    return false;
  if (a.nnz == 0) return true;
  for (index_t row = 0; row < a.rows; ++row)
    if (detail::offset_at(a, row) != detail::offset_at(b, row)) return false;
  const auto count = static_cast<std::size_t>(a.nnz);
  return std::memcmp(a.column_indices->host(), b.column_indices->host(),
                     count * sizeof(std::uint32_t)) == 0 &&
         same_values(a.values->host(), a.iso ? 0 : 1, b.values->host(), b.iso ? 0 : 1, count,
                     a.type->code);
}

template <class Handle>
bool handles_equal(Handle& a, Handle& b) {
  call c("isequal");
  c.read(a);
  c.read(b);
  return c.run(*a.of, [&] {
    if constexpr (std::is_same_v<Handle, vector_handle>)
      return equal(a.base, b.base);
    else
      return equal(a.base(), b.base());
  });
}

void bind_vector(nb::module_& m) {
  nb::class_<vector_handle>(m, "Vector")
      .def_prop_ro("size", [](const vector_handle& v) { return v.base.size; })
      .def_prop_ro("type", [](const vector_handle& v) { return code_of(*v.base.type); })
      .def_prop_ro("context", [](const vector_handle& v) { return v.of; })
      .def_prop_ro("nvals",
                   [](vector_handle& v) {
                     call c("nvals");
                     c.read(v);
                     return c.run(*v.of, [&] { return index_t{v.base.nvals}; });
                   })
      .def_prop_ro("nbytes",
                   [](vector_handle& v) {
                     call c("nbytes");
                     c.read(v);
                     return v.base.bytes();
                   })
      .def("get",
           [](vector_handle& v, index_t i) -> nb::object {
             call c("get");
             c.read(v);
             scalar_bytes value;
             if (!detail::element(v.base, i, value.data())) return nb::none();
             return number_of(value.data(), *v.base.type);
           })
      .def("set",
           [](vector_handle& v, index_t i, nb::handle value) {
             call c("set");
             c.write(v);
             detail::set_element(v.base, i, value_of(value, *v.base.type).data());
           })
      .def("remove",
           [](vector_handle& v, index_t i) {
             call c("remove");
             c.write(v);
             detail::remove_element(v.base, i);
           })
      .def("clear",
           [](vector_handle& v) {
             call c("clear");
             c.write(v);
             v.base = detail::empty_vector(v.base.context, *v.base.type, v.base.size);
           })
      .def("resize",
           [](vector_handle& v, index_t size) {
             call c("resize");
             c.write(v);
             c.run(*v.of, [&] { detail::resize(v.base, size); });
           })
      .def("copy",
           [](vector_handle& v) {
             call c("copy");
             c.read(v);
             return std::make_unique<vector_handle>(v.of, v.base);
           })
      .def("to",
           [](vector_handle& v, const context_pointer& where) {
             call c("to");
             c.read(v);
             return std::make_unique<vector_handle>(
                 where, c.run(*where, [&] { return detail::copy_to(where->state(), v.base); }));
           })
      .def("isequal", handles_equal<vector_handle>);
  m.def("empty_vector", [](const context_pointer& of, int type, index_t size) {
    return std::make_unique<vector_handle>(of,
                                           detail::empty_vector(of->state(), type_of(type), size));
  });
  m.def("filled_vector", [](const context_pointer& of, int type, index_t size, nb::handle value) {
    const scalar_bytes bytes = value_of(value, type_of(type));
    return std::make_unique<vector_handle>(
        of, detail::filled(of->state(), type_of(type), size, bytes.data()));
  });
}

void bind_matrix(nb::module_& m) {
  nb::class_<matrix_handle>(m, "Matrix")
      .def_prop_ro("rows", [](const matrix_handle& a) { return a.changes.rows(); })
      .def_prop_ro("columns", [](const matrix_handle& a) { return a.changes.columns(); })
      .def_prop_ro("type", [](const matrix_handle& a) { return code_of(a.changes.type()); })
      .def_prop_ro("context", [](const matrix_handle& a) { return a.of; })
      .def_prop_ro("nvals",
                   [](matrix_handle& a) {
                     call c("nvals");
                     c.read(a);
                     return c.run(*a.of, [&] { return a.base().nnz; });
                   })
      .def_prop_ro("nbytes",
                   [](matrix_handle& a) {
                     call c("nbytes");
                     c.read(a);
                     return c.run(*a.of, [&] { return a.base().bytes(); });
                   })
      .def_prop_ro("is_iso",
                   [](matrix_handle& a) {
                     call c("is_iso");
                     c.read(a);
                     return c.run(*a.of, [&] { return a.base().iso; });
                   })
      .def_prop_ro("is_symmetric",
                   [](matrix_handle& a) {
                     call c("is_symmetric");
                     c.read(a);
                     return c.run(*a.of, [&] { return a.base().symmetric; });
                   })
      .def("assume_symmetric",
           [](matrix_handle& a) {
             call c("assume_symmetric");
             c.write(a);
             if (a.changes.rows() != a.changes.columns())
               c.refuse("a symmetric matrix is square, this one is " +
                        std::to_string(a.changes.rows()) + "x" +
                        std::to_string(a.changes.columns()));
             a.changes.base().symmetric = true;
           })
      .def("get",
           [](matrix_handle& a, index_t i, index_t j) -> nb::object {
             call c("get");
             c.read(a);
             scalar_bytes value;
             if (!a.changes.element(i, j, value.data())) return nb::none();
             return number_of(value.data(), a.changes.type());
           })
      .def("set",
           [](matrix_handle& a, index_t i, index_t j, nb::handle value) {
             call c("set");
             c.write(a);
             a.changes.set(i, j, value_of(value, a.changes.type()).data());
           })
      .def("remove",
           [](matrix_handle& a, index_t i, index_t j) {
             call c("remove");
             c.write(a);
             a.changes.remove(i, j);
           })
      .def("clear",
           [](matrix_handle& a) {
             call c("clear");
             c.write(a);
             a.changes = detail::changeable_matrix(detail::empty_matrix(
                 a.changes.context(), a.changes.type(), a.changes.rows(), a.changes.columns()));
           })
      .def("resize",
           [](matrix_handle& a, index_t rows, index_t columns) {
             call c("resize");
             c.write(a);
             c.run(*a.of, [&] { detail::resize(a.changes.base(), rows, columns); });
           })
      .def("copy",
           [](matrix_handle& a) {
             call c("copy");
             c.read(a);
             return std::make_unique<matrix_handle>(a.of, c.run(*a.of, [&] { return a.base(); }));
           })
      .def("to",
           [](matrix_handle& a, const context_pointer& where) {
             call c("to");
             c.read(a);
             return std::make_unique<matrix_handle>(
                 where, c.run(*where, [&] { return detail::copy_to(where->state(), a.base()); }));
           })
      .def("isequal", handles_equal<matrix_handle>);
  m.def("empty_matrix", [](const context_pointer& of, int type, index_t rows, index_t columns) {
    return std::make_unique<matrix_handle>(
        of, detail::empty_matrix(of->state(), type_of(type), rows, columns));
  });
  m.def("diagonal_matrix", [](vector_handle& v, index_t k) {
    call c("diagonal_matrix");
    c.read(v);
    return std::make_unique<matrix_handle>(
        v.of, c.run(*v.of, [&] { return detail::diagonal_matrix(v.base, k); }));
  });
}

}  // namespace

void bind_containers(nb::module_& m) {
  bind_vector(m);
  bind_matrix(m);
}

}  // namespace tropic::python

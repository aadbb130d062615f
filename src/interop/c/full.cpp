// SPDX-License-Identifier: Apache-2.0

// Full matrices of the C ABI.

#include <tropic/detail/full.hpp>

#include "interop/c/arrays.hpp"

using namespace tropic::c_abi;
using tropic::type_code;
using tropic::type_description;
using tropic::detail::full_base;
using tropic::detail::given_array;

namespace {

// An array of the caller, borrowed until the loan ends or copied during the call.
given_array given(const void* data, std::size_t count, const type_description& type,
                  const std::shared_ptr<loan>& lent) {
  given_array result;
  result.data = data;
  result.size = count;
  result.bytes = type.size;
  result.alignment = type.alignment;
  result.owner = lent;
  result.copied = lent == nullptr;
  return result;
}

void check_bools(const call& c, const void* values, std::size_t count,
                 const type_description& type) {
  if (type.code != type_code::boolean) return;
  const auto* bytes = static_cast<const unsigned char*>(values);
  for (std::size_t n = 0; n < count; ++n)
    if (bytes[n] > 1)
      c.refuse("arrays->values[" + std::to_string(n) + "] is " + std::to_string(bytes[n]) +
               ", a bool is 0 or 1");
}

// The elements of `values`, so far as they can be counted: full_from_array checks the rest.
std::size_t elements_of(const tropic_full_arrays& from) {
  if (from.rows <= 0 || from.columns <= 0) return 0;
  const auto leading = static_cast<std::size_t>(from.leading == 0 ? from.columns : from.leading);
  return bytes_of("full matrix", static_cast<std::size_t>(from.rows - 1), leading) +
         static_cast<std::size_t>(from.columns);
}

full_base made_from(const call& c, const shared_context& of, const tropic_full_arrays& from) {
  if ((from.flags & ~TROPIC_BORROW) != 0)
    c.refuse("arrays->flags has " + std::to_string(from.flags & ~TROPIC_BORROW) +
             ", an unknown flag");
  const bool borrows = (from.flags & TROPIC_BORROW) != 0;
  if (!borrows && from.release != nullptr)
    c.refuse("arrays->release is for arrays that are borrowed; flags has no TROPIC_BORROW");
  if (from.leading < 0) c.refuse("arrays->leading is " + std::to_string(from.leading));
  if (from.present != nullptr && from.leading != 0 && from.leading != from.columns)
    c.refuse("arrays->leading is " + std::to_string(from.leading) +
             ", with arrays->present it is 0 or columns");
  tropic::detail::check_dimensions(from.rows, from.columns);
  const type_description& type = c.type(from.type, "arrays->type");
  const std::size_t count = elements_of(from);
  c.need_array(from.values, count, "arrays->values");
  if (reinterpret_cast<std::uintptr_t>(from.values) % type.alignment != 0)
    c.refuse("arrays->values does not lie at a multiple of " + std::to_string(type.alignment) +
             " bytes");
  check_bools(c, from.values, count, type);
  const auto lent = borrows ? std::make_shared<loan>() : nullptr;
  const given_array values = given(from.values, count, type, lent);
  full_base result =
      from.present == nullptr
          ? tropic::detail::full_from_array(of.state(), type, from.rows, from.columns, values,
                                            from.leading)
          : tropic::detail::full_from_bitmap(
                of.state(), type, from.rows, from.columns,
                given(from.present, count, tropic::describe<std::uint8_t>(), lent), values);
  if (borrows) {  // nothing fails from here on
    lent->release = from.release;
    lent->data = from.data;
  }
  return result;
}

}  // namespace

tropic_status tropic_full_new(tropic_context* context, tropic_type type, int64_t rows,
                              int64_t columns, tropic_full** result) {
  return guarded(context_of(context), "tropic_full_new", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    *result = new_full(context->of, tropic::detail::empty_full(
                                        context->of->state(), c.type(type, "type"), rows, columns));
  });
}

tropic_status tropic_full_from_arrays(tropic_context* context, const tropic_full_arrays* arrays,
                                      tropic_full** result) {
  return guarded(context_of(context), "tropic_full_from_arrays", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    static const tropic_full_arrays defaults = TROPIC_FULL_ARRAYS_INIT;
    const tropic_full_arrays given = c.options(&c.need(arrays, "arrays"), defaults, "arrays");
    std::unique_ptr<tropic_full> full(new_full(context->of, {}));
    full->base = made_from(c, *context->of, given);
    *result = full.release();
  });
}

tropic_status tropic_full_from_matrix(const tropic_matrix* matrix, tropic_full** result) {
  return guarded(context_of(matrix), "tropic_full_from_matrix", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(matrix, "matrix");
    *result = new_full(matrix->of, tropic::detail::full_of(matrix->base()));
  });
}

tropic_status tropic_full_to_matrix(const tropic_full* full, tropic_matrix** result) {
  return guarded(context_of(full), "tropic_full_to_matrix", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(full, "full");
    *result = new_matrix(full->of, tropic::detail::matrix_of(full->base));
  });
}

tropic_status tropic_full_copy(const tropic_full* full, tropic_full** result) {
  return guarded(context_of(full), "tropic_full_copy", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(full, "full");
    *result = new_full(full->of, full->base);
  });
}

void tropic_full_free(tropic_full* full) {
  delete full;
}

tropic_status tropic_full_shape(const tropic_full* full, int64_t* rows, int64_t* columns,
                                int64_t* nvals) {
  return guarded(context_of(full), "tropic_full_shape", [&](const call& c) {
    c.need(full, "full");
    c.distinct("rows, columns, nvals", rows, columns, nvals);
    const tropic::index_t count = nvals != nullptr ? full->base.nvals() : 0;
    if (rows != nullptr) *rows = full->base.rows;
    if (columns != nullptr) *columns = full->base.columns;
    if (nvals != nullptr) *nvals = count;
  });
}

tropic_status tropic_full_type(const tropic_full* full, tropic_type* type) {
  return guarded(context_of(full), "tropic_full_type", [&](const call& c) {
    c.need(full, "full");
    c.need(type, "type") = static_cast<tropic_type>(static_cast<int>(full->base.cells.type->code));
  });
}

tropic_status tropic_full_set(tropic_full* full, int64_t i, int64_t j, tropic_type type,
                              const void* value) {
  return guarded(context_of(full), "tropic_full_set", [&](const call& c) {
    c.need(full, "full");
    c.need_array(value, 1, "value");
    c.same_type("full matrix", *full->base.cells.type, type);
    const tropic::index_t at = tropic::detail::cell_of(full->base, i, j);
    tropic::detail::vector_base& cells = full->base.flat();
    tropic::detail::expect_dense(cells);
    tropic::detail::set_element(cells, at, scalar(value, *cells.type).data());
  });
}

tropic_status tropic_full_remove(tropic_full* full, int64_t i, int64_t j) {
  return guarded(context_of(full), "tropic_full_remove", [&](const call& c) {
    c.need(full, "full");
    const tropic::index_t at = tropic::detail::cell_of(full->base, i, j);
    tropic::detail::remove_element(full->base.flat(), at);
  });
}

tropic_status tropic_full_get(const tropic_full* full, int64_t i, int64_t j, tropic_type type,
                              void* value, int* present) {
  return guarded(context_of(full), "tropic_full_get", [&](const call& c) {
    c.need(full, "full");
    c.need_array(value, 1, "value");
    c.need(present, "present");
    c.distinct("value, present", value, present);
    c.same_type("full matrix", *full->base.cells.type, type);
    const tropic::index_t at = tropic::detail::cell_of(full->base, i, j);
    *present = tropic::detail::element(full->base.flat(), at, value) ? 1 : 0;
  });
}

tropic_status tropic_full_column(const tropic_full* full, int64_t j, tropic_vector** result) {
  return guarded(context_of(full), "tropic_full_column", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(full, "full");
    *result = new_vector(full->of, tropic::detail::column_of(full->base, j));
  });
}

tropic_status tropic_full_set_column(tropic_full* full, int64_t j, const tropic_vector* vector) {
  return guarded(context_of(full, vector), "tropic_full_set_column", [&](const call& c) {
    c.need(full, "full");
    c.need(vector, "vector");
    tropic::detail::assign_column(full->base, j, vector->base);
  });
}

tropic_status tropic_full_export(const tropic_full* full, tropic_type type, const void* missing,
                                 int64_t capacity, void* values) {
  return guarded(context_of(full), "tropic_full_export", [&](const call& c) {
    c.need(full, "full");
    const tropic::detail::vector_base& cells = full->base.flat();
    c.same_type("full matrix", *cells.type, type);
    if (capacity < cells.size)
      c.refuse("capacity is " + std::to_string(capacity) + ", the full matrix has " +
               std::to_string(cells.size) + " positions");
    c.need_array(values, static_cast<std::size_t>(cells.size), "values");
    if (missing == nullptr && cells.nvals != cells.size)
      c.refuse(std::to_string(cells.size - cells.nvals) + " of " + std::to_string(cells.size) +
               " positions have no entry, and missing is NULL");
    const auto size = static_cast<std::size_t>(cells.size), bytes = cells.type->size;
    if (size == 0) return;
    tropic::detail::vector_base dense = cells;
    if (cells.nvals == cells.size)
      tropic::detail::convert(dense, tropic::vector_storage::full);
    else
      tropic::detail::convert(dense, tropic::vector_storage::bitmap);
    std::memcpy(values, dense.values->host(), size * bytes);
    if (dense.present == nullptr) return;
    const auto* present = static_cast<const std::uint8_t*>(dense.present->host());
    const tropic::scalar_bytes gap = scalar(missing, *cells.type);
    for (std::size_t n = 0; n < size; ++n)
      if (present[n] == 0)
        std::memcpy(static_cast<std::byte*>(values) + n * bytes, gap.data(), bytes);
  });
}

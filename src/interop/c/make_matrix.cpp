// SPDX-License-Identifier: Apache-2.0

// Matrices of the C ABI from the caller's arrays.

#include <type_traits>

#include <tropic/detail/arrays.hpp>

#include "interop/c/arrays.hpp"

namespace tropic::c_abi {

namespace {

using detail::matrix_base;

void check_flags(const call& c, const char* what, unsigned flags, unsigned known) {
  if ((flags & ~known) != 0)
    c.refuse(std::string(what) + "->flags has " + std::to_string(flags & ~known) +
             ", an unknown flag");
}

void set_symmetric(const call& c, matrix_base& m, unsigned flags) {
  if ((flags & TROPIC_SYMMETRIC) == 0) return;
  if (m.rows != m.columns)
    c.refuse("TROPIC_SYMMETRIC requires a square matrix, this one is " + std::to_string(m.rows) +
             "x" + std::to_string(m.columns));
  m.symmetric = true;
}

/// The caller's CSR on its way into a matrix.
class csr_source {
 public:
  csr_source(const call& c, const shared_context& of, const tropic_csr& from)
      : call_(c),
        context_(of.state()),
        from_(from),
        type_(c.type(from.type, "csr->type")),
        trusted_((from.flags & TROPIC_TRUSTED) != 0) {
    check_flags(c, "csr", from.flags, TROPIC_TRUSTED | TROPIC_BORROW | TROPIC_SYMMETRIC);
    detail::check_dimensions(from.rows, from.columns);
    if ((from.flags & TROPIC_BORROW) != 0)
      loan_ = std::make_shared<loan>();
    else if (from.release != nullptr)
      c.refuse("csr->release is for arrays that are borrowed; flags has no TROPIC_BORROW");
  }

  matrix_base make() {
    matrix_base m;
    m.context = context_;
    m.type = &type_;
    m.rows = from_.rows;
    m.columns = from_.columns;
    read_offsets(m);
    read_columns(m);
    read_values(m);
    detail::inspect_csr(m, {.trusted = trusted_});
    set_symmetric(call_, m, from_.flags);
    if (loan_ != nullptr) {  // nothing fails from here on
      loan_->release = from_.release;
      loan_->data = from_.data;
    }
    return m;
  }

 private:
  buffer_pointer borrowed(const void* array, std::size_t bytes) const {
    return std::make_shared<detail::buffer>(context_, array, bytes, loan_);
  }

  void read_offsets(matrix_base& m) const {
    const std::size_t count = static_cast<std::size_t>(m.rows) + 1;
    with_indices(
        call_, from_.offset_type, from_.offsets, count, "csr->offsets", [&](auto* offsets) {
          const auto at = [&](std::size_t row) { return static_cast<std::uint64_t>(offsets[row]); };
          const std::uint64_t end = at(count - 1);
          if (end > std::uint64_t{std::numeric_limits<index_t>::max()})
            call_.refuse("csr->offsets end with " + std::to_string(offsets[count - 1]));
          // Before columns are read: their number is the last offset.
          if (!trusted_) {
            if (at(0) != 0)
              call_.refuse("csr->offsets start with " + std::to_string(offsets[0]) + ", needed 0");
            for (std::size_t row = 0; row + 1 < count; ++row)
              if (offsets[row] > offsets[row + 1])
                call_.refuse("csr->offsets fall after row " + std::to_string(row) + ", from " +
                             std::to_string(offsets[row]) + " to " +
                             std::to_string(offsets[row + 1]));
          }
          m.nnz = static_cast<index_t>(end);
          if (loan_ != nullptr) {
            m.wide = !is_narrow(from_.offset_type);
            m.offsets = borrowed(offsets, count * sizeof(*offsets));
            return;
          }
          m.wide = end > std::numeric_limits<std::uint32_t>::max();
          m.offsets = detail::make_buffer(context_, count * (m.wide ? 8 : 4));
          const auto copy = [&](auto* to) {
            for (std::size_t row = 0; row < count; ++row)
              to[row] = static_cast<std::remove_reference_t<decltype(*to)>>(offsets[row]);
          };
          if (m.wide)
            copy(static_cast<std::uint64_t*>(m.offsets->host_write()));
          else
            copy(static_cast<std::uint32_t*>(m.offsets->host_write()));
        });
  }

  void read_columns(matrix_base& m) const {
    const auto count = static_cast<std::size_t>(m.nnz);
    if (loan_ != nullptr && !is_narrow(from_.column_type))
      call_.refuse("csr->column_indices have 64 bits, those that are borrowed need 32");
    with_indices(
        call_, from_.column_type, from_.column_indices, count, "csr->column_indices",
        [&](auto* columns) {
          if (!trusted_)
            for (std::size_t e = 0; e < count; ++e)
              if (static_cast<std::uint64_t>(columns[e]) >= static_cast<std::uint64_t>(m.columns))
                call_.refuse("csr->column_indices[" + std::to_string(e) + "] is " +
                             std::to_string(columns[e]) + " in row " +
                             std::to_string(row_of(m, e)) + ", the matrix has " +
                             std::to_string(m.columns) + " columns");
          if (loan_ != nullptr) {
            m.column_indices = borrowed(columns, count * 4);
            return;
          }
          m.column_indices =
              detail::make_buffer(context_, bytes_of("columns of a matrix", count, 4));
          if (count == 0) return;
          auto* to = static_cast<std::uint32_t*>(m.column_indices->host_write());
          for (std::size_t e = 0; e < count; ++e) to[e] = static_cast<std::uint32_t>(columns[e]);
        });
  }

  static index_t row_of(const matrix_base& m, std::size_t entry) {
    const std::size_t bytes = m.wide ? 8 : 4;
    return detail::row_of_entry(
        {m.offsets->host(), static_cast<std::size_t>(m.rows) + 1, bytes, bytes}, entry);
  }

  void read_values(matrix_base& m) const {
    const auto entries = static_cast<std::size_t>(m.nnz);
    if (from_.iso != 0 && entries > 0) call_.need_array(from_.values, 1, "csr->values (iso)");
    m.iso = entries > 0 && (from_.iso != 0 || from_.values == nullptr);
    const std::size_t count = m.iso ? 1 : entries;
    if (from_.values == nullptr) {
      const scalar_bytes one = one_of(type_);
      m.values = copied_values(context_, one.data(), count, type_);
      return;
    }
    if (loan_ == nullptr) {
      m.values = copied_values(context_, from_.values, count, type_);
      return;
    }
    if (reinterpret_cast<std::uintptr_t>(from_.values) % type_.alignment != 0)
      call_.refuse("csr->values does not lie at a multiple of " + std::to_string(type_.alignment) +
                   " bytes");
    if (type_.code == type_code::boolean && !trusted_) {
      const auto* bytes = static_cast<const unsigned char*>(from_.values);
      for (std::size_t e = 0; e < count; ++e)
        if (bytes[e] > 1)
          call_.refuse("csr->values[" + std::to_string(e) + "] is " + std::to_string(bytes[e]) +
                       ", a bool that is borrowed is 0 or 1");
    }
    m.values = borrowed(from_.values, count * type_.size);
  }

  const call& call_;
  const detail::context_pointer& context_;
  const tropic_csr& from_;
  const type_description& type_;
  bool trusted_;
  std::shared_ptr<loan> loan_;
};

detail::given_array given(const call& c, tropic_type type, const void* array, std::size_t count,
                          const char* what) {
  return with_indices(c, type, array, count, what, [&]<class I>(const I* indices) {
    return detail::given_array{indices, count, sizeof(I), alignof(I), std::is_signed_v<I>};
  });
}

matrix_base from_coo(const call& c, const shared_context& of, const tropic_coo& coo) {
  const type_description& type = c.type(coo.type, "coo->type");
  const duplicates rule = c.rule(coo.duplicates);
  check_flags(c, "coo", coo.flags, TROPIC_SYMMETRIC);
  if (coo.count < 0) c.refuse("coo->count is " + std::to_string(coo.count));
  detail::check_dimensions(coo.rows, coo.columns);
  const auto count = static_cast<std::size_t>(coo.count);
  const detail::given_array row = given(c, coo.index_type, coo.row_indices, count,
                                        "coo->row_indices"),
                            column = given(c, coo.index_type, coo.column_indices, count,
                                           "coo->column_indices");
  if (coo.iso != 0 && count > 0) c.need_array(coo.values, 1, "coo->values (iso)");
  const bool iso = coo.iso != 0 || coo.values == nullptr;
  const scalar_bytes one = one_of(type);
  const void* values = coo.values == nullptr ? one.data() : coo.values;
  buffer_pointer bools;
  if (type.code == type_code::boolean && coo.values != nullptr && count > 0) {
    bools = copied_values(of.state(), values, iso ? 1 : count, type);
    values = bools->host();
  }
  matrix_base m = detail::matrix_from_entries(
      of.state(), type, coo.rows, coo.columns, row, column, values,
      iso ? detail::value_layout::iso : detail::value_layout::per_entry, rule);
  set_symmetric(c, m, coo.flags);
  return m;
}

}  // namespace
}  // namespace tropic::c_abi

using namespace tropic::c_abi;

tropic_status tropic_matrix_from_csr(tropic_context* context, const tropic_csr* csr,
                                     tropic_matrix** result) {
  return guarded(context_of(context), "tropic_matrix_from_csr", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    c.need(csr, "csr");
    static const tropic_csr defaults = TROPIC_CSR_INIT;
    const tropic_csr given = c.options(csr, defaults, "csr");
    c.begin(*context->of);
    auto handle = std::make_unique<tropic_matrix>();
    handle->of = context->of;
    handle->changes = tropic::detail::changeable_matrix(csr_source(c, *context->of, given).make());
    *result = handle.release();
  });
}

tropic_status tropic_matrix_from_coo(tropic_context* context, const tropic_coo* coo,
                                     tropic_matrix** result) {
  return guarded(context_of(context), "tropic_matrix_from_coo", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    c.need(coo, "coo");
    static const tropic_coo defaults = TROPIC_COO_INIT;
    *result = new_matrix(context->of, from_coo(c, *context->of, c.options(coo, defaults, "coo")));
  });
}

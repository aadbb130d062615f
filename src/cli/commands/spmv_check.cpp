// SPDX-License-Identifier: Apache-2.0

// Agreement with the reference backend. Patterns must be equal. Values too, with two exceptions:
// a sum over `any` may be any of its terms, and a floating sum whose order shows may differ by
//
//   2 (2 + terms of the row) eps (sum of |term| + |expected|)
//
// which bounds the rounding of two sums of the same terms in any order (Higham, "Accuracy and
// Stability of Numerical Algorithms", section 4.2).

#include "cli/commands/spmv_check.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/evaluate.hpp>

namespace tropic::cli {

spmv_check::spmv_check(const program& p, const semiring_description& semiring,
                       const detail::matrix_base& a, const detail::vector_base& x)
    : semiring_(semiring), a_(a), takes_any_(semiring.add.terminal_value == terminal::any_value) {
  context_options options;
  options.cancel = p.cancel;
  const context reference = context::reference(options);
  x_ = x;
  detail::convert(x_, vector_storage::full);
  expected_ = detail::empty_vector(reference.state(), semiring.z(), a.rows);
  detail::multiply("mxv", expected_, semiring, {.matrix = detail::copy_to(reference.state(), a)},
                   detail::copy_to(reference.state(), x_), detail::factor_order::matrix_first, {});
  p.check_cancelled();
}

template <class F>
void spmv_check::for_each_term(index_t row, F&& f) const {
  const evaluator multiply(semiring_.multiply);
  const auto* columns = static_cast<const std::uint32_t*>(a_.column_indices->host());
  const auto* values = static_cast<const std::byte*>(a_.values->host());
  const auto* x = static_cast<const std::byte*>(x_.values->host());
  const index_t end = detail::offset_at(a_, row + 1);
  for (index_t e = detail::offset_at(a_, row); e < end; ++e) {
    scalar_bytes term;
    const std::size_t at = a_.iso ? 0 : static_cast<std::size_t>(e);
    multiply(term.data(), values + at * a_.type->size, x + columns[e] * x_.type->size, row,
             columns[e], 0);
    f(term);
  }
}

bool spmv_check::is_a_term(index_t row, const void* value) const {
  bool found = false;
  for_each_term(row, [&](const scalar_bytes& term) {
    found = found || std::memcmp(term.data(), value, semiring_.z().size) == 0;
  });
  return found;
}

double spmv_check::tolerance(index_t row, double expected) const {
  const bool single = semiring_.z().code == type_code::fp32;
  double sum = std::abs(expected);
  for_each_term(row, [&](const scalar_bytes& term) {
    sum += std::abs(single ? static_cast<double>(term.as<float>()) : term.as<double>());
  });
  const double eps = single ? static_cast<double>(std::numeric_limits<float>::epsilon())
                            : std::numeric_limits<double>::epsilon();
  const index_t terms = detail::offset_at(a_, row + 1) - detail::offset_at(a_, row);
  return 2 * (2 + static_cast<double>(terms)) * eps * sum;
}

template <class Z>
std::string spmv_check::compare(const detail::vector_base& w) const {
  detail::vector_base found = w, expected = expected_;
  detail::convert(found, vector_storage::sparse);
  detail::convert(expected, vector_storage::sparse);
  const auto count = static_cast<std::size_t>(expected.nvals);
  if (found.nvals != expected.nvals)
    return fmt::format("{} rows have a result, the reference has {}", found.nvals, expected.nvals);
  if (count == 0) return {};
  const auto* rows = static_cast<const std::uint32_t*>(found.indices->host());
  const auto* expected_rows = static_cast<const std::uint32_t*>(expected.indices->host());
  const auto* values = static_cast<const Z*>(found.values->host());
  const auto* expected_values = static_cast<const Z*>(expected.values->host());
  for (std::size_t n = 0; n < count; ++n) {
    if (rows[n] != expected_rows[n])
      return fmt::format("row {} has {} result", std::min(rows[n], expected_rows[n]),
                         rows[n] < expected_rows[n] ? "an unexpected" : "no");
    const Z got = values[n], wanted = expected_values[n];
    if (got == wanted || (got != got && wanted != wanted)) continue;
    bool agrees = false;
    if (takes_any_)
      agrees = is_a_term(rows[n], &got);
    else if constexpr (std::is_floating_point_v<Z>)
      agrees = !semiring_.add.exact && std::isfinite(got) && std::isfinite(wanted) &&
               std::abs(static_cast<double>(got) - static_cast<double>(wanted)) <=
                   tolerance(rows[n], static_cast<double>(wanted));
    if (!agrees) {
      if constexpr (sizeof(Z) == 1)
        return fmt::format("row {} gives {}, the reference {}", rows[n], static_cast<int>(got),
                           static_cast<int>(wanted));
      else
        return fmt::format("row {} gives {}, the reference {}", rows[n], got, wanted);
    }
  }
  return {};
}

std::string spmv_check::operator()(const detail::vector_base& w) const {
  return with_builtin_type(semiring_.z().code, [&]<class Z>() { return compare<Z>(w); });
}

}  // namespace tropic::cli

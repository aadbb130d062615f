// SPDX-License-Identifier: Apache-2.0

// mxv and vxm (GraphBLAS C API 2.0, 4.3.2 and 4.3.3):
//
//   t(o) = the sum over all inner k, where both A and u have an entry, of multiply(A(o,k), u(k)),
//          or multiply(u(k), A(k,o)) for vxm
//
// The matrix is traversed by stored rows in either orientation: each output receives its inner
// indices in ascending order in both cases. The mask is applied at the end, like that of any other
// operation.
// O(nnz log n) time.

#include <unordered_map>

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

void reference_backend::multiply(vector_base& w, const product& p, const vector_rule& rule,
                                 std::string_view) {
  const evaluator times(p.semiring.multiply), plus(p.semiring.add.add);
  std::unordered_map<index_t, scalar_bytes> u;
  for (const auto& [where, value] : load(p.input)) u.emplace(where.row, value);

  entries t;
  for_each_entry(p.matrix, [&](index_t row, index_t column, const void* a) {
    const index_t out = p.rows_are_output() ? row : column;
    const index_t inner = p.rows_are_output() ? column : row;
    const auto found = u.find(inner);
    if (found == u.end()) return;
    const void* x = found->second.data();
    scalar_bytes term;
    if (p.vector_first)
      times(term.data(), x, a, 0, inner, out);
    else
      times(term.data(), a, x, out, inner, 0);
    const auto [at, is_first] = t.try_emplace({out}, term);
    if (!is_first) {
      scalar_bytes sum;
      plus(sum.data(), at->second.data(), term.data());
      at->second = sum;
    }
  });
  write_back(w, t, rule);
}

kernel_table reference_backend::kernels() const {
  static constexpr kernel_info reference{.name = "reference"};
  static constexpr const kernel_info* table[] = {&reference};
  return table;
}

kernel_table reference_backend::mxm_kernels() const {
  return kernels();
}
mxm_explanation reference_backend::explain_mxm(const matrix_product&, const matrix_rule&) {
  const std::string name(mxm_kernels().front()->name);
  return {.kernel = name, .reason = "the only one", .candidates = {{.kernel = name}}};
}

}  // namespace tropic::detail

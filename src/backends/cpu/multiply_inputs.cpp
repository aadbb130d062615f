// SPDX-License-Identifier: Apache-2.0
// What is known of a product before its kernel runs: the features that the plan chooses by, and
// which positions the mask spares it.

#include <algorithm>
#include <cstring>

#include <tropic/detail/cpu_kernels.hpp>

#include "backends/cpu/cpu_backend.hpp"

namespace tropic::detail {

bool cpu_backend::has_transpose_of(const matrix_base& a) {
  const std::lock_guard lock(a.derived->mutex);
  return a.derived->transpose != nullptr;
}

product_features cpu_backend::features(const product& p, const vector_rule& rule) {
  product_features f;
  f.output_size = p.output_size();
  f.input_size = p.input.size;
  f.nnz = p.matrix.nnz;
  f.longest_row = p.matrix.longest_row;
  f.input_nvals = p.input.nvals;
  f.output_wanted = !rule.mask          ? f.output_size
                    : rule.complemented ? f.output_size - rule.mask->nvals
                                        : index_t{rule.mask->nvals};
  f.exits_early = exits_early(p.semiring);
  const bool has_transpose = p.matrix.symmetric || has_transpose_of(p.matrix);
  f.pull_needs_transpose = !p.rows_are_output() && !has_transpose;
  f.push_needs_transpose = p.rows_are_output() && !has_transpose;
  f.input_edges = f.is_plain_pull() ? f.nnz : edges_of(p, p.matrix);
  if (f.pull_needs_transpose) {
    constexpr index_t cost = 3;  // a transpose, in pushes of all entries
    const std::lock_guard lock(p.matrix.derived->mutex);
    f.transpose_is_due =
        p.matrix.derived->pushed_without_transpose + f.input_edges > cost * p.matrix.nnz;
  }
  return f;
}

index_t cpu_backend::edges_of(const product& p, const matrix_base& a) const {
  // Exact where u is sparse and its rows are at hand, else by the mean.
  const index_t inputs = p.input.size;
  const double mean =
      static_cast<double>(a.nnz) / static_cast<double>(std::max<index_t>(inputs, 1));
  const matrix_base* m = &a;
  std::shared_ptr<const matrix_base> transposed;
  if (p.rows_are_output() && !a.symmetric) {
    const std::lock_guard lock(a.derived->mutex);
    transposed = a.derived->transpose;
    m = transposed.get();
  }
  if (m == nullptr || p.input.storage != vector_storage::sparse || p.input.nvals > inputs / 16)
    return static_cast<index_t>(mean * static_cast<double>(p.input.nvals));
  product_arguments arguments;
  arguments.offsets = read(m->offsets);
  arguments.wide = m->wide;
  const auto* index = read_as<std::uint32_t>(p.input.indices);
  std::size_t edges = 0;
  for (index_t n = 0; n < p.input.nvals; ++n)
    edges += arguments.offset(index[n] + std::size_t{1}) - arguments.offset(index[n]);
  return static_cast<index_t>(edges);
}

const std::uint8_t* cpu_backend::skip_of(const vector_rule& rule, index_t outputs, bool push,
                                         buffer_pointer& holder) {
  const vector_base& mask = *rule.mask;
  if (mask.storage == vector_storage::bitmap && rule.structural && rule.complemented)
    return read_as<std::uint8_t>(mask.present);
  if (push) return nullptr;  // work by the frontier, not by the size of the output
  const auto n = static_cast<std::size_t>(outputs);
  holder = allocate(n);
  auto* skip = write_as<std::uint8_t>(holder);
  const std::uint8_t inside = rule.complemented ? 1 : 0, outside = rule.complemented ? 0 : 1;
  const auto counts = [&, values = read_as<std::byte>(mask.values)](std::size_t entry) -> bool {
    if (rule.structural) return true;
    const std::byte* value = values + entry * mask.type->size;
    return with_builtin_type(mask.type->code, [&]<class T>() {
      T v;
      std::memcpy(&v, value, sizeof(T));
      return v != T{};
    });
  };
  if (mask.storage == vector_storage::sparse) {
    std::memset(skip, outside, n);
    const auto* index = read_as<std::uint32_t>(mask.indices);
    for (std::size_t e = 0; e < static_cast<std::size_t>(mask.nvals); ++e)
      if (counts(e)) skip[index[e]] = inside;
  } else {
    const auto* present = read_as<std::uint8_t>(mask.present);
#pragma omp parallel for num_threads(threads()) if (n > 1 << 15)
    for (std::size_t i = 0; i < n; ++i)
      skip[i] = (present == nullptr || present[i]) && counts(i) ? inside : outside;
  }
  return skip;
}

}  // namespace tropic::detail

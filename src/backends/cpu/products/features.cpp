// SPDX-License-Identifier: Apache-2.0
// What is known of a product before its kernel runs: the features that the plan uses, and the
// positions that the mask excludes.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/kept_transpose.hpp"

namespace tropic::detail {

call_features cpu_backend::features(const product& p, const vector_rule& rule) {
  call_features f;
  f.output_size = p.output_size();
  f.input_size = p.input.size;
  f.nnz = p.matrix.nnz;
  f.longest_row = p.matrix.longest_row;
  f.input_nvals = p.input.nvals;
  f.output_wanted = !rule.mask          ? f.output_size
                    : rule.complemented ? f.output_size - rule.mask->nvals
                                        : index_t{rule.mask->nvals};
  f.exits_early = exits_early(p.semiring);
  const bool has_transpose = p.matrix.symmetric || has_kept_transpose(p.matrix);
  f.pull_needs_transpose = !p.rows_are_output() && !has_transpose;
  f.push_needs_transpose = p.rows_are_output() && !has_transpose;
  f.input_edges = f.is_plain_pull() ? f.nnz : edges_of(p, p.matrix);
  if (f.pull_needs_transpose) {
    constexpr index_t cost = 3;  // a transpose, in units of a push of all entries
    const std::lock_guard lock(p.matrix.derived->mutex);
    f.transpose_is_due =
        p.matrix.derived->pushed_without_transpose + f.input_edges > cost * p.matrix.nnz;
  }
  return f;
}

index_t cpu_backend::edges_of(const product& p, const matrix_base& a) const {
  // Exact if u is sparse and the rows are available, otherwise by the mean length.
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

double cpu_backend::copy_bandwidth() {
  static const double measured = [count = threads()] {
    constexpr std::size_t bytes = std::size_t{1} << 28, block = std::size_t{1} << 20;
    const std::unique_ptr<std::byte[]> from(new std::byte[bytes]), to(new std::byte[bytes]);
    double best = 0;
    for (int round = 0; round < 4; ++round) {  // the first one touches the pages
      const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for num_threads(count) schedule(static)
      for (std::size_t at = 0; at < bytes; at += block)
        if (round == 0)
          std::memset(from.get() + at, 1, block);
        else
          std::memcpy(to.get() + at, from.get() + at, block);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      if (round > 1) best = std::max(best, 2.0 * static_cast<double>(bytes) / took.count());
    }
    return best;
  }();
  return measured;
}

std::string cpu_backend::identity() const {
  static const std::string model = [] {
    std::string line;
    for (std::ifstream info("/proc/cpuinfo"); std::getline(info, line);)
      if (line.starts_with("model name") && line.find(": ") != std::string::npos)
        return line.substr(line.find(": ") + 2);
    return std::string("unknown processor");
  }();
  return fmt::format("cpu, {}, {} threads", model, threads());
}

}  // namespace tropic::detail

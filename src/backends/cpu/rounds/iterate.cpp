// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until in place (round_loop.hpp), where the kernels of the semiring give the
// results of its definition (include/tropic/detail/cpu/rounds.hpp).

#include <cstring>
#include <mutex>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/rounds/round_loop.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/kept_transpose.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail {

namespace on_cpu {
std::unique_ptr<bucket_queue> make_bucket_queue(type_code type, const void* width, const void* w) {
  return with_builtin_type(type, [&]<class T>() -> std::unique_ptr<bucket_queue> {
    if constexpr (std::is_same_v<T, bool>) {
      return nullptr;
    } else {
      T of_type;
      std::memcpy(&of_type, width, sizeof(T));
      return std::make_unique<bucket_queue_of<T>>(of_type, static_cast<const T*>(w));
    }
  });
}
}  // namespace on_cpu

namespace {

using namespace on_cpu;

// Whether single entries of v can be written in place: v is full or a bitmap and shares no arrays.
bool can_write(const memory_side& here, vector_base& v) {
  if (v.storage == vector_storage::sparse) hold_as(here, v, vector_storage::bitmap);
  return memory_side::is_exclusive(v.values) &&
         (v.storage == vector_storage::full || memory_side::is_exclusive(v.present));
}

// Whether the matrix by columns is at hand, or pushes for want of it have cost what it costs.
bool pays_to_pull(const matrix_base& a) {
  constexpr index_t cost = 3;  // in pushes of all entries
  const std::lock_guard lock(a.derived->mutex);
  return a.derived->transpose != nullptr || a.derived->pushed_without_transpose > cost * a.nnz;
}

}  // namespace

index_t cpu_backend::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                             index_t first, index_t max_rounds) {
  if (i.semiring.cpu_round_kernels == nullptr) {
    const semiring_description* const known = same_builtin(i.semiring);
    if (known == nullptr) return 0;
    iteration same{*known,   i.matrix, i.improves, i.keep,
                   i.beyond, i.round,  i.order,    i.bucket_width};
    return iterate(w, frontier, same, first, max_rounds);
  }
  if (i.matrix.nnz == 0 || is_hypersparse(i.matrix.rows, i.matrix.nnz, w.size)) return 0;
  // A loop lists what it starts the next round from.
  if (i.order != nullptr && i.keep != nullptr) return 0;
  const cpu_round_kernels& kernels = *i.semiring.cpu_round_kernels;
  const bool improving = i.improves != nullptr;
  if (!improving && kernels.in_order && i.keep != nullptr) return 0;  // the frontier stays in order
  if (improving ? kernels.push_improving == nullptr || i.improves->text != kernels.improves ||
                      w.storage != vector_storage::full
                : kernels.push_lacking == nullptr || w.storage == vector_storage::full)
    return 0;
  const memory_side here(context_, on_host_);
  if (!can_write(here, w)) return 0;
  for (vector_base* other : {i.beyond, i.round})
    if (other != nullptr && !can_write(here, *other)) return 0;
  const matrix_base& a = i.matrix;
  std::shared_ptr<const matrix_base> by_columns;
  if (!improving && !a.symmetric && pays_to_pull(a)) by_columns = transpose_of(a);
  round_loop loop(here, i, w, frontier, a.symmetric ? &a : by_columns.get());
  index_t done = 0;
  try {
    done = loop.run(first, max_rounds);
  } catch (...) {
    loop.add_counts(i, w);
    throw;
  }
  if (!improving && !a.symmetric && by_columns == nullptr) {
    const std::lock_guard lock(a.derived->mutex);
    a.derived->pushed_without_transpose += loop.sent();
  }
  loop.add_counts(i, w);
  frontier = loop.frontier();
  return done;
}

}  // namespace tropic::detail

// SPDX-License-Identifier: Apache-2.0

// The intersection of two vectors. Where one is sparse it is walked and each of its entries looked
// up in the other (by position in a dense one, by doubling steps in a sparse one), so that the
// cost is O(the smaller one's entries), times a logarithm for two sparse ones; where every entry is
// met, the result shares the list of indices. Two dense ones take one pass over their positions.

#include <numeric>

#include "backends/cpu/conversions.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/mask.hpp"
#include "backends/cpu/merge.hpp"
#include "backends/cpu/parallel.hpp"

namespace tropic::detail::on_cpu {

namespace {

vector_base intersect_dense(const memory_side& here, const operator_description& op,
                            const vector_base& u, const vector_base& v) {
  const vector_view left(here, u), right(here, v);
  const std::size_t n = left.size;
  vector_base made = shell(here, *op.z, u.size);
  made.values = here.allocate(n, op.z->size);
  const bool full = !left.present && !right.present;
  made.storage = full ? vector_storage::full : vector_storage::bitmap;
  const bool is_shared = !full && (!left.present || !right.present);
  if (!full)
    made.present = is_shared ? (left.present ? u.present : v.present) : here.allocate(n, 1);
  auto* to = here.write_as<std::byte>(made.values);
  auto* flags = full || is_shared ? nullptr : here.write_as<std::uint8_t>(made.present);
  const std::uint8_t* present = full        ? nullptr
                                : is_shared ? here.read_as<std::uint8_t>(made.present)
                                            : flags;
  made.nvals = static_cast<
      index_t>(sum_over_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
    entry_batch batch(op, {left.values, left.bytes, false}, {right.values, right.bytes, false}, to);
    if (flags)
      for (std::size_t i = begin; i < end; ++i)
        flags[i] = static_cast<std::uint8_t>(left.present[i] & right.present[i]);
    if (present)
      add_present(batch, present, begin, end);
    else
      batch.add_run(begin, begin, begin, end - begin, begin);
    batch.flush();
    return present ? std::accumulate(present + begin, present + end, std::size_t{0}) : end - begin;
  }));
  settle(here, made, true);
  return made;
}

// `walked` is sparse, and the smaller where both are; it is the operator's first operand where
// `walked_first`.
vector_base intersect_sparse(const memory_side& here, const operator_description& op,
                             const vector_base& walked, const vector_base& other,
                             bool walked_first) {
  const vector_view few(here, walked), many(here, other);
  vector_base made = shell(here, *op.z, walked.size);
  // Which of the entries are met, and where in `other`.
  buffer_pointer keep, partner;
  std::uint8_t* flags = nullptr;
  std::uint32_t* met = nullptr;
  std::size_t found = few.nvals;
  if (many.is_sparse()) {
    partner = here.allocate(few.nvals, sizeof(std::uint32_t));
    met = here.write_as<std::uint32_t>(partner);
  }
  if (many.is_sparse() || many.present) {
    keep = here.allocate(few.nvals, 1);
    flags = here.write_as<std::uint8_t>(keep);
    found = sum_over_chunks(here.threads(), few.nvals, [&](std::size_t begin, std::size_t end) {
      std::size_t count = 0;
      if (!many.is_sparse()) {
        for (std::size_t n = begin; n < end; ++n)
          count += flags[n] = many.present[few.indices[n]] != 0;
        return count;
      }
      std::size_t at = 0;
      for (std::size_t n = begin; n < end; ++n) {
        at = advance(many.indices, many.nvals, at, few.indices[n]);
        flags[n] = at < many.nvals && many.indices[at] == few.indices[n];
        met[n] = static_cast<std::uint32_t>(at);
        count += flags[n];
      }
      return count;
    });
  }
  made.nvals = static_cast<index_t>(found);
  made.values = here.allocate(found, op.z->size);
  buffer_pointer chosen;  // the entries of `walked` that are met; null: all
  const std::uint32_t* entry = nullptr;
  if (found == few.nvals) {
    made.indices = walked.indices;
  } else {
    chosen = list_positions(here, flags, few.nvals, found);
    entry = here.read_as<std::uint32_t>(chosen);
    made.indices = here.allocate(found, sizeof(std::uint32_t));
    auto* index = here.write_as<std::uint32_t>(made.indices);
    for_chunks(here.threads(), found, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) index[n] = few.indices[entry[n]];
    });
  }
  const auto* index = here.read_as<std::uint32_t>(made.indices);
  auto* to = here.write_as<std::byte>(made.values);
  const operand_source of_few{few.values, few.bytes, false},
      of_many{many.values, many.bytes, false};
  for_chunks(here.threads(), found, [&](std::size_t begin, std::size_t end) {
    entry_batch batch(op, walked_first ? of_few : of_many, walked_first ? of_many : of_few, to);
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t a = entry ? entry[n] : n, b = met ? met[a] : index[n];
      batch.add(walked_first ? a : b, walked_first ? b : a, n, index[n]);
    }
    batch.flush();
  });
  settle(here, made, false);
  return made;
}

}  // namespace

vector_base intersect(const memory_side& here, const operator_description& op, const vector_base& u,
                      const vector_base& v) {
  if (u.nvals == 0 || v.nvals == 0) return no_entries(here, *op.z, u.size);
  const bool u_sparse = u.storage == vector_storage::sparse;
  const bool v_sparse = v.storage == vector_storage::sparse;
  if (!u_sparse && !v_sparse) return intersect_dense(here, op, u, v);
  const bool walks_u = u_sparse && (!v_sparse || u.nvals <= v.nvals);
  return walks_u ? intersect_sparse(here, op, u, v, true) : intersect_sparse(here, op, v, u, false);
}

}  // namespace tropic::detail::on_cpu

// SPDX-License-Identifier: Apache-2.0

// The intersection of two vectors. A sparse one is traversed and each of its entries is looked up
// in the other (by position in a dense one, by doubling steps in a sparse one), so that the cost is
// O(entries of the smaller one), times a logarithm for two sparse ones; if every entry has a match,
// the result shares the list of indices. Two dense ones take one pass over their positions.

#include <numeric>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "backends/cpu/vectors/merge.hpp"

namespace tropic::detail::on_cpu {

namespace {

vector_base intersect_dense(const memory_side& here, const operator_description& op,
                            const vector_base& u, const vector_base& v) {
  const vector_view left(here, u), right(here, v);
  const std::size_t n = left.size;
  vector_base result = shell(here, *op.z, u.size);
  result.values = here.allocate(n, op.z->size);
  const bool full = !left.present && !right.present;
  result.storage = full ? vector_storage::full : vector_storage::bitmap;
  const bool is_shared = !full && (!left.present || !right.present);
  if (!full)
    result.present = is_shared ? (left.present ? u.present : v.present) : here.allocate(n, 1);
  auto* to = here.write_as<std::byte>(result.values);
  auto* flags = full || is_shared ? nullptr : here.write_as<std::uint8_t>(result.present);
  const std::uint8_t* present = full        ? nullptr
                                : is_shared ? here.read_as<std::uint8_t>(result.present)
                                            : flags;
  result.nvals = static_cast<
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
  settle(here, result, true);
  return result;
}

// `walked` is sparse, and the smaller one if both are; it is the first operand of the operator if
// `walked_first`.
vector_base intersect_sparse(const memory_side& here, const operator_description& op,
                             const vector_base& walked, const vector_base& other,
                             bool walked_first) {
  const vector_view few(here, walked), many(here, other);
  vector_base result = shell(here, *op.z, walked.size);
  // The entries that have a match, and the positions of the matches in `other`.
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
  result.nvals = static_cast<index_t>(found);
  result.values = here.allocate(found, op.z->size);
  buffer_pointer chosen;  // the entries of `walked` with a match; null: all
  const std::uint32_t* entry = nullptr;
  if (found == few.nvals) {
    result.indices = walked.indices;
  } else {
    chosen = list_positions(here, flags, few.nvals, found);
    entry = here.read_as<std::uint32_t>(chosen);
    result.indices = here.allocate(found, sizeof(std::uint32_t));
    auto* index = here.write_as<std::uint32_t>(result.indices);
    for_chunks(here.threads(), found, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) index[n] = few.indices[entry[n]];
    });
  }
  const auto* index = here.read_as<std::uint32_t>(result.indices);
  auto* to = here.write_as<std::byte>(result.values);
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
  settle(here, result, false);
  return result;
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

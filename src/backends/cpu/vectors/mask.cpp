// SPDX-License-Identifier: Apache-2.0

// The positions that a mask allows, and the entries of a vector at them.
//
// Filtering costs O(nvals(v)) look-ups for a sparse v, O(length of the list) for a dense v and a
// set that is a list, otherwise O(n) byte operations. Values are copied only into sparse results: a
// dense vector keeps its values and gets new flags.

#include "backends/cpu/vectors/mask.hpp"

#include <vector>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"

namespace tropic::detail::on_cpu {

truth::truth(const type_description& type)
    : bytes_(type.code == type_code::record ? 0 : type.size), significant_(~std::uint64_t{0}) {
  // All bits of a floating-point value but the sign: -0 is zero, NaN is not.
  if (type.code == type_code::fp32) significant_ = 0x7fffffffu;
  if (type.code == type_code::fp64) significant_ >>= 1;
}

position_set::position_set(const memory_side& here, const vector_base& mask, bool structural,
                           bool complemented)
    : is_sparse_(mask.storage == vector_storage::sparse),
      complemented_(complemented),
      is_true_(*mask.type),
      bytes_(mask.type->size) {
  const vector_view of(here, mask);
  if (!is_sparse_) {
    present_ = of.present;
    values_ = structural ? nullptr : of.values;
    return;
  }
  list_ = of.indices;
  list_size_ = of.nvals;
  list_buffer_ = mask.indices;
  if (structural || of.nvals == 0) return;
  const buffer_pointer keep = here.allocate(of.nvals, 1);
  auto* flags = here.write_as<std::uint8_t>(keep);
  const std::size_t found =
      sum_over_chunks(here.threads(), of.nvals, [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t n = begin; n < end; ++n) count += flags[n] = is_true_(of.value(n));
        return count;
      });
  if (found == of.nvals) return;
  const buffer_pointer chosen = list_positions(here, flags, of.nvals, found);
  auto* at = here.write_as<std::uint32_t>(chosen, access::modify);
  for_chunks(here.threads(), found, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) at[n] = of.indices[at[n]];
  });
  list_ = at;
  list_size_ = found;
  list_buffer_ = chosen;
}

void position_set::look_up(const std::uint32_t* positions, std::size_t count,
                           std::uint8_t* flags) const {
  const bool outside = complemented_;
  if (!is_sparse_) {
    for (std::size_t n = 0; n < count; ++n) flags[n] = holds(positions[n]) != outside;
    return;
  }
  if (count == 0) return;
  std::size_t at = advance(list_, list_size_, 0, positions[0]);
  for (std::size_t n = 0; n < count; ++n) {
    at = advance(list_, list_size_, at, positions[n]);
    flags[n] = (at < list_size_ && list_[at] == positions[n]) != outside;
  }
}

void position_set::look_up(std::size_t begin, std::size_t count, std::uint8_t* flags) const {
  const bool outside = complemented_;
  if (is_sparse_) {
    std::memset(flags, outside, count);
    std::size_t at = advance(list_, list_size_, 0, static_cast<std::uint32_t>(begin));
    for (; at < list_size_ && list_[at] < begin + count; ++at) flags[list_[at] - begin] = !outside;
  } else if (values_ != nullptr) {
    for (std::size_t n = 0; n < count; ++n) flags[n] = holds(begin + n) != outside;
  } else if (present_ != nullptr) {
    for (std::size_t n = 0; n < count; ++n) flags[n] = (present_[begin + n] != 0) != outside;
  } else {
    std::memset(flags, !outside, count);
  }
}

namespace {

vector_base filter_sparse(const memory_side& here, const vector_base& v, const position_set& set) {
  const vector_view from(here, v);
  const buffer_pointer keep = here.allocate(from.nvals, 1);
  auto* flags = here.write_as<std::uint8_t>(keep);
  for_chunks(here.threads(), from.nvals, [&](std::size_t begin, std::size_t end) {
    set.look_up(from.indices + begin, end - begin, flags + begin);
  });
  return keep_entries(here, v, flags);
}

// The entries of a dense v at a list of positions: sparse.
vector_base pick(const memory_side& here, const vector_base& v, const position_set& set) {
  const vector_view from(here, v);
  const std::size_t count = set.list_size();
  vector_base result = shell(here, *v.type, v.size);
  result.indices = set.list_buffer();
  std::size_t found = count;
  if (from.present && count > 0) {
    const buffer_pointer keep = here.allocate(count, 1);
    auto* flags = here.write_as<std::uint8_t>(keep);
    found = sum_over_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
      std::size_t sum = 0;
      for (std::size_t n = begin; n < end; ++n) sum += flags[n] = from.present[set.list()[n]] != 0;
      return sum;
    });
    if (found < count) {
      result.indices = list_positions(here, flags, count, found);
      auto* at = here.write_as<std::uint32_t>(result.indices, access::modify);
      for (std::size_t n = 0; n < found; ++n) at[n] = set.list()[at[n]];
    }
  }
  result.nvals = static_cast<index_t>(found);
  result.values = here.allocate(found, from.bytes);
  auto* to = here.write_as<std::byte>(result.values);
  const auto* index = here.read_as<std::uint32_t>(result.indices);
  for_chunks(here.threads(), found, [&](std::size_t begin, std::size_t end) {
    gather(to + begin * from.bytes, from.values, index + begin, end - begin, from.bytes);
  });
  return result;
}

}  // namespace

vector_base filter(const memory_side& here, const vector_base& v, const position_set& set) {
  if (v.nvals == 0) return v;
  if (v.storage == vector_storage::sparse) {
    // Algorithms often mask a frontier by its own structure.
    const bool is_own =
        set.is_list() && set.list_buffer() == v.indices && set.list_size() == as_size(v.nvals);
    return is_own ? v : filter_sparse(here, v, set);
  }
  if (set.is_list()) return pick(here, v, set);
  const vector_view from(here, v);
  vector_base result = v;
  result.present = here.allocate(from.size, 1);
  result.storage = vector_storage::bitmap;
  auto* flags = here.write_as<std::uint8_t>(result.present);
  result.nvals = static_cast<index_t>(
      sum_over_chunks(here.threads(), from.size, [&](std::size_t begin, std::size_t end) {
        set.look_up(begin, end - begin, flags + begin);
        std::size_t count = 0;
        for (std::size_t i = begin; i < end; ++i)
          count += flags[i] = static_cast<std::uint8_t>(flags[i] & from.has(i));
        return count;
      }));
  if (result.nvals == result.size) hold_as(here, result, vector_storage::full);
  return result;
}

}  // namespace tropic::detail::on_cpu

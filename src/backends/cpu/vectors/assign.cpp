// SPDX-License-Identifier: Apache-2.0

// Assigns to a vector (GraphBLAS C API 2.0, 4.3.7): the listed positions of w take the entries of
// u, or one value; mask and replace apply to the whole of w. Under a sparse mask, or for a short
// list, the cost is proportional to the number of positions that mask or list contain.

#include <algorithm>
#include <numeric>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/cpu/vectors/merge.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

// w(i) = value at the positions i of a set, where w is full.
void fill_inside(const memory_side& here, vector_base& w, const std::byte* value,
                 const position_set& set) {
  const std::size_t bytes = w.type->size;
  auto* to = here.write_as<std::byte>(w.values, access::modify);
  for_chunks(here.threads(), as_size(w.size), [&](std::size_t begin, std::size_t end) {
    std::uint8_t flags[chunk_size];
    set.look_up(begin, end - begin, flags);
    with_element_size(bytes, [&]<std::size_t N>() {
      for (std::size_t n = begin; n < end; ++n)
        if (flags[n - begin]) copy_element<N>(to, n, value, 0, bytes);
    });
  });
}

buffer_pointer copies_of(const memory_side& here, const void* value, std::size_t count,
                         std::size_t bytes) {
  buffer_pointer result = here.allocate(count, bytes);
  auto* to = here.write_as<std::byte>(result);
  for_chunks(here.threads(), count, [&](std::size_t begin, std::size_t end) {
    fill(to + begin * bytes, value, end - begin, bytes);
  });
  return result;
}

// Writes the entries of t to the positions of w that the mask allows, restricted to `listed` if
// given. t has no entry elsewhere.
void write_listed(const memory_side& here, vector_base& w, vector_base t, const vector_base* listed,
                  const vector_rule& rule) {
  if (rule.mask == &w) {
    const vector_base mask = w;
    vector_rule kept = rule;
    kept.mask = &mask;
    return write_listed(here, w, std::move(t), listed, kept);
  }
  std::optional<position_set> mask;
  vector_base positions;  // of the list, as far as the mask allows them
  if (listed) positions = *listed;
  if (rule.mask) {
    mask.emplace(here, rule);
    t = filter(here, t, *mask);
    if (listed) positions = filter(here, positions, *mask);
  }
  const auto write = [&](vector_base& into) {
    if (listed && rule.accumulator == nullptr)
      overwrite(here, into, std::move(t), position_set(here, positions, true, false));
    else
      unite(here, into, std::move(t), rule.accumulator);
  };
  if (!mask || !rule.replace) return write(w);
  vector_base next = filter(here, w, *mask);
  write(next);
  settle(here, next, true);
  w = std::move(next);
}

// A listed position and the entry of u that is assigned to it.
struct target {
  std::uint32_t position;
  std::uint32_t from;
};

// The list as ascending indices; if it did not ascend, `order` gives the original position of each.
buffer_pointer ascending(const memory_side& here, std::span<const index_t> list,
                         buffer_pointer* order = nullptr) {
  buffer_pointer result = here.allocate(list.size(), sizeof(std::uint32_t));
  auto* to = here.write_as<std::uint32_t>(result);
  if (std::is_sorted(list.begin(), list.end())) {
    std::transform(list.begin(), list.end(), to,
                   [](index_t i) { return static_cast<std::uint32_t>(i); });
    return result;
  }
  const buffer_pointer targets = here.allocate(list.size(), sizeof(target));
  auto* sorted = here.write_as<target>(targets);
  for (std::size_t n = 0; n < list.size(); ++n)
    sorted[n] = {static_cast<std::uint32_t>(list[n]), static_cast<std::uint32_t>(n)};
  std::sort(sorted, sorted + list.size(),
            [](const target& a, const target& b) { return a.position < b.position; });
  if (order) *order = here.allocate(list.size(), sizeof(std::uint32_t));
  auto* from = order ? here.write_as<std::uint32_t>(*order) : nullptr;
  for (std::size_t n = 0; n < list.size(); ++n) {
    to[n] = sorted[n].position;
    if (from) from[n] = sorted[n].from;
  }
  return result;
}

vector_base sparse_of(const memory_side& here, const vector_base& like, buffer_pointer indices,
                      buffer_pointer values, std::size_t count) {
  vector_base result = shell(here, *like.type, like.size);
  result.indices = std::move(indices);
  result.values = std::move(values);
  result.nvals = static_cast<index_t>(count);
  return result;
}

}  // namespace

void cpu_backend::assign(vector_base& w, const void* value, const positions& to,
                         const vector_rule& rule) {
  const memory_side here(context_, on_host_);
  const std::size_t n = as_size(w.size), bytes = w.type->size;
  alignas(64) std::byte given[sizeof(scalar_bytes)];
  std::memcpy(given, value, bytes);  // it may be an element of w
  if (!to.all) {
    vector_base t = sparse_of(here, w, ascending(here, to.list),
                              copies_of(here, given, to.list.size(), bytes), to.list.size());
    return write_listed(here, w, std::move(t), nullptr, rule);
  }
  if (rule.mask) {
    const position_set set(here, rule);
    if (set.is_list()) {
      vector_base t = sparse_of(here, w, set.list_buffer(),
                                copies_of(here, given, set.list_size(), bytes), set.list_size());
      return write_listed(here, w, std::move(t), nullptr, rule);
    }
    if (rule.accumulator == nullptr && !rule.replace && rule.mask != &w &&
        w.storage == vector_storage::full && memory_side::is_exclusive(w.values))
      return fill_inside(here, w, given, set);
  } else if (rule.accumulator == nullptr && w.storage == vector_storage::full && n > 0 &&
             memory_side::is_exclusive(w.values)) {
    auto* all = here.write_as<std::byte>(w.values);
    for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
      fill(all + begin * bytes, given, end - begin, bytes);
    });
    return;
  }
  vector_base t = shell(here, *w.type, w.size);
  t.values = copies_of(here, given, n, bytes);
  t.storage = vector_storage::full;
  t.nvals = w.size;
  write_back(w, std::move(t), rule);
}

void cpu_backend::assign(vector_base& w, const vector_base& u, const positions& to,
                         const vector_rule& rule) {
  if (to.all) return write_back(w, vector_base(u), rule);
  const memory_side here(context_, on_host_);
  const vector_view from(here, u);
  buffer_pointer order;
  const std::size_t count = to.list.size();
  const vector_base listed = sparse_of(here, w, ascending(here, to.list, &order), nullptr, count);
  const auto* index = here.read_as<std::uint32_t>(listed.indices);
  const auto* source = here.read_as<std::uint32_t>(order);
  // The positions of the list for which u has an entry, and the positions of these entries.
  const buffer_pointer keep = here.allocate(count, 1);
  auto* flags = here.write_as<std::uint8_t>(keep);
  const buffer_pointer entries = here.allocate(count, sizeof(std::uint32_t));
  auto* entry = here.write_as<std::uint32_t>(entries);
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint32_t i = source ? source[n] : static_cast<std::uint32_t>(n);
    entry[n] = i;
    if (!from.is_sparse()) {
      flags[n] = from.has(i);
      continue;
    }
    const auto* found = std::lower_bound(from.indices, from.indices + from.nvals, i);
    flags[n] = found != from.indices + from.nvals && *found == i;
    entry[n] = static_cast<std::uint32_t>(found - from.indices);
  }
  const std::size_t kept = count_flags(here, flags, count);
  vector_base t = sparse_of(here, w, here.allocate(kept, sizeof(std::uint32_t)),
                            here.allocate(kept, from.bytes), kept);
  auto* t_index = here.write_as<std::uint32_t>(t.indices);
  auto* t_values = here.write_as<std::byte>(t.values);
  std::size_t at = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (!flags[n]) continue;
    t_index[at] = index[n];
    std::memcpy(t_values + at++ * from.bytes, from.value(entry[n]), from.bytes);
  }
  write_listed(here, w, std::move(t), &listed, rule);
}

}  // namespace tropic::detail

// SPDX-License-Identifier: Apache-2.0

// w<mask> accum= t for vectors (GraphBLAS C API 2.0, 2.5.5), in three steps:
//
//   filter     the entries of a vector at the positions of the mask
//   unite      w with t, by the accumulator; only t's entries are visited if w is dense
//   overwrite  at the positions of the mask w takes t's entries, or loses its own
//
//   no mask, no accumulator   w = t                        the buffers are moved
//   no accumulator, replace   w = filter(t)
//   accumulator               w = unite(w, filter(t))
//   accumulator, replace      w = unite(filter(w), filter(t))
//   neither                   overwrite(w, filter(t))
//
// The iterations of an algorithm on a large graph are thousands of steps with few entries each: if
// w is dense and its buffers are exclusive, t is sparse and the mask is a list or absent, a step
// costs O(nvals(t) + nvals(mask)).

#include "backends/cpu/backend.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/cpu/vectors/merge.hpp"

namespace tropic::detail {

namespace on_cpu {

namespace {

// Deletes the entries of a dense w at the positions of a list: only its flags change.
void erase(const memory_side& here, vector_base& w, const position_set& set) {
  const std::size_t n = as_size(w.size);
  const bool in_place = memory_side::is_exclusive(w.present);
  const buffer_pointer next = in_place ? w.present : here.allocate(n, 1);
  auto* flags = here.write_as<std::uint8_t>(next, in_place ? access::modify : access::overwrite);
  if (!in_place) {
    const auto* present = here.read_as<std::uint8_t>(w.present);
    for_chunks(here.threads(), n, [&](std::size_t begin, std::size_t end) {
      if (present)
        std::memcpy(flags + begin, present + begin, end - begin);
      else
        std::memset(flags + begin, 1, end - begin);
    });
  }
  w.nvals -= static_cast<index_t>(
      sum_over_chunks(here.threads(), set.list_size(), [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t m = begin; m < end; ++m) {
          std::uint8_t& flag = flags[set.list()[m]];
          count += flag != 0;
          flag = 0;
        }
        return count;
      }));
  w.present = next;
  w.storage = vector_storage::bitmap;
}

// In place, provided that w is dense, its values are exclusive, and t is filtered already. The
// entries of w to keep are not given as a list.
void overwrite_dense(const memory_side& here, vector_base& w, vector_base t,
                     const position_set& set) {
  here.write_as<std::byte>(w.values, access::modify);  // all allocations happen here
  if (!set.is_list()) {
    vector_base kept = filter(here, w, set.complement());
    w.present = std::move(kept.present);
    w.storage = kept.storage;
    w.nvals = kept.nvals;
  } else if (as_size(t.nvals) <
             set.list_size()) {  // otherwise t overwrites everything that would be erased
    erase(here, w, set);
  }
  unite(here, w, std::move(t), nullptr);
}

}  // namespace

void overwrite(const memory_side& here, vector_base& w, vector_base t, const position_set& set) {
  t = filter(here, t, set);
  if (w.nvals == 0) return unite(here, w, std::move(t), nullptr);
  if (w.storage == vector_storage::sparse || set.complement().is_list()) {
    vector_base next = filter(here, w, set.complement());
    unite(here, next, std::move(t), nullptr);
    w = std::move(next);
  } else if (memory_side::is_exclusive(w.values)) {
    overwrite_dense(here, w, std::move(t), set);
  } else {
    vector_base next = w;
    next.values = here.clone(w.values);
    overwrite_dense(here, next, std::move(t), set);
    w = std::move(next);
  }
}

void write_vector(const memory_side& here, vector_base& w, vector_base t, const vector_rule& rule) {
  if (rule.mask == &w) {  // w changes under the mask: the mask must keep the old buffers
    const vector_base mask = w;
    vector_rule kept = rule;
    kept.mask = &mask;
    return write_vector(here, w, std::move(t), kept);
  }
  t.type = w.type;  // an equal one may belong to an operator that is evaluated before w
  if (rule.mask == nullptr) {
    if (rule.accumulator) return unite(here, w, std::move(t), rule.accumulator);
    settle(here, t, true);
    w = std::move(t);
    return;
  }
  const position_set set(here, rule);
  if (rule.replace) {
    t = filter(here, t, set);
    if (rule.accumulator) {
      vector_base next = filter(here, w, set);
      unite(here, next, std::move(t), rule.accumulator);
      t = std::move(next);
    }
    settle(here, t, true);
    w = std::move(t);
  } else if (rule.accumulator) {
    unite(here, w, filter(here, t, set), rule.accumulator);
  } else {
    overwrite(here, w, std::move(t), set);
  }
}

}  // namespace on_cpu

void cpu_backend::write_back(vector_base& w, vector_base&& t, const vector_rule& rule) {
  on_cpu::write_vector(on_cpu::memory_side(context_, on_host_), w, std::move(t), rule);
}

}  // namespace tropic::detail

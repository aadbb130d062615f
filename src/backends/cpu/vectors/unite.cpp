// SPDX-License-Identifier: Apache-2.0

// The union of two vectors, into the first.
//
//   w dense, t sparse    t's entries are scattered into w, in place if w's buffers are exclusive
//   w sparse, t dense    w's entries are scattered into a copy of t
//   both dense           one pass over all positions, in place if w's values are exclusive
//   both sparse          a merge; if more than an eighth full, w becomes a bitmap first
//
// Every entry is computed separately, so results do not depend on pieces or threads.

#include <algorithm>
#include <numeric>
#include <vector>

#include <optional>
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "backends/cpu/vectors/merge.hpp"

namespace tropic::detail::on_cpu {

namespace {

// Branch-free: presence is often random.
bool both(bool a, bool b) {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}
bool either(bool a, bool b) {
  return (static_cast<unsigned>(a) | static_cast<unsigned>(b)) != 0;
}

buffer_pointer exclusive(const memory_side& here, const buffer_pointer& b) {
  return memory_side::is_exclusive(b) || b == nullptr ? b : here.clone(b);
}

// Scatters `few` (sparse) into `many` (dense), whose buffers become exclusive. `op` takes the value
// of `many` as its first operand if `many_first`; without op the value of `few` is kept if
// `many_first`.
void scatter_into(const memory_side& here, vector_base& many, const vector_base& few,
                  const operator_description* op, bool many_first) {
  const buffer_pointer values = exclusive(here, many.values),
                       present = exclusive(here, many.present);
  const vector_view from(here, few);
  auto* to = here.write_as<std::byte>(values, access::modify);
  auto* flags = here.write_as<std::uint8_t>(present, access::modify);
  const std::size_t bytes = from.bytes;
  const std::size_t added =
      sum_over_chunks(here.threads(), from.nvals, [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        if (op == nullptr && many_first) {
          scatter(to, from.indices + begin, from.value(begin), end - begin, bytes);
          if (flags)
            for (std::size_t n = begin; n < end; ++n) {
              count += !flags[from.indices[n]];
              flags[from.indices[n]] = 1;
            }
          return count;
        }
        const operand_source mine{to, bytes, false}, other{from.values, bytes, false};
        with_element_size(bytes, [&]<std::size_t N>() {
          const auto merge = [&](auto&& combine) {
            for (std::size_t n = begin; n < end; ++n) {
              const std::size_t i = from.indices[n];
              if (flags == nullptr || flags[i]) {
                combine(n, i);
              } else {
                copy_element<N>(to, i, from.values, n, bytes);
                flags[i] = 1;
                ++count;
              }
            }
          };
          if (op == nullptr) return merge([](std::size_t, std::size_t) {});
          if (many_first) {
            entry_batch batch(*op, mine, other, to);
            merge([&](std::size_t n, std::size_t i) { batch.add(i, n, i, i); });
            batch.flush();
          } else {
            entry_batch batch(*op, other, mine, to);
            merge([&](std::size_t n, std::size_t i) { batch.add(n, i, i, i); });
            batch.flush();
          }
        });
        return count;
      });
  many.values = values;
  many.present = present;
  many.nvals += static_cast<index_t>(added);
  settle(here, many, false);
}

void unite_dense(const memory_side& here, vector_base& w, const vector_base& t,
                 const operator_description* op) {
  const bool in_place = memory_side::is_exclusive(w.values);
  const bool full = w.storage == vector_storage::full || t.storage == vector_storage::full;
  const vector_view left(here, w), right(here, t);
  const buffer_pointer values = in_place ? w.values : here.allocate(left.size, left.bytes);
  buffer_pointer present;
  if (!full)
    present = memory_side::is_exclusive(w.present) ? w.present : here.allocate(left.size, 1);
  auto* to = here.write_as<std::byte>(values, in_place ? access::modify : access::overwrite);
  auto* flags = here.write_as<std::uint8_t>(
      present, present == w.present ? access::modify : access::overwrite);
  const std::byte* first = in_place ? to : left.values;
  const std::uint8_t* first_present = present == w.present ? flags : left.present;
  const std::size_t bytes = left.bytes;
  const auto in_first = [&](std::size_t i) { return !first_present || first_present[i]; };
  const std::size_t found =
      sum_over_chunks(here.threads(), left.size, [&](std::size_t begin, std::size_t end) {
        if (op == nullptr && right.present == nullptr) {
          std::memcpy(to + begin * bytes, right.value(begin), (end - begin) * bytes);
          return end - begin;
        }
        std::optional<entry_batch> batch;
        if (op)
          batch.emplace(*op, operand_source{first, bytes, false},
                        operand_source{right.values, bytes, false}, to);
        if (op && first_present == nullptr && right.present == nullptr) {
          batch->add_run(begin, begin, begin, end - begin, begin);
          batch->flush();
          return end - begin;
        }
        std::size_t count = 0;
        std::size_t at[entry_batch::capacity];
        const auto copy = [&](const std::byte* from, std::size_t found) {
          with_element_size(bytes, [&]<std::size_t N>() {
            for (std::size_t n = 0; n < found; ++n) copy_element<N>(to, at[n], from, at[n], bytes);
          });
        };
        for (std::size_t low = begin; low < end; low += entry_batch::capacity) {
          const std::size_t high = std::min(end, low + entry_batch::capacity);
          if (op) {
            batch->add_at(at, collect(low, high, at, [&](std::size_t i) {
                            return both(in_first(i), right.has(i));
                          }));
          }
          copy(right.values, collect(low, high, at, [&](std::size_t i) {
                 return both(right.has(i), !(op && in_first(i)));
               }));
          if (!in_place)
            copy(first, collect(low, high, at,
                                [&](std::size_t i) { return both(in_first(i), !right.has(i)); }));
          for (std::size_t i = low; i < high; ++i) {
            const bool has = either(in_first(i), right.has(i));
            count += has;
            if (flags) flags[i] = has;
          }
        }
        if (op) batch->flush();
        return count;
      });
  w.values = values;
  w.present = present;
  w.indices = nullptr;
  w.storage = full ? vector_storage::full : vector_storage::bitmap;
  w.nvals = static_cast<index_t>(found);
  settle(here, w, false);
}

// One piece of a merge of two ascending lists.
struct piece {
  std::size_t u_begin, u_end, v_begin, v_end;
};

std::vector<piece> pieces_of(const vector_view& u, const vector_view& v) {
  const std::size_t count = chunks_of(u.nvals + v.nvals);
  const vector_view& longer = u.nvals >= v.nvals ? u : v;
  const auto cut = [&](const vector_view& of, std::size_t n) {
    if (n == 0) return std::size_t{0};
    if (n == count) return of.nvals;
    const std::uint32_t at = longer.indices[longer.nvals * n / count];
    return static_cast<std::size_t>(std::lower_bound(of.indices, of.indices + of.nvals, at) -
                                    of.indices);
  };
  std::vector<piece> result(count);
  for (std::size_t n = 0; n < count; ++n)
    result[n] = {cut(u, n), cut(u, n + 1), cut(v, n), cut(v, n + 1)};
  return result;
}

// visit(a, b) for each position of either list: its entries in u and v, `none` if there is none.
template <class F>
void merge_lists(const std::uint32_t* u, const std::uint32_t* v, const piece& p, F&& visit) {
  std::size_t a = p.u_begin, b = p.v_begin;
  while (a < p.u_end && b < p.v_end) {
    if (u[a] < v[b])
      visit(a++, none);
    else if (v[b] < u[a])
      visit(none, b++);
    else
      visit(a++, b++);
  }
  while (a < p.u_end) visit(a++, none);
  while (b < p.v_end) visit(none, b++);
}

void unite_sparse(const memory_side& here, vector_base& w, const vector_base& t,
                  const operator_description* op) {
  const vector_view u(here, w), v(here, t);
  const std::vector<piece> pieces = pieces_of(u, v);
  std::vector<std::size_t> start(pieces.size() + 1, 0);
  for_blocks(here.threads(), pieces.size(), [&](std::size_t n) {
    std::size_t count = 0;
    merge_lists(u.indices, v.indices, pieces[n], [&](std::size_t, std::size_t) { ++count; });
    start[n + 1] = count;
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  const std::size_t total = start.back(), bytes = u.bytes;
  if (total > u.size / 8) {
    vector_base dense = w;
    hold_as(here, dense, vector_storage::bitmap);
    scatter_into(here, dense, t, op, true);
    w = std::move(dense);
    return;
  }
  const buffer_pointer indices = here.allocate(total, sizeof(std::uint32_t));
  const buffer_pointer values = here.allocate(total, bytes);
  auto* index = here.write_as<std::uint32_t>(indices);
  auto* to = here.write_as<std::byte>(values);
  for_blocks(here.threads(), pieces.size(), [&](std::size_t n) {
    with_element_size(bytes, [&]<std::size_t N>() {
      std::size_t at = start[n];
      const auto fill_piece = [&](auto&& both) {
        merge_lists(u.indices, v.indices, pieces[n], [&](std::size_t a, std::size_t b) {
          if (a == none)
            copy_element<N>(to, at, v.values, b, bytes);
          else if (b == none)
            copy_element<N>(to, at, u.values, a, bytes);
          else
            both(a, b, at);
          index[at++] = a == none ? v.indices[b] : u.indices[a];
        });
      };
      if (op == nullptr) {
        fill_piece([&](std::size_t, std::size_t b, std::size_t z) {
          copy_element<N>(to, z, v.values, b, bytes);
        });
      } else {
        entry_batch batch(*op, {u.values, bytes, false}, {v.values, bytes, false}, to);
        fill_piece(
            [&](std::size_t a, std::size_t b, std::size_t z) { batch.add(a, b, z, u.indices[a]); });
        batch.flush();
      }
    });
  });
  w.indices = indices;
  w.values = values;
  w.nvals = static_cast<index_t>(total);
}

}  // namespace

void unite(const memory_side& here, vector_base& w, vector_base t, const operator_description* op) {
  if (t.nvals == 0) return;
  t.type = w.type;
  const bool w_sparse = w.storage == vector_storage::sparse;
  const bool t_sparse = t.storage == vector_storage::sparse;
  if (w_sparse && w.nvals == 0) {
    settle(here, t, false);
    w = std::move(t);
  } else if (w_sparse && t_sparse) {
    unite_sparse(here, w, t, op);
  } else if (t_sparse) {
    scatter_into(here, w, t, op, true);
  } else if (w_sparse) {
    scatter_into(here, t, w, op, false);
    w = std::move(t);
  } else {
    unite_dense(here, w, t, op);
  }
}

}  // namespace tropic::detail::on_cpu

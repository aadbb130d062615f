// SPDX-License-Identifier: Apache-2.0

// See placed_rows.hpp.

#include "io/placed_rows.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include <tropic/detail/hash.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/duplicates.hpp"
#include "containers/grouped_entries.hpp"
#include "containers/integers.hpp"

namespace tropic::io::detail {

using tropic::duplicates;
using tropic::detail::as_size;
using tropic::detail::cancel_watch;
using tropic::detail::make_buffer;
using tropic::detail::matrix_base;
using tropic::detail::read_plan;

namespace {

constexpr int most_bits = 12;  // of the number of a bucket
constexpr std::size_t most_buckets = std::size_t{1} << most_bits;
constexpr int most_shift = 16;                                    // 16 bits number a bucket's rows
constexpr std::size_t harmless_bucket = std::size_t{1} << 16;     // of any share of the entries
constexpr std::size_t largest_bucket = std::size_t{0xffffffffU};  // 32 bits number its entries

int bits_of(index_t count) {
  return count <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count) - 1));
}

/// Calls f(block) for the entries of the text. Blocks of a chunk come in order, those of different
/// chunks from different threads.
template <class F>
void parse_blocks(const coordinates& header, const entry_text& text, const job& work, F&& f) {
  constexpr std::size_t most = 4096;
  const data_lines& lines = text.lines;
  with_builtin_type(header.type, [&]<class T>() {
    for_each_task(lines.chunks.size(), work, [&](std::size_t chunk) {
      const std::size_t room = std::min(most, lines.first[chunk + 1] - lines.first[chunk]);
      coordinates block;
      block.type = header.type;
      block.row.resize(room);
      block.column.resize(room);
      if (!header.pattern) block.values.resize(room * sizeof(T));
      auto* const values = reinterpret_cast<T*>(block.values.data());
      cursor c(lines.chunks[chunk]);
      // A file that changes while it is read must not write past the block.
      for (std::size_t k = lines.first[chunk], end = std::min(text.limit, lines.first[chunk + 1]);
           k < end;) {
        std::size_t count = 0;
        for (; count < room && k < end && next_data_line(c, lines.comments); ++count, ++k)
          parse_entry<T>(c, count, text.layout, text.vertices, block, values);
        if (count == 0) break;
        f(entry_block{
            chunk, {block.row.data(), count}, {block.column.data(), count}, block.values.data()});
      }
    });
  });
}

/// A number that changes if any of the positions does.
template <class Counts>
std::uint64_t sum_of_positions(const std::vector<Counts>& counts) {
  std::uint64_t sum = 0, place = 0;
  for (const Counts& of : counts)
    for (const auto* list : {&of.direct, &of.image})
      for (const std::uint64_t position : *list)
        sum += tropic::detail::mix(tropic::detail::mix(++place) + position);
  return sum;
}

/// Gives a matrix whose entries have been merged arrays of their number, one after another.
void shorten(matrix_base& m) {
  const std::size_t kept = as_size(m.nnz);
  const auto shortened = [&](tropic::detail::buffer_pointer& from, std::size_t bytes) {
    tropic::detail::buffer_pointer copy = make_buffer(m.context, bytes);
    std::memcpy(copy->host_write(), from->host(), bytes);
    from = std::move(copy);
  };
  shortened(m.column_indices, kept * sizeof(std::uint32_t));
  if (!m.iso) shortened(m.values, kept * m.type->size);
  if (!m.wide || kept > 0xffffffffU) return;
  const auto* const wide = static_cast<const std::uint64_t*>(m.offsets->host());
  tropic::detail::buffer_pointer narrow =
      make_buffer(m.context, (as_size(m.rows) + 1) * sizeof(std::uint32_t));
  std::transform(wide, wide + m.rows + 1, static_cast<std::uint32_t*>(narrow->host_write()),
                 [](std::uint64_t offset) { return static_cast<std::uint32_t>(offset); });
  m.offsets = std::move(narrow);
  m.wide = false;
}

}  // namespace

/// What the second pass fills.
struct row_placer::target {
  target(read_plan wanted, const coordinates& of) : plan(std::move(wanted)), header(of) {}

  read_plan plan;
  const coordinates& header;
  std::size_t rows = 0, total = 0, buckets = 0, largest = 0;
  int shift = 0, column_bits = 0, threads = 1;
  bool is_packed = false;            ///< a column's free bits hold the row's number in its bucket
  std::vector<std::uint64_t> begin;  ///< of each bucket, then the total
  std::unique_ptr<std::uint16_t[]> local;  ///< the row's number in its bucket, unless packed
  matrix_base result{};
  std::size_t value_size = 0;  ///< 0: one value for all entries

  std::uint32_t* columns() {
    return static_cast<std::uint32_t*>(result.column_indices->host_write(access));
  }
  std::byte* values() {
    return value_size == 0 ? nullptr : static_cast<std::byte*>(result.values->host_write(access));
  }
  static constexpr auto access = tropic::detail::access::modify;
};

void row_placer::chunk_counts::fold_to(int wanted) {
  for (auto* counts : {&direct, &image}) {
    const std::size_t step = std::size_t{1} << (wanted - shift);
    for (std::size_t b = 0; b < counts->size(); ++b) {
      const std::uint64_t count = std::exchange((*counts)[b], 0);
      (*counts)[b / step] += count;
    }
    counts->resize((counts->size() + step - 1) / step);
  }
  shift = wanted;
}

void row_placer::chunk_counts::add(std::vector<std::uint64_t>& counts, std::uint32_t row) {
  if (row >> shift >= counts.size()) {
    if (row >> shift >= most_buckets) fold_to(static_cast<int>(std::bit_width(row)) - most_bits);
    const std::size_t needed = std::size_t{row >> shift} + 1;
    if (needed > counts.size())
      counts.resize(std::min(std::max(needed, 2 * counts.size()), most_buckets));
  }
  ++counts[row >> shift];
}

row_placer::row_placer(tropic::detail::context_pointer context, const plan_function& plan,
                       std::size_t least_entries, std::size_t usual_bucket)
    : context_(std::move(context)),
      plan_(plan),
      least_entries_(least_entries),
      usual_bucket_(usual_bucket) {}

bool row_placer::wants(const coordinates& header, std::size_t lines, mirror_rule mirror,
                       const read_options& options) {
  mirror_ = mirror;
  if (options.undirected && mirror == mirror_rule::none) mirror_ = mirror_rule::same;
  // Images of images, and what make_undirected refuses, are for lists.
  if (options.undirected && (mirror_ != mirror_rule::same || header.rows != header.columns))
    return false;
  return !header.complex && lines > 0 && lines >= least_entries_;
}

void row_placer::count(const coordinates& header, const entry_text& text, const job& work) {
  counts_.assign(text.lines.chunks.size(), {});
  cancel_watch watch(context_);
  parse_blocks(header, text, work, [&](const entry_block& block) {
    watch.check();
    chunk_counts& counts = counts_[block.chunk];
    std::uint32_t largest = counts.largest;
    for (std::size_t e = 0; e < block.row.size(); ++e) {
      largest = std::max({largest, block.row[e], block.column[e]});
      counts.add(counts.direct, block.row[e]);
      if (mirror_ != mirror_rule::none && block.row[e] != block.column[e])
        counts.add(counts.image, block.column[e]);
    }
    counts.largest = largest;
  });
  vertices_ = 0;
  for (const chunk_counts& counts : counts_)
    vertices_ = std::max<std::uint64_t>(vertices_, std::uint64_t{counts.largest} + 1);
}

/// Makes the counters positions. False if a bucket is too large.
bool row_placer::find_positions(target& to) {
  const int row_bits = bits_of(to.header.rows);
  to.column_bits = bits_of(to.header.columns);
  const int usual =
      std::min(most_bits, static_cast<int>(std::bit_width(as_size(entries) / usual_bucket_)));
  // More buckets than usual, if then the numbers of their rows fit the columns' free bits.
  const int packing = row_bits + to.column_bits - 32;
  int shift = std::max(row_bits - (packing <= most_bits ? std::max(usual, packing) : usual), 0);
  for (const chunk_counts& counts : counts_) shift = std::max(shift, counts.shift);
  if (shift > most_shift) return false;
  to.shift = shift;
  to.is_packed = shift + to.column_bits <= 32;
  to.buckets = ((to.rows - 1) >> shift) + 1;
  for (chunk_counts& counts : counts_) {
    counts.fold_to(shift);
    counts.direct.resize(to.buckets);
    if (mirror_ != mirror_rule::none) counts.image.resize(to.buckets);
  }
  to.begin.reserve(to.buckets + 1);
  std::uint64_t at = 0;
  for (std::size_t b = 0; b < to.buckets; ++b) {
    to.begin.push_back(at);
    for (chunk_counts& counts : counts_) at += std::exchange(counts.direct[b], at);
    if (mirror_ != mirror_rule::none)
      for (chunk_counts& counts : counts_) at += std::exchange(counts.image[b], at);
    to.largest = std::max(to.largest, as_size(static_cast<index_t>(at - to.begin[b])));
  }
  to.begin.push_back(at);
  return to.largest <= std::max(to.total / 16, harmless_bucket) && to.largest <= largest_bucket;
}

/// Places the entries. False if the plan does not accept their values, or the text has changed.
bool row_placer::parse_into(target& to, const coordinates& header, const entry_text& text,
                            const job& work) {
  std::uint64_t expected = 0, place = 0;
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    const chunk_counts& counts = counts_[c];
    for (std::size_t b = 0; b < counts.direct.size(); ++b) {
      const bool is_last = c + 1 == counts_.size();
      const bool has_images = mirror_ != mirror_rule::none;
      const std::uint64_t end = !is_last     ? counts_[c + 1].direct[b]
                                : has_images ? counts_.front().image[b]
                                             : to.begin[b + 1];
      expected += tropic::detail::mix(tropic::detail::mix(++place) + end);
    }
    for (std::size_t b = 0; b < counts.image.size(); ++b) {
      const std::uint64_t end = c + 1 == counts_.size() ? to.begin[b + 1] : counts_[c + 1].image[b];
      expected += tropic::detail::mix(tropic::detail::mix(++place) + end);
    }
  }
  cancel_watch watch(context_);
  std::atomic<bool> is_refused{false};
  std::uint32_t* const columns = to.columns();
  std::byte* const all_values = to.values();
  with_builtin_type(header.type, [&]<class T>() {
    auto* const values = reinterpret_cast<T*>(all_values);
    const std::uint32_t mask = (1U << to.shift) - 1;
    const auto put = [&, values, columns, mask](std::uint64_t& next, std::uint32_t row,
                                                std::uint32_t column, T value) {
      const std::uint64_t at = next++;
      if (at >= to.total) return;  // the text has changed
      if (to.is_packed)
        columns[at] =
            static_cast<std::uint32_t>(std::uint64_t{row & mask} << to.column_bits) | column;
      else {
        columns[at] = column;
        to.local[at] = static_cast<std::uint16_t>(row & mask);
      }
      if (values != nullptr) values[at] = value;
    };
    parse_blocks(header, text, work, [&](const entry_block& block) {
      watch.check();
      if (is_refused.load(std::memory_order_relaxed)) return;
      const auto* const given = header.pattern ? nullptr : reinterpret_cast<const T*>(block.values);
      if (given != nullptr && to.plan.accepts && !to.plan.accepts(given, block.row.size())) {
        is_refused = true;
        return;
      }
      chunk_counts& counts = counts_[block.chunk];
      for (std::size_t e = 0; e < block.row.size(); ++e) {
        const std::uint32_t row = block.row[e], column = block.column[e];
        const T value = given == nullptr ? T{} : given[e];
        put(counts.direct[row >> to.shift], row, column, value);
        if (mirror_ != mirror_rule::none && row != column) {
          const T image = mirrored(value, mirror_);
          put(counts.image[column >> to.shift], column, row, image);
        }
      }
    });
  });
  return !is_refused && sum_of_positions(counts_) == expected;
}

/// Sorts the buckets by row and column, merges repeated entries and sets the offsets. False if the
/// repeated entries are not to be merged here.
template <class Offset>
bool row_placer::sort_buckets(target& to, const job& work) {
  struct scratch {
    std::vector<std::uint32_t> column;
    std::vector<std::byte> values;
    tropic::detail::entry_scratch<std::uint32_t> sorting;
  };
  auto* const offsets = static_cast<Offset*>(to.result.offsets->host_write());
  std::fill(offsets, offsets + to.rows + 1, Offset{0});
  std::uint32_t* const columns = to.columns();
  std::byte* const values = to.values();
  const bool is_iso = values == nullptr;
  const bool merges =
      to.plan.rule != duplicates::error && !(is_iso && to.plan.rule == duplicates::sum);
  const auto combine = tropic::detail::combiner(*to.result.type, to.plan.rule);
  std::vector<scratch> of_threads(static_cast<std::size_t>(to.threads));
  std::vector<std::uint64_t> kept(to.buckets, 0);
  std::atomic<bool> is_refused{false};
  cancel_watch watch(context_);
  const std::uint32_t column_mask =
      static_cast<std::uint32_t>((std::uint64_t{1} << to.column_bits) - 1);
  tropic::detail::with_size(to.value_size, [&](auto bytes) {
    for_each_task(to.buckets, work, [&, bytes](std::size_t b) {
      watch.check();
      if (is_refused.load(std::memory_order_relaxed)) return;
      scratch& s = of_threads[static_cast<std::size_t>(omp_get_thread_num())];
      const std::size_t begin = to.begin[b], end = to.begin[b + 1];
      const std::size_t first = b << to.shift,
                        rows = std::min(to.rows, (b + 1) << to.shift) - first;
      const auto local = [&](std::size_t e) -> std::size_t {
        return to.is_packed ? std::uint64_t{columns[e]} >> to.column_bits : to.local[e];
      };
      // While entries are copied, next[r] moves from the beginning of a row to its end.
      Offset* const next = offsets + first + 1;
      for (std::size_t e = begin; e < end; ++e) ++next[local(e)];
      std::exclusive_scan(next, next + rows, next, Offset{0});
      s.column.resize(end - begin);
      if (!is_iso) s.values.resize((end - begin) * bytes);
      for (std::size_t e = begin; e < end; ++e) {
        const std::size_t at = next[local(e)]++;
        s.column[at] = to.is_packed ? columns[e] & column_mask : columns[e];
        if (!is_iso) std::memcpy(s.values.data() + at * bytes, values + e * bytes, bytes);
      }
      std::size_t at = begin, row_begin = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t row_end = next[r], length = row_end - row_begin;
        const std::uint32_t* const row = s.column.data() + row_begin;
        bool is_strict = true;
        for (std::size_t e = 1; e < length; ++e) is_strict = is_strict && row[e - 1] < row[e];
        if (is_strict) {
          std::copy(row, row + length, columns + at);
          if (!is_iso && length > 0)
            std::memcpy(values + at * bytes, s.values.data() + row_begin * bytes, length * bytes);
          at += length;
        } else {
          auto& sorting = s.sorting;
          sorting.row.clear();
          for (std::size_t e = row_begin; e < row_end; ++e)
            sorting.row.emplace_back(s.column[e], static_cast<std::uint32_t>(e));
          tropic::detail::sort_pairs(sorting);
          const std::size_t row_at = at;
          for (const auto& [column, source] : sorting.row) {
            const std::byte* const value = is_iso ? nullptr : s.values.data() + source * bytes;
            if (at > row_at && columns[at - 1] == column) {
              if (!merges) is_refused = true;
              if (!is_iso) combine(values + (at - 1) * bytes, value, bytes);
            } else {
              columns[at] = column;
              if (!is_iso) std::memcpy(values + at * bytes, value, bytes);
              ++at;
            }
          }
        }
        row_begin = row_end;
        next[r] = static_cast<Offset>(at);
      }
      kept[b] = at - begin;
    });
  });
  if (is_refused) return false;
  // Buckets with repeated entries leave gaps before the next one.
  std::uint64_t at = 0;
  for (std::size_t b = 0; b < to.buckets; ++b) {
    if (const std::uint64_t gap = to.begin[b] - at; gap > 0) {
      std::copy(columns + to.begin[b], columns + to.begin[b] + kept[b], columns + at);
      if (!is_iso)
        std::memmove(values + at * to.value_size, values + to.begin[b] * to.value_size,
                     kept[b] * to.value_size);
      const std::size_t last = std::min(to.rows, (b + 1) << to.shift);
      for (std::size_t r = b << to.shift; r < last; ++r) offsets[r + 1] -= static_cast<Offset>(gap);
    }
    at += kept[b];
  }
  to.result.nnz = static_cast<index_t>(at);
  return true;
}

bool row_placer::place(coordinates& header, entry_text text, const job& work) {
  std::uint64_t images = 0, direct = 0;
  for (const chunk_counts& counts : counts_) {
    direct = std::accumulate(counts.direct.begin(), counts.direct.end(), direct);
    images = std::accumulate(counts.image.begin(), counts.image.end(), images);
  }
  entries = static_cast<index_t>(direct + images);
  header.stored = static_cast<index_t>(direct);
  header.symmetric = mirror_ == mirror_rule::same;
  if (header.pattern) set_iso_one(header);
  const auto give_up = [&] {
    counts_ = {};
    header.symmetric = false;
    return false;
  };
  std::optional<read_plan> plan = plan_(header, entries);
  if (!plan || header.rows == 0) return give_up();
  const bool is_iso = !plan->values || header.pattern;
  if (!is_iso && plan->type != header.type) return give_up();

  target to(std::move(*plan), header);
  to.rows = as_size(header.rows);
  to.total = as_size(entries);
  to.threads = work.thread_count();
  const type_description& type = describe(to.plan.type);
  to.value_size = is_iso ? 0 : type.size;
  if (!find_positions(to)) return give_up();
  const bool wide = direct + images > 0xffffffffU;
  const std::size_t an_entry = sizeof(std::uint32_t) + to.value_size;
  std::size_t bytes = bytes_for(to.total, an_entry + (to.is_packed ? 0 : 2));
  bytes = sum_of_bytes(bytes, bytes_for(to.rows + 1, wide ? 8 : 4));
  bytes = sum_of_bytes(bytes, bytes_for(counts_.size() * to.buckets, 16));
  // The copy of a bucket, and of a row that is sorted: 8 bytes twice.
  bytes = sum_of_bytes(bytes,
                       bytes_for(to.largest * static_cast<std::size_t>(to.threads), an_entry + 16));
  try {
    work.memory.require(bytes, "the rows");
  } catch (const out_of_memory&) {
    return give_up();  // listing needs more, and says so
  }

  const auto& context = context_;
  to.result = tropic::detail::empty_matrix(context, type, header.rows, header.columns);
  matrix_base& result = to.result;
  result.iso = is_iso;
  result.wide = wide;
  if (wide) result.offsets = make_buffer(context, (to.rows + 1) * sizeof(std::uint64_t));
  result.column_indices = make_buffer(context, to.total * sizeof(std::uint32_t));
  result.values = make_buffer(context, is_iso ? type.size : to.total * type.size);
  if (is_iso)
    with_builtin_type(to.plan.type, [&]<class T>() {
      const T one{1};
      std::memcpy(result.values->host_write(), &one, sizeof(T));
    });
  if (!to.is_packed) to.local = std::make_unique_for_overwrite<std::uint16_t[]>(to.total);
  text.vertices.rows = static_cast<std::uint64_t>(header.rows);
  text.vertices.columns = static_cast<std::uint64_t>(header.columns);
  job parse = work, sort = work;
  sort.from = parse.to = work.from + (work.to - work.from) * 0.7;
  progress = 1;
  if (!parse_into(to, header, text, parse)) return give_up();
  counts_ = {};
  if (!(wide ? sort_buckets<std::uint64_t>(to, sort) : sort_buckets<std::uint32_t>(to, sort)))
    return give_up();
  to.local = nullptr;
  if (as_size(result.nnz) < to.total) shorten(result);
  tropic::detail::inspect_csr(result, {.trusted = true});
  result.symmetric = tropic::detail::stays_symmetric(result, header, entries, to.plan.rule);
  matrix = std::move(result);
  return true;
}

}  // namespace tropic::io::detail

namespace tropic::detail {

std::optional<matrix_base> read_rows(const context_pointer& context,
                                     const std::filesystem::path& path,
                                     const io::read_options& options,
                                     const read_plan_function& plan, io::coordinates& from,
                                     index_t& entries) {
  constexpr std::size_t usual_bucket = std::size_t{1} << 15;
  io::detail::row_placer placer(context, plan, parallel_entries, usual_bucket);
  from = io::detail::read_with(path, options, placer);
  entries = placer.matrix ? placer.entries : from.entries();
  return std::move(placer.matrix);
}

}  // namespace tropic::detail

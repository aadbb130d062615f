// SPDX-License-Identifier: Apache-2.0

// See placed_rows.hpp.

#include "io/placed_rows.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include <tropic/detail/hash.hpp>

#include "containers/cancel_watch.hpp"
#include "containers/grouped_entries.hpp"
#include "containers/integers.hpp"
#include "io/placed_buckets.hpp"

namespace tropic::io::detail {

using tropic::detail::as_size;
using tropic::detail::cancel_watch;
using tropic::detail::make_buffer;
using tropic::detail::matrix_base;
using tropic::detail::read_plan;

namespace {

constexpr int most_shift = 16;                                    // 16 bits number a bucket's rows
constexpr std::size_t harmless_bucket = std::size_t{1} << 16;     // of any share of the entries
constexpr std::size_t largest_bucket = std::size_t{0xffffffffU};  // 32 bits number its entries

int bits_of(index_t count) {
  return count <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count) - 1));
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

row_placer::row_placer(tropic::detail::context_pointer context, const plan_function& plan,
                       std::size_t least_entries, std::size_t usual_bucket)
    : context_(std::move(context)),
      plan_(plan),
      least_entries_(least_entries),
      usual_bucket_(usual_bucket) {}

data_lines row_placer::scan(const coordinates& header, std::string_view body,
                            comment_marks comments, const entry_layout& layout,
                            const numbered_vertices& vertices, const read_options& options) {
  mirror_ = layout.mirror;
  if (options.undirected && mirror_ == mirror_rule::none) mirror_ = mirror_rule::same;
  // Images of images, and what make_undirected refuses, are for lists.
  may_place_ = !header.complex && (!options.undirected ||
                                   (mirror_ == mirror_rule::same && header.rows == header.columns));
  if (!may_place_) return find_data_lines(body, comments, job(options, 0.3, 0.4));
  cancel_watch watch(context_);
  const bool sees_values = layout.rule == number_rule::integer_or_retry;
  scanned_entries scanned =
      scan_entries(body, comments, layout.tag, vertices, mirror_ != mirror_rule::none, sees_values,
                   watch, job(options, 0.3, progress));
  is_scanned_ = scanned.is_complete;
  seems_integral_ = scanned.has_integers;
  counts_ = std::move(scanned.counts);
  find_vertices();
  return std::move(scanned.lines);
}

void row_placer::count(const coordinates& header, const entry_text& text, const job& work) {
  counts_.assign(text.lines.chunks.size(), {});
  cancel_watch watch(context_);
  parse_blocks(header, text, work, [&](const entry_block& block) {
    watch.check();
    for (std::size_t e = 0; e < block.row.size(); ++e)
      counts_[block.chunk].add(block.row[e], block.column[e], mirror_ != mirror_rule::none);
  });
  find_vertices();
}

void row_placer::find_vertices() {
  vertices_ = 0;
  for (const chunk_counts& counts : counts_)
    if (!counts.direct.empty())
      vertices_ = std::max<std::uint64_t>(vertices_, std::uint64_t{counts.largest} + 1);
}

/// Makes the counters positions. False if a bucket is too large.
bool row_placer::find_positions(const coordinates& header, placed_buckets& to) {
  const int row_bits = bits_of(header.rows);
  to.column_bits = bits_of(header.columns);
  const int usual = std::min(most_bucket_bits,
                             static_cast<int>(std::bit_width(as_size(entries) / usual_bucket_)));
  // More buckets than usual, if then the numbers of their rows fit the columns' free bits.
  const int packing = row_bits + to.column_bits - 32;
  int shift =
      std::max(row_bits - (packing <= most_bucket_bits ? std::max(usual, packing) : usual), 0);
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
bool row_placer::parse_into(placed_buckets& to, const read_plan& plan, const coordinates& header,
                            const entry_text& text, const job& work) {
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
      if (given != nullptr && plan.accepts && !plan.accepts(given, block.row.size())) {
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

  placed_buckets to;
  to.rows = as_size(header.rows);
  to.total = as_size(entries);
  const type_description& type = describe(plan->type);
  to.value_size = is_iso ? 0 : type.size;
  if (!find_positions(header, to)) return give_up();
  const bool wide = direct + images > 0xffffffffU;
  const std::size_t an_entry = sizeof(std::uint32_t) + to.value_size;
  std::size_t bytes = bytes_for(to.total, an_entry + (to.is_packed ? 0 : 2));
  bytes = sum_of_bytes(bytes, bytes_for(to.rows + 1, wide ? 8 : 4));
  bytes = sum_of_bytes(bytes, bytes_for(counts_.size() * to.buckets, 16));
  // The copy of a bucket, and of a row that is sorted: 8 bytes twice.
  bytes = sum_of_bytes(
      bytes, bytes_for(to.largest * static_cast<std::size_t>(work.thread_count()), an_entry + 16));
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
    with_builtin_type(plan->type, [&]<class T>() {
      const T one{1};
      std::memcpy(result.values->host_write(), &one, sizeof(T));
    });
  if (!to.is_packed) to.local = std::make_unique_for_overwrite<std::uint16_t[]>(to.total);
  text.vertices.rows = static_cast<std::uint64_t>(header.rows);
  text.vertices.columns = static_cast<std::uint64_t>(header.columns);
  job parse = work, sort = work;
  sort.from = parse.to = work.from + (work.to - work.from) * 0.7;
  progress = 1;
  if (!parse_into(to, *plan, header, text, parse)) return give_up();
  counts_ = {};
  if (!to.sort(plan->rule, sort)) return give_up();
  to.local = nullptr;
  if (as_size(result.nnz) < to.total) shorten(result);
  tropic::detail::inspect_csr(result, {.trusted = true});
  result.symmetric = tropic::detail::stays_symmetric(result, header, entries, plan->rule);
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

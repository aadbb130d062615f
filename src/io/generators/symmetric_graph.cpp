// SPDX-License-Identifier: Apache-2.0

// Sorting of the buckets; see symmetric_graph.hpp.

#include "io/generators/symmetric_graph.hpp"

#include <numeric>
#include <utility>

namespace tropic::io::detail {

namespace {

/// Keys (row - first row of the bucket, column), `bits` wide.
template <class Key>
struct bucket_keys {
  std::vector<Key> keys, sorted;

  void sort(int bits);
};

/// Least-significant-digit radix sort, in digits of at most 11 bits, whose counters fit the
/// first-level cache.
template <class Key>
void bucket_keys<Key>::sort(int bits) {
  constexpr std::size_t few = 256;
  if (keys.size() < few) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  constexpr int widest = 11;
  const int digits = (bits + widest - 1) / widest;
  const int width = digits == 0 ? 0 : (bits + digits - 1) / digits;
  const Key mask = static_cast<Key>((Key{1} << width) - 1);
  sorted.resize(keys.size());
  std::array<std::size_t, std::size_t{1} << widest> next;
  for (int digit = 0; digit < digits; ++digit) {
    const int shift = digit * width;
    next.fill(0);
    for (const Key key : keys) ++next[static_cast<std::size_t>(key >> shift & mask)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
    for (const Key key : keys) sorted[next[static_cast<std::size_t>(key >> shift & mask)]++] = key;
    keys.swap(sorted);
  }
}

/// Sorts directions [begin, end) of a bucket and returns how many of them are distinct. These come
/// first.
template <class Key>
std::uint64_t sort_bucket(coordinates& graph, const bucket_layout& layout, std::size_t bucket,
                          std::uint64_t begin, std::uint64_t end) {
  const int bits = layout.shift() + layout.scale;
  const auto first_row = static_cast<std::uint32_t>(bucket << layout.shift());
  std::uint32_t* const row = graph.row.data();
  std::uint32_t* const column = graph.column.data();
  const auto key_of = [&](std::uint64_t k) {
    return static_cast<Key>(Key{row[k] - first_row} << layout.scale | column[k]);
  };
  const Key column_mask = static_cast<Key>((Key{1} << layout.scale) - 1);
  std::uint64_t at = begin;
  const auto store = [&](Key key) {
    row[at] = first_row + static_cast<std::uint32_t>(key >> layout.scale);
    column[at++] = static_cast<std::uint32_t>(key & column_mask);
  };
  const std::uint64_t count = end - begin;
  if (count >> bits != 0) {  // more directions than places: mark the places
    std::vector<bool> marked(std::size_t{1} << bits, false);
    for (std::uint64_t k = begin; k < end; ++k) marked[static_cast<std::size_t>(key_of(k))] = true;
    for (std::size_t key = 0; key < marked.size(); ++key)
      if (marked[key]) store(static_cast<Key>(key));
    return at - begin;
  }
  bucket_keys<Key> all;
  all.keys.resize(static_cast<std::size_t>(count));
  for (std::uint64_t k = begin; k < end; ++k)
    all.keys[static_cast<std::size_t>(k - begin)] = key_of(k);
  all.sort(bits);
  for (std::size_t k = 0; k < all.keys.size(); ++k)
    if (k == 0 || all.keys[k] != all.keys[k - 1]) store(all.keys[k]);
  return at - begin;
}

}  // namespace

bucket_layout::bucket_layout(int graph_scale, std::uint64_t edges) : scale(graph_scale) {
  // A bucket's keys and their sorted copy take up to 2^19 bytes. More buckets than 2^11 would need
  // more lines for writing than the cache has.
  constexpr std::uint64_t directions = std::uint64_t{1} << 15;
  constexpr int most_bits = 11;
  bits = std::min({scale, most_bits, static_cast<int>(std::bit_width(2 * edges / directions))});
}

void bucket_offsets::scan() {
  std::uint64_t sum = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    begin_[bucket] = sum;
    for (std::size_t slice = 0; slice < slices_; ++slice)
      sum += std::exchange(at_[slice * buckets_ + bucket], sum);
  }
  begin_[buckets_] = sum;
}

std::uint64_t bucket_offsets::largest() const {
  std::uint64_t largest = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket)
    largest = std::max(largest, end(bucket) - begin(bucket));
  return largest;
}

void finish_buckets(coordinates& graph, const bucket_layout& layout, const bucket_offsets& offsets,
                    const job& work) {
  const bool narrow = layout.shift() + layout.scale <= 32;
  require_memory(2 * static_cast<std::size_t>(work.thread_count()),
                 bytes_for(offsets.largest(), narrow ? 4 : 8), "sorting generated edges");
  std::vector<std::uint64_t> kept(layout.count());
  for_each_task(layout.count(), part_of(work, 0, 0.8), [&](std::size_t bucket) {
    const auto sort = narrow ? sort_bucket<std::uint32_t> : sort_bucket<std::uint64_t>;
    kept[bucket] = sort(graph, layout, bucket, offsets.begin(bucket), offsets.end(bucket));
  });
  const std::uint64_t total = std::accumulate(kept.begin(), kept.end(), std::uint64_t{0});
  const std::array arrays{&graph.row, &graph.column};
  for_each_task(arrays.size(), part_of(work, 0.8, 1), [&](std::size_t n) {
    std::vector<std::uint32_t>& array = *arrays[n];
    std::uint32_t* to = array.data();
    for (std::size_t bucket = 0; bucket < layout.count(); ++bucket) {
      const auto count = static_cast<std::size_t>(kept[bucket]);
      if (count != 0)
        std::memmove(to, array.data() + offsets.begin(bucket), count * sizeof(std::uint32_t));
      to += count;
    }
    array.resize(static_cast<std::size_t>(total));
    if (array.size() < array.capacity() / 4 * 3) array.shrink_to_fit();
  });
}

}  // namespace tropic::io::detail

// SPDX-License-Identifier: Apache-2.0

// Random orders, and the partly random orders of the paper.
//
// random_order distributes the positions over buckets at random, in parallel but stably, and
// shuffles each bucket (Fisher and Yates): a uniform order, as Rao (1961) and Sandelius (1962) have
// shown. Buckets depend only on the size, random numbers only on the stream, so that the result
// does not depend on the number of threads. O(size) work, 4 bytes per position beside the result.
//
// gradient_order (Jain et al., "Entropy maximization in sparse matrix by vector multiplication",
// 2021, sections 5 and 8): with h[i] the entries of row i, the pivot is the first i at which h[i +
// 1] - h[i] is largest: the steepest step from sparse to dense rows. The rows up to the pivot and
// those after it, both shuffled, are then interleaved: one of the first part, one of the second,
// and the rest of the longer part at the end.

#include <algorithm>
#include <numeric>

#include <tropic/detail/random_bits.hpp>

#include "permute/orders.hpp"

namespace tropic::detail {

namespace {

// Positions per bucket: they fit the L2 cache.
constexpr std::uint64_t bucket_size = std::uint64_t{1} << 15;
// The maximum number of buckets, and of blocks that are distributed independently.
constexpr std::uint64_t most_buckets = 1024;

// The number of bits b for which 2^b buckets hold at most bucket_size positions each, up to
// most_buckets.
int bucket_bits(std::uint64_t size) {
  int bits = 0;
  while ((std::uint64_t{1} << bits) < most_buckets && (size >> bits) > bucket_size) ++bits;
  return bits;
}

void shuffle(std::span<std::uint32_t> positions, std::uint64_t stream) {
  for (std::uint64_t n = positions.size(); n > 1; --n)
    std::swap(positions[n - 1], positions[below(n, random_bits(stream, n))]);
}

}  // namespace

order random_order(std::uint64_t size, std::uint64_t stream, int threads) {
  order result(size);
  const int bits = bucket_bits(size);
  const std::uint64_t within = random_bits(stream, 0), dealing = random_bits(stream, 1);
  if (bits == 0) {
    std::iota(result.begin(), result.end(), 0U);
    shuffle(result, within);
    return result;
  }
  const std::uint64_t buckets = std::uint64_t{1} << bits;
  const std::uint64_t block = std::max(bucket_size, (size + most_buckets - 1) / most_buckets);
  const std::uint64_t blocks = (size + block - 1) / block;
  const auto bucket_of = [&](std::uint64_t n) { return random_bits(dealing, n) >> (64 - bits); };
  // next[bucket][block]: the destination of the next position of the block in that bucket.
  std::vector<std::uint64_t> next(buckets * blocks + 1, 0);
#pragma omp parallel for num_threads(threads)
  for (std::uint64_t b = 0; b < blocks; ++b)
    for (std::uint64_t n = b * block; n < std::min(size, (b + 1) * block); ++n)
      ++next[bucket_of(n) * blocks + b];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), std::uint64_t{0});
  std::vector<std::uint64_t> begins(buckets + 1);
  for (std::uint64_t bucket = 0; bucket <= buckets; ++bucket)
    begins[bucket] = next[bucket * blocks];
#pragma omp parallel for num_threads(threads)
  for (std::uint64_t b = 0; b < blocks; ++b)
    for (std::uint64_t n = b * block; n < std::min(size, (b + 1) * block); ++n)
      result[next[bucket_of(n) * blocks + b]++] = static_cast<std::uint32_t>(n);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (std::uint64_t bucket = 0; bucket < buckets; ++bucket)
    shuffle(std::span(result).subspan(begins[bucket], begins[bucket + 1] - begins[bucket]),
            random_bits(within, bucket));
  return result;
}

order gradient_order(std::span<const std::uint64_t> counts, std::uint64_t stream, int threads) {
  const std::uint64_t size = counts.size();
  if (size < 2) return order(size, 0);
  std::uint64_t pivot = 0;
  auto steepest = static_cast<std::int64_t>(counts[1] - counts[0]);
  for (std::uint64_t n = 1; n + 1 < size; ++n) {
    const auto rise = static_cast<std::int64_t>(counts[n + 1] - counts[n]);
    if (rise > steepest) {
      steepest = rise;
      pivot = n;
    }
  }
  const std::uint64_t low = pivot + 1, high = size - low, pairs = std::min(low, high);
  const order of_low = random_order(low, random_bits(stream, 0), threads);
  const order of_high = random_order(high, random_bits(stream, 1), threads);
  order result(size);
#pragma omp parallel for num_threads(threads) if (size > bucket_size)
  for (std::uint64_t n = 0; n < size; ++n) {
    const bool paired = n < 2 * pairs;
    const std::uint64_t card = paired ? n / 2 : n - pairs;
    const bool from_low = paired ? n % 2 == 0 : low > high;
    result[n] = from_low ? of_low[card] : static_cast<std::uint32_t>(low + of_high[card]);
  }
  return result;
}

}  // namespace tropic::detail

// SPDX-License-Identifier: Apache-2.0
#include "containers/formats/cmrs.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <tropic/error.hpp>

#include "containers/context_state.hpp"
#include "containers/csr_view.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint32_t row_bits = 4;
constexpr std::uint32_t row_mask = (1u << row_bits) - 1;

// The rows of one strip: where each begins among the entries of the strip, row by row.
struct strip_rows {
  std::uint64_t first = 0;  // row
  std::uint32_t count = 0;
  std::uint64_t begin = 0;  // entry
  std::uint64_t start[largest_height + 1] = {};
  std::uint64_t lengths[largest_height] = {};

  strip_rows(const csr_view& csr, const strip_layout& layout, std::uint64_t strip)
      : first(strip * layout.height),
        count(
            static_cast<std::uint32_t>(std::min<std::uint64_t>(layout.height, csr.rows() - first))),
        begin(csr.offset(first)) {
    for (std::uint32_t r = 0; r < count; ++r) {
      start[r + 1] = csr.offset(first + r + 1) - begin;
      lengths[r] = start[r + 1] - start[r];
    }
  }
  std::uint64_t size() const { return start[count]; }
};

void copy_value(std::byte* to, std::uint64_t to_at, const std::byte* from, std::uint64_t from_at,
                std::size_t bytes) {
  if (from != nullptr) std::memcpy(to + to_at * bytes, from + from_at * bytes, bytes);
}

// Visits the entries of a tile in order: visit(position in the tile, row in the strip, entry of the
// strip).
template <class Visit>
void visit_tile(const strip_rows& rows, tile_place place, std::uint64_t tile, Visit visit) {
  for (std::uint32_t r = 0; r < rows.count; ++r) {
    const std::uint64_t from = rows.start[r], to = rows.start[r + 1];
    const std::uint64_t first = place.entries_in(from, tile), last = place.entries_in(to, tile);
    const std::uint64_t entry =
        from + place.entries_before(to, tile) - place.entries_before(from, tile);
    for (std::uint64_t at = first; at < last; ++at) visit(at, r, entry + (at - first));
  }
}

std::vector<std::uint64_t> tile_starts(const csr_view& csr, const strip_layout& layout) {
  const std::size_t strips = layout.strips(csr.m.rows);
  std::vector<std::uint64_t> starts(strips + 1, 0);
#pragma omp parallel for num_threads(csr.m.context->threads()) if (csr.m.nnz > parallel_from)
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const strip_rows rows(csr, layout, strip);
    starts[strip + 1] = tiles_of(rows.lengths, rows.count, layout);
  }
  for (std::size_t strip = 0; strip < strips; ++strip) starts[strip + 1] += starts[strip];
  return starts;
}

converted_copy to_padded(const csr_view& csr, const strip_layout& layout) {
  const matrix_base& m = csr.m;
  const std::vector<std::uint64_t> starts = tile_starts(csr, layout);
  const std::size_t strips = starts.size() - 1, size = starts.back() * layout.tile;
  if (starts.back() > ~std::uint32_t{0})
    throw usage_error("cmrs_padded: " + std::to_string(starts.back()) +
                      " tiles, strips count them in 32 bits");
  converted_copy result;
  result.parts = {make_buffer(m.context, (strips + 1) * sizeof(std::uint32_t)),
                  make_buffer(m.context, size * sizeof(std::uint32_t))};
  if (!m.iso) result.parts.push_back(make_buffer(m.context, size * csr.bytes));
  auto* to_starts = static_cast<std::uint32_t*>(result.parts[in_strips::starts]->host_write());
  for (std::size_t strip = 0; strip <= strips; ++strip)
    to_starts[strip] = static_cast<std::uint32_t>(starts[strip]);
  if (size == 0) return result;
  auto* words = static_cast<std::uint32_t*>(result.parts[in_strips::words]->host_write());
  auto* values =
      m.iso ? nullptr : static_cast<std::byte*>(result.parts[in_strips::values]->host_write());
#pragma omp parallel for num_threads(m.context->threads()) \
    schedule(dynamic, 64) if (m.nnz > parallel_from)
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const strip_rows rows(csr, layout, strip);
    const tile_place place{starts[strip + 1] - starts[strip]};
    for (std::uint64_t tile = 0; tile < place.tiles; ++tile) {
      const std::uint64_t base = (starts[strip] + tile) * layout.tile;
      std::uint64_t filled = 0;
      visit_tile(rows, place, tile, [&](std::uint64_t at, std::uint32_t row, std::uint64_t entry) {
        words[base + at] = csr.columns[rows.begin + entry] << row_bits | row;
        copy_value(values, base + at, csr.values, rows.begin + entry, csr.bytes);
        filled = at + 1;
      });
      std::fill(words + base + filled, words + base + layout.tile, marked_word);
      if (values != nullptr)
        std::memset(values + (base + filled) * csr.bytes, 0, (layout.tile - filled) * csr.bytes);
    }
  }
  return result;
}

converted_copy to_plain(const csr_view& csr, const strip_layout& layout) {
  const matrix_base& m = csr.m;
  const std::size_t strips = layout.strips(m.rows), nnz = static_cast<std::size_t>(m.nnz);
  converted_copy result;
  result.parts = {make_buffer(m.context, (strips + 1) * (m.wide ? 8 : 4)),
                  make_buffer(m.context, nnz * sizeof(std::uint32_t))};
  if (!m.iso) result.parts.push_back(make_buffer(m.context, nnz * csr.bytes));
  void* starts = result.parts[in_strips::starts]->host_write();
  for (std::size_t strip = 0; strip <= strips; ++strip) {
    const std::uint64_t start =
        csr.offset(std::min<std::uint64_t>(strip * layout.height, csr.rows()));
    if (m.wide)
      static_cast<std::uint64_t*>(starts)[strip] = start;
    else
      static_cast<std::uint32_t*>(starts)[strip] = static_cast<std::uint32_t>(start);
  }
  if (nnz == 0) return result;
  auto* words = static_cast<std::uint32_t*>(result.parts[in_strips::words]->host_write());
  auto* values =
      m.iso ? nullptr : static_cast<std::byte*>(result.parts[in_strips::values]->host_write());
#pragma omp parallel num_threads(m.context->threads()) if (m.nnz > parallel_from)
  {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> sorted;  // word, entry
#pragma omp for schedule(dynamic, 64)
    for (std::size_t strip = 0; strip < strips; ++strip) {
      const strip_rows rows(csr, layout, strip);
      sorted.clear();
      for (std::uint32_t r = 0; r < rows.count; ++r)
        for (std::uint64_t e = rows.begin + rows.start[r]; e < rows.begin + rows.start[r + 1]; ++e)
          sorted.emplace_back(csr.columns[e] << row_bits | r, e);
      std::sort(sorted.begin(), sorted.end());  // words are unique
      for (std::size_t n = 0; n < sorted.size(); ++n) {
        words[rows.begin + n] = sorted[n].first;
        copy_value(values, rows.begin + n, csr.values, sorted[n].second, csr.bytes);
      }
    }
  }
  return result;
}

}  // namespace

std::string why_no_strips(const matrix_base& m, const strip_layout& layout) {
  if (m.columns > cmrs_columns)
    return "the matrix has " + std::to_string(m.columns) +
           " columns, a word has 28 bits for a column and 4 for a row";
  const bool all_words_used = m.columns == cmrs_columns && layout.height == largest_height;
  if (layout.is_padded() && all_words_used)
    return "in strips of 16 rows with 2^28 columns no word is left to mark padding, 15 rows would "
           "do";
  // Positions in a strip, including tiles past its end, have 32 bits.
  constexpr std::uint64_t spare = 1 << 16;
  const auto longest = static_cast<std::uint64_t>(m.longest_row);
  if (longest * layout.height + spare > ~std::uint32_t{0})
    return "rows of " + std::to_string(m.longest_row) + " entries, a strip has less than 2^32";
  return "";
}

std::uint64_t tiles_of(const std::uint64_t* lengths, std::uint32_t rows,
                       const strip_layout& layout) {
  std::uint64_t sum = 0, tiles = 0;
  for (std::uint32_t r = 0; r < rows; ++r) {
    sum += lengths[r];
    tiles = std::max(tiles, (lengths[r] + layout.slots - 1) / layout.slots);
  }
  return std::max(tiles, (sum + layout.tile - 1) / layout.tile);
}

double padding_overhead(const matrix_base& m, const strip_layout& layout) {
  if (m.nnz == 0 || !layout.is_padded()) return 1;
  const std::uint64_t tiles = tile_starts(csr_view(m), layout).back();
  return static_cast<double>(tiles) * layout.tile / static_cast<double>(m.nnz);
}

converted_copy to_strips(const matrix_base& m, const strip_layout& layout) {
  if (const std::string why = why_no_strips(m, layout); !why.empty())
    throw usage_error("cmrs: " + why);
  const csr_view csr(m);
  return layout.is_padded() ? to_padded(csr, layout) : to_plain(csr, layout);
}

matrix_base from_strips(const converted_copy& strips, const matrix_base& like,
                        const strip_layout& layout) {
  const std::size_t count = layout.strips(like.rows), bytes = like.type->size;
  const auto rows = static_cast<std::size_t>(like.rows);
  const auto* narrow = static_cast<const std::uint32_t*>(strips.parts[in_strips::starts]->host());
  const auto* wide = static_cast<const std::uint64_t*>(strips.parts[in_strips::starts]->host());
  const bool is_wide = like.wide && !layout.is_padded();
  const auto start = [&](std::size_t strip) {
    const std::uint64_t unit = layout.is_padded() ? layout.tile : 1;
    return (is_wide ? wide[strip] : narrow[strip]) * unit;
  };
  const auto* words = static_cast<const std::uint32_t*>(strips.parts[in_strips::words]->host());
  const auto* values =
      like.iso ? nullptr : static_cast<const std::byte*>(strips.parts[in_strips::values]->host());

  // Lengths of rows, then their offsets; entries of a row are in the order of columns.
  std::vector<std::uint64_t> offsets(rows + 1, 0);
#pragma omp parallel for num_threads(like.context->threads()) if (like.nnz > parallel_from)
  for (std::size_t strip = 0; strip < count; ++strip)
    for (std::uint64_t at = start(strip); at < start(strip + 1); ++at)
      if (words[at] != marked_word || !layout.is_padded())
        ++offsets[strip * layout.height + (words[at] & row_mask) + 1];
  for (std::size_t row = 0; row < rows; ++row) offsets[row + 1] += offsets[row];

  matrix_base result = empty_matrix(like.context, *like.type, like.rows, like.columns);
  result.nnz = static_cast<index_t>(offsets[rows]);
  result.iso = like.iso;
  result.wide = like.wide;
  result.offsets = make_buffer(like.context, (rows + 1) * (result.wide ? 8 : 4));
  if (result.wide)
    std::copy(offsets.begin(), offsets.end(),
              static_cast<std::uint64_t*>(result.offsets->host_write()));
  else
    std::transform(offsets.begin(), offsets.end(),
                   static_cast<std::uint32_t*>(result.offsets->host_write()),
                   [](std::uint64_t o) { return static_cast<std::uint32_t>(o); });
  result.column_indices = make_buffer(like.context, offsets[rows] * sizeof(std::uint32_t));
  result.values = like.iso ? like.values : make_buffer(like.context, offsets[rows] * bytes);
  if (result.nnz > 0) {
    auto* to = static_cast<std::uint32_t*>(result.column_indices->host_write());
    auto* to_values = like.iso ? nullptr : static_cast<std::byte*>(result.values->host_write());
#pragma omp parallel for num_threads(like.context->threads()) if (like.nnz > parallel_from)
    for (std::size_t strip = 0; strip < count; ++strip) {
      std::uint64_t next[largest_height];
      for (std::size_t r = 0; r < layout.height; ++r)
        next[r] = offsets[std::min(strip * layout.height + r, rows)];
      for (std::uint64_t at = start(strip); at < start(strip + 1); ++at) {
        if (words[at] == marked_word && layout.is_padded()) continue;
        const std::uint64_t entry = next[words[at] & row_mask]++;
        to[entry] = words[at] >> row_bits;
        copy_value(to_values, entry, values, at, bytes);
      }
    }
  }
  inspect_csr(result, {});  // what was in the wrong place would show here
  return result;
}

}  // namespace tropic::detail

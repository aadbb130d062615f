// SPDX-License-Identifier: Apache-2.0

// Writes `.tropic`: entries are put in row-major order, then the arrays are streamed in pieces, so
// that only the order itself costs memory. See binary_format.hpp for the layout.

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "io/binary/binary_format.hpp"
#include "io/memory.hpp"
#include "io/symmetry.hpp"
#include "io/writers.hpp"

namespace tropic::io::detail {

namespace {

/// Buffers small writes and tracks the position for padding.
class padded_sink {
 public:
  explicit padded_sink(const byte_sink& sink) : sink_(sink) {}

  void put(const void* bytes, std::size_t count) {
    buffer_.append(static_cast<const char*>(bytes), count);
    at_ += count;
    if (buffer_.size() >= (std::size_t{1} << 20)) flush();
  }
  void pad_to(std::uint64_t position) {
    for (constexpr char zero = '\0'; at_ < position;) put(&zero, 1);
  }
  void flush() {
    sink_(buffer_);
    buffer_.clear();
  }

 private:
  const byte_sink& sink_;
  std::string buffer_;
  std::uint64_t at_ = 0;
};

/// `m`: coordinates or mapped_csr.
template <class Matrix>
binary_header header_of(const Matrix& m, std::size_t entries) {
  binary_header header;
  header.type = static_cast<std::uint32_t>(m.type);
  header.rows = static_cast<std::uint64_t>(m.rows);
  header.columns = static_cast<std::uint64_t>(m.columns);
  header.entries = entries;
  header.first_vertex_id = m.first_vertex_id;
  header.flags = (m.complex ? binary_header::complex_flag : 0U) |
                 (m.pattern ? binary_header::pattern_flag : 0U) |
                 (m.symmetric ? binary_header::symmetric_flag : 0U) |
                 (entries >= (std::size_t{1} << 31) ? binary_header::wide_offsets_flag : 0U) |
                 (m.vertex_ids.empty() ? 0U : binary_header::vertex_ids_flag);
  header.place();
  header.checksum = header.own_checksum();
  return header;
}

/// Arrays longer than the sink's buffer are written in pieces of it.
void put_array(padded_sink& out, const void* bytes, std::size_t count) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t at = 0; at < count; at += piece)
    out.put(static_cast<const std::byte*>(bytes) + at, std::min(piece, count - at));
}

template <class Offset>
void put_offsets(padded_sink& out, const coordinates& m, const std::vector<std::size_t>& order) {
  std::size_t k = 0;
  for (std::uint64_t r = 0; r <= static_cast<std::uint64_t>(m.rows); ++r) {
    while (k < order.size() && m.row[order[k]] < r) ++k;
    const auto offset = static_cast<Offset>(k);
    out.put(&offset, sizeof offset);
  }
}

}  // namespace

std::vector<std::size_t> row_major_order(const coordinates& m, int threads) {
  job work;
  work.threads = tropic::detail::checked_threads(threads);
  const std::size_t entries = m.row.size();
  require_memory(entries, 2 * sizeof(std::size_t), "sorting the entries");
  std::vector<std::size_t> order(entries);
  const auto before = [&](std::size_t a, std::size_t b) {
    if (m.row[a] != m.row[b]) return m.row[a] < m.row[b];
    if (m.column[a] != m.column[b]) return m.column[a] < m.column[b];
    return a < b;
  };
  const auto rows = static_cast<std::size_t>(m.rows);
  if (rows / 4 > entries) {  // a counting sort would be mostly empty rows
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), before);
    return order;
  }
  std::vector<std::size_t> next(rows + 1, 0);
  for (const std::uint32_t r : m.row) ++next[r + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t k = 0; k < entries; ++k) order[next[m.row[k]]++] = k;
  // Each next[r] has moved to the end of row r, which is the beginning of row r + 1.
  constexpr std::size_t block = 1024;
  for_each_task((rows + block - 1) / block, work, [&](std::size_t b) {
    for (std::size_t r = b * block; r < std::min(rows, (b + 1) * block); ++r) {
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(r == 0 ? 0 : next[r - 1]);
      const auto end = order.begin() + static_cast<std::ptrdiff_t>(next[r]);
      if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
    }
  });
  return order;
}

void check_coordinates(const coordinates& m, std::string_view name) {
  const auto need = [&](bool holds, const char* what) {
    if (!holds) throw usage_error(std::string(name) + ": " + what);
  };
  constexpr index_t limit = index_t{1} << 32;
  need(m.type != type_code::record, "files hold built-in types, not records");
  need(m.rows >= 0 && m.columns >= 0 && m.rows <= limit && m.columns <= limit,
       "a matrix has 0 to 4294967296 rows and columns");
  need(!m.complex || is_floating(m.type), "complex values are pairs of fp32 or fp64");
  need(m.column.size() == m.row.size(), "every entry needs a row and a column");
  need(m.values.size() == (m.pattern ? 1 : m.row.size()) * m.value_size(),
       "there must be one value per entry, or a single one for a pattern");
  need(!m.symmetric || m.rows == m.columns, "a symmetric matrix must be square");
  need(m.first_vertex_id >= 0 && m.first_vertex_id <= std::numeric_limits<index_t>::max() - m.rows,
       "vertex numbers must be from 0 on and of 64 bits");
  need(m.vertex_ids.empty() || m.vertex_ids.size() == static_cast<std::size_t>(m.rows),
       "there must be one vertex number a row");
  need(m.vertex_names.empty() ||
           (m.rows == m.columns && m.vertex_names.size() == static_cast<std::size_t>(m.rows)),
       "there must be one name a vertex");
  std::vector<std::string_view> names;
  for (std::size_t v = 0; v < m.vertex_names.size(); ++v) names.push_back(m.vertex_names[v]);
  if (!m.vertex_names.ascends()) std::sort(names.begin(), names.end());
  need(std::adjacent_find(names.begin(), names.end()) == names.end() &&
           (names.empty() || !names.front().empty()),
       "every vertex needs a different name");
  const auto outside = [](const std::vector<std::uint32_t>& numbers, index_t bound) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [&](std::uint32_t n) { return static_cast<index_t>(n) >= bound; });
  };
  need(!outside(m.row, m.rows) && !outside(m.column, m.columns),
       "an entry lies outside the matrix");
  need(!m.symmetric || is_symmetric(m, 0),
       "a matrix marked symmetric has entries without their mirror images");
}

void write_binary(const coordinates& m, std::string_view name, const write_options& options,
                  const byte_sink& sink) {
  check_coordinates(m, name);
  const std::vector<std::size_t> order = row_major_order(m, options.threads);
  for (std::size_t k = 1; k < order.size(); ++k)
    if (m.row[order[k]] == m.row[order[k - 1]] && m.column[order[k]] == m.column[order[k - 1]])
      throw usage_error(std::string(name) + ": two entries at (" + std::to_string(m.row[order[k]]) +
                        ", " + std::to_string(m.column[order[k]]) +
                        "); a Tropic file holds each position once");
  const binary_header header = header_of(m, order.size());
  const auto report = [&](double share) {
    if (options.progress && !options.progress(share)) throw cancelled();
  };
  padded_sink out(sink);
  out.put(&header, sizeof header);
  out.pad_to(header.offsets_at);
  if (header.has(binary_header::wide_offsets_flag))
    put_offsets<std::uint64_t>(out, m, order);
  else
    put_offsets<std::uint32_t>(out, m, order);
  report(0.25);
  out.pad_to(header.columns_at);
  for (const std::size_t k : order) out.put(&m.column[k], sizeof m.column[k]);
  report(0.5);
  out.pad_to(header.values_at);
  const std::size_t size = m.value_size();
  if (m.pattern)
    out.put(m.values.data(), size);
  else
    for (const std::size_t k : order) out.put(m.values.data() + k * size, size);
  out.pad_to(header.vertex_ids_at);
  if (!m.vertex_ids.empty()) out.put(m.vertex_ids.data(), m.vertex_ids.size() * sizeof(index_t));
  out.flush();
  report(1);
}

void write_binary_rows(const mapped_csr& m, const write_options& options, const byte_sink& sink) {
  const binary_header header = header_of(m, static_cast<std::size_t>(m.entries));
  const auto report = [&](double share) {
    if (options.progress && !options.progress(share)) throw cancelled();
  };
  padded_sink out(sink);
  out.put(&header, sizeof header);
  out.pad_to(header.offsets_at);
  for (std::size_t r = 0; r <= static_cast<std::size_t>(m.rows); ++r) {
    const std::uint64_t offset =
        m.offsets64.empty() ? std::uint64_t{m.offsets32[r]} : m.offsets64[r];
    const auto narrow = static_cast<std::uint32_t>(offset);
    if (header.has(binary_header::wide_offsets_flag))
      out.put(&offset, sizeof offset);
    else
      out.put(&narrow, sizeof narrow);
  }
  report(0.25);
  out.pad_to(header.columns_at);
  put_array(out, m.column.data(), m.column.size_bytes());
  report(0.5);
  out.pad_to(header.values_at);
  put_array(out, m.values.data(), m.values.size_bytes());
  out.pad_to(header.vertex_ids_at);
  put_array(out, m.vertex_ids.data(), m.vertex_ids.size_bytes());
  out.flush();
  report(1);
}

}  // namespace tropic::io::detail

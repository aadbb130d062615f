// SPDX-License-Identifier: Apache-2.0

// The checks of a `.tropic` file. The header is used only after its checksum has been verified, and
// a size or position only after it fits the file. Then offsets and columns are checked in parallel,
// so that the holder of a mapped_csr may index without further checks, as are the header's claims
// about the entries.

#include "io/binary/binary_checks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>

#include "io/binary/symmetric_rows.hpp"
#include "io/entries.hpp"
#include "io/symmetry.hpp"

namespace tropic::io::detail {

namespace {

/// Errors in a file without lines: they name the byte offset, in the decompressed content.
struct refusal {
  std::string name;
  [[noreturn]] void operator()(const std::string& found, const std::string& expected) const {
    throw input_error(name, 0, found, expected);
  }
  [[noreturn]] void operator()(std::uint64_t byte, const std::string& found,
                               const std::string& expected) const {
    (*this)(found + " at byte " + std::to_string(byte), expected);
  }
};

std::uint64_t byte_swapped(std::uint32_t x) {
  return (x >> 24) | (x >> 8 & 0xff00U) | (x << 8 & 0xff0000U) | (x << 24);
}

/// The bytes of the file's arrays, in their order.
struct extent {
  std::uint64_t begin, end;
};
std::array<extent, 5> extents_of(const binary_header& h) {
  const std::uint64_t values = h.has(binary_header::pattern_flag) ? 1 : h.entries;
  return {{{0, sizeof(binary_header)},
           {h.offsets_at, h.offsets_at + (h.rows + 1) * h.offset_size()},
           {h.columns_at, h.columns_at + h.entries * 4},
           {h.values_at, h.values_at + values * h.value_size()},
           {h.vertex_ids_at, h.file_size}}};
}

binary_header header_of(std::string_view bytes, const refusal& refuse) {
  using header_type = binary_header;
  binary_header header;
  if (bytes.empty()) refuse("an empty file", "a Tropic file");
  if (bytes.size() < sizeof header)
    refuse(std::to_string(bytes.size()) + " bytes",
           "a Tropic file, whose header has " + std::to_string(sizeof header));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != binary_header::expected_magic)
    refuse(0, quote(bytes.substr(0, 8)), "the mark of a Tropic file, '\\x89TROPIC\\x0a'");
  if (byte_swapped(header.endianness) == binary_header::native)
    refuse(offsetof(header_type, endianness), "the byte order of another machine",
           "this machine's");
  if (header.checksum != header.own_checksum())
    refuse(offsetof(header_type, checksum), "a header that does not match its checksum",
           "an undamaged Tropic file");
  if (header.version != binary_header::current_version)
    refuse(offsetof(header_type, version), "version " + std::to_string(header.version),
           "version " + std::to_string(binary_header::current_version));
  if (header.endianness != binary_header::native)
    refuse(offsetof(header_type, endianness),
           "the byte order mark " + std::to_string(header.endianness),
           std::to_string(binary_header::native));
  if (header.type >= static_cast<std::uint32_t>(builtin_type_count))
    refuse(offsetof(header_type, type), "value type " + std::to_string(header.type),
           "a built-in type");
  constexpr std::uint64_t flags_at = offsetof(header_type, flags);
  if (header.has(binary_header::complex_flag) && !is_floating(static_cast<type_code>(header.type)))
    refuse(flags_at, "complex values of integers", "complex values of fp32 or fp64");
  if ((header.flags & ~binary_header::all_flags) != 0)
    refuse(flags_at, "flags " + std::to_string(header.flags), "flags that this version knows");
  for (std::size_t k = 0; k < header.reserved.size(); ++k)
    if (header.reserved[k] != 0)
      refuse(offsetof(header_type, reserved) + 8 * k,
             "a reserved word of " + std::to_string(header.reserved[k]), "0");
  if (header.rows > most_vertices || header.columns > most_vertices)
    refuse(
        header.rows > most_vertices ? offsetof(header_type, rows) : offsetof(header_type, columns),
        std::to_string(header.rows) + " rows and " + std::to_string(header.columns) + " columns",
        "at most " + std::to_string(most_vertices) + " of each");
  if (header.symmetric_but_not_square())
    refuse(flags_at, "a symmetric matrix that is not square", "as many rows as columns");
  if (header.first_vertex_id < 0 || header.first_vertex_id > std::numeric_limits<index_t>::max() -
                                                                 static_cast<index_t>(header.rows))
    refuse(offsetof(header_type, first_vertex_id),
           "vertex numbers from " + std::to_string(header.first_vertex_id),
           "a first one from 0 that leaves room for " + std::to_string(header.rows));
  // An array longer than the file itself could overflow the sums below.
  if (header.rows > bytes.size() || header.entries > bytes.size())
    refuse(std::to_string(bytes.size()) + " bytes",
           "room for " + std::to_string(header.rows) + " rows and " +
               std::to_string(header.entries) + " entries");
  binary_header placed = header;
  placed.place();
  if (placed.offsets_at != header.offsets_at || placed.columns_at != header.columns_at ||
      placed.values_at != header.values_at || placed.vertex_ids_at != header.vertex_ids_at ||
      placed.file_size != header.file_size)
    refuse(offsetof(header_type, offsets_at), "arrays in other places", "the layout of version 1");
  if (bytes.size() != header.file_size)
    refuse(std::to_string(bytes.size()) + " bytes",
           std::to_string(header.file_size) + " as its header says");
  return header;
}

void check_padding(std::string_view bytes, const binary_header& header, const refusal& refuse) {
  const auto extents = extents_of(header);
  for (std::size_t k = 1; k < extents.size(); ++k)
    for (std::uint64_t at = extents[k - 1].end; at < extents[k].begin; ++at)
      if (bytes[at] != '\0') refuse(at, quote(bytes.substr(at, 1)) + " between two arrays", "0");
}

/// Whether the columns of entries [begin, end) ascend and are below the number of columns. Without
/// branches: all of them are compared, in vectors.
bool is_valid_row(const mapped_csr& m, std::uint64_t begin, std::uint64_t end) {
  if (begin == end) return true;
  const std::uint32_t* const column = m.column.data();
  std::uint32_t descents = 0;
  for (std::uint64_t k = begin + 1; k < end; ++k) descents |= column[k - 1] >= column[k] ? 1 : 0;
  return descents == 0 && column[end - 1] < static_cast<std::uint64_t>(m.columns);
}

/// Returns whether the hashes of the entries show that they are symmetric; nothing if they have not
/// been computed.
template <class Offset>
std::optional<bool> check_rows(const mapped_csr& m, const binary_header& header,
                               std::span<const Offset> offsets, const refusal& refuse,
                               int threads) {
  const auto offset_at = [&](std::uint64_t r) { return header.offsets_at + r * sizeof(Offset); };
  const auto column_at = [&](std::uint64_t k) { return header.columns_at + k * 4; };
  const auto entries = static_cast<std::uint64_t>(m.entries);
  if (offsets.front() != 0 || offsets.back() != entries)
    refuse(offset_at(offsets.front() != 0 ? 0 : static_cast<std::uint64_t>(m.rows)),
           "row offsets from " + std::to_string(offsets.front()) + " to " +
               std::to_string(offsets.back()),
           "0 to " + std::to_string(entries));
  constexpr std::size_t block = std::size_t{1} << 12;
  const auto rows = static_cast<std::size_t>(m.rows);
  const symmetric_rows_pass pass = m.symmetric ? pass_over_symmetric_rows(m) : nullptr;
  std::array<std::atomic<std::uint64_t>, 2> sum{};
  job work;
  work.threads = threads;
  for_each_task((rows + block - 1) / block, work, [&](std::size_t b) {
    const std::size_t stop = std::min(rows, (b + 1) * block);
    if (hash_sum hashes{}; pass != nullptr && pass(m, b * block, stop, hashes)) {
      sum[0] ^= hashes[0];
      sum[1] ^= hashes[1];
      return;
    }
    for (std::size_t r = b * block; r < stop; ++r) {
      const std::uint64_t begin = offsets[r], end = offsets[r + 1];
      if (begin > end || end > entries)
        refuse(offset_at(r + 1),
               "row " + std::to_string(r) + " from entry " + std::to_string(begin) + " to " +
                   std::to_string(end),
               "offsets that ascend to " + std::to_string(entries));
      if (is_valid_row(m, begin, end)) continue;
      for (std::uint64_t k = begin; k < end; ++k) {
        if (m.column[k] >= static_cast<std::uint64_t>(m.columns))
          refuse(column_at(k),
                 "column " + std::to_string(m.column[k]) + " in row " + std::to_string(r),
                 "columns below " + std::to_string(m.columns));
        if (k > begin && m.column[k - 1] >= m.column[k])
          refuse(column_at(k),
                 "column " + std::to_string(m.column[k]) + " after column " +
                     std::to_string(m.column[k - 1]) + " in row " + std::to_string(r),
                 "columns that ascend in each row");
      }
    }
  });
  return pass == nullptr ? std::nullopt : std::optional(sum[0] == 0 && sum[1] == 0);
}

/// A pattern has one value, 1; a bool is 0 or 1.
void check_values(const mapped_csr& m, const binary_header& header, const refusal& refuse) {
  if (m.type == type_code::boolean)
    for (std::size_t k = 0; k < m.values.size(); ++k)
      if (m.values[k] > std::byte{1})
        refuse(header.values_at + k, "a bool that is neither 0 nor 1", "0 or 1");
  if (!m.pattern) return;
  with_builtin_type(m.type, [&]<class T>() {
    T value{}, imaginary{};
    std::memcpy(&value, m.values.data(), sizeof(T));
    if (m.complex) std::memcpy(&imaginary, m.values.data() + sizeof(T), sizeof(T));
    if (value != T{1} || imaginary != T{0})
      refuse(header.values_at, "a pattern of " + std::to_string(value) + "s", "one of 1s");
  });
}

void check_vertex_ids(const mapped_csr& m, const binary_header& header, const refusal& refuse) {
  const auto after = std::adjacent_find(m.vertex_ids.begin(), m.vertex_ids.end(),
                                        [](index_t a, index_t b) { return a >= b; });
  if (after == m.vertex_ids.end()) return;
  const auto k = static_cast<std::uint64_t>(after - m.vertex_ids.begin()) + 1;
  refuse(header.vertex_ids_at + 8 * k,
         "vertex number " + std::to_string(*(after + 1)) + " after " + std::to_string(*after),
         "numbers that ascend");
}

std::string value_text(const mapped_csr& m, std::uint64_t entry) {
  return with_builtin_type(m.type, [&]<class T>() {
    const std::size_t parts = m.complex ? 2 : 1;
    const auto part = [&](std::size_t p) {
      T value;
      std::memcpy(&value, m.values.data() + (entry * parts + p) * sizeof(T), sizeof(T));
      return std::to_string(value);
    };
    return m.complex ? part(0) + " + " + part(1) + "i" : part(0);
  });
}

void check_symmetry(const mapped_csr& m, const binary_header& header, const refusal& refuse,
                    std::optional<bool> by_hashes, int threads) {
  if (!m.symmetric || (by_hashes ? *by_hashes : is_symmetric(m, threads))) return;
  const lone_entry lone = find_lone_entry(m);
  const auto place = [](std::uint64_t i, std::uint64_t j) {
    return "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
  };
  refuse(header.columns_at + lone.entry * 4,
         "the entry " + place(lone.row, lone.column) +
             (m.pattern ? "" : " = " + value_text(m, lone.entry)) + " in a matrix marked symmetric",
         (lone.has_image ? "the same value at " : "an entry at ") + place(lone.column, lone.row));
}

}  // namespace

binary_header checked_header(std::string_view bytes, std::string_view name) {
  return header_of(bytes, refusal{std::string(name)});
}

void check_contents(const mapped_csr& m, const binary_header& header, std::string_view bytes,
                    std::string_view name, int threads) {
  const refusal refuse{std::string(name)};
  check_padding(bytes, header, refuse);
  const std::optional<bool> by_hashes = m.offsets64.empty()
                                            ? check_rows(m, header, m.offsets32, refuse, threads)
                                            : check_rows(m, header, m.offsets64, refuse, threads);
  check_values(m, header, refuse);
  check_vertex_ids(m, header, refuse);
  check_symmetry(m, header, refuse, by_hashes, threads);
}

}  // namespace tropic::io::detail

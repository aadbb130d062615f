// SPDX-License-Identifier: Apache-2.0

// Reading `.tropic` files in place. The header is believed only after its checksum, and a size or
// position only after it fits the file; then offsets and columns are checked in parallel, so that
// whoever holds a mapped_csr may index without looking.

#include <algorithm>
#include <cstring>
#include <limits>

#include "binary_format.hpp"
#include "entries.hpp"
#include "readers.hpp"
#include "source.hpp"

namespace tropic::io::detail {

namespace {

struct refusal {
  std::string name;
  [[noreturn]] void operator()(const std::string& found, const std::string& expected) const {
    throw input_error(name, 0, found, expected);
  }
};

std::uint64_t byte_swapped(std::uint32_t x) {
  return (x >> 24) | (x >> 8 & 0xff00U) | (x << 8 & 0xff0000U) | (x << 24);
}

binary_header checked_header(std::string_view bytes, const refusal& refuse) {
  binary_header header;
  if (bytes.empty()) refuse("an empty file", "a Tropic file");
  if (bytes.size() < sizeof header)
    refuse(std::to_string(bytes.size()) + " bytes",
           "a Tropic file, whose header has " + std::to_string(sizeof header));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != binary_header::expected_magic)
    refuse(quote(bytes.substr(0, 8)), "the mark of a Tropic file, '\\x89TROPIC\\x0a'");
  if (byte_swapped(header.endianness) == binary_header::native)
    refuse("the byte order of another machine", "this machine's");
  if (header.checksum != header.own_checksum())
    refuse("a header that does not match its checksum", "an undamaged Tropic file");
  if (header.version != binary_header::current_version)
    refuse("version " + std::to_string(header.version),
           "version " + std::to_string(binary_header::current_version));
  if (header.type >= static_cast<std::uint32_t>(builtin_type_count))
    refuse("value type " + std::to_string(header.type), "a built-in type");
  if (header.has(binary_header::complex_flag) && !is_floating(static_cast<type_code>(header.type)))
    refuse("complex values of integers", "complex values of fp32 or fp64");
  if ((header.flags & ~binary_header::all_flags) != 0)
    refuse("flags " + std::to_string(header.flags), "flags that this version knows");
  if (header.rows > most_vertices || header.columns > most_vertices)
    refuse(std::to_string(header.rows) + " rows and " + std::to_string(header.columns) + " columns",
           "at most " + std::to_string(most_vertices) + " of each");
  if (header.symmetric_but_not_square())
    refuse("a symmetric matrix that is not square", "as many rows as columns");
  // Any array longer than the file itself would overflow the sums below.
  if (header.rows > bytes.size() || header.entries > bytes.size())
    refuse(std::to_string(bytes.size()) + " bytes",
           "room for " + std::to_string(header.rows) + " rows and " +
               std::to_string(header.entries) + " entries");
  binary_header placed = header;
  placed.place();
  if (placed.offsets_at != header.offsets_at || placed.columns_at != header.columns_at ||
      placed.values_at != header.values_at || placed.vertex_ids_at != header.vertex_ids_at ||
      placed.file_size != header.file_size)
    refuse("arrays in other places", "the layout of version 1");
  if (bytes.size() != header.file_size)
    refuse(std::to_string(bytes.size()) + " bytes",
           std::to_string(header.file_size) + " as its header says");
  return header;
}

template <class T>
std::span<const T> array_at(std::string_view bytes, std::uint64_t at, std::uint64_t count) {
  return {reinterpret_cast<const T*>(bytes.data() + at), static_cast<std::size_t>(count)};
}

template <class Offset>
void check_rows(const mapped_csr& m, std::span<const Offset> offsets, const refusal& refuse,
                int threads) {
  const auto entries = static_cast<std::uint64_t>(m.entries);
  if (offsets.front() != 0 || offsets.back() != entries)
    refuse("row offsets from " + std::to_string(offsets.front()) + " to " +
               std::to_string(offsets.back()),
           "0 to " + std::to_string(entries));
  constexpr std::size_t block = std::size_t{1} << 14;
  const auto rows = static_cast<std::size_t>(m.rows);
  job how;
  how.threads = threads;
  for_each_task((rows + block - 1) / block, how, [&](std::size_t b) {
    for (std::size_t r = b * block; r < std::min(rows, (b + 1) * block); ++r) {
      const std::uint64_t begin = offsets[r], end = offsets[r + 1];
      if (begin > end || end > entries)
        refuse("row " + std::to_string(r) + " from entry " + std::to_string(begin) + " to " +
                   std::to_string(end),
               "offsets that ascend to " + std::to_string(entries));
      for (std::uint64_t k = begin; k < end; ++k) {
        if (m.column[k] >= static_cast<std::uint64_t>(m.columns))
          refuse("column " + std::to_string(m.column[k]) + " in row " + std::to_string(r),
                 "columns below " + std::to_string(m.columns));
        if (k > begin && m.column[k - 1] >= m.column[k])
          refuse("column " + std::to_string(m.column[k]) + " behind column " +
                     std::to_string(m.column[k - 1]) + " in row " + std::to_string(r),
                 "columns that ascend in each row");
      }
    }
  });
}

/// One source value converted exactly, or an error.
template <class To, class From>
bool convert(From value, To& result) {
  if constexpr (std::is_same_v<To, From> || std::is_same_v<To, double>) {
    result = static_cast<To>(value);
    return true;
  } else if constexpr (std::is_same_v<To, float>) {
    result = static_cast<float>(value);
    return !std::isinf(result) || std::isinf(static_cast<double>(value));
  } else if constexpr (std::is_floating_point_v<From>) {
    constexpr auto most = static_cast<double>(std::numeric_limits<To>::max() / 2 + 1) * 2;
    const auto real = static_cast<double>(value);
    const double beyond = std::is_same_v<To, bool> ? 2.0 : most;
    if (!(real == std::trunc(real) && real >= static_cast<double>(std::numeric_limits<To>::min()) &&
          real < beyond))
      return false;
    result = static_cast<To>(value);
    return true;
  } else {
    result = static_cast<To>(value);
    return static_cast<From>(result) == value && (result < To{0}) == (value < From{0});
  }
}

}  // namespace

std::uint64_t binary_header::own_checksum() const {
  // FNV-1a, 64 bits.
  std::array<unsigned char, sizeof(binary_header)> bytes;
  std::memcpy(bytes.data(), this, sizeof *this);
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < sizeof *this - sizeof checksum; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3U;
  return hash;
}

void binary_header::place() {
  const auto aligned = [](std::uint64_t at) {
    return (at + alignment - 1) / alignment * alignment;
  };
  offsets_at = aligned(sizeof(binary_header));
  columns_at = aligned(offsets_at + (rows + 1) * offset_size());
  values_at = aligned(columns_at + entries * 4);
  vertex_ids_at = aligned(values_at + (has(pattern_flag) ? 1 : entries) * value_size());
  file_size = vertex_ids_at + (has(vertex_ids_flag) ? rows * 8 : 0);
}

mapped_csr view_binary(std::string_view bytes, std::shared_ptr<const void> owner,
                       std::string_view name, bool trusted, int threads) {
  const refusal refuse{std::string(name)};
  const binary_header h = checked_header(bytes, refuse);
  mapped_csr m;
  m.rows = static_cast<index_t>(h.rows);
  m.columns = static_cast<index_t>(h.columns);
  m.entries = static_cast<index_t>(h.entries);
  m.type = static_cast<type_code>(h.type);
  m.complex = h.has(binary_header::complex_flag);
  m.pattern = h.has(binary_header::pattern_flag);
  m.symmetric = h.has(binary_header::symmetric_flag);
  m.first_vertex_id = h.first_vertex_id;
  m.column = array_at<std::uint32_t>(bytes, h.columns_at, h.entries);
  m.values = array_at<std::byte>(bytes, h.values_at, (m.pattern ? 1 : h.entries) * h.value_size());
  if (h.has(binary_header::vertex_ids_flag))
    m.vertex_ids = array_at<index_t>(bytes, h.vertex_ids_at, h.rows);
  if (h.has(binary_header::wide_offsets_flag))
    m.offsets64 = array_at<std::uint64_t>(bytes, h.offsets_at, h.rows + 1);
  else
    m.offsets32 = array_at<std::uint32_t>(bytes, h.offsets_at, h.rows + 1);
  m.owner = std::move(owner);
  if (trusted) return m;

  if (m.offsets64.empty())
    check_rows(m, m.offsets32, refuse, threads);
  else
    check_rows(m, m.offsets64, refuse, threads);
  if (m.type == type_code::boolean)
    for (const std::byte value : m.values)
      if (value > std::byte{1}) refuse("a bool that is neither 0 nor 1", "0 or 1");
  if (!std::is_sorted(m.vertex_ids.begin(), m.vertex_ids.end(), std::less_equal<>()))
    refuse("vertex numbers out of order", "numbers that ascend");
  return m;
}

coordinates read_binary(std::string_view bytes, std::string_view name,
                        const read_options& options) {
  // Text that a caller holds may start anywhere; the arrays need their alignment.
  std::vector<std::uint64_t> moved;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
    moved.resize(bytes.size() / 8 + 1);
    std::memcpy(moved.data(), bytes.data(), bytes.size());
    bytes = {reinterpret_cast<const char*>(moved.data()), bytes.size()};
  }
  const mapped_csr m = view_binary(bytes, nullptr, name, false, options.threads);
  if (m.complex && options.type && !is_floating(*options.type))
    throw usage_error(std::string(name) + ": complex values cannot be read as " +
                      std::string(describe(*options.type).name));
  coordinates out;
  out.rows = m.rows;
  out.columns = m.columns;
  out.complex = m.complex;
  out.pattern = m.pattern;
  out.symmetric = m.symmetric;
  out.stored = m.entries;
  out.first_vertex_id = m.first_vertex_id;
  out.vertex_ids.assign(m.vertex_ids.begin(), m.vertex_ids.end());
  out.type = options.type.value_or(m.type);
  const auto entries = static_cast<std::size_t>(m.entries);
  require_memory(entries, 8 + (m.pattern ? 0 : out.value_size()), "expanding the entries");
  out.column.assign(m.column.begin(), m.column.end());
  out.row.resize(entries);
  const auto rows = static_cast<std::size_t>(m.rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto offset = [&](std::size_t i) {
      return m.offsets64.empty() ? std::uint64_t{m.offsets32[i]} : m.offsets64[i];
    };
    std::fill(out.row.begin() + static_cast<std::ptrdiff_t>(offset(r)),
              out.row.begin() + static_cast<std::ptrdiff_t>(offset(r + 1)),
              static_cast<std::uint32_t>(r));
  }
  if (out.type == m.type) {
    out.values.assign(m.values.begin(), m.values.end());
    if (!options.undirected) return out;
  } else {
    const std::size_t numbers = m.values.size() / describe(m.type).size;
    out.values.resize(numbers * describe(out.type).size);
    with_builtin_type(m.type, [&]<class From>() {
      with_builtin_type(out.type, [&]<class To>() {
        for (std::size_t k = 0; k < numbers; ++k) {
          From value;
          To result{};
          std::memcpy(&value, m.values.data() + k * sizeof(From), sizeof(From));
          if (!convert(value, result))
            throw input_error(std::string(name), 0, "the value " + std::to_string(value),
                              "values that " + std::string(describe(out.type).name) + " can hold");
          std::memcpy(out.values.data() + k * sizeof(To), &result, sizeof(To));
        }
      });
    });
  }
  make_undirected(out, name, options);
  return out;
}

}  // namespace tropic::io::detail

namespace tropic::io {

mapped_csr map_binary(const std::filesystem::path& path, bool trusted, int threads) {
  detail::source file = detail::open_source(path, {});
  return detail::view_binary(file.text, std::move(file.owner), file.name, trusted, threads);
}

}  // namespace tropic::io

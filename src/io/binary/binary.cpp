// SPDX-License-Identifier: Apache-2.0

// Reads `.tropic` files in place (checked by binary_checks.cpp) and expands them.

#include <algorithm>
#include <cstring>
#include <limits>

#include <tropic/detail/hash.hpp>

#include "io/binary/binary_checks.hpp"
#include "io/binary/binary_format.hpp"
#include "io/entries.hpp"
#include "io/input/source.hpp"
#include "io/readers.hpp"

namespace tropic::io::detail {

namespace {

template <class T>
std::span<const T> array_at(std::string_view bytes, std::uint64_t at, std::uint64_t count) {
  return {reinterpret_cast<const T*>(bytes.data() + at), static_cast<std::size_t>(count)};
}

/// Converts one value exactly. Returns false if that is not possible. To bool, all but zero is
/// true.
template <class To, class From>
bool convert(From value, To& result) {
  if constexpr (std::is_same_v<To, bool>) {
    result = value != From{0};
    return true;
  } else if constexpr (std::is_same_v<To, From> || std::is_same_v<To, double>) {
    result = static_cast<To>(value);
    return true;
  } else if constexpr (std::is_same_v<To, float>) {
    result = static_cast<float>(value);
    return !std::isinf(result) || std::isinf(static_cast<double>(value));
  } else if constexpr (std::is_floating_point_v<From>) {
    constexpr auto first_too_large =
        static_cast<double>(std::numeric_limits<To>::max() / 2 + 1) * 2;
    const auto real = static_cast<double>(value);
    if (!(real == std::trunc(real) && real >= static_cast<double>(std::numeric_limits<To>::min()) &&
          real < first_too_large))
      return false;
    result = static_cast<To>(value);
    return true;
  } else {
    result = static_cast<To>(value);
    return static_cast<From>(result) == value && (result < To{0}) == (value < From{0});
  }
}

void expand_rows(const mapped_csr& m, std::vector<std::uint32_t>& row) {
  const auto entries = static_cast<std::size_t>(m.entries), rows = static_cast<std::size_t>(m.rows);
  row.resize(entries);
  std::size_t begin = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    // Stays within the array even if a mapped file changes after it was checked.
    const std::uint64_t offset =
        m.offsets64.empty() ? std::uint64_t{m.offsets32[r + 1]} : m.offsets64[r + 1];
    const auto end = static_cast<std::size_t>(std::clamp<std::uint64_t>(offset, begin, entries));
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(begin),
              row.begin() + static_cast<std::ptrdiff_t>(end), static_cast<std::uint32_t>(r));
    begin = end;
  }
}

/// Converts the values to the type of `out`. Throws input_error for one that does not fit.
void convert_values(const mapped_csr& m, std::string_view bytes, std::string_view name,
                    coordinates& out) {
  const std::size_t numbers = m.values.size() / describe(m.type).size;
  const auto values_at =
      static_cast<std::size_t>(m.values.data() - reinterpret_cast<const std::byte*>(bytes.data()));
  out.values.resize(numbers * describe(out.type).size);
  with_builtin_type(m.type, [&]<class From>() {
    with_builtin_type(out.type, [&]<class To>() {
      for (std::size_t k = 0; k < numbers; ++k) {
        From value;
        To result{};
        std::memcpy(&value, m.values.data() + k * sizeof(From), sizeof(From));
        if (!convert(value, result))
          throw input_error(std::string(name), 0,
                            "the value " + std::to_string(value) + " at byte " +
                                std::to_string(values_at + k * sizeof(From)),
                            "values that " + std::string(describe(out.type).name) + " can hold");
        std::memcpy(out.values.data() + k * sizeof(To), &result, sizeof(To));
      }
    });
  });
}

}  // namespace

std::uint64_t binary_header::own_checksum() const {
  return tropic::detail::fnv(tropic::detail::fnv_basis, this, sizeof *this - sizeof checksum);
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
  const binary_header h = checked_header(bytes, name);
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

  check_contents(m, h, bytes, name, threads);
  return m;
}

coordinates read_binary(std::string_view bytes, std::string_view name,
                        const read_options& options) {
  // Text passed by a caller may start at any address; the arrays need their alignment.
  const job work(options, 0, 1);
  std::vector<std::uint64_t> moved;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
    work.memory.require(bytes.size() + 8, "aligning the arrays");
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
  read_options left = options;
  left.memory_used += moved.size() * sizeof(std::uint64_t);
  const job held(left, 0, 1);
  held.memory.require(bytes_for(m.vertex_ids.size(), sizeof(index_t)), "copying the vertices");
  out.vertex_ids.assign(m.vertex_ids.begin(), m.vertex_ids.end());
  out.type = options.type.value_or(m.type);
  require_entries(out, static_cast<std::size_t>(m.entries), "expanding the entries", held);
  const bool is_converted = out.type != m.type;
  run_together(
      held.quietly(), [&] { expand_rows(m, out.row); },
      [&] { out.column.assign(m.column.begin(), m.column.end()); },
      [&] {
        if (!is_converted) out.values.assign(m.values.begin(), m.values.end());
      });
  if (!is_converted && !options.undirected) return out;
  if (is_converted) convert_values(m, bytes, name, out);
  make_undirected(out, name, left);
  return out;
}

}  // namespace tropic::io::detail

namespace tropic::io {

mapped_csr map_binary(const std::filesystem::path& path, const map_options& options) {
  read_options reading;
  reading.memory_limit = options.memory_limit;
  reading.memory_used = options.memory_used;
  reading.unpack_ratio = options.unpack_ratio;
  reading.progress = options.progress;
  detail::source file = detail::open_source(path, reading);
  mapped_csr result = detail::view_binary(file.text, std::move(file.owner), file.name,
                                          options.trusted, options.threads);
  result.memory = file.memory;
  return result;
}

}  // namespace tropic::io

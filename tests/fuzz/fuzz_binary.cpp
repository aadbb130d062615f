// SPDX-License-Identifier: Apache-2.0

// `.tropic` files. The first byte selects which header fields are corrected before the file is
// read, the rest is the file. The checksum is always correct, so that it does not hide the other
// checks.
//
//   1  positions and size, from the other fields
//   2  magic bytes, version and byte order
//   4  the file is truncated or padded with zeros to the size in its header
//   8  two threads
//
// An accepted file is consistent, is the same after writing and reading, and multiplies, is
// searched and transposed on the cpu context as on the reference.
//
// `fuzz_binary --seeds DIR` writes the first inputs.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tropic/algorithms/bfs.hpp>
#include <tropic/detail/operations.hpp>
#include <tropic/io.hpp>
#include <tropic/read_matrix.hpp>
#include <tropic/semirings/builtins.hpp>
#include <utility>
#include <vector>

#include "fuzz.hpp"
#include "io/binary/binary_format.hpp"
#include "io/readers.hpp"
#include "io/writers.hpp"

namespace {

using namespace tropic;
using tropic::fuzz::broken;
using tropic::fuzz::require;
using tropic::io::coordinates;
using tropic::io::detail::binary_header;

enum : unsigned { put_positions = 1, put_mark = 2, put_size = 4, two_threads = 8 };
constexpr std::size_t longest_file = 1 << 16;

void mend_header(std::string& file, unsigned what) {
  binary_header header;
  if (file.size() < sizeof header) return;
  std::memcpy(static_cast<void*>(&header), file.data(), sizeof header);
  if ((what & put_mark) != 0) {
    header.magic = binary_header::expected_magic;
    header.version = binary_header::current_version;
    header.endianness = binary_header::native;
  }
  // place() multiplies these: only if nothing overflows.
  const bool small = header.type < static_cast<unsigned>(builtin_type_count) &&
                     header.rows < longest_file && header.entries < longest_file;
  if ((what & put_positions) != 0 && small) header.place();
  header.checksum = header.own_checksum();
  std::memcpy(file.data(), &header, sizeof header);
  if ((what & put_size) != 0 && header.file_size >= sizeof header &&
      header.file_size <= longest_file)
    file.resize(static_cast<std::size_t>(header.file_size), '\0');
}

using position = std::pair<std::uint32_t, std::uint32_t>;

// 0 and -0 are one value, and so are all NaNs.
bool same_value(const coordinates& m, std::size_t a, std::size_t b) {
  if (m.pattern) return true;
  const std::size_t parts = m.complex ? 2 : 1;
  return with_builtin_type(m.type, [&]<class T>() {
    for (std::size_t part = 0; part < parts; ++part) {
      T x, y;
      std::memcpy(&x, m.values.data() + (a * parts + part) * sizeof(T), sizeof(T));
      std::memcpy(&y, m.values.data() + (b * parts + part) * sizeof(T), sizeof(T));
      if (!(x == y || (x != x && y != y))) return false;
    }
    return true;
  });
}

bool equals_its_transpose(const coordinates& m) {
  std::map<position, std::size_t> entries;
  for (std::size_t e = 0; e < m.row.size(); ++e) entries[{m.row[e], m.column[e]}] = e;
  return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const auto mirrored = entries.find({entry.first.second, entry.first.first});
    return mirrored != entries.end() && same_value(m, mirrored->second, entry.second);
  });
}

void check_expanded(const coordinates& m) {
  require(m.row.size() == m.column.size(), "rows and columns differ in number");
  require(m.values.size() == (m.pattern ? 1 : m.row.size()) * m.value_size(), "values");
  require(m.stored == m.entries(), "stored");
  for (std::size_t e = 0; e < m.row.size(); ++e) {
    require(m.row[e] < m.rows && m.column[e] < m.columns, "an entry outside the matrix");
    require(e == 0 || position(m.row[e - 1], m.column[e - 1]) < position(m.row[e], m.column[e]),
            "entries do not ascend");
  }
  if (m.type == type_code::boolean)
    for (const std::byte value : m.values) require(value <= std::byte{1}, "a bool beyond 1");
  require(m.vertex_ids.empty() || m.vertex_ids.size() == static_cast<std::size_t>(m.rows),
          "vertex numbers");
  require(std::is_sorted(m.vertex_ids.begin(), m.vertex_ids.end(), std::less_equal<>()),
          "vertex numbers do not ascend");
  if (m.symmetric) {
    require(m.rows == m.columns, "symmetric and not square");
    require(equals_its_transpose(m), "said to be symmetric, and is not");
  }
}

void check_view(std::string_view file, int threads) {
  const io::mapped_csr m = io::detail::view_binary(file, nullptr, "f", false, threads);
  const auto offset = [&](index_t row) {
    const auto at = static_cast<std::size_t>(row);
    return m.offsets64.empty() ? std::uint64_t{m.offsets32[at]} : m.offsets64[at];
  };
  const auto inside = [&](const auto& array) {
    const auto* begin = reinterpret_cast<const char*>(array.data());
    return array.empty() || (begin >= file.data() + sizeof(binary_header) &&
                             begin + array.size_bytes() <= file.data() + file.size());
  };
  require(inside(m.offsets32) && inside(m.offsets64) && inside(m.column) && inside(m.values) &&
              inside(m.vertex_ids),
          "an array outside the file");
  require(offset(0) == 0 && offset(m.rows) == static_cast<std::uint64_t>(m.entries), "offsets");
  for (index_t row = 0; row < m.rows; ++row) {
    require(offset(row) <= offset(row + 1), "offsets fall");
    for (std::uint64_t e = offset(row); e < offset(row + 1); ++e)
      require(m.column[e] < m.columns && (e == offset(row) || m.column[e - 1] < m.column[e]),
              "columns");
  }
}

bool same(const coordinates& a, const coordinates& b) {
  return a.rows == b.rows && a.columns == b.columns && a.type == b.type && a.row == b.row &&
         a.column == b.column && a.values == b.values && a.vertex_ids == b.vertex_ids &&
         a.pattern == b.pattern && a.complex == b.complex && a.symmetric == b.symmetric &&
         a.first_vertex_id == b.first_vertex_id;
}

void read_again(const coordinates& m) {
  std::string written;
  io::detail::write_binary(m, "f", {.threads = 1},
                           [&](std::string_view bytes) { written += bytes; });
  require(same(m, io::read_text(written, io::file_format::binary, "again")),
          "is not the same once written and read");
}

// --- small operations ---------------------------------------------------------------------------

/// The contents of a container as comparable text; all NaNs are equal, and so are both zeros.
template <class T>
std::string bytes_of(std::optional<T> value) {
  if (!value) return "-";
  if (*value != *value) return "nan";
  if (*value == T{}) return "0";
  return {reinterpret_cast<const char*>(&*value), sizeof(T)};
}

struct results {
  std::vector<std::string> product, transposed;
  bool operator==(const results&) const = default;
};

template <class T>
results compute(const context& where, const coordinates& m) {
  results found;
  const matrix<T> a = make_matrix<T>(where, m);
  // Sums of few integers, and minima, do not depend on the order.
  const char* name = std::is_same_v<T, bool>       ? "or_and"
                     : std::is_floating_point_v<T> ? "min_times"
                                                   : "plus_times";
  const auto semiring = builtin_semiring(name, builtin_code<T>());
  for (const bool transposed : {false, true}) {
    const vector<T> u(where, transposed ? a.rows() : a.columns(), T{1});
    vector<T> w(where, transposed ? a.columns() : a.rows());
    detail::multiply("mxv", w.base(), *semiring, {.matrix = a.base(), .transposed = transposed},
                     u.base(), detail::factor_order::matrix_first, {});
    for (index_t i = 0; i < w.size(); ++i) found.product.push_back(bytes_of(w.get(i)));
  }
  matrix<T> b(where, a.columns(), a.rows());
  detail::transpose(b.base(), a.base(), {});
  require(b.nvals() == a.nvals(), "a transpose with another number of entries");
  for (std::size_t e = 0; e < m.row.size(); ++e) {
    const auto there = a.get(m.row[e], m.column[e]), back = b.get(m.column[e], m.row[e]);
    require(there && bytes_of(there) == bytes_of(back), "a transpose that is none");
    found.transposed.push_back(bytes_of(back));
  }
  return found;
}

std::vector<std::string> search(const context& where, const coordinates& m) {
  std::vector<std::string> found;
  const bfs_result searched = bfs(make_matrix<bool>(where, m), m.rows - 1);
  for (index_t v = 0; v < m.rows; ++v) {
    found.push_back(bytes_of(searched.level.get(v)));
    found.push_back(bytes_of(searched.parent.get(v)));
  }
  return found;
}

void check_operations(const coordinates& m, unsigned what) {
  static const context reference = context::reference(fuzz::bounded(1));
  static const context one = context::cpu(fuzz::bounded(1)), two = context::cpu(fuzz::bounded(2));
  const context& cpu = (what & two_threads) != 0 ? two : one;
  with_builtin_type(m.type, [&]<class T>() {
    require(compute<T>(reference, m) == compute<T>(cpu, m), "cpu and reference differ");
  });
  if (m.rows != m.columns || m.rows == 0) return;
  coordinates graph = m;
  graph.pattern = true;
  graph.type = type_code::boolean;
  graph.values.assign(1, std::byte{1});
  require(search(reference, graph) == search(cpu, graph), "cpu and reference search differently");
}

}  // namespace

int tropic::fuzz::write_seeds(const std::filesystem::path& folder) {
  using io::file_format;
  std::filesystem::create_directories(folder);
  const auto put = [&](const char* name, const coordinates& m) {
    std::ofstream file(folder / name, std::ios::binary);
    file << static_cast<char>(put_positions | put_mark);
    io::detail::write_binary(m, name, {}, [&](std::string_view bytes) { file << bytes; });
  };
  const auto text = [&](const char* name, file_format format, const char* content,
                        std::optional<type_code> type = {}) {
    put(name, io::read_text(content, format, name, {.type = type}));
  };
  text("pattern", file_format::metis, "3 2\n2\n1 3\n2\n");
  text("empty", file_format::metis, "0 0\n");
  text("weights", file_format::weighted_edge_list, "0 1 2\n1 2 0.5\n");
  text("bytes", file_format::weighted_edge_list, "0 1 2\n1 2 250\n3 0 9\n3 3 1\n",
       type_code::uint8);
  text("bools", file_format::weighted_edge_list, "0 1 1\n1 0 0\n", type_code::boolean);
  text("wide", file_format::matrix_market,
       "%%MatrixMarket matrix coordinate integer general\n3 5 4\n3 2 7\n1 5 1\n1 1 2\n3 1 9\n");
  text("complex", file_format::matrix_market,
       "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1.5 -2\n");
  text("symmetric", file_format::matrix_market,
       "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n3 2 0.5\n3 1 2\n");
  put("vertices", io::read_ldbc_text("900\n-5\n7\n", "-5 7\n7 900\n", "g"));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > longest_file) return 0;
  const unsigned what = data[0];
  std::string file(reinterpret_cast<const char*>(data + 1), size - 1);
  mend_header(file, what);
  // Like a caller's text: at an arbitrary alignment, and without slack after it.
  const std::vector<std::uint64_t> aligned = [&] {
    std::vector<std::uint64_t> result((file.size() + 7) / 8);
    if (!file.empty()) std::memcpy(result.data(), file.data(), file.size());
    return result;
  }();
  const std::string_view view(reinterpret_cast<const char*>(aligned.data()), file.size());
  const int threads = (what & two_threads) != 0 ? 2 : 1;
  coordinates m;
  try {
    check_view(view, threads);
    m = io::read_text(file, io::file_format::binary, "f", {.threads = threads});
  } catch (const error& e) {
    require(*e.what() != '\0', "an error without a message");
    return 0;
  }
  check_expanded(m);
  read_again(m);
  constexpr index_t limit =
      1024;  // the length of a vector is given by the header, not by the size of the file
  if (m.complex || m.rows > limit || m.columns > limit) return 0;
  check_operations(m, what);
  return 0;
}

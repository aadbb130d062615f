// SPDX-License-Identifier: Apache-2.0

// Every text reader under libFuzzer. The first byte selects the format and the second the options;
// the rest is the file. A reader may return a matrix or throw tropic::error, nothing else. The
// result must be consistent, be the same at another chunk size, and read back after writing.
//
// `fuzz_readers --seeds DIR` writes the first inputs.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tropic/context.hpp>
#include <tropic/read_matrix.hpp>

#include "containers/context_state.hpp"
#include "fuzz.hpp"
#include "io/placed_rows.hpp"

namespace {

using namespace tropic;
using namespace tropic::io;

constexpr unsigned format_count = 10;

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "fuzz_readers: %s\n", what);
  std::abort();
}

void check(const coordinates& m) {
  if (m.row.size() != m.column.size()) broken("rows and columns differ in number");
  if (m.values.size() != (m.pattern ? 1 : m.row.size()) * m.value_size()) broken("values");
  if (m.stored > m.entries()) broken("more stored than listed");
  for (std::size_t k = 0; k < m.row.size(); ++k)
    if (m.row[k] >= m.rows || m.column[k] >= m.columns) broken("an entry outside the matrix");
  if (m.type == type_code::boolean)
    for (const std::byte value : m.values)
      if (value > std::byte{1}) broken("a bool beyond 1");
}

bool same(const coordinates& a, const coordinates& b) {
  return a.rows == b.rows && a.columns == b.columns && a.type == b.type && a.row == b.row &&
         a.column == b.column && a.values == b.values && a.vertex_ids == b.vertex_ids &&
         a.vertex_names == b.vertex_names;
}

bool same(const tropic::detail::buffer_pointer& a, const tropic::detail::buffer_pointer& b) {
  return a->bytes() == b->bytes() &&
         (a->bytes() == 0 || std::memcmp(a->host(), b->host(), a->bytes()) == 0);
}

// Entries that are placed in a matrix while the text is parsed, against the list of them.
void place_as_listed(std::string_view text, file_format format, read_options options) {
  options.threads = 1;
  options.memory_limit = std::size_t{1} << 24;  // of large shapes
  static const context where = context::cpu({.threads = 1});
  constexpr duplicates rule = duplicates::last;
  const tropic::detail::read_plan_function plan = [](const coordinates& from, index_t) {
    return tropic::detail::read_plan{.type = from.type, .rule = rule};
  };
  for (const std::size_t chunk : {std::size_t{0}, std::size_t{16}}) {
    options.chunk_bytes = chunk;
    tropic::io::detail::row_placer placer(where.state(), plan, 0, 4);
    coordinates list;
    std::string error_of_list, error_of_placer;
    try {
      list = read_text(text, format, "f", options);
    } catch (const error& e) {
      error_of_list = e.what();
    }
    try {
      tropic::io::detail::read_text_with(text, format, "f", options, placer);
    } catch (const error& e) {
      error_of_placer = e.what();
    }
    if (error_of_list != error_of_placer && !placer.matrix) broken("placing changes the error");
    if (!placer.matrix || !error_of_list.empty()) return;
    tropic::with_builtin_type(list.type, [&]<class T>() {
      const auto built = tropic::make_matrix<T>(where, list, rule);
      const auto &a = *placer.matrix, &b = built.base();
      if (a.nnz != b.nnz || a.iso != b.iso || a.symmetric != b.symmetric ||
          !same(a.offsets, b.offsets) || !same(a.column_indices, b.column_indices) ||
          !same(a.values, b.values))
        broken("placing changes the matrix");
    });
  }
}

void read_both_ways(std::string_view text, file_format format, read_options options) {
  options.threads = 1;
  std::string first_error, second_error;
  coordinates first, second;
  try {
    first = read_text(text, format, "f", options);
    check(first);
  } catch (const error& e) {
    first_error = e.what();
  }
  options.chunk_bytes = 1;
  try {
    second = read_text(text, format, "f", options);
  } catch (const error& e) {
    second_error = e.what();
  }
  if (first_error != second_error) broken("the chunk size changes the error");
  if (!first_error.empty()) return;
  if (!same(first, second)) broken("the chunk size changes the matrix");
  if (first.entries() > 0) {
    const index_t last = first.entries() - 1;
    if (format != file_format::binary) {
      line_of_entry(text, format, first, last, options);
      // A file that was truncated after it was read.
      try {
        line_of_entry(text.substr(0, text.size() / 2), format, first, last, options);
      } catch (const input_error&) {
      }
    }
  }
  place_as_listed(text, format, options);
  options.memory_limit = 4 * text.size();
  try {
    if (!same(read_text(text, format, "f", options), first)) broken("a limit changes the matrix");
  } catch (const out_of_memory&) {
  }
  const std::string written = write_text(first, file_format::matrix_market, {.drop_names = true});
  const coordinates again = read_text(written, file_format::matrix_market, "again");
  if (again.entries() != first.entries() || again.type != first.type) broken("does not read back");
  if (!first.vertex_names.empty()) {
    const file_format table = text.size() % 2 == 0 ? file_format::csv : file_format::tsv;
    read_options named;
    named.names = true;
    named.threads = 1;
    if (!first.pattern) named.type = first.type;  // a table does not name it
    const coordinates back = read_text(write_text(first, table), table, "again", named);
    if (back.row != first.row || back.column != first.column ||
        back.vertex_names != first.vertex_names)
      broken("names do not read back");
  }
}

constexpr unsigned char names_bit = 64, no_header_bit = 128;

struct seed {
  file_format format;
  unsigned char options;
  std::string_view text;
};
constexpr seed seeds[] = {
    {file_format::matrix_market, 0,
     "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.5\n"},
    {file_format::matrix_market, 0,
     "%%MatrixMarket matrix coordinate integer skew-symmetric\n%%GraphBLAS type int8_t\n3 3 1\n3 1 "
     "-5\n"},
    {file_format::matrix_market, 0,
     "%%MatrixMarket matrix array complex hermitian\n%%GraphBLAS type float complex\n2 2\n1 0\n2 "
     "3\n4 0\n"},
    {file_format::matrix_market, 1,
     "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 2\n"},
    {file_format::matrix_market, 2, "2 2\n1\n2\n3\n4\n"},
    {file_format::dimacs, 0, "c x\np sp 3 2\na 1 2 3\na 3 1 -4\n"},
    {file_format::edge_list, 1, "# x\n0 1\n5 2\n"},
    {file_format::weighted_edge_list, 0, "0 1 2\n1 2 0.5\n"},
    {file_format::snap, 1, "# x\n0\t1\t-1\n"},
    {file_format::metis, 0, "3 2\n2\n1 3\n2\n"},
    {file_format::metis, 0, "2 1 111 2\n8 5 5 2 9\n8 6 6 1 9\n"},
    {file_format::ldbc, 1, "10 -30 0.5\n-30 20 1e3\n"},
    {file_format::csv, 0, "\xef\xbb\xbf# x\nid;to;from;weight\r\n7;1;0;0.5\r\n;;;\r\n8;2;1;3\r\n"},
    {file_format::csv, names_bit, "from,to\na,\"b, \"\"c\n\"\"\"\n\"#a\",a\n# x\n"},
    {file_format::csv, names_bit | no_header_bit, "ann,bob,1\nbob,\"c\nd\",2.5\n"},
    {file_format::tsv, 1, "0\t1\t5\n1\t\"2\"\t6\n"},
    {file_format::snap, names_bit, "# x\nb a 2\n% y\na \"c 3\n"},
    {file_format::csv, names_bit | no_header_bit, "source,b,1\nb,target,2.5\n"},
    {file_format::weighted_edge_list, 0, "0 1 18446744073709551615\n1 2 0.5\n"},
};

}  // namespace

int tropic::fuzz::write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  int serial = 0;
  for (const seed& s : seeds) {
    std::ofstream file(folder / ("seed-" + std::to_string(serial++)), std::ios::binary);
    file << static_cast<char>(s.format) << static_cast<char>(s.options) << s.text;
  }
  // A binary file, from a text that is known to be valid.
  const auto path = folder / "binary.tropic";
  write(path, read_text("3 2\n2\n1 3\n2\n", file_format::metis, "seed"));
  std::ifstream packed(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(packed), {}};
  std::ofstream(folder / "seed-binary", std::ios::binary)
      << static_cast<char>(file_format::binary) << '\0' << bytes;
  std::filesystem::remove(path);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  read_options options;
  options.undirected = (data[1] & 1U) != 0;
  options.lenient = (data[1] & 2U) != 0;
  const unsigned type = data[1] >> 2U & 15U;
  const unsigned format = data[0] % format_count;
  const bool is_table = format == static_cast<unsigned>(file_format::csv) ||
                        format == static_cast<unsigned>(file_format::tsv);
  options.names = (data[1] & names_bit) != 0 &&
                  (is_table || (format >= static_cast<unsigned>(file_format::edge_list) &&
                                format <= static_cast<unsigned>(file_format::snap)));
  if (is_table && (data[1] & no_header_bit) != 0) options.header = header_rule::no;
  if (type > 0 && type <= static_cast<unsigned>(builtin_type_count))
    options.type = static_cast<type_code>(type - 1);
  const std::string text(reinterpret_cast<const char*>(data + 2), size - 2);  // no slack after it
  read_both_ways(text, static_cast<file_format>(format), options);
  return 0;
}

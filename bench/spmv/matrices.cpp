// SPDX-License-Identifier: Apache-2.0
#include "matrices.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <tropic/detail/threads.hpp>
#include <tropic/error.hpp>
#include <tropic/generators.hpp>
#include <tropic/io.hpp>

namespace bench {
namespace {

constexpr std::string_view prefix = "paper:";

// Names without a colon are files of the data folder.
constexpr std::string_view published[] = {"USA-road-d.NY.mtx.xz",
                                          "USA-road-u.NE.mtx.xz",
                                          "paper:asic_680k",
                                          "cnr-2000.mtx.xz",
                                          "paper:dc2",
                                          "paper:dense",
                                          "paper:economics",
                                          "paper:ship",
                                          "kron:18",
                                          "kron:22",
                                          "paper:webbase",
                                          "soc-Slashdot0902.mtx.xz"};

/// N of "PREFIX:N", 0 for other names.
std::int64_t number_behind(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  std::int64_t n = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), n);
  return read.ec == std::errc{} && read.ptr == name.data() + name.size() ? n : 0;
}

/// By counting sort of the rows. Each row is sorted and has no repeated entries.
csr from_coordinates(const tropic::io::coordinates& from) {
  csr result;
  result.rows = from.rows;
  result.columns = from.columns;
  const auto rows = static_cast<std::size_t>(from.rows);
  std::vector<std::uint64_t> next(rows + 1, 0);
  bool ordered = true;
  for (std::size_t e = 0; e < from.row.size(); ++e) {
    ++next[from.row[e] + std::size_t{1}];
    ordered = ordered && (e == 0 || from.row[e - 1] < from.row[e] ||
                          (from.row[e - 1] == from.row[e] && from.column[e - 1] < from.column[e]));
  }
  std::inclusive_scan(next.begin(), next.end(), next.begin());
  result.offsets = next;
  if (ordered) {
    result.column = from.column;
    return result;
  }
  std::vector<std::uint32_t> column(from.column.size());
  for (std::size_t e = 0; e < from.row.size(); ++e) column[next[from.row[e]]++] = from.column[e];
  result.column.reserve(column.size());
  std::uint64_t begin = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(begin);
    begin = result.offsets[r + 1];
    const auto last = column.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, last);
    result.column.insert(result.column.end(), first, std::unique(first, last));
    result.offsets[r + 1] = result.column.size();
  }
  return result;
}

}  // namespace

std::vector<std::string> matrices_of_set(std::string_view set, const std::string& folder,
                                         std::vector<std::string>& missing) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  };
  if (set == "paper" || set == "all")
    for (const shape& s : tropic::shapes::of_papers()) add(std::string(prefix).append(s.name));
  if (set == "published" || set == "all")
    for (const std::string_view name : published) {
      if (name.find(':') != std::string_view::npos) {
        add(std::string(name));
        continue;
      }
      const std::filesystem::path file = std::filesystem::path(folder) / name;
      if (std::filesystem::exists(file))
        add(file.string());
      else
        missing.push_back(file.string());
    }
  return names;
}

const shape* published_shape(std::string_view name) {
  if (!name.starts_with(prefix)) return nullptr;
  name.remove_prefix(prefix.size());
  return tropic::shapes::of_papers(name);
}

csr matrix_named(const std::string& name, std::int64_t shrink) {
  using namespace tropic::shapes;
  const int threads = tropic::detail::checked_threads(0);
  if (const shape* s = published_shape(name)) return make(shrunk(*s, shrink), threads);
  if (const std::int64_t mean = number_behind("even:", name); mean > 0 && mean <= 8'000)
    return make(shrunk(even_rows(mean), shrink), threads);
  if (const std::int64_t rows = number_behind("permutation:", name); rows > 0)
    return permutation(std::max<std::int64_t>(1, rows / shrink));
  if (!tropic::is_generator_spec(name)) return from_coordinates(tropic::io::read(name));
  if (shrink > 1 && name.starts_with("kron:")) {
    const auto less = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(shrink))) - 1;
    return from_coordinates(tropic::kron(std::max(4, std::stoi(name.substr(5)) - less)));
  }
  return from_coordinates(tropic::generate(name));
}

}  // namespace bench

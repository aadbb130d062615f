// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers of the io tests: reading inline text at every chunk size, values as numbers, messages of
// errors, and a temporary folder for each test that needs files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tropic/io.hpp>
#include <vector>

#include "support/messages.hpp"

namespace tropic::io::samples {

template <class T>
std::vector<T> values_of(const coordinates& m) {
  EXPECT_EQ(m.type, builtin_code<T>());
  std::vector<T> values(m.values.size() / sizeof(T));
  for (std::size_t k = 0; k < values.size(); ++k) {
    T value;  // not in place: vector<bool> has no addresses
    std::memcpy(&value, m.values.data() + k * sizeof(T), sizeof(T));
    values[k] = value;
  }
  return values;
}

inline std::vector<double> numbers_of(const coordinates& m) {
  std::vector<double> numbers;
  with_builtin_type(m.type, [&]<class T>() {
    for (const auto value : values_of<T>(m)) numbers.push_back(static_cast<double>(value));
  });
  return numbers;
}

using places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
inline places places_of(const coordinates& m) {
  places result;
  for (std::size_t k = 0; k < m.row.size(); ++k) result.emplace_back(m.row[k], m.column[k]);
  return result;
}

inline void expect_equal(const coordinates& a, const coordinates& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.complex, b.complex);
  EXPECT_EQ(a.pattern, b.pattern);
  EXPECT_EQ(a.symmetric, b.symmetric);
  EXPECT_EQ(a.row, b.row);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.vertex_ids, b.vertex_ids);
  EXPECT_EQ(a.vertex_names, b.vertex_names);
}

inline std::vector<std::string> names_of(const coordinates& m) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < m.vertex_names.size(); ++v) names.emplace_back(m.vertex_names[v]);
  return names;
}

/// Reads with one line per task and with one task, on one thread and on three: all must agree.
inline coordinates read_each_way(std::string_view text, file_format format,
                                 read_options options = {}) {
  const coordinates whole = read_text(text, format, "sample", options);
  for (const int threads : {1, 3}) {
    options.chunk_bytes = 1;
    options.threads = threads;
    expect_equal(read_text(text, format, "sample", options), whole);
  }
  return whole;
}

using tropic::testing::message_of;
using tropic::testing::no_error;

/// Whether a message is `f:LINE: found X, expected Y`.
inline bool names_line(std::string_view message) {
  if (!message.starts_with("f:")) return false;
  const std::size_t colon = message.find(':', 2);
  return colon != std::string_view::npos && colon > 2 &&
         message.substr(2, colon - 2).find_first_not_of("0123456789") == std::string_view::npos &&
         message.substr(colon).starts_with(": found ") &&
         message.find(", expected ") != std::string_view::npos;
}

/// The message for malformed text, with its line, the same at every chunk size; for options that
/// contradict the file it has only the file.
inline std::string complaint(std::string_view text, file_format format, read_options options = {}) {
  const std::string whole = message_of([&] { read_text(text, format, "f", options); });
  EXPECT_TRUE(whole == no_error || names_line(whole) || whole.starts_with("f: found --") ||
              whole.starts_with("f: --") ||
              ((options.type || options.undirected) && whole.starts_with("f: ")))
      << whole;
  for (const int threads : {1, 3}) {
    options.chunk_bytes = 1;
    options.threads = threads;
    EXPECT_EQ(message_of([&] { read_text(text, format, "f", options); }), whole);
  }
  return whole;
}

class folder {
 public:
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tropic-io-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::filesystem::path put(std::string_view name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tropic::io::samples

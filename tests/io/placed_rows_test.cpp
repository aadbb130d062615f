// SPDX-License-Identifier: Apache-2.0

// Matrices whose entries are placed while the text is parsed: the same arrays as those built from
// the list of the entries, for every format, symmetry, rule, chunk size and number of threads.

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <tropic/read_matrix.hpp>

#include "containers/context_state.hpp"
#include "io/placed_rows.hpp"

namespace tropic {
namespace {

using detail::matrix_base;
using detail::read_plan;
using io::detail::row_placer;

class PlacedRows : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const std::string& file : files_) std::filesystem::remove(file);
  }
  std::string file(const std::string& ending, const std::string& text) {
    files_.push_back((std::filesystem::temp_directory_path() /
                      ("tropic_placed_rows_" + std::to_string(::getpid()) + "_" +
                       std::to_string(files_.size()) + ending))
                         .string());
    std::ofstream(files_.back()) << text;
    return files_.back();
  }
  // Entries of which some repeat a position.
  std::string lines(int count, index_t rows, index_t columns, const std::string& tag, int base,
                    int values, bool triangle) {
    std::string text;
    for (int e = 0; e < count; ++e) {
      index_t row = static_cast<index_t>(random_() % static_cast<std::uint64_t>(rows));
      index_t column = static_cast<index_t>(random_() % static_cast<std::uint64_t>(columns));
      if (e % 5 == 0) column = row = e % 7 + 1;
      if (triangle && row < column) std::swap(row, column);
      text += tag + std::to_string(row + base) + " " + std::to_string(column + base);
      if (values == 1) text += " " + std::to_string(static_cast<int>(random_() % 200) - 100);
      if (values == 2) text += " 0." + std::to_string(random_() % 100000);
      text += "\n";
    }
    return text;
  }

  std::vector<std::string> files_;
  std::mt19937_64 random_{7};
};

std::vector<std::byte> bytes_of(const detail::buffer_pointer& from) {
  std::vector<std::byte> bytes(from->bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), from->host(), bytes.size());
  return bytes;
}

void expect_same(const matrix_base& placed, const matrix_base& built) {
  EXPECT_EQ(placed.rows, built.rows);
  EXPECT_EQ(placed.columns, built.columns);
  EXPECT_EQ(placed.nnz, built.nnz);
  EXPECT_EQ(placed.type, built.type);
  EXPECT_EQ(placed.wide, built.wide);
  EXPECT_EQ(placed.iso, built.iso);
  EXPECT_EQ(placed.symmetric, built.symmetric);
  EXPECT_EQ(placed.longest_row, built.longest_row);
  EXPECT_EQ(placed.empty_rows, built.empty_rows);
  EXPECT_EQ(bytes_of(placed.offsets), bytes_of(built.offsets));
  EXPECT_EQ(bytes_of(placed.column_indices), bytes_of(built.column_indices));
  EXPECT_EQ(bytes_of(placed.values), bytes_of(built.values));
}

matrix_base built_from(const context& where, const io::coordinates& from, duplicates rule) {
  return with_builtin_type(from.type,
                           [&]<class T>() { return make_matrix<T>(where, from, rule).base(); });
}

struct placing {
  io::coordinates from;
  std::optional<matrix_base> matrix;
  index_t entries = 0;
};
placing place(const context& where, const std::string& file, const io::read_options& options,
              const detail::read_plan_function& plan, std::size_t usual_bucket = 16) {
  row_placer placer(where.state(), plan, 0, usual_bucket);
  placing result;
  result.from = io::detail::read_with(file, options, placer);
  result.matrix = std::move(placer.matrix);
  result.entries = placer.entries;
  return result;
}
detail::read_plan_function taking(duplicates rule) {
  return [rule](const io::coordinates& from, index_t) {
    return read_plan{.type = from.type, .rule = rule};
  };
}

TEST_F(PlacedRows, AreThoseOfTheListOfEntries) {
  struct format {
    std::string ending, text;
    bool undirected = false;
  };
  const std::string head = "%%MatrixMarket matrix coordinate ";
  std::vector<format> formats;
  for (const index_t n : {index_t{40}, index_t{6000}}) {
    const std::string size = std::to_string(n) + " " + std::to_string(n) + " 3000\n";
    const auto square = [&](const char* tag, int base, int values, bool triangle) {
      return lines(3000, n, n, tag, base, values, triangle);
    };
    formats.push_back({".mtx", head + "real general\n" + size + square("", 1, 2, false)});
    formats.push_back({".mtx", head + "real symmetric\n" + size + square("", 1, 2, true)});
    formats.push_back({".mtx", head + "integer general\n" + size + square("", 1, 1, false), true});
    formats.push_back({".mtx", head + "pattern symmetric\n" + size + square("", 1, 0, true)});
    formats.push_back({".mtx", head + "pattern general\n" + size + square("", 1, 0, false)});
    formats.push_back({".gr", "p sp " + std::to_string(n) + " 3000\n" + square("a ", 1, 1, false)});
    formats.push_back({".el", square("", 0, 0, false)});
    formats.push_back({".el", square("", 0, 0, false), true});
    formats.push_back({".wel", square("", 0, 1, false)});
    // The first real number is far behind integers.
    formats.push_back({".wel", square("", 0, 1, false) + square("", 0, 2, false), true});
    formats.push_back({".txt", "# a comment\n" + square("", 0, 2, false)});
  }
  // Strictly below the diagonal; more columns than the bits of a packed row leave room for.
  std::string skew;
  for (int e = 0; e < 2000; ++e)
    skew += std::to_string(300 + e % 200) + " " + std::to_string(e % 299 + 1) + " " +
            std::to_string(e) + ".5\n";
  formats.push_back({".mtx", head + "real skew-symmetric\n500 500 2000\n" + skew});
  formats.push_back({".mtx", head + "real general\n65536 1073741824 3000\n" +
                                 lines(3000, 65536, 1073741824, "", 1, 2, false)});
  int placed = 0, listed = 0;
  for (const format& f : formats) {
    const std::string name = file(f.ending, f.text);
    const io::coordinates list = io::read(name, {.undirected = f.undirected});
    for (const auto rule : {duplicates::sum, duplicates::minimum, duplicates::maximum,
                            duplicates::first, duplicates::last}) {
      for (const int threads : {1, 2, 3}) {
        for (const std::size_t chunk : {std::size_t{0}, std::size_t{1}, std::size_t{700}}) {
          SCOPED_TRACE(f.text.substr(0, 60) + " rule " + std::to_string(static_cast<int>(rule)) +
                       " threads " + std::to_string(threads) + " chunk " + std::to_string(chunk));
          // A chunk a line is slow.
          if (chunk == 1 && (rule != duplicates::sum || threads != 2)) continue;
          const context where = context::cpu({.threads = threads});
          io::read_options options;
          options.threads = threads;
          options.undirected = f.undirected;
          options.chunk_bytes = chunk;
          const placing found = place(where, name, options, taking(rule));
          if (found.matrix) {
            ++placed;
            EXPECT_EQ(found.entries, list.entries());
            EXPECT_EQ(found.from.stored, list.stored);
            EXPECT_EQ(found.from.symmetric, list.symmetric);
            EXPECT_EQ(found.from.entries(), 0);
            EXPECT_EQ(found.from.first_vertex_id, list.first_vertex_id);
            expect_same(*found.matrix, built_from(where, list, rule));
          } else {  // a pattern whose repeated entries are counted
            ++listed;
            EXPECT_TRUE(list.pattern && rule == duplicates::sum);
            expect_same(built_from(where, found.from, rule), built_from(where, list, rule));
          }
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(placed, 5 * listed);
}

TEST_F(PlacedRows, AreListedWhereTheyCannotBePlaced) {
  const context where = context::cpu();
  const std::string repeated = file(".wel", "0 1 5\n2 1 7\n0 1 -3\n"), few = file(".el", "0 1\n");
  const auto expect_listed = [&](const std::string& name, const io::read_options& options,
                                 const detail::read_plan_function& plan) {
    const placing found = place(where, name, options, plan);
    EXPECT_FALSE(found.matrix);
    const io::coordinates list = io::read(name, options);
    EXPECT_EQ(found.from.row, list.row);
    EXPECT_EQ(found.from.column, list.column);
    EXPECT_EQ(found.from.values, list.values);
    EXPECT_EQ(found.from.type, list.type);
    EXPECT_EQ(found.from.symmetric, list.symmetric);
    EXPECT_EQ(found.from.stored, list.stored);
    EXPECT_EQ(found.from.rows, list.rows);
  };
  expect_listed(repeated, {}, taking(duplicates::error));
  expect_listed(repeated, {}, [](const auto&, index_t) { return std::nullopt; });
  expect_listed(repeated, {},
                [](const auto&, index_t) { return read_plan{.type = type_code::fp32}; });
  expect_listed(repeated, {}, [](const auto&, index_t) {
    return read_plan{.type = type_code::int64, .accepts = [](const void* values, std::size_t n) {
                       const auto* const v = static_cast<const std::int64_t*>(values);
                       return std::none_of(v, v + n, [](std::int64_t x) { return x < 0; });
                     }};
  });
  expect_listed(file(".mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 2\n"),
                {}, taking(duplicates::first));
  io::read_options options;
  options.undirected = true;
  expect_listed(
      file(".mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n"), options,
      taking(duplicates::first));
  // One row has most of the entries.
  std::string hub;
  for (int e = 0; e < 140'000; ++e) hub += "5 " + std::to_string(e) + "\n";
  expect_listed(file(".el", hub), {}, taking(duplicates::first));
  // read_rows lists few entries.
  io::coordinates from;
  index_t entries = 0;
  EXPECT_FALSE(detail::read_rows(where.state(), few, {}, taking(duplicates::first), from, entries));
  EXPECT_EQ(entries, 1);
  EXPECT_EQ(from.entries(), 1);
}

TEST_F(PlacedRows, HaveTheErrorsOfTheList) {
  const context where = context::cpu();
  const std::string head = "%%MatrixMarket matrix coordinate real general\n3 3 ";
  for (const auto& [ending, text] : std::vector<std::pair<std::string, std::string>>{
           {".mtx", head + "2\n1 1 5\n"},
           {".mtx", head + "1\n1 1 5\n2 2 5\n"},
           {".mtx", head + "2\n1 1 5\n4 1 5\n"},
           {".mtx", head + "2\n1 1 5\n1 x 5\n"},
           {".gr", "p sp 3 2\na 1 2 3\na 1 2 3.5\n"},
           {".gr", "p sp 3 2\na 1 2 3\n"},
           {".el", "0 1\n0 1 2\n"},
           {".wel", "0 1 5\n0 2\n"},
           // Behind what the scan sees.
           {".mtx", head + "3\n1 1 x\n1 2 5\n"},
           {".mtx", head + "1\n1 1 5\n1 2 x\n"},
           {".mtx", head + "1\n1 1 5 6\n"},
           {".wel", "0 1 5\n0 2 99999999999999999999\n"},
           {".wel", "0 1 5\n0 2 1.5\n0 3 x\n"},
           {".wel", "0 1 5\n0 2 x\n0 3 1.5\n"},
           {".wel", "0 1 5\n0 2 1.5\n0 3 1e999\n"},
           {".gr", "p sp 3 1\nb 1 2 3\n"}}) {
    const std::string name = file(ending, text);
    std::string listed, placed;
    try {
      io::read(name);
    } catch (const input_error& e) {
      listed = e.what();
    }
    try {
      place(where, name, {}, taking(duplicates::sum));
    } catch (const input_error& e) {
      placed = e.what();
    }
    EXPECT_NE(listed, "");
    EXPECT_EQ(placed, listed);
  }
}

TEST_F(PlacedRows, AreTheListOrItsErrorForAnyText) {
  struct sample {
    std::string ending, head, line;
  };
  const std::string head = "%%MatrixMarket matrix coordinate ", size = " 300 9999 24\n";
  const std::vector<sample> samples = {
      {".el", "", "171 44"},
      {".wel", "", "1234 89 -3"},
      {".wel", "", "1234 567 0.25"},
      {".gr", "p sp 9999 24\n", "a 1 2345 17"},
      {".mtx", head + "real general\n" + size, "234 5678 12345678"},
      {".mtx", head + "real symmetric\n300 300 24\n", "123 45 1.5e3"},
      {".mtx", head + "real skew-symmetric\n300 300 24\n", "123 45 1.5e3"},
      {".mtx", head + "pattern general\n" + size, "45 1"},
  };
  const std::string bytes = " \t\r\n.-+e0195ax%#c/\x01\xff";
  const context where = context::cpu({.threads = 1});
  int placed = 0, refused = 0;
  for (const sample& s : samples)
    for (int round = 0; round < 150; ++round) {
      std::string text;
      for (int line = 0; line < 24; ++line) text += s.line + "\n";
      for (int change = static_cast<int>(random_() % 3); change > 0; --change) {
        const std::size_t at = random_() % text.size();
        const char byte = bytes[random_() % bytes.size()];
        if (random_() % 2 == 0)
          text[at] = byte;
        else
          text.insert(at, 1 + random_() % 9, byte);
      }
      const std::string name = file(s.ending, s.head + text);
      SCOPED_TRACE(s.head + text);
      io::read_options options;
      options.threads = 1;
      options.memory_limit = std::size_t{1} << 24;  // a changed number may be that of a vertex
      io::coordinates list;
      std::string error;
      try {
        list = io::read(name, options);
      } catch (const input_error& e) {
        error = e.what();
      }
      try {
        const placing found = place(where, name, options, taking(duplicates::last));
        ASSERT_EQ(error, "");
        if (found.matrix) {
          expect_same(*found.matrix, built_from(where, list, duplicates::last));
          ++placed;
        } else {
          EXPECT_EQ(found.from.rows, list.rows);
          EXPECT_EQ(found.from.row, list.row);
          EXPECT_EQ(found.from.column, list.column);
          EXPECT_EQ(found.from.values, list.values);
        }
        if (HasFailure()) return;
      } catch (const input_error& e) {
        ASSERT_EQ(e.what(), error);
        ++refused;
      }
      std::filesystem::remove(name);
    }
  EXPECT_GT(placed, 300);
  EXPECT_GT(refused, 300);
}

TEST_F(PlacedRows, SurviveAFileThatChangesBetweenThePasses) {
  const context where = context::cpu();
  std::string text, other;
  for (int e = 0; e < 3000; ++e) {
    text += std::to_string(1000 + e % 900) + " " + std::to_string(1000 + e) + "\n";
    other += std::to_string(e < 1500 ? 1000 : 1899) + " " + std::to_string(1000 + e) + "\n";
  }
  ASSERT_EQ(text.size(), other.size());
  for (const std::string& changed : {other, std::string(text.size(), '\n')}) {
    const std::string name = file(".el", text);
    const placing found = place(where, name, {}, [&](const io::coordinates& from, index_t) {
      std::fstream(name, std::ios::in | std::ios::out)
          .write(changed.data(), static_cast<std::streamsize>(changed.size()));
      return read_plan{.type = from.type, .rule = duplicates::first};
    });
    EXPECT_FALSE(found.matrix);
  }
}

TEST_F(PlacedRows, LeaveNothingWhereAnAllocationFails) {
  const std::string name = file(".wel", lines(2000, 50, 50, "", 0, 1, false));
  const context where = context::cpu({.threads = 2});
  int failures = 0;
  for (int n = 0;; ++n) {
    where.state()->account.fail_after(n);
    try {
      const placing found = place(where, name, {}, taking(duplicates::sum));
      where.state()->account.fail_after(-1);
      EXPECT_TRUE(found.matrix);
      break;
    } catch (const out_of_memory& e) {
      ++failures;
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    }
    EXPECT_EQ(where.memory_used(), 0u);
  }
  EXPECT_GE(failures, 4);
}

// At the first, the second, ... and the last check of the token, and report of the progress.
TEST_F(PlacedRows, EndAtEachCheckOfTheTokenAndOfTheProgress) {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n50 50 1000\n";
  const std::string name = file(".mtx", head + lines(1000, 50, 50, "", 1, 2, true));
  for (const int threads : {1, 2}) {
    const cancel_token cancel;
    context_options of_context;
    of_context.threads = threads;
    of_context.cancel = cancel;
    const context where = context::cpu(of_context);
    detail::context_state::counted_checks checks;
    where.state()->checks = &checks;
    io::read_options options;
    options.threads = threads;
    options.chunk_bytes = 500;
    const matrix_base whole = *place(where, name, options, taking(duplicates::sum)).matrix;
    const std::size_t held = where.memory_used();
    std::size_t cancelled_at = 0;
    for (std::size_t number = 1;; ++number) {
      cancel.reset();
      checks.seen = 0;
      checks.cancel_at = number;
      try {
        const placing found = place(where, name, options, taking(duplicates::sum));
        EXPECT_LT(checks.seen.load(), number) << "the token was seen and ignored";
        expect_same(*found.matrix, whole);
        break;
      } catch (const cancelled&) {
        ++cancelled_at;
      }
      EXPECT_EQ(where.memory_used(), held) << number;
    }
    EXPECT_GE(cancelled_at, 40u);  // blocks of both passes, buckets
    checks.cancel_at = 0;
    cancel.reset();

    std::size_t reports = 0, stop_at = 0;
    options.progress = [&](double) { return ++reports != stop_at; };
    for (const bool listed : {false, true}) {
      const io::coordinates list = io::read(name);
      for (stop_at = 1;; ++stop_at) {
        reports = 0;
        try {
          if (listed)
            EXPECT_EQ(io::read(name, options).values, list.values);
          else
            expect_same(*place(where, name, options, taking(duplicates::sum)).matrix, whole);
          EXPECT_LT(reports, stop_at) << "the answer was ignored";
          break;
        } catch (const cancelled&) {
        }
        EXPECT_EQ(where.memory_used(), held) << stop_at;
      }
      // Of several threads one reports, after as many blocks as it happens to parse.
      EXPECT_GE(stop_at, threads == 1 ? 4u : 1u);
    }
    where.state()->checks = nullptr;
  }
}

// Besides the result: the memory of the largest bucket, the counters, and no list.
TEST_F(PlacedRows, NeedHardlyMoreThanTheResult) {
  std::string text;
  for (std::uint64_t e = 0; e < 200'000; ++e)
    text += std::to_string(e * 2654435761U % 100'000) + " " + std::to_string(e % 99'991) + " 7\n";
  const std::string name = file(".wel", text);
  const std::size_t result = 200'000 * 12 + 100'001 * 4;
  io::read_options options;
  options.threads = 1;
  options.memory_limit = result * 3 / 2;
  const context where = context::cpu({.threads = 1});
  EXPECT_TRUE(place(where, name, options, taking(duplicates::sum), 1 << 15).matrix);
  // A list has 16 bytes an entry.
  options.memory_limit = result * 9 / 8;
  EXPECT_THROW(io::read(name, options), out_of_memory);
}

}  // namespace
}  // namespace tropic

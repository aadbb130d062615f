// SPDX-License-Identifier: Apache-2.0

// The memory limit in tables and lists of names: entries, the tables of names, the first line.

#include "io/memory.hpp"
#include "samples.hpp"

namespace tropic::io::samples {
namespace {

/// The smallest limit with which the text is read; with every smaller one the error names it.
std::size_t least_limit(const std::string& text, file_format format, read_options options) {
  std::size_t low = 1, high = std::size_t{1} << 30;
  while (low < high) {
    options.memory_limit = low + (high - low) / 2;
    const std::string message = message_of([&] { read_text(text, format, "f", options); });
    if (message == no_error) {
      high = options.memory_limit;
      continue;
    }
    EXPECT_TRUE(message.starts_with("f: ")) << message;
    EXPECT_NE(message.find(" within the memory limit of " + std::to_string(options.memory_limit) +
                           " bytes: "),
              std::string::npos)
        << message;
    low = options.memory_limit + 1;
  }
  return high;
}

TEST(TableLimits, HoldForEntriesOfNumbers) {
  std::string text, weighted = "from,to,weight\n";
  for (int k = 0; k < 1000; ++k) {
    const std::string edge = std::to_string(k) + "," + std::to_string((k + 7) % 1000);
    text += edge + "\n";
    weighted += edge + ",0.5\n";
  }
  for (const bool undirected : {false, true}) {
    read_options options;
    options.undirected = undirected;
    EXPECT_GE(least_limit(text, file_format::csv, options), undirected ? 16'000U : 8'000U);
    EXPECT_LE(least_limit(text, file_format::csv, options), undirected ? 49'000U : 25'000U);
    EXPECT_GE(least_limit(weighted, file_format::csv, options), undirected ? 32'000U : 16'000U);
    EXPECT_LE(least_limit(weighted, file_format::csv, options), undirected ? 97'000U : 49'000U);
  }
  // Memory that the caller holds counts.
  read_options options;
  options.memory_limit = least_limit(text, file_format::csv, options) + 500;
  options.memory_used = 500;
  EXPECT_EQ(read_text(text, file_format::csv, "f", options).entries(), 1000);
  options.memory_used = 501;
  EXPECT_THROW(read_text(text, file_format::csv, "f", options), out_of_memory);
}

TEST(TableLimits, HoldForNames) {
  std::string bare, quoted;
  constexpr std::size_t count = 2000;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = "the name of vertex number " + std::to_string(k);
    bare += name + ",x\n";
    quoted += "\"the \"\"name\"\" of vertex number " + std::to_string(k) + "\",x\n";
  }
  read_options options;
  options.names = true;
  options.header = header_rule::no;
  options.threads = 1;
  for (const std::string& text : {bare, quoted}) {
    const coordinates m = read_text(text, file_format::csv, "f", options);
    const std::size_t held = m.row.size() * 8 + m.vertex_names.bytes();
    const std::size_t least = least_limit(text, file_format::csv, options);
    // In addition to the result: for each name its position, its slot, its number, and a copy of it
    // if it does not occur literally in the text.
    EXPECT_GE(least, held + 28 * count);
    EXPECT_LE(least, 3 * (held + 60 * count));
    options.undirected = true;
    EXPECT_GE(least_limit(text, file_format::csv, options), held + 8 * count);
    options.undirected = false;
  }
  std::string edges = bare;
  for (char& c : edges) c = c == ' ' ? '_' : c == ',' ? ' ' : c;
  options.header = header_rule::automatic;
  EXPECT_GE(least_limit(edges, file_format::edge_list, options), 100'000U);
}

TEST(TableLimits, CountNamesWhereAMatrixIsBuilt) {
  coordinates m = read_text("0 1\n", file_format::edge_list, "f");
  const std::size_t before = detail::bytes_held(m);
  m.vertex_names.reserve(2, 100'000);
  m.vertex_names.push_back(std::string(50'000, 'a'));
  m.vertex_names.push_back(std::string(50'000, 'b'));
  EXPECT_GE(detail::bytes_held(m), before + 100'000);
}

TEST(TableLimits, HoldForTheFirstLine) {
  read_options options;
  options.memory_limit = 1'000'000;
  const std::string wide = std::string(2'000'000, 'x') + ",y\n" + "0,1\n";
  const std::string message = message_of([&] { read_text(wide, file_format::csv, "f", options); });
  EXPECT_TRUE(message.starts_with("f: reading the first line within the memory limit of 1000000 "))
      << message;
  options.memory_limit = 20'000'000;
  EXPECT_EQ(read_text(wide, file_format::csv, "f", options).entries(), 1);
}

TEST(TableLimits, OfColumnsAreReported) {
  std::string line = "source,target";
  for (int column = 2; column < 65536; ++column) line += ",c";
  read_options options;
  options.columns = {"source", "target"};
  EXPECT_EQ(read_text(line + "\n", file_format::csv, "f", options).entries(), 0);
  EXPECT_EQ(complaint(line + ",c\n", file_format::csv, options),
            "f:1: found more than 65536 columns, expected at most 65536");
  EXPECT_EQ(complaint(line + ",c\n0,1\n", file_format::csv),
            "f:1: found more than 65536 columns, expected at most 65536");
  // Edge lists of names are parsed in the same way.
  read_options named;
  named.names = true;
  std::string blanks;
  for (int column = 0; column < 70'000; ++column) blanks += "a ";
  EXPECT_EQ(complaint(blanks + "\n", file_format::edge_list, named),
            "f:1: found more than 65536 columns, expected at most 65536");
}

}  // namespace
}  // namespace tropic::io::samples

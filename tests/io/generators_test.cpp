// SPDX-License-Identifier: Apache-2.0

// Generated graphs: undirected, simple, sorted, and the same on any number of threads.

#include <algorithm>
#include <tropic/detail/hash.hpp>
#include <tropic/generators.hpp>

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

void expect_simple_and_sorted(const coordinates& m) {
  EXPECT_TRUE(m.symmetric);
  const places list = places_of(m);
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), std::less_equal<>()));
  places mirrored;
  for (const auto& [r, c] : list) {
    EXPECT_NE(r, c);
    mirrored.emplace_back(c, r);
  }
  std::sort(mirrored.begin(), mirrored.end());
  EXPECT_EQ(mirrored, list);
}

TEST(Generators, AreSimpleSymmetricAndSorted) {
  for (const char* spec : {"kron:0", "kron:1", "kron:2:3", "kron:9", "urand:0", "urand:1:5",
                           "urand:9:4:7", "grid:0", "grid:1", "grid:2", "grid:17", "kron:5:0"})
    expect_simple_and_sorted(generate(spec));
}

TEST(Generators, DoNotDependOnTheNumberOfThreads) {
  for (const char* spec : {"kron:12:8:3", "urand:12", "grid:70"}) {
    generator_options options;
    options.weighted = true;
    options.threads = 1;
    const coordinates one = generate(spec, options);
    options.threads = 5;
    expect_equal(generate(spec, options), one);
  }
}

// Results that others have published or stored for a graph stay valid.
TEST(Generators, GiveTheGraphsOfEarlierVersions) {
  struct known_graph {
    const char* spec;
    index_t entries;
    std::uint64_t hash;  ///< FNV-1a of rows, columns and values
  };
  constexpr known_graph known[] = {{"kron:0", 0, 0xcbf29ce484222325U},
                                   {"kron:9", 9576, 0xce81d32e4cb7c1ddU},
                                   {"kron:13:16:5", 204506, 0x3638b1e432f83941U},
                                   {"kron:16:17", 1920818, 0x493ab91acb8cfe49U},
                                   {"kron:17:3:1", 757286, 0x3e2af84601514911U},
                                   {"urand:9:4:7", 4056, 0x7174f6006f3f2711U},
                                   {"urand:16:17:2", 2227632, 0x8887110132b0e90dU},
                                   {"urand:3:9000", 56, 0xd00f7f5094074ca5U}};
  for (const known_graph& k : known)
    for (const int threads : {1, 2, 3}) {
      generator_options options;
      options.weighted = true;
      options.threads = threads;
      const coordinates graph = generate(k.spec, options);
      EXPECT_EQ(graph.entries(), k.entries) << k.spec;
      std::uint64_t hash = tropic::detail::fnv_basis;
      hash = tropic::detail::fnv(hash, graph.row.data(), graph.row.size() * 4);
      hash = tropic::detail::fnv(hash, graph.column.data(), graph.column.size() * 4);
      hash = tropic::detail::fnv(hash, graph.values.data(), graph.values.size());
      EXPECT_EQ(hash, k.hash) << k.spec << " on " << threads << " threads";
    }
}

TEST(Generators, TheSeedMattersAndTheFormsAgree) {
  EXPECT_NE(generate("kron:8:16:1").column, generate("kron:8:16:2").column);
  expect_equal(generate("kron:8"), kron(8, 16, 0));
  expect_equal(generate("urand:8:16:0"), urand(8));
}

TEST(Generators, KronIsSkewedAndUrandIsNot) {
  const auto longest_row = [](const coordinates& m) {
    std::vector<std::size_t> degree(static_cast<std::size_t>(m.rows));
    for (const std::uint32_t r : m.row) ++degree[r];
    return *std::max_element(degree.begin(), degree.end());
  };
  EXPECT_GT(longest_row(kron(12)), 500U);
  EXPECT_LT(longest_row(urand(12)), 80U);
  // The share of distinct edges of the GAP suite's generators at this scale: 10,496 and 16,125 of
  // 16,384, at degrees drawn the same way.
  EXPECT_NEAR(static_cast<double>(kron(10).entries()) / 2, 10496, 400);
  EXPECT_NEAR(static_cast<double>(urand(10).entries()) / 2, 16125, 60);
}

TEST(Generators, AGridJoinsNeighbours) {
  EXPECT_EQ(places_of(grid(2)),
            (places{{0, 1}, {0, 2}, {1, 0}, {1, 3}, {2, 0}, {2, 3}, {3, 1}, {3, 2}}));
  EXPECT_EQ(grid(100).entries(), 4 * 100 * 99);
}

TEST(Generators, WeightsAreOneTo255AndTheSameBothWays) {
  generator_options options;
  options.weighted = true;
  options.type = type_code::fp32;
  const coordinates m = kron(9, 16, 1, options);
  const std::vector<float> values = values_of<float>(m);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> there, back;
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_TRUE(values[k] >= 1 && values[k] <= 255);
    there.emplace_back(m.row[k], m.column[k], values[k]);
    back.emplace_back(m.column[k], m.row[k], values[k]);
  }
  std::sort(back.begin(), back.end());
  EXPECT_EQ(there, back);
  options.type = type_code::int8;
  EXPECT_THROW(kron(4, 16, 0, options), usage_error);
}

TEST(Generators, BadSpecsSayWhatWasExpected) {
  EXPECT_TRUE(is_generator_spec("kron:x"));
  EXPECT_FALSE(is_generator_spec("kron.mtx"));
  const auto refused = [](const char* spec) { return message_of([&] { generate(spec); }); };
  EXPECT_EQ(refused("kron:x"),
            "kron:x: found 'x', expected a natural number as in kron:SCALE[:DEGREE[:SEED]], "
            "urand:SCALE[:DEGREE[:SEED]], grid:SIDE or paper:NAME");
  EXPECT_EQ(refused("kron:32"), "kron:32:16: the scale must be from 0 to 31 (2^scale vertices)");
  EXPECT_EQ(refused("grid:65537"), "grid:65537: the side must be from 0 to 65536");
  for (const char* spec : {"kron:", "kron:1:", "kron:1:2:3:4", "grid:1:2", "tree:3", "paper:",
                           "paper:dc2:3", "", "kron:-1", "kron:99999999999", "urand:4:99999999"})
    EXPECT_THROW(generate(spec), usage_error) << spec;
  EXPECT_THROW(generate("kron:31:16777216"), out_of_memory);
}

TEST(Generators, APapersMatrixHasItsShape) {
  const coordinates m = generate("paper:circuit");
  EXPECT_EQ(m.rows, 171'000);
  EXPECT_EQ(m.columns, 171'000);
  EXPECT_EQ(m.entries(), 959'000);
  EXPECT_TRUE(m.pattern);
  EXPECT_FALSE(m.symmetric);
  std::vector<index_t> lengths(171'000);
  for (const std::uint32_t row : m.row) ++lengths[row];
  const auto [shortest, longest] = std::ranges::minmax(lengths);
  EXPECT_EQ(shortest, 1);
  EXPECT_EQ(longest, 353);
  const places all = places_of(m);
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_EQ(generate("paper:lp").columns, 1'100'000);
  generator_options options;
  options.weighted = true;
  EXPECT_EQ(values_of<std::int64_t>(paper("circuit", options)).size(), 959'000u);
  EXPECT_NE(message_of([] { paper("circus"); }).find("'circus', expected one of dense protein"),
            std::string::npos);
}

TEST(Generators, CanBeCancelled) {
  generator_options options;
  options.progress = [](double) { return false; };
  EXPECT_THROW(kron(10, 16, 0, options), cancelled);
}

}  // namespace
}  // namespace tropic::io::samples

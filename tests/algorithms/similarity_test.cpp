// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/similarity.hpp"

#include <tropic/algorithms/verify/similarity.hpp>

#include <map>
#include <set>

using namespace tropic;

namespace similarity_test {
namespace {

constexpr auto measures = {similarity_measure::jaccard, similarity_measure::overlap,
                           similarity_measure::cosine};

template <class T>
std::vector<std::set<index_t>> neighbour_sets(const matrix<T>& graph) {
  std::vector<std::set<index_t>> sets(static_cast<std::size_t>(graph.rows()));
  const auto coo = graph.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e)
    if (coo.rows[e] != coo.columns[e]) sets[coo.rows[e]].insert(coo.columns[e]);
  return sets;
}

/// By the definition, on sets.
double expected(const std::set<index_t>& a, const std::set<index_t>& b,
                similarity_measure measure) {
  double both = 0;
  for (const index_t v : a) both += b.contains(v);
  if (both == 0) return 0;
  const auto of_a = static_cast<double>(a.size()), of_b = static_cast<double>(b.size());
  if (measure == similarity_measure::jaccard) {
    std::set<index_t> either = a;
    either.insert(b.begin(), b.end());
    return both / static_cast<double>(either.size());
  }
  if (measure == similarity_measure::overlap) return both / std::min(of_a, of_b);
  return both / (std::sqrt(of_a) * std::sqrt(of_b));
}

using values = std::map<std::pair<index_t, index_t>, double>;

values found_in(const matrix<double>& of) {
  values found;
  const auto coo = of.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e)
    found[{coo.rows[e], coo.columns[e]}] = coo.values[e];
  return found;
}

template <class T>
void expect_right(const matrix<T>& graph) {
  const auto sets = neighbour_sets(graph);
  const index_t n = graph.rows();
  std::vector<index_t> from, to;
  for (index_t u = 0; u < n; ++u)
    for (index_t v = 0; v < n; v += 1 + u % 3) {
      from.push_back(u);
      to.push_back(v);
    }
  for (const similarity_measure measure : measures) {
    const vector<double> found = similarity(graph, from, to, measure);
    EXPECT_EQ(verify_similarity(graph, from, to, measure, found), "");
    const auto list = found.dense(-1);
    ASSERT_EQ(list.size(), from.size());
    for (std::size_t k = 0; k < list.size(); ++k)
      EXPECT_NEAR(list[k],
                  expected(sets[static_cast<std::size_t>(from[k])],
                           sets[static_cast<std::size_t>(to[k])], measure),
                  1e-15)
          << from[k] << " " << to[k];

    values all;
    for (index_t u = 0; u < n; ++u)
      for (index_t v = 0; v < n; ++v)
        if (const double value = expected(sets[static_cast<std::size_t>(u)],
                                          sets[static_cast<std::size_t>(v)], measure);
            u != v && value > 0)
          all[{u, v}] = value;
    for (const index_t chunk : {index_t{1}, index_t{100}, index_t{1} << 24}) {
      similar_pairs_options options{.measure = measure, .chunk = chunk};
      const similar_pairs_result everything = similar_pairs(graph, options);
      EXPECT_EQ(verify_similar_pairs(graph, options, everything), "");
      EXPECT_TRUE(everything.value.is_symmetric());
      const values listed = found_in(everything.value);
      ASSERT_EQ(listed.size(), all.size());
      for (const auto& [pair, value] : all) EXPECT_NEAR(listed.at(pair), value, 1e-15);

      // Those of a threshold and the largest of a row are taken from all of them.
      options.threshold = 0.4;
      values above = listed;
      std::erase_if(above, [](const auto& entry) { return entry.second < 0.4; });
      EXPECT_EQ(found_in(similar_pairs(graph, options).value), above);
      options.top = 2;
      values largest;
      for (const auto& [pair, value] : above) {
        int better = 0;
        for (const auto& [other, its] : above)
          better += other.first == pair.first &&
                    (its > value || (its == value && other.second < pair.second));
        if (better < 2) largest[pair] = value;
      }
      const similar_pairs_result two = similar_pairs(graph, options);
      EXPECT_EQ(found_in(two.value), largest);
      EXPECT_EQ(verify_similar_pairs(graph, options, two), "");
    }
  }
}

}  // namespace

TEST(Similarity, OfSmallGraphsIsThatOfTheDefinition) {
  samples::on_small_graphs<float>([](const auto& graph) { expect_right(graph); });
}

// Values that are equal in exact arithmetic must not differ by rounding, as ties are broken by the
// numbers of the vertices.
TEST(Similarity, OfEqualQuotientsIsEqual) {
  for (const context& where : samples::contexts()) {
    samples::edges list;
    for (const std::uint32_t v : {10U, 11U}) list.emplace_back(0, v);
    for (const std::uint32_t v : {10U, 12U, 13U, 14U}) list.emplace_back(1, v);
    for (std::uint32_t v = 20; v < 26; ++v) list.emplace_back(2, v);
    for (const std::uint32_t v : {20U, 21U, 22U, 30U, 31U, 32U, 33U, 34U, 35U, 36U, 37U, 38U})
      list.emplace_back(3, v);
    const auto graph = samples::directed(where, 40, list);
    // 1 / sqrt(2 * 4) and 3 / sqrt(6 * 12).
    const auto found = similarity(graph, std::vector<index_t>{0, 2}, std::vector<index_t>{1, 3},
                                  similarity_measure::cosine)
                           .dense(-1);
    EXPECT_EQ(found[0], found[1]);
    EXPECT_NEAR(found[0], std::sqrt(1.0 / 8), 1e-15);
  }
}

TEST(Similarity, OfAllPairsIsTheSameInManyRangesOfRows) {
  const io::coordinates entries = kron(8, 8, 3);
  const similar_pairs_options options{.top = 5};
  const similar_pairs_result expected =
      similar_pairs(make_matrix<bool>(context::reference(), entries), options);
  EXPECT_EQ(expected.chunks, 1);
  for (const context& where : samples::contexts()) {
    const auto graph = make_matrix<bool>(where, entries);
    for (const index_t chunk : {index_t{1}, index_t{3000}}) {
      const similar_pairs_result found = similar_pairs(graph, {.top = 5, .chunk = chunk});
      EXPECT_GT(found.chunks, 5);
      EXPECT_EQ(found_in(found.value), found_in(expected.value));
    }
    // Every row has products, and two rows have more than the limit.
    EXPECT_EQ(similar_pairs(make_matrix<bool>(where, grid(4)), {.chunk = 1}).chunks, 16);
  }
}

TEST(Similarity, OfEveryTypeIsThatOfThePattern) {
  const context where = oracle::on_threads(2);
  const auto list = samples::random_edges(60, 400, 8);
  const auto graph = samples::directed<std::int32_t>(where, 60, list);
  const std::vector<index_t> from{1, 2, 3}, to{2, 2, 9};
  for (const similarity_measure measure : measures) {
    const auto found = algorithms::similarity(graph.base(), from, to, measure);
    EXPECT_EQ(found.dense(-1), similarity(graph, from, to, measure).dense(-1));
    EXPECT_EQ(algorithms::verify_similarity(graph.base(), from, to, measure, found), "");
    const similar_pairs_options options{.measure = measure, .top = 3};
    const auto pairs = algorithms::similar_pairs(graph.base(), options);
    EXPECT_EQ(found_in(pairs.value), found_in(similar_pairs(graph, options).value));
    EXPECT_EQ(algorithms::verify_similar_pairs(graph.base(), options, pairs), "");
  }
}

class SimilarityOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(SimilarityOfRealGraphs, EqualsASerialCountOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    const similar_pairs_options options{.threshold = 0.3, .top = 10, .chunk = 1 << 18};
    EXPECT_EQ(verify_similar_pairs(graph, options, similar_pairs(graph, options)), "");
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, SimilarityOfRealGraphs,
                         ::testing::Values("graphs/karate.mtx.xz", "graphs/power.mtx.xz",
                                           "graphs/ca-AstroPh.mtx.xz", "graphs/wiki-Vote.mtx.xz"),
                         oracle::test_name);

TEST(Similarity, RefusesWhatDoesNotFit) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const matrix<bool> square(where, 3, 3);
  const std::vector<index_t> one{0}, two{0, 1}, three{3}, negative{-1};
  const std::vector<std::pair<std::string, std::string>> cases{
      {refusal([&] { similar_pairs(matrix<bool>(where, 5, 6)); }),
       "similarity: a graph's matrix is square"},
      {refusal([&] { similarity(square, one, two); }),
       "similarity: 1 first vertices of pairs, 2 second ones"},
      {refusal([&] { similarity(square, one, three); }),
       "similarity: vertex 3 of a pair, the graph has 3 vertices"},
      {refusal([&] { similarity(square, negative, one); }), "similarity: vertex -1"},
      {refusal([&] { similar_pairs(square, {.threshold = 1.5}); }),
       "similarity: threshold 1.5, needed a number from 0 to 1"},
      {refusal([&] { similar_pairs(square, {.top = -1}); }), "similarity: top -1"},
      {refusal([&] { similar_pairs(square, {.chunk = 0}); }), "similarity: chunk 0"}};
  for (const auto& [found, part] : cases) EXPECT_NE(found.find(part), std::string::npos) << found;
}

TEST(Similarity, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = samples::symmetric(where, 5, {{0, 1}, {1, 2}, {2, 3}, {1, 3}});
  const std::vector<index_t> from{0, 1}, to{2, 3};
  const auto measure = similarity_measure::jaccard;
  vector<double> found = similarity(graph, from, to, measure);
  found.set(1, 0.5);
  EXPECT_EQ(verify_similarity(graph, from, to, measure, found),
            "pair 1 3 has similarity 0.5, a serial count gives 0.25");
  EXPECT_EQ(verify_similarity(graph, from, to, measure, vector<double>(where, 2)),
            "the result has 0 values of 2, there are 2 pairs");
  const similar_pairs_options options{.top = 2};
  similar_pairs_result all = similar_pairs(graph, options);
  EXPECT_EQ(verify_similar_pairs(graph, options, all), "");
  all.value.set(0, 2, 0.25);
  EXPECT_EQ(verify_similar_pairs(graph, options, all),
            "pair 0 2 has similarity 0.25, a serial count gives 0.5");
  all.value.remove(0, 2);
  EXPECT_EQ(verify_similar_pairs(graph, options, all), "pair 0 2 is missing");
  all = similar_pairs(graph, options);
  all.value.set(4, 0, 0.1);
  EXPECT_EQ(verify_similar_pairs(graph, options, all), "pair 4 0 is not to be listed");
  all.value = matrix<double>(where, 3, 3);
  EXPECT_EQ(verify_similar_pairs(graph, options, all),
            "the result is 3x3, the graph has 5 vertices");
}

// The neighbours of a star's centre all are pairs.
TEST(Similarity, OfAllPairsHoldsTheMemoryLimit) {
  samples::edges star;
  for (std::uint32_t v = 1; v < 2000; ++v) star.emplace_back(0, v);
  for (const int threads : {1, 2}) {
    const std::size_t limit = std::size_t{4} << 20;
    double done = 0;
    context_options limited{.threads = threads, .memory_limit = limit};
    limited.progress = [&](std::string_view, double fraction) {
      if (fraction >= 0) done = fraction;
    };
    const context where = context::cpu(limited);
    const auto graph = samples::symmetric(where, 2000, star);
    for (const index_t top : {0, 1000}) {
      done = 0;
      EXPECT_THROW(similar_pairs(graph, {.top = top, .chunk = 20000}), out_of_memory);
      EXPECT_GT(done, 0);
      EXPECT_LT(done, 0.6) << "all pairs were kept before the limit was noticed";
    }
    const auto few = similar_pairs(graph, {.top = 1, .chunk = 20000});
    EXPECT_EQ(few.value.nvals(), 1999);
    EXPECT_EQ(few.value.get(7, 1), 1.0);
    EXPECT_GT(few.chunks, 100);
    EXPECT_LE(where.memory_used(), limit);
  }
}

TEST(Similarity, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "similarity") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(30));
    EXPECT_THROW(similar_pairs(graph), cancelled);
    options.cancel.reset();
    EXPECT_THROW(similarity(graph, std::vector<index_t>{1}, std::vector<index_t>{2}), cancelled);
  }
}

}  // namespace similarity_test

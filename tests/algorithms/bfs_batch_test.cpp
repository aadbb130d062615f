// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/bfs_batch.hpp"

#include <tropic/algorithms/verify/bfs_batch.hpp>

using namespace tropic;

namespace {

template <class T>
void expect_right(const matrix<T>& graph, const std::vector<index_t>& sources) {
  const bfs_batch_result found = bfs_batch(graph, sources);
  EXPECT_EQ(verify_bfs_batch(graph, sources, found), "");
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const bfs_result one = bfs(graph, sources[s]);
    const bfs_result column = found.search(static_cast<index_t>(s));
    EXPECT_EQ(column.level.dense(-1), one.level.dense(-1));
    EXPECT_EQ(column.parent.dense(-1), one.parent.dense(-1));
    EXPECT_EQ(column.depth, one.depth);
    EXPECT_EQ(column.reached, one.reached);
  }
}

}  // namespace

TEST(BfsBatch, OfSmallGraphsIsThatOfSingleSearches) {
  samples::on_small_graphs<float>([](const auto& graph) {
    const index_t n = graph.rows();
    if (n == 0) return;
    std::vector<index_t> sources;
    for (index_t v = 0; v < n; v += 1 + n / 9) sources.push_back(v);
    sources.push_back(n - 1);
    sources.push_back(0);  // repeated
    expect_right(graph, sources);
    expect_right(graph, {n / 2});
    EXPECT_EQ(bfs_batch(graph, {}).level.columns(), 0);
  });
}

TEST(BfsBatch, RunsAtOnceUnlessTheFirstSearchHasManyLevels) {
  for (const context& where : samples::contexts()) {
    // Two paths of 64 and 65 edges, in one direction.
    samples::edges list = samples::path(0, 65);
    for (const auto& edge : samples::path(65, 131)) list.push_back(edge);
    const auto paths = samples::directed(where, 131, list);
    EXPECT_TRUE(bfs_batch(paths, std::vector<index_t>{0, 65}).at_once);
    EXPECT_FALSE(bfs_batch(paths, std::vector<index_t>{65, 0}).at_once);
    expect_right(paths, {0, 65, 3});
    expect_right(paths, {65, 0, 3});
  }
}

TEST(BfsBatch, OfGeneratedGraphsIsThatOfSingleSearches) {
  for (const context& where : {context::reference(), oracle::on_threads(2)})
    for (const io::coordinates& entries : {kron(7, 8, 3), grid(9)})
      expect_right(make_matrix<bool>(where, entries), {0, 7, 22, 63, 64, 80, 7});
}

TEST(BfsBatch, OfEveryTypeIsThatOfThePattern) {
  const context where = oracle::on_threads(2);
  const auto graph = samples::directed<std::int32_t>(where, 60, samples::random_edges(60, 200, 8));
  const std::vector<index_t> sources{3, 1, 4};
  const bfs_batch_result found = algorithms::bfs_batch(graph.base(), sources);
  EXPECT_EQ(algorithms::verify_bfs_batch(graph.base(), sources, found), "");
  EXPECT_EQ(found.level.dense(-1), bfs_batch(graph, sources).level.dense(-1));
}

TEST(BfsBatch, RefusesWhatDoesNotFit) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const std::vector<index_t> first{0}, third{0, 3};
  EXPECT_NE(refusal([&] {
              bfs_batch(matrix<bool>(where, 5, 6), first);
            }).find("bfs_batch: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { bfs_batch(matrix<bool>(where, 3, 3), third); }),
            "bfs_batch: source 3, the graph has vertices 0 to 2");
}

TEST(BfsBatch, RefusesTooManyPairsBeforeItSearches) {
  context_options options;
  int steps = 0;
  options.progress = [&](std::string_view, double) { ++steps; };
  const context where = context::cpu(options);
  const index_t n = 1 << 20;
  const matrix<bool> graph(where, n, n);
  const std::vector<index_t> sources(4097, 0);
  const std::string refusal =
      tropic::testing::message_of<usage_error>([&] { bfs_batch(graph, sources); });
  EXPECT_NE(refusal.find("1048576x4097"), std::string::npos) << refusal;
  EXPECT_EQ(steps, 0);
}

TEST(BfsBatch, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = samples::symmetric(where, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  const std::vector<index_t> sources{0, 3};
  bfs_batch_result found = bfs_batch(graph, sources);
  found.level.set(1, 1, 3);
  EXPECT_EQ(verify_bfs_batch(graph, sources, found),
            "from source 3: vertex 1 has level 3, a serial search finds 2");
  found = bfs_batch(graph, sources);
  found.parent.set(3, 0, 1);
  EXPECT_EQ(verify_bfs_batch(graph, sources, found),
            "from source 0: vertex 3 has parent 1, the smallest valid one is 2");
  found.level = full_matrix<index_t>(where, 4, 1);
  EXPECT_EQ(verify_bfs_batch(graph, sources, found),
            "the result is 4x1, the graph has 4 vertices and there are 2 sources");
}

TEST(BfsBatch, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel, calls = 0](std::string_view step, double) mutable {
    if (step == "bfs" && ++calls == 3) cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    const auto graph = make_matrix<bool>(where, grid(20));
    EXPECT_THROW(bfs_batch(graph, std::vector<index_t>{0, 1}), cancelled);
  }
}

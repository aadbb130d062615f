// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "support/messages.hpp"

#include <map>
#include <tropic/algorithms/relabelled/label_propagation.hpp>
#include <tropic/algorithms/verify/label_propagation.hpp>

using namespace tropic;

namespace {

/// By the definition of LDBC, with a table of frequencies.
template <class T>
std::vector<index_t> expected(const matrix<T>& graph, index_t iterations) {
  std::vector<index_t> label(static_cast<std::size_t>(graph.rows()));
  std::iota(label.begin(), label.end(), index_t{0});
  const auto columns = graph.column_indices();
  for (index_t round = 0; round < iterations; ++round) {
    std::vector<std::map<index_t, int>> seen(label.size());
    for (index_t i = 0; i < graph.rows(); ++i)
      for (index_t e = graph.offset(i); e < graph.offset(i + 1); ++e) {
        const std::size_t j = columns[static_cast<std::size_t>(e)];
        ++seen[static_cast<std::size_t>(i)][label[j]];
        if (!graph.is_symmetric()) ++seen[j][label[static_cast<std::size_t>(i)]];
      }
    for (std::size_t v = 0; v < label.size(); ++v) {
      int best_count = 0;
      for (const auto& [of, times] : seen[v])
        if (times > best_count) {
          best_count = times;
          label[v] = of;
        }
    }
  }
  return label;
}

template <class Graph, class T>
void expect_right(const Graph& graph, const matrix<T>& original, index_t iterations) {
  const label_propagation_result found = label_propagation(graph, iterations);
  EXPECT_EQ(found.label.dense(-1), expected(original, iterations)) << iterations << " iterations";
  EXPECT_EQ(verify_label_propagation(original, found, iterations), "");
  EXPECT_LE(found.iterations, iterations);
}

}  // namespace

TEST(LabelPropagation, OfSmallGraphsIsThatOfTheDefinition) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const index_t iterations : {0, 1, 2, 10}) expect_right(graph, graph, iterations);
  });
}

TEST(LabelPropagation, OfRelabelledGraphsResolvesTiesByTheOriginalNumbers) {
  for (const context& where : {context::reference(), oracle::on_threads(2)})
    for (const auto& [name, n, list] : samples::small_graphs())
      for (const auto& graph :
           {samples::directed(where, n, list), samples::symmetric(where, n, list)})
        for (const std::uint64_t seed : {1U, 2U}) {
          SCOPED_TRACE(name);
          expect_right(relabelled_graph<bool>(graph, permutation_kind::random_row, seed), graph, 3);
        }
}

TEST(LabelPropagation, OfGeneratedGraphsIsThatOfTheDefinitionOnEveryContext) {
  for (const context& where : samples::contexts())
    for (const io::coordinates& entries : {kron(9, 16, 3), grid(20), urand(9, 3, 5)}) {
      const auto graph = make_matrix<bool>(where, entries);
      expect_right(graph, graph, 4);
    }
}

class LabelPropagationOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(LabelPropagationOfRealGraphs, EqualsSerialIterationsOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path.string(),
                                           duplicates::first, {.lenient = true});
    EXPECT_EQ(verify_label_propagation(graph, label_propagation(graph, 3), 3), "");
  }
}
INSTANTIATE_TEST_SUITE_P(Shared, LabelPropagationOfRealGraphs,
                         ::testing::ValuesIn(oracle::graphs()), oracle::test_name);

TEST(LabelPropagation, EndsWhenNoLabelChanges) {
  const auto graph = samples::symmetric(oracle::on_threads(2), 9, samples::clique(0, 9));
  const label_propagation_result found = label_propagation(graph, 1000);
  EXPECT_LT(found.iterations, 4);
  EXPECT_EQ(found.labels, 1);
  // The two ends of an edge exchange their labels for ever.
  const auto pair = samples::symmetric(oracle::on_threads(2), 2, {{0, 1}});
  EXPECT_EQ(label_propagation(pair, 7).label.dense(-1), (std::vector<index_t>{1, 0}));
  EXPECT_EQ(label_propagation(pair, 7).iterations, 7);
}

TEST(LabelPropagation, RefusesRectanglesAndNegativeCounts) {
  const context where = oracle::on_threads(1);
  EXPECT_NE(tropic::testing::message_of<usage_error>([&] {
              label_propagation(matrix<bool>(where, 5, 6));
            }).find("label_propagation: a graph's matrix is square, this one is 5x6"),
            std::string::npos);
  EXPECT_NE(tropic::testing::message_of<usage_error>([&] {
              label_propagation(matrix<bool>(where, 5, 5), -1);
            }).find("label_propagation: -1 iterations, needed 0 or more"),
            std::string::npos);
}

TEST(LabelPropagation, ThatIsWrongIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = samples::symmetric(where, 4, {{0, 1}, {1, 2}, {0, 2}});
  label_propagation_result found = label_propagation(graph, 5);
  EXPECT_EQ(verify_label_propagation(graph, found, 5), "");
  found.labels = 7;
  EXPECT_EQ(verify_label_propagation(graph, found, 5), "the result counts 7 labels, there are 2");
  found.label.set(3, 1);
  EXPECT_EQ(verify_label_propagation(graph, found, 5),
            "vertex 3 has label 1, the most frequent around it is 3");
  found.label = vector<index_t>(where, 3);
  EXPECT_EQ(verify_label_propagation(graph, found, 5),
            "the result has 3 positions, the graph 4 vertices");
}

TEST(LabelPropagation, StopsWhenItIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == "label_propagation") cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    EXPECT_THROW(label_propagation(make_matrix<bool>(where, grid(30))), cancelled);
  }
}

// SPDX-License-Identifier: Apache-2.0

// Closeness, eigenvector and Katz centrality, hubs and authorities: against the loops of NetworkX,
// over dense matrices.

#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/centrality.hpp"

#include <tropic/algorithms/verify/closeness.hpp>
#include <tropic/algorithms/verify/power_centrality.hpp>

using namespace tropic;

namespace {

using values = std::vector<double>;

/// Row-major; 0 where there is no edge.
template <class T>
values dense(const matrix<T>& graph, bool weighted) {
  const auto n = static_cast<std::size_t>(graph.rows());
  values all(n * n, 0);
  const auto columns = graph.column_indices();
  const auto weights = graph.values();
  for (std::size_t i = 0; i < n; ++i)
    for (auto e = static_cast<std::size_t>(graph.offset(static_cast<index_t>(i)));
         e < static_cast<std::size_t>(graph.offset(static_cast<index_t>(i) + 1)); ++e)
      all[i * n + columns[e]] = weighted ? static_cast<double>(weights[graph.is_iso() ? 0 : e]) : 1;
  return all;
}

values times_matrix(const values& x, const values& a, bool transposed) {
  const std::size_t n = x.size();
  values y(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      (transposed ? y[i] : y[j]) += a[i * n + j] * x[transposed ? j : i];
  return y;
}

void scale(values& x, double by) {
  if (by > 0)
    for (double& value : x) value /= by;
}
double length(const values& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}
double sum_of(const values& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}
double largest(const values& x) {
  return x.empty() ? 0 : *std::max_element(x.begin(), x.end());
}
double distance(const values& x, const values& y) {
  double sum = 0;
  for (std::size_t v = 0; v < x.size(); ++v) sum += std::abs(x[v] - y[v]);
  return sum;
}

template <class T>
values expected_closeness(const matrix<T>& graph, bool improved) {
  const auto n = static_cast<std::size_t>(graph.rows());
  const values a = dense(graph, false);
  values d(n * n, 1e9);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) d[i * n + j] = i == j ? 0 : a[i * n + j] > 0 ? 1 : 1e9;
  for (std::size_t k = 0; k < n; ++k)  // Floyd and Warshall
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  values all(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    double reach = 0, sum = 0;
    for (std::size_t s = 0; s < n; ++s)
      if (d[s * n + v] < 1e9) {
        ++reach;
        sum += d[s * n + v];
      }
    if (sum <= 0) continue;
    all[v] = (reach - 1) / sum;
    if (improved) all[v] *= (reach - 1) / static_cast<double>(n - 1);
  }
  return all;
}

values expected_eigenvector(const values& a, std::size_t n, double tolerance) {
  values x(n, 1 / static_cast<double>(n));
  for (int round = 0; n > 0 && round < 100000; ++round) {
    const values last = x, flow = times_matrix(x, a, false);
    for (std::size_t v = 0; v < n; ++v) x[v] += flow[v];
    scale(x, length(x));
    if (distance(x, last) < static_cast<double>(n) * tolerance) break;
  }
  return x;
}

values expected_katz(const values& a, std::size_t n, const katz_options& o) {
  values x(n, 0);
  for (int round = 0; n > 0 && round < 100000; ++round) {
    const values last = x;
    x = times_matrix(x, a, false);
    for (double& value : x) value = o.alpha * value + o.beta;
    if (distance(x, last) < static_cast<double>(n) * o.tolerance) break;
  }
  if (o.normalized) scale(x, length(x));
  return x;
}

std::pair<values, values> expected_hits(const values& a, std::size_t n, const hits_options& o) {
  values h(n, 1 / static_cast<double>(n)), authorities;
  for (int round = 0; round < 100000; ++round) {
    const values last = h;
    authorities = times_matrix(h, a, false);
    h = times_matrix(authorities, a, true);
    scale(authorities, largest(authorities));
    scale(h, largest(h));
    if (distance(h, last) < o.tolerance) break;
  }
  if (o.normalized) {
    scale(h, sum_of(h));
    scale(authorities, sum_of(authorities));
  }
  return {h, authorities};
}

}  // namespace

TEST(Closeness, OfSmallGraphsIsThatOfAllDistances) {
  samples::on_small_graphs([](const auto& graph) {
    for (const bool improved : {true, false}) {
      const closeness_options options{improved};
      const closeness_result found = closeness(graph, options);
      EXPECT_EQ(found.centrality.dense(-1), expected_closeness(graph, improved));
      EXPECT_EQ(verify_closeness(graph, found, options), "");
    }
  });
}

TEST(Closeness, OfMoreThan64VerticesIsThatOfAllDistances) {
  for (const context& where : samples::contexts())
    for (const io::coordinates& entries : {kron(7, 4, 3), grid(12), urand(7, 1, 5)}) {
      const auto graph = make_matrix<float>(where, entries);
      EXPECT_EQ(closeness(graph).centrality.dense(-1), expected_closeness(graph, true));
      EXPECT_EQ(closeness(graph).batches, (graph.rows() + 63) / 64);
    }
}

TEST(EigenvectorCentrality, OfSmallGraphsIsThatOfDenseIterations) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const bool weighted : {false, true}) {
      const eigenvector_options options{
          .tolerance = 1e-6, .max_iterations = 100000, .weighted = weighted};
      const power_result found = eigenvector_centrality(graph, options);
      samples::expect_near(found.centrality.dense(-1),
                           expected_eigenvector(dense(graph, weighted),
                                                static_cast<std::size_t>(graph.rows()), 1e-6),
                           1e-10);
      EXPECT_EQ(verify_eigenvector_centrality(graph, found, options), "");
    }
  });
}

TEST(KatzCentrality, OfSmallGraphsIsThatOfDenseIterations) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const bool weighted : {false, true})
      for (const bool normalized : {false, true}) {
        const katz_options options{.alpha = 0.01,
                                   .beta = 0.5,
                                   .tolerance = 1e-9,
                                   .normalized = normalized,
                                   .weighted = weighted};
        const power_result found = katz_centrality(graph, options);
        samples::expect_near(
            found.centrality.dense(-1),
            expected_katz(dense(graph, weighted), static_cast<std::size_t>(graph.rows()), options),
            1e-10);
        EXPECT_EQ(verify_katz_centrality(graph, found, options), "");
      }
  });
}

TEST(Hits, OfSmallGraphsAreThoseOfDenseIterations) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const bool weighted : {false, true})
      for (const bool normalized : {false, true}) {
        const hits_options options{.tolerance = 1e-7,
                                   .max_iterations = 100000,
                                   .normalized = normalized,
                                   .weighted = weighted};
        const hits_result found = hits(graph, options);
        if (graph.nvals() == 0) {
          EXPECT_EQ(found.hubs.dense(-1), values(static_cast<std::size_t>(graph.rows()), 0.0));
        } else {
          const auto [hubs, authorities] = expected_hits(
              dense(graph, weighted), static_cast<std::size_t>(graph.rows()), options);
          samples::expect_near(found.hubs.dense(-1), hubs, 1e-9);
          samples::expect_near(found.authorities.dense(-1), authorities, 1e-9);
        }
        EXPECT_EQ(verify_hits(graph, found, options), "");
      }
  });
}

// The values that NetworkX 3.6 computes for a path of four vertices; those of hits are worked by
// hand, as the largest singular value occurs twice.
TEST(PowerCentrality, OfAPathHasTheValuesOfNetworkX) {
  const auto path = samples::symmetric(oracle::on_threads(1), 4, samples::path(0, 4));
  const values eigenvector = eigenvector_centrality(path).centrality.dense(-1);
  EXPECT_NEAR(eigenvector[0], 0.37, 0.005);
  EXPECT_NEAR(eigenvector[1], 0.60, 0.005);
  // alpha below 1 / 2 / cos(pi / 5) = 0.618, and above: no result.
  EXPECT_NEAR(katz_centrality(path).centrality.dense(-1)[0], 0.475652, 1e-6);
  EXPECT_NO_THROW(katz_centrality(path, {.alpha = 0.6}));
  EXPECT_THROW(katz_centrality(path, {.alpha = 0.7}), no_convergence);
  samples::expect_near(closeness(path).centrality.dense(-1), {0.5, 0.75, 0.75, 0.5});
  const values hubs = hits(path).hubs.dense(-1);
  EXPECT_NEAR(hubs[0], 0.190983, 1e-6);
  EXPECT_NEAR(hubs[1], 0.309017, 1e-6);
}

TEST(PowerCentrality, WithoutConvergenceIsAnError) {
  const auto path = samples::symmetric(oracle::on_threads(1), 4, samples::path(0, 4));
  const auto message = [](const auto& f) { return tropic::testing::message_of<no_convergence>(f); };
  EXPECT_NE(message([&] {
              eigenvector_centrality(path, {.max_iterations = 2});
            }).find("eigenvector: no convergence in 2 iterations; the last one changed values"),
            std::string::npos);
  EXPECT_NE(message([&] {
              hits(path, {.tolerance = 1e-12, .max_iterations = 1});
            }).find(", needed less than 1e-12"),
            std::string::npos);
  EXPECT_NE(message([&] { katz_centrality(path, {.max_iterations = 1}); }).find("katz: "),
            std::string::npos);
  EXPECT_NE(message([&] { hits(path, {.max_iterations = 1}); }).find("hits: "), std::string::npos);
  // Values that overflow end the loop.
  const auto heavy =
      matrix<double>::from_entries(oracle::on_threads(1), 2, 2, {0, 1}, {1, 0}, {1e300, 1e300});
  EXPECT_THROW(katz_centrality(heavy, {.weighted = true}), no_convergence);
  EXPECT_NO_THROW(eigenvector_centrality(heavy, {.weighted = true}));
}

TEST(Centralities, OfGeneratedGraphsPassTheirVerifiersOnEveryContext) {
  for (const context& where : samples::contexts()) {
    const auto graph = make_matrix<std::int64_t>(where, kron(9, 8, 3, {.weighted = true}));
    const eigenvector_options eigenvector{.weighted = true};
    EXPECT_EQ(verify_eigenvector_centrality(graph, eigenvector_centrality(graph, eigenvector),
                                            eigenvector),
              "");
    const katz_options katz{.alpha = 0.001};
    EXPECT_EQ(verify_katz_centrality(graph, katz_centrality(graph, katz), katz), "");
    EXPECT_EQ(verify_hits(graph, hits(graph)), "");
  }
}

TEST(Centralities, AreTheSameOnAnyNumberOfThreads) {
  const io::coordinates entries = kron(12, 8, 3);
  const auto on = [&](int threads) {
    const auto graph = make_matrix<bool>(oracle::on_threads(threads), entries);
    values all = eigenvector_centrality(graph).centrality.dense(-1);
    for (const values& scores : {katz_centrality(graph, {.alpha = 0.001}).centrality.dense(-1),
                                 hits(graph).hubs.dense(-1)})
      all.insert(all.end(), scores.begin(), scores.end());
    return all;
  };
  const values one = on(1);
  EXPECT_EQ(on(2), one);
  EXPECT_EQ(on(3), one);
}

TEST(Centralities, OfEveryTypeAndOfARelabelledCopyAreThoseOfTheGraph) {
  const context where = oracle::on_threads(2);
  const auto list = samples::random_edges(50, 300, 8);
  const auto graph = samples::directed<std::int32_t>(where, 50, list);
  for (const algorithms::any_graph& any :
       {algorithms::any_graph(graph.base()),
        algorithms::any_graph(graph.base(), permutation_kind::random_row, 3),
        algorithms::any_graph(samples::directed<double>(where, 50, list).base())}) {
    const closeness_result close = algorithms::closeness(any, {});
    EXPECT_EQ(close.centrality.dense(-1), closeness(graph).centrality.dense(-1));
    EXPECT_EQ(algorithms::verify_closeness(any, close, {}), "");
    for (const bool weighted : {false, true}) {
      const eigenvector_options eigenvector{.weighted = weighted};
      const power_result first = algorithms::eigenvector_centrality(any, eigenvector);
      samples::expect_near(first.centrality.dense(-1),
                           eigenvector_centrality(graph, eigenvector).centrality.dense(-1));
      EXPECT_EQ(algorithms::verify_eigenvector_centrality(any, first, eigenvector), "");
      const katz_options katz{.alpha = 0.01, .weighted = weighted};
      const power_result second = algorithms::katz_centrality(any, katz);
      samples::expect_near(second.centrality.dense(-1),
                           katz_centrality(graph, katz).centrality.dense(-1));
      EXPECT_EQ(algorithms::verify_katz_centrality(any, second, katz), "");
      const hits_options both{.weighted = weighted};
      const hits_result third = algorithms::hits(any, both);
      samples::expect_near(third.authorities.dense(-1), hits(graph, both).authorities.dense(-1));
      samples::expect_near(third.hubs.dense(-1), hits(graph, both).hubs.dense(-1));
      EXPECT_EQ(algorithms::verify_hits(any, third, both), "");
    }
  }
}

class CentralitiesOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(CentralitiesOfRealGraphs, PassTheirVerifiers) {
  TROPIC_NEEDS(path, GetParam());
  const auto graph = read_matrix<double>(oracle::device_or_threads(2), path.string(),
                                         duplicates::first, {.lenient = true});
  const katz_options katz{.alpha = 1e-4};
  EXPECT_EQ(verify_katz_centrality(graph, katz_centrality(graph, katz), katz), "");
  const hits_options loose{.tolerance = 1e-2, .max_iterations = 1000};
  EXPECT_EQ(verify_hits(graph, hits(graph, loose), loose), "");
}
INSTANTIATE_TEST_SUITE_P(Shared, CentralitiesOfRealGraphs,
                         ::testing::Values("graphs/wiki-Vote.mtx.xz", "graphs/ca-AstroPh.mtx.xz",
                                           "graphs/as-22july06.mtx.xz"),
                         oracle::test_name);

TEST(Centralities, RefuseWhatDoesNotFit) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const matrix<bool> wide(where, 5, 6), square(where, 5, 5);
  const std::vector<std::pair<std::string, std::string>> cases{
      {refusal([&] { closeness(wide); }), "closeness: a graph's matrix is square"},
      {refusal([&] { eigenvector_centrality(wide); }), "eigenvector: a graph's matrix is square"},
      {refusal([&] { katz_centrality(wide); }), "katz: a graph's matrix is square"},
      {refusal([&] { hits(wide); }), "hits: a graph's matrix is square"},
      {refusal([&] { hits(square, {.tolerance = -1}); }), "hits: the tolerance is negative"},
      {refusal([&] { hits(square, {.max_iterations = -1}); }), "hits: a negative number"},
      {refusal([&] { katz_centrality(square, {.alpha = -1}); }), "katz: alpha -1 and beta"},
      {refusal([&] {
         eigenvector_centrality(matrix<float>::from_entries(where, 2, 2, {0}, {1}, {-1.0f}),
                                {.weighted = true});
       }),
       "eigenvector: weights must not be negative"},
      {refusal([&] {
         hits(matrix<float>::from_entries(where, 2, 2, {0, 1}, {1, 0}, {1.0f, std::nanf("")}),
              {.weighted = true});
       }),
       "hits: weights must not be negative, and need a finite sum"}};
  for (const auto& [found, expected] : cases)
    EXPECT_NE(found.find(expected), std::string::npos) << found;
}

TEST(Centralities, ThatAreWrongAreFoundByTheirVerifiers) {
  const auto graph = samples::symmetric(oracle::on_threads(1), 4, samples::path(0, 4));
  closeness_result close = closeness(graph);
  close.centrality.set(1, 0.5);
  EXPECT_EQ(verify_closeness(graph, close),
            "vertex 1 has closeness 0.5, a serial search gives 0.75");
  power_result found = katz_centrality(graph);
  EXPECT_NE(verify_katz_centrality(graph, found, {.normalized = false}), "");
  ++found.iterations;
  EXPECT_NE(verify_katz_centrality(graph, found), "");
  found.iterations -= 2;
  EXPECT_NE(verify_katz_centrality(graph, found), "");
  found = eigenvector_centrality(graph);
  found.centrality.set(1, 0.61);
  EXPECT_NE(verify_eigenvector_centrality(graph, found).find("vertex 1 has 0.61"),
            std::string::npos);
  hits_result both = hits(graph);
  both.authorities.set(0, 0.5);
  EXPECT_TRUE(verify_hits(graph, both).starts_with("authorities: vertex 0 has 0.5"));
  both.hubs = vector<double>(oracle::on_threads(1), 3);
  EXPECT_EQ(verify_hits(graph, both), "hubs: the result has 3 positions, the graph 4 vertices");
}

TEST(Centralities, StopWhenTheyAreCancelled) {
  for (const std::string name : {"closeness", "eigenvector", "katz", "hits"}) {
    context_options options;
    options.progress = [cancel = options.cancel, name](std::string_view step, double) {
      if (step == name) cancel.cancel();
    };
    const auto graph = make_matrix<bool>(context::cpu(options), grid(30));
    const auto run = [&] {
      closeness(graph);
      eigenvector_centrality(graph, {.tolerance = 1e-3});
      katz_centrality(graph);
      hits(graph, {.tolerance = 1});
    };
    EXPECT_THROW(run(), cancelled) << name;
  }
}

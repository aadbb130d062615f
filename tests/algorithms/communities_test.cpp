// SPDX-License-Identifier: Apache-2.0

// What Louvain and Leiden have in common.

#include "community_options.hpp"
#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/leiden.hpp"
#include "algorithms/louvain.hpp"

#include <tropic/algorithms/verify/leiden.hpp>
#include <tropic/algorithms/verify/louvain.hpp>

using namespace tropic;

namespace {

struct of_louvain {
  using options = modularity_options;
  static constexpr const char *name = "louvain", *suite = "Louvain";
  static std::vector<options> kinds() { return community_options::of_louvain(); }
  static auto find(const auto& graph, const options& o) { return louvain(graph, o); }
  static auto find_any(const auto& graph, const options& o) {
    return algorithms::louvain(graph, o);
  }
  static std::string verify(const auto& graph, const louvain_result& found, const options& o) {
    return verify_louvain(graph, found, o);
  }
  static std::string verify_any(const auto& graph, const louvain_result& found, const options& o) {
    return algorithms::verify_louvain(graph, found, o);
  }
};

struct of_leiden {
  using options = leiden_options;
  static constexpr const char *name = "leiden", *suite = "Leiden";
  static std::vector<options> kinds() { return community_options::of_leiden(); }
  static auto find(const auto& graph, const options& o) { return leiden(graph, o); }
  static auto find_any(const auto& graph, const options& o) { return algorithms::leiden(graph, o); }
  static std::string verify(const auto& graph, const leiden_result& found, const options& o) {
    return verify_leiden(graph, found, o);
  }
  static std::string verify_any(const auto& graph, const leiden_result& found, const options& o) {
    return algorithms::verify_leiden(graph, found, o);
  }
};

struct suite_name {
  template <class Method>
  static std::string GetName(int) {
    return Method::suite;
  }
};

template <class Method>
struct Communities : ::testing::Test {};
using methods = ::testing::Types<of_louvain, of_leiden>;
TYPED_TEST_SUITE(Communities, methods, suite_name);

template <class Method>
void expect_same_on_one_thread_and_two(const std::string& path) {
  std::vector<index_t> first;
  for (const int threads : {1, 2}) {
    const auto graph = read_matrix<double>(oracle::device_or_threads(threads), path,
                                           duplicates::first, {.lenient = true});
    const auto found = Method::find(graph, {});
    EXPECT_EQ(Method::verify(graph, found, {}), "");
    if (threads == 1) first = found.community.dense(-1);
    EXPECT_EQ(found.community.dense(-1), first);
  }
}

}  // namespace

TYPED_TEST(Communities, OfSmallGraphsPassTheVerifier) {
  samples::on_small_graphs<float>([](const auto& graph) {
    for (const auto& options : TypeParam::kinds()) {
      const auto found = TypeParam::find(graph, options);
      EXPECT_EQ(TypeParam::verify(graph, found, options), "");
      if (graph.is_symmetric()) {
        EXPECT_NEAR(modularity(graph, found.community, {options.resolution, options.weighted}),
                    found.modularity, 1e-12);
      }
    }
  });
}

TYPED_TEST(Communities, AreCliquesThatFewEdgesLink) {
  samples::edges list;
  std::vector<index_t> community;
  for (std::uint32_t first = 0; first < 120; first += 12) {
    const samples::edges clique = samples::clique(first, first + 12);
    list.insert(list.end(), clique.begin(), clique.end());
    list.emplace_back(first, (first + 13) % 120);
    community.insert(community.end(), 12, static_cast<index_t>(first));
  }
  for (const context& where : samples::contexts()) {
    const auto graph = samples::symmetric(where, 120, list);
    const auto found = TypeParam::find(graph, {});
    EXPECT_EQ(found.community.dense(-1), community);
    EXPECT_EQ(found.communities, 10);
    EXPECT_GE(found.levels, 1);
    EXPECT_GT(found.modularity, 0.85);
    // A small resolution unites all.
    EXPECT_EQ(TypeParam::find(graph, {.resolution = 0}).communities, 1);
  }
}

TYPED_TEST(Communities, AreTheSameOnEveryContext) {
  const io::coordinates entries = kron(9, 8, 3, {.weighted = true});
  const typename TypeParam::options options{.weighted = true};
  const auto expected =
      TypeParam::find(make_matrix<std::int64_t>(context::reference(), entries), options);
  for (const context& where : samples::contexts()) {
    const auto graph = make_matrix<std::int64_t>(where, entries);
    const auto found = TypeParam::find(graph, options);
    EXPECT_EQ(found.community.dense(-1), expected.community.dense(-1));
    EXPECT_EQ(TypeParam::verify(graph, found, options), "");
  }
}

TYPED_TEST(Communities, OfEveryTypeAreThoseOfItsWeights) {
  const context where = oracle::on_threads(2);
  const auto list = samples::random_edges(60, 200, 8);
  const auto graph = samples::symmetric<std::int32_t>(where, 60, list);
  const auto real = samples::symmetric<double>(where, 60, list);
  for (const auto& options : TypeParam::kinds()) {
    const auto found = TypeParam::find_any(graph.base(), options);
    const auto community = found.community.dense(-1);
    EXPECT_EQ(community, TypeParam::find(graph, options).community.dense(-1));
    EXPECT_EQ(community, TypeParam::find_any(real.base(), options).community.dense(-1));
    EXPECT_EQ(TypeParam::verify_any(graph.base(), found, options), "");
  }
}

TYPED_TEST(Communities, OfWhatIsNoGraphAreRefused) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const matrix<bool> square(where, 3, 3);
  const auto negative = matrix<float>::from_entries(where, 2, 2, {0}, {1}, {-1.0f});
  const std::vector<std::pair<std::string, std::string>> cases{
      {refusal([&] { TypeParam::find(matrix<bool>(where, 5, 6), {}); }),
       ": a graph's matrix is square"},
      {refusal([&] { TypeParam::find(square, {.resolution = -1}); }), ": resolution -1,"},
      {refusal([&] { TypeParam::find(negative, {.weighted = true}); }),
       ": weights must not be neg"}};
  for (const auto& [found, part] : cases)
    EXPECT_NE(found.find(TypeParam::name + part), std::string::npos) << found;
}

TYPED_TEST(Communities, AreNoLongerSoughtWhenTheRunIsCancelled) {
  context_options options;
  options.progress = [cancel = options.cancel](std::string_view step, double) {
    if (step == TypeParam::name) cancel.cancel();
  };
  for (const context& where : {context::cpu(options), context::reference(options)}) {
    options.cancel.reset();
    EXPECT_THROW(TypeParam::find(make_matrix<bool>(where, grid(30)), {}), cancelled);
  }
}

class CommunitiesOfRealGraphs : public ::testing::TestWithParam<std::string> {};

TEST_P(CommunitiesOfRealGraphs, PassTheVerifierAndAreTheSameOnOneThreadAndTwo) {
  TROPIC_NEEDS(path, GetParam());
  expect_same_on_one_thread_and_two<of_louvain>(path.string());
  expect_same_on_one_thread_and_two<of_leiden>(path.string());
}
INSTANTIATE_TEST_SUITE_P(Shared, CommunitiesOfRealGraphs,
                         ::testing::Values("graphs/karate.mtx.xz", "graphs/power.mtx.xz",
                                           "graphs/ca-AstroPh.mtx.xz", "graphs/wiki-Vote.mtx.xz"),
                         oracle::test_name);

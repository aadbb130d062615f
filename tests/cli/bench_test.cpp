// SPDX-License-Identifier: Apache-2.0

// `tropic bench ALGORITHM`: counts equal those computed by hand, sources depend
// only on the seed, on every device, and the profile accounts for all of the time.

#include <nlohmann/json.hpp>

#include <set>

#include "program.hpp"

namespace cli_tests {
namespace {

class Bench : public Program {
 protected:
  Bench() {
    write("path.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n");
    write("way.mtx",
          "%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 5\n2 3 1\n3 4 1\n");
  }
  nlohmann::json parse(const std::string& command) const {
    return Program::parse("bench " + command);
  }
};

TEST_F(Bench, CountsTheEdgesThatLeaveWhatWasReached) {
  // From vertex n of a path of four vertices 3 - n edges can be reached.
  const auto way = parse("bfs way.mtx --sources 20 --device cpu");
  EXPECT_EQ(way["symmetric"], false);
  ASSERT_EQ(way["trials"].size(), 20U);
  std::set<int> sources;
  for (const auto& trial : way["trials"]) {
    const int source = trial["source"];
    sources.insert(source);
    EXPECT_EQ(trial["edges"], 3 - source);
    EXPECT_EQ(trial["iterations"], 4 - source);
    EXPECT_DOUBLE_EQ(trial["teps"], (3 - source) / trial["seconds"].get<double>());
  }
  EXPECT_EQ(sources, (std::set{0, 1, 2})) << "no edge leaves the last vertex";
  // In a symmetric matrix each edge is stored twice and counted once.
  for (const char* algorithm : {"bfs", "sssp"}) {
    const auto path = parse(std::string(algorithm) + " path.mtx --sources 5");
    EXPECT_EQ(path["symmetric"], true);
    for (const auto& trial : path["trials"]) EXPECT_EQ(trial["edges"], 3) << algorithm;
  }
  const auto ranks = parse("pagerank path.mtx --trials 2");
  EXPECT_EQ(ranks["converged"], true);
  ASSERT_EQ(ranks["trials"].size(), 2U);
  for (const auto& trial : ranks["trials"])
    EXPECT_EQ(trial["edges"], 3 * trial["iterations"].get<int>());
}

TEST_F(Bench, CountsWhatAlgorithmsFind) {
  // Two triangles with a common edge, a path of two edges, and a vertex without edges.
  write("figures.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n8 8 7\n"
        "2 1\n3 1\n3 2\n4 2\n4 3\n6 5\n7 6\n");
  for (const std::string& device : devices()) {
    const auto found = [&](const std::string& algorithm) {
      return parse(algorithm + " figures.mtx --trials 2 --device " + device);
    };
    const auto triangles = found("triangles"), components = found("components");
    EXPECT_EQ(triangles["triangles"], 2) << device;
    EXPECT_EQ(components["components"], 3) << device;
    EXPECT_EQ(found("cores")["degeneracy"], 2) << device;
    for (const auto& report : {triangles, components}) {
      ASSERT_EQ(report["trials"].size(), 2U);
      EXPECT_EQ(report["trials"][0]["edges"], 7);
      EXPECT_FALSE(report.contains("seed"));
    }
    const auto betweenness = found("betweenness");
    EXPECT_EQ(betweenness["seed"], 1);
    for (const auto& trial : betweenness["trials"]) {
      const std::set<int> sources = trial["sources"];
      EXPECT_EQ(sources.size(), 4U) << "different vertices";
      EXPECT_FALSE(sources.contains(7)) << "no edge leaves the last vertex";
      EXPECT_EQ(trial["edges"], 4 * 7);
      EXPECT_EQ(trial["iterations"], 4);
    }
  }
}

TEST_F(Bench, StartsFromListedVertices) {
  write("sources.txt", "3 1\n0\n2\n");
  const auto searches = parse("bfs path.mtx --from sources.txt");
  ASSERT_EQ(searches["trials"].size(), 4U);
  for (int n = 0; n < 4; ++n)
    EXPECT_EQ(searches["trials"][static_cast<std::size_t>(n)]["source"],
              (std::vector{3, 1, 0, 2})[static_cast<std::size_t>(n)]);
  EXPECT_FALSE(searches.contains("seed"));
  const auto betweenness = parse("betweenness path.mtx --from sources.txt");
  ASSERT_EQ(betweenness["trials"].size(), 1U);
  EXPECT_EQ(betweenness["trials"][0]["sources"], (std::vector{3, 1, 0, 2}));
  const outcome text = run("tropic bench betweenness path.mtx --from sources.txt --device cpu");
  EXPECT_NE(
      text.out.find("bench    betweenness, 1 times, each from 4 sources listed in sources.txt"),
      std::string::npos)
      << text.out;

  write("three.txt", "0 1 2\n");
  expect_refused("tropic bench betweenness path.mtx --from three.txt",
                 "three.txt: found 3 vertices, expected 4 for each trial");
  expect_refused("tropic bench betweenness way.mtx",
                 "way.mtx: found 3 vertices with edges, expected 4 or more to start from");
  expect_refused("tropic bench bfs path.mtx --from sources.txt --seed 2", "--seed");
  expect_refused("tropic bench bfs path.mtx --from none.txt", "none.txt");
}

TEST_F(Bench, DrawsTheSameSourcesOnEveryDevice) {
  // The chosen width of buckets depends on the device, and with it the number of iterations.
  for (const std::string algorithm : {"bfs", "sssp --delta 60"}) {
    const std::string command = algorithm + " kron:6 --sources 7 --seed 3 --device ";
    const auto expected = parse(command + "cpu");
    for (const std::string& device : devices()) {
      const auto found = parse(command + device);
      ASSERT_EQ(found["trials"].size(), 7U);
      EXPECT_EQ(found["checks"].size(), 1U);
      for (const auto& [check, passed] : found["checks"].items()) EXPECT_EQ(passed, true) << check;
      for (std::size_t n = 0; n < 7; ++n)
        for (const char* key : {"source", "edges", "iterations"})
          EXPECT_EQ(found["trials"][n][key], expected["trials"][n][key]) << device << " " << key;
    }
    const auto other = parse(algorithm + " kron:6 --sources 7 --seed 4 --device cpu");
    std::vector<int> here, there;
    for (std::size_t n = 0; n < 7; ++n) {
      here.push_back(expected["trials"][n]["source"]);
      there.push_back(other["trials"][n]["source"]);
    }
    EXPECT_NE(here, there);
  }
}

TEST_F(Bench, ReportsTimesAndTheRequestedDevice) {
  for (const std::string algorithm :
       {"bfs --sources 3", "sssp --sources 3", "pagerank --trials 3", "components --trials 3",
        "betweenness --trials 3", "triangles --trials 3", "cores --trials 3"})
    for (const std::string& device : devices()) {
      const auto found = parse(algorithm + " kron:6 --device " + device);
      EXPECT_EQ(found["command"], "bench " + algorithm.substr(0, algorithm.find(' ')));
      EXPECT_EQ(found["verified"], true);
      EXPECT_EQ(found["seconds"]["run"].size(), 3U);
      EXPECT_GT(found["seconds"]["first_use"], 0);
      EXPECT_GT(found["minimum_seconds"], 0);
      EXPECT_LE(found["minimum_seconds"], found["median_seconds"]);
      EXPECT_LE(found["median_seconds"], found["maximum_seconds"]);
      double sum = 0;
      for (const auto& trial : found["trials"]) sum += 1 / trial["teps"].get<double>();
      EXPECT_NEAR(found["harmonic_mean_teps"].get<double>() * sum / 3, 1, 1e-9);
      EXPECT_FALSE(found.contains("profile"));
      if (device == "opencl") {
        EXPECT_GT(found["traffic"]["launches_per_iteration"], 0);
        EXPECT_GE(found["traffic"]["bytes_copied_per_iteration"], 0);
        EXPECT_GE(found["traffic"]["memory_blocks"], 0);
      } else {
        EXPECT_TRUE(found["traffic"].is_null());
      }
    }
}

TEST_F(Bench, ProfilesATrialByOperations) {
  for (const std::string algorithm :
       {"bfs --sources 1", "sssp --sources 1 --type fp32", "pagerank --trials 1"})
    for (const std::string& device : devices()) {
      const auto found = parse(algorithm + " kron:7 --profile --no-verify --device " + device);
      EXPECT_TRUE(found["checks"].empty());
      const auto& profile = found["profile"];
      double shares = profile["outside"]["share"], products = 0, rounds = 0;
      for (const auto& o : profile["operations"]) {
        EXPECT_GT(o["calls"], 0);
        EXPECT_GT(o["seconds"], 0);
        const double share = o["share"];
        shares += share;
        if (o["operation"] == "vxm" || o["operation"] == "mxv") products += share;
        if (o["operation"] == "iterate_until") rounds += share;
        if (o["operation"] == "vxm" && device != "opencl") {
          EXPECT_EQ(o["calls"], found["trials"][0]["iterations"]) << algorithm;
        }
        if (o["operation"] == "vxm" || o["operation"] == "iterate_until") {
          EXPECT_EQ(o["launches"] > 0, device == "opencl") << algorithm;
        }
      }
      EXPECT_NEAR(shares, 1, 1e-6);
      EXPECT_GE(profile["outside"]["seconds"], 0);
      EXPECT_GT(products + rounds, 0);
      EXPECT_NEAR(profile["products_share"], products, 1e-9);
      EXPECT_NEAR(profile["rounds_share"], rounds, 1e-9);
    }
}

TEST_F(Bench, PrintsASummary) {
  const outcome found = run("tropic bench bfs kron:6 --sources 4 --profile --device cpu");
  EXPECT_EQ(found.exit_code, 0) << found.err;
  for (const char* part :
       {"kron:6: 64 x 64, ",
        "bench    bfs from 4 sources by seed 1; symmetric: an edge counts once", ", first use ",
        " median of 4 ", "harmonic mean", "\n  TEPS ", "check    levels_and_parents: ok",
        "\n  iterate_until ", "\n  outside of operations ", "\nproducts take "})
    EXPECT_NE(found.out.find(part), std::string::npos) << part << "\n" << found.out;
  const outcome slow = run("tropic bench pagerank kron:6 --trials 1 --max-iterations 2");
  EXPECT_NE(slow.out.find("NOT CONVERGED to 0.0001"), std::string::npos) << slow.out;
}

}  // namespace
}  // namespace cli_tests

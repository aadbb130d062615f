// SPDX-License-Identifier: Apache-2.0

// `tropic pagerank --preferences`.

#include "program.hpp"

namespace {

class Pagerank : public cli_tests::Program {
 protected:
  Pagerank() { write("g.el", "0 1\n1 2\n2 0\n2 3\n"); }
};

// As tests/algorithms/pagerank_batch_test.cpp.
TEST_F(Pagerank, FromManyPreferencesWritesARankForEach) {
  write("groups.txt", "0\n# a comment\n3, 3\n");
  const std::string command = "tropic pagerank g.el --preferences groups.txt --damping 0.5 ";
  for (const std::string& device : devices())
    EXPECT_EQ(run(command + "--iterations 3 --quiet --output - --device " + device).out,
              "0 0.5625 0\n1 0.25 0\n2 0.125 0\n3 0.0625 1\n")
        << device;
  const auto found = parse(command.substr(7) + "--verify --trials 2 --device cpu");
  ASSERT_EQ(found["runs"].size(), 2U);
  EXPECT_EQ(found["runs"][0]["converged"], true);
  EXPECT_EQ(found["runs"][1]["iterations"], 1);
  EXPECT_EQ(found["iterations"], found["runs"][0]["iterations"]);
  EXPECT_EQ(found["checks"]["ranks"], true);
  EXPECT_EQ(found["checks"]["same_in_every_trial"], true);
}

// A vertex that is listed twice counts twice, as with its weight in --personalize.
TEST_F(Pagerank, FromManyPreferencesIsThatOfSingleOnes) {
  write("groups.txt", "0 2 2\n1\n");
  write("seeds.txt", "0 1\n2 2\n");
  const auto ranks = [&](const std::string& options) {
    const cli_tests::outcome found = run(
        "tropic pagerank g.el --lose-dangling --iterations 20 --device cpu --quiet --output - " +
        options);
    EXPECT_EQ(found.exit_code, 0) << found.err;
    return cli_tests::lines_of(found.out);
  };
  const auto both = ranks("--preferences groups.txt"), first = ranks("--personalize seeds.txt");
  ASSERT_EQ(both.size(), first.size());
  for (std::size_t v = 0; v < both.size(); ++v)
    EXPECT_EQ(both[v].substr(0, first[v].size() + 1), first[v] + " ");
}

TEST_F(Pagerank, FromManyPreferencesRefusesWhatItCannotUse) {
  write("none.txt", "# none\n");
  write("far.txt", "0 1\n2 4\n");
  expect_refused("tropic pagerank g.el --preferences none.txt", "none.txt: found no vertices");
  expect_refused("tropic pagerank g.el --preferences far.txt",
                 "far.txt:2: found '4', expected a vertex of the graph, which has 0 to 3");
  expect_refused("tropic pagerank g.el --preferences far.txt --personalize far.txt",
                 "--preferences");
  expect_refused("tropic pagerank g.el --preferences far.txt --permute random-row-column",
                 "--preferences");
}

}  // namespace

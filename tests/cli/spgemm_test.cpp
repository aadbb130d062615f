// SPDX-License-Identifier: Apache-2.0

// `tropic spgemm`: products, masks, transposes, what is written, what is refused.

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace cli_tests {
namespace {

using nlohmann::json;

class Spgemm : public Program {
 protected:
  std::string contents_of(const std::string& name) const { return contents(path(name)); }
  Spgemm() {
    write("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 2\n1 3 3\n2 2 -1\n");
    write("b.mtx", "%%MatrixMarket matrix coordinate real general\n3 1 2\n1 1 5\n3 1 7\n");
    write("mask.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 2\n");
  }
};

TEST_F(Spgemm, WritesTheProduct) {
  outcome found = run("tropic spgemm a.mtx b.mtx --output c.mtx --verify --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(contents_of("c.mtx").find("2 1 1\n1 1 31\n"), std::string::npos)
      << contents_of("c.mtx");
  found = run("tropic spgemm a.mtx --transpose-b --mask mask.mtx --output d.mtx --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(contents_of("d.mtx").find("2 2 1\n2 2 1\n"), std::string::npos) << contents_of("d.mtx");
  found = run(
      "tropic spgemm a.mtx --transpose-b --mask mask.mtx --complement --output e.mtx --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(contents_of("e.mtx").find("2 2 1\n1 1 13\n"), std::string::npos)
      << contents_of("e.mtx");
}

TEST_F(Spgemm, ReportsTheProductAsJson) {
  const outcome found = run("tropic spgemm a.mtx --transpose-a --json --verify --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const json object = json::parse(found.out);
  EXPECT_EQ(object["command"], "spgemm");
  EXPECT_EQ(object["products"], 5);
  EXPECT_EQ(object["result"]["rows"], 3);
  EXPECT_EQ(object["result"]["nnz"], 5);
  EXPECT_EQ(object["checks"]["agrees_with_reference"], true);
}

TEST_F(Spgemm, RefusesWhatDoesNotFit) {
  expect_refused("tropic spgemm a.mtx --device cpu", "mxm: A is 2x3, B is 2x3, needs 3 rows");
  expect_refused("tropic spgemm a.mtx b.mtx a.mtx", "found 3 matrices, expected A, or A and B");
  expect_refused("tropic spgemm a.mtx --complement", "--complement: found no mask");
  expect_refused("tropic spgemm a.mtx b.mtx --mask a.mtx --device cpu",
                 "mxm: C is 2x1, its mask 2x3");
}

}  // namespace
}  // namespace cli_tests

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
  EXPECT_GE(object["memory"]["peak"], object["memory"]["graph"].get<std::size_t>() +
                                          object["result"]["bytes"].get<std::size_t>());
  EXPECT_EQ(object["checks"]["agrees_with_reference"], true);
}

TEST_F(Spgemm, RunsAndListsEveryKernel) {
  const std::string masked = "tropic spgemm a.mtx --transpose-b --mask mask.mtx --verify --json";
  for (const char* device : {"cpu", "reference"}) {
    const outcome found = run(masked + " --kernel all --device " + device);
    ASSERT_EQ(found.exit_code, 0) << found.err;
    const json object = json::parse(found.out);
    ASSERT_EQ(object["kernels"].size(), std::string(device) == "cpu" ? 2u : 1u);
    EXPECT_EQ(object["explanation"]["candidates"].size(), object["kernels"].size());
    for (const json& kernel : object["kernels"]) {
      EXPECT_EQ(kernel["seconds"]["run"].size(), 3u);
      EXPECT_EQ(object["checks"][kernel["kernel"].get<std::string>() + "_agrees_with_reference"],
                true);
    }
  }
  // Inner products need a mask.
  const outcome found = run("tropic spgemm a.mtx --transpose-b --kernel all --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.out.find("it needs a mask that is not complemented"), std::string::npos)
      << found.out;
  expect_refused("tropic spgemm a.mtx --transpose-b --kernel inner --device cpu",
                 "mxm: kernel inner computes entries of a mask, found no mask");
  expect_refused(
      "tropic spgemm a.mtx --transpose-b --kernel inner --mask mask.mtx --complement --device cpu",
      "mxm: kernel inner computes entries of a mask, found a complemented mask");
  expect_refused("tropic spgemm a.mtx --kernel pull --device cpu",
                 "'pull', expected one that cpu has: auto, all, gustavson, inner");
}

TEST_F(Spgemm, ExplainsTheChoice) {
  outcome found =
      run("tropic spgemm a.mtx --transpose-b --mask mask.mtx --explain --json --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const json object = json::parse(found.out);
  EXPECT_EQ(object["kernel"], "auto");
  EXPECT_EQ(object["explanation"]["kernel"], "inner");
  // One position, in a row of A with one entry.
  EXPECT_EQ(object["explanation"]["shares"],
            json::parse(R"([{"part": "rows", "method": "inner", "rows": 1, "work": 1}])"));
  found = run("tropic spgemm a.mtx --transpose-b --explain --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.out.find("kernel   gustavson: no mask bounds the result"), std::string::npos)
      << found.out;
}

// Products of the other rows are not computed: a transpose of B would cost more than those of one
// row.
TEST_F(Spgemm, CountsTheRowsOfTheMaskAlone) {
  ASSERT_EQ(run("tropic generate kron 8 k.el --quiet").exit_code, 0);
  write("row.mtx",
        "%%MatrixMarket matrix coordinate pattern general\n256 256 3\n6 1\n6 9\n6 200\n");
  const outcome found =
      run("tropic spgemm k.el --mask row.mtx --explain --verify --json --device cpu");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const json object = json::parse(found.out);
  EXPECT_EQ(object["explanation"]["kernel"], "gustavson") << object["explanation"];
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

// SPDX-License-Identifier: Apache-2.0

// The type of distances on the command line, sums that it cannot hold, and weights that mean "no
// path".

#include "program.hpp"

namespace cli_tests {
namespace {

class DistancesOf : public Program {
 protected:
  DistancesOf() {
    write("u.wel", "0 1 200\n1 2 100\n");
    write("i.wel", "0 1 2000000000\n1 2 2000000000\n2 3 5\n");
    write("clamp.wel", "0 1 200\n1 2 54\n");
  }
  // Distances, one per line; the rest of the output is in `said`.
  std::string distances(const std::string& arguments, int exit_code = 0) {
    const outcome found = run("tropic sssp " + arguments + " --device cpu --output o");
    EXPECT_EQ(found.exit_code, exit_code) << arguments << "\n" << found.out << found.err;
    said = found.out;
    return contents(path("o"));
  }
  bool says(const std::string& part) const { return said.find(part) != std::string::npos; }
  std::string said;
};

TEST_F(DistancesOf, NarrowIntegersHave64Bits) {
  EXPECT_EQ(distances("u.wel --type uint8 --verify"), "0 0\n1 200\n2 300\n");
  EXPECT_TRUE(says("int64 distances") && says("shortest_paths: ok") && !says("SATURATED")) << said;
  EXPECT_EQ(distances("i.wel --type int32 --verify"),
            "0 0\n1 2000000000\n2 4000000000\n3 4000000005\n");
  EXPECT_EQ(distances("i.wel --verify"), "0 0\n1 2000000000\n2 4000000000\n3 4000000005\n");
  for (const char* type : {"int8", "int16", "uint8", "uint16", "uint32"}) {
    write("end.wel", "0 1 100\n1 2 127\n");
    EXPECT_EQ(distances(std::string("end.wel --verify --type ") + type), "0 0\n1 100\n2 227\n");
  }
}

TEST_F(DistancesOf, ANarrowTypeAreSelectedAndReportSaturation) {
  // Without --type the values are of that type too.
  EXPECT_EQ(distances("u.wel --distances uint8"), "0 0\n1 200\n2 254\n");
  EXPECT_TRUE(
      says("SATURATED: 1 distance is not exact; uint8 distances go up to 254 "
           "(--distances int64)"))
      << said;
  EXPECT_EQ(distances("u.wel --type uint8 --distances uint8 --verify", 1), "0 0\n1 200\n2 254\n");
  EXPECT_TRUE(says("the distance of vertex 2 is saturated: over its parent 1 it is 300")) << said;
  EXPECT_EQ(distances("u.wel --distances uint8 --verify --allow-saturation"),
            "0 0\n1 200\n2 254\n");
  EXPECT_TRUE(says("SATURATED") && says("shortest_paths: ok")) << said;
  EXPECT_EQ(distances("i.wel --distances int32 --verify", 1),
            "0 0\n1 2000000000\n2 2147483646\n3 2147483646\n");
  EXPECT_TRUE(says("SATURATED: 2 distances are not exact")) << said;
  // Clamped at the minimum.
  write("down.wel", "0 1 -100\n1 2 -100\n");
  EXPECT_EQ(distances("down.wel --distances int8"), "0 0\n1 -100\n2 -128\n");
  EXPECT_TRUE(
      says("SATURATED: 1 distance is not exact; int8 distances go from -128 to 126 "
           "(--distances int64)"))
      << said;
  EXPECT_EQ(distances("down.wel --distances int16 --verify"), "0 0\n1 -100\n2 -200\n");
  // At the clamp by an exact sum.
  EXPECT_EQ(distances("clamp.wel --distances uint8 --verify"), "0 0\n1 200\n2 254\n");
  EXPECT_FALSE(says("SATURATED")) << said;
  EXPECT_EQ(distances("u.wel --distances uint8 --permute random-row --verify", 1),
            "0 0\n1 200\n2 254\n");
}

TEST_F(DistancesOf, AreCountedInJson) {
  const auto object = parse("sssp u.wel --distances uint8 --json");
  EXPECT_EQ(object["type"], "uint8");
  EXPECT_EQ(object["saturated"], 1);
  const auto wide = parse("sssp u.wel --type uint8 --json --verify");
  EXPECT_EQ(wide["type"], "int64");
  EXPECT_EQ(wide["saturated"], 0);
  EXPECT_EQ(wide["checks"]["shortest_paths"], true);
  const outcome failed = run("tropic sssp u.wel --distances uint8 --json --verify --quiet");
  EXPECT_EQ(failed.exit_code, 1);
}

TEST_F(DistancesOf, AnotherTypeAreRefused) {
  expect_refused("tropic sssp u.wel --distances bool", "--distances: found 'bool'");
  expect_refused("tropic sssp u.wel --distances int7", "--distances: found 'int7'");
  expect_refused("tropic sssp u.wel --type uint8 --distances int32",
                 "--distances: found int32 with uint8 values, expected uint8 or int64");
  expect_refused("tropic sssp u.wel --type fp32 --distances int64",
                 "--distances: found int64 with fp32 values, expected fp32");
  expect_refused("tropic bench sssp u.wel --type int32 --distances uint8",
                 "--distances: found uint8");
  expect_refused("tropic sssp i.wel --distances uint8", "i.wel:1: found '2000000000'");
}

TEST_F(DistancesOf, AWeightThatMeansNoPathIsRefusedByNameAndLine) {
  const std::string text =
      "found an edge from 0 to 1 that weighs 9223372036854775807, which represents "
      "no path, expected a weight up to 9223372036854775806";
  write("no.wel", "1 2 3\n0 1 9223372036854775807\n");
  expect_refused("tropic sssp no.wel --quiet", "no.wel:2: " + text);
  expect_refused("tropic bench sssp no.wel --quiet", "no.wel:2: " + text);
  EXPECT_EQ(run("tropic convert no.wel no.tropic").exit_code, 0);
  expect_refused("tropic sssp no.tropic --quiet", "no.tropic: " + text);
  write("no.gr", "p sp 3 2\na 1 2 7\na 2 3 127\n");
  expect_refused("tropic sssp no.gr --source 1 --distances int8 --quiet",
                 "no.gr:3: found an edge from 2 to 3 that weighs 127");
  EXPECT_EQ(distances("no.gr --source 1 --type int8"), "1 0\n2 7\n3 134\n");
}

TEST_F(DistancesOf, BenchmarksHaveTheSameTypes) {
  const auto of = [&](const std::string& types) {
    return parse("bench sssp kron:6 --sources 2 --device cpu --json " + types)["type"];
  };
  EXPECT_EQ(of(""), "int64");
  EXPECT_EQ(of("--type int32"), "int64");
  EXPECT_EQ(of("--distances int32"), "int32");
  EXPECT_EQ(of("--type fp32"), "fp32");
}

}  // namespace
}  // namespace cli_tests

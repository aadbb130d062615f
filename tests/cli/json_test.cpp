// SPDX-License-Identifier: Apache-2.0

// --json prints exactly one object, with the keys that every command has.

#include <nlohmann/json.hpp>

#include <tropic/semirings/builtins.hpp>

#include "program.hpp"

namespace cli_tests {
namespace {

class Json : public Program {
 protected:
  nlohmann::json parse(const std::string& command) const {
    const outcome found = run(command);
    EXPECT_EQ(found.exit_code, 0) << command << "\n" << found.err;
    nlohmann::json object = nlohmann::json::parse(found.out, nullptr, false);
    EXPECT_TRUE(object.is_object()) << command << "\n" << found.out;
    return object;
  }
  static void expect_keys(const nlohmann::json& object) {
    for (const char* key : {"command", "device", "rows", "columns", "nnz", "kernel", "iterations",
                            "seconds", "gbytes_per_second", "checks"})
      EXPECT_TRUE(object.contains(key)) << key;
    for (const char* key : {"load", "inspect", "convert", "transfer"})
      EXPECT_TRUE(object.at("seconds").at(key).is_number()) << key;
    EXPECT_TRUE(object.at("seconds").at("run").is_array());
    for (const auto& [name, passed] : object.at("checks").items())
      EXPECT_TRUE(passed.is_boolean()) << name;
  }
};

TEST_F(Json, ReportsGraphCommands) {
  for (const std::string& name : graph_commands()) {
    const auto object = parse("tropic " + name + " kron:8 --json --verify --trials 3");
    expect_keys(object);
    EXPECT_EQ(object["command"], name);
    EXPECT_EQ(object["rows"], 256);
    EXPECT_EQ(object["seconds"]["run"].size(), 3U);
    EXPECT_FALSE(object["checks"].empty());
    for (const auto& [check, passed] : object["checks"].items()) EXPECT_EQ(passed, true) << check;
    EXPECT_GT(object["iterations"], 0);
    EXPECT_GE(object["memory"]["graph"], 257 * 4 + object["nnz"].get<std::int64_t>() * 4);
    EXPECT_GT(object["memory"]["peak"], object["memory"]["graph"]);
  }
}

TEST_F(Json, ReportsEveryKernel) {
  const auto object = parse("tropic spmv kron:8 --kernel all --verify --json --trials 2");
  expect_keys(object);
  ASSERT_TRUE(object["kernels"].is_array());
  EXPECT_GE(object["kernels"].size(), 2U);
  for (const auto& kernel : object["kernels"]) {
    expect_keys(kernel);
    EXPECT_EQ(kernel["seconds"]["run"].size(), 2U);
    EXPECT_EQ(kernel["checks"]["agrees_with_reference"], true);
    EXPECT_GT(kernel["gbytes_per_second"], 0);
  }
}

TEST_F(Json, ReportsConstantsOfKernels) {
  if (run("tropic spmv kron:4 --device opencl").exit_code != 0)
    GTEST_SKIP() << "there is no OpenCL device";
  const auto object = parse(
      "tropic bench tune kron:7 --device opencl --kernel csr_vector --rounds 1 --verify --json");
  expect_keys(object);
  EXPECT_EQ(object["command"], "bench tune");
  EXPECT_EQ(object["checks"]["all_agree_with_reference"], true);
  ASSERT_EQ(object["kernels"].size(), 1U);
  const auto& found = object["kernels"][0];
  EXPECT_EQ(found["kernel"], "csr_vector");
  EXPECT_GT(found["default_seconds"], 0);
  // Widths, by subgroups per group, or by subgroup sizes if the device allows a choice.
  EXPECT_TRUE(found["measured"].size() == 15U || found["measured"].size() == 20U);
  for (const auto& constants : found["measured"])
    if (constants.contains("seconds")) {
      EXPECT_GE(constants["seconds"], found["best"]["seconds"]);
    }
}

TEST_F(Json, OfEverySemiringAgrees) {
  for (const std::string_view name : tropic::builtin_semiring_names()) {
    const std::string semiring(name),
        type = semiring.find("and") != std::string::npos ? "bool" : "fp32";
    const auto object =
        parse("tropic spmv kron:7 --kernel all --verify --json --trials 1 --semiring " + semiring +
              " --type " + type);
    for (const auto& [check, passed] : object["checks"].items())
      EXPECT_EQ(passed, true) << semiring << " " << check;
  }
}

TEST_F(Json, ReportsTheOtherCommands) {
  const auto info = parse("tropic info grid:5 --json");
  expect_keys(info);
  EXPECT_EQ(info["rows"], 25);
  EXPECT_EQ(info["nnz"], 80);
  EXPECT_EQ(info["row_degrees"]["max"], 4);
  EXPECT_EQ(info["row_degrees"]["min"], 2);
  EXPECT_EQ(info["symmetric"], true);
  EXPECT_EQ(info["self_loops"], 0);
  expect_keys(parse("tropic generate kron 6 k.mtx --json"));
  expect_keys(parse("tropic convert k.mtx k.tropic --json"));
  const auto devices = parse("tropic devices --json");
  EXPECT_EQ(devices["devices"][0]["name"], "reference");
}

TEST_F(Json, KeepsNoticesOffStandardOutput) {
  const outcome loud = run("tropic bfs grid:4 --json");
  EXPECT_TRUE(loud.err.starts_with("tropic: device: ")) << loud.err;
  EXPECT_EQ(lines_of(loud.err).size(), 1U);
  EXPECT_EQ(run("tropic bfs grid:4 --json --quiet").err, "");
  const outcome quiet = run("tropic bfs grid:4 --quiet");
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Json, NamesTheDeviceThatWasTakenAndOneNoticeSaysWhy) {
  const std::string nothing =
      "TROPIC_CUDA_LIBRARY=/nowhere/a.so TROPIC_NVRTC_LIBRARY=/nowhere/b.so "
      "TROPIC_OPENCL_LIBRARY=/nowhere/c.so ";
  const outcome automatic = run(nothing + "tropic bfs grid:4 --trials 3 --device auto --json");
  EXPECT_EQ(automatic.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(automatic.out)["device"], "cpu");
  const std::vector<std::string> lines = lines_of(automatic.err);
  ASSERT_EQ(lines.size(), 1U) << automatic.err;
  for (const char* part : {"device: cpu with ", "; no other device can be used (cuda:0: ",
                           "/nowhere/a.so", "; opencl:0: "})
    EXPECT_NE(lines[0].find(part), std::string::npos) << lines[0] << "\nshould say: " << part;
  EXPECT_EQ(run(nothing + "tropic bfs grid:4 --device cpu").err, "");
}

}  // namespace
}  // namespace cli_tests

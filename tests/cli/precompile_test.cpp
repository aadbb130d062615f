// SPDX-License-Identifier: Apache-2.0

// `tropic precompile`, and that the list of programs that packages carry has those that the
// algorithms ask for. The commands run on the fake CUDA driver, whose kernels run on the CPU.

#include <algorithm>
#include <filesystem>
#include <set>

#include "backends/cuda/precompile.hpp"
#include "backends/device/program/request_text.hpp"
#include "program.hpp"
#include "support/quick_run.hpp"

namespace cli_tests {
namespace {

// Programs of a small list, so that tests do not compile all of them.
class Precompile : public Program {
 protected:
  // Variables of the shell for commands on the fake driver.
  static std::string fake(const std::string& variables = "") {
    const std::string library = TROPIC_FAKE_CUDA;
    return "export TROPIC_CUDA_LIBRARY='" + library + "' TROPIC_NVRTC_LIBRARY='" + library +
           "' TROPIC_CACHE=on TROPIC_CACHE_DIR=$PWD/cache " + variables + "; ";
  }
  void SetUp() override {
    // The fake driver compiles kernels by it.
    ASSERT_EQ(run("c++ --version").exit_code, 0) << "no C++ compiler is installed";
  }
};

class PrecompiledPrograms : public Precompile {
 protected:
  // All programs that a command asks for, on a device of so many processors.
  void expect_listed(const std::string& command, const std::string& processors,
                     const std::string& capability) {
    const outcome found = run(fake("TROPIC_PROGRAMS=off TROPIC_PROGRAM_LIST=$PWD/asked "
                                   "TROPIC_FAKE_PROCESSORS=" +
                                   processors + " TROPIC_FAKE_CAPABILITY=" + capability) +
                              "tropic " + command + " --device cuda:0 --quiet");
    ASSERT_EQ(found.exit_code, 0) << command << "\n" << found.err;
    for (const std::string& line : lines_of(contents(path("asked")))) {
      EXPECT_TRUE(known_.contains(line)) << command << " asks for " << line;
      EXPECT_TRUE(
          tropic::detail::is_for(tropic::detail::listed_request(line).get(), "sm_" + capability))
          << command << " asks for " << line;
    }
    std::filesystem::remove(path("asked"));
  }

 private:
  const std::set<std::string> known_ = [] {
    const auto listed = tropic::detail::builtin_programs();
    return std::set<std::string>(listed.begin(), listed.end());
  }();
};

// A program that is absent is compiled at its first use in an installed package, too: write the
// list again by scripts/program-list. A quick run takes a few of the commands.
TEST_F(PrecompiledPrograms, OfEveryAlgorithmAreInTheList) {
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(contents(TROPIC_PROGRAM_COMMANDS)))
    if (!line.empty() && line[0] != '#') commands.push_back(line);
  ASSERT_GT(commands.size(), 20u);
  const std::size_t step = tropic::testing::is_quick_run() ? 16 : 1;
  for (std::size_t n = tropic::testing::base_seed() % step; n < commands.size(); n += step)
    expect_listed(commands[n], "132", "90");
  // Elsewhere there are no clusters.
  expect_listed("sssp grid:8 --type fp32", "40", "75");
}

// On one processor a graph of a few thousand entries is as large as one of a million is on many.
TEST_F(PrecompiledPrograms, OfLargeGraphsAreInTheList) {
  const char* commands[] = {
      "spmv grid:60 --type fp32 --trials 1",
      "spmv kron:12 --type fp32 --semiring min_plus --trials 1",
      "spmv urand:11:16 --type int32 --trials 1",
      "pagerank kron:10 --iterations 2",
      "pagerank kron:12 --weighted --iterations 2",
      "triangles kron:14",
  };
  const std::size_t step = tropic::testing::is_quick_run() ? 3 : 1;
  for (std::size_t n = tropic::testing::base_seed() % step; n < std::size(commands); n += step)
    expect_listed(commands[n], "1", "90");
}

// Beside a program that is installed elsewhere, as packages have them.
TEST_F(PrecompiledPrograms, ServeAnInstalledProgram) {
  const std::string command = "tropic spmv kron:5 --type fp32 --device cuda:0 --trials 1 --verify",
                    search = "tropic bfs kron:5 --device cuda:0 --verify";
  ASSERT_EQ(
      run(fake("TROPIC_PROGRAMS=off TROPIC_PROGRAM_LIST=$PWD/asked") + command + " && " + search)
          .exit_code,
      0);
  const std::size_t compiled = lines_of(contents(path("asked"))).size();
  EXPECT_GT(compiled, 0u);
  const auto entries = [&] {
    return static_cast<std::size_t>(std::distance(
        std::filesystem::directory_iterator(path("cache")), std::filesystem::directory_iterator()));
  };
  EXPECT_EQ(entries(), compiled);
  const outcome result = run(fake() +
                             "mkdir -p prefix/bin && cp \"$(command -v tropic)\" prefix/bin/ && "
                             "tropic precompile --only asked --arch sm_90 --json "
                             "prefix/share/tropic/programs");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out)["architectures"][0];
  EXPECT_EQ(report["architecture"], "sm_90");
  EXPECT_EQ(report["programs"], compiled);
  EXPECT_EQ(report["file_bytes"],
            std::filesystem::file_size(path("prefix/share/tropic/programs/sm_90.programs")));
  // Nothing is compiled, so nothing enters the user's cache.
  std::filesystem::remove_all(path("cache"));
  const std::string without_nvrtc = "; export TROPIC_NVRTC_LIBRARY=/absent/nvrtc.so";
  const outcome served =
      run(fake("; unset TROPIC_PROGRAMS" + without_nvrtc) + "prefix/bin/" + command);
  EXPECT_EQ(served.exit_code, 0) << served.err;
  const outcome searched =
      run(fake("; unset TROPIC_PROGRAMS" + without_nvrtc) + "prefix/bin/" + search);
  EXPECT_EQ(searched.exit_code, 0) << searched.err;
  EXPECT_NE(served.out.find("agrees_with_reference: ok"), std::string::npos) << served.out;
  EXPECT_FALSE(std::filesystem::exists(path("cache")));
  const outcome another = run(fake("; unset TROPIC_PROGRAMS" + without_nvrtc) +
                              "prefix/bin/tropic components kron:5 --device cuda:0");
  EXPECT_NE(another.exit_code, 0);
  EXPECT_NE(another.err.find("not among the compiled ones"), std::string::npos) << another.err;
  // Another driver's devices compile.
  EXPECT_EQ(run(fake("; unset TROPIC_PROGRAMS; export TROPIC_FAKE_CAPABILITY=80") + "prefix/bin/" +
                command + " && prefix/bin/" + search)
                .exit_code,
            0);
  EXPECT_EQ(entries(), compiled);
}

TEST_F(Precompile, RefusesWhatItCannotCompile) {
  expect_refused(fake() + "tropic precompile --arch sm_12 programs",
                 "NVRTC 13.0 compiles for sm_75");
  expect_refused(fake() + "tropic precompile --arch compute_80 programs",
                 "architecture 'compute_80'");
  expect_refused(fake() + "tropic precompile --arch '' programs", "--arch");
  expect_refused(fake() + "tropic precompile --programs absent programs", "absent");
  write("wrong", "(program \"no_such_kernel\")\n");
  const outcome wrong = run(fake() + "tropic precompile --only wrong --arch sm_90 programs");
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_NE(wrong.err.find("does not describe one: (program \"no_such_kernel\")"),
            std::string::npos)
      << wrong.err;
  const outcome without =
      run("TROPIC_NVRTC_LIBRARY=/absent/nvrtc.so tropic precompile --arch sm_90 programs");
  EXPECT_NE(without.exit_code, 0);
  EXPECT_NE(without.err.find("NVRTC cannot be opened"), std::string::npos) << without.err;
  EXPECT_FALSE(std::filesystem::exists(path("programs")));
}

}  // namespace
}  // namespace cli_tests

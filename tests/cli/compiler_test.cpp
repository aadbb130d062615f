// SPDX-License-Identifier: Apache-2.0

// --text-compiler: semirings given as text, compiled by a C compiler, by several processes at once
// and without a compiler that works.

#include <filesystem>

#include "program.hpp"

namespace cli_tests {
namespace {

class TextCompiler : public Program {
 protected:
  TextCompiler() { EXPECT_EQ(run("tropic generate kron 7 g.mtx --weights --quiet").exit_code, 0); }
  // A compiler of that name in the folder; `body` is run for everything but its version.
  void compiler(const std::string& name, const std::string& body) const {
    write(name, "#!/bin/sh\n[ \"$1\" = --version ] && { echo 1; exit; }\n" + body + "\n");
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }
  // A product that no built-in semiring computes, verified.
  static std::string product(const std::string& name) {
    return "TROPIC_CACHE=on TROPIC_CACHE_DIR=$PWD/cache tropic spmv g.mtx --type fp32 --device cpu "
           "--threads 2 --verify --add 't_min(x, y)' --identity t_inf "
           "--multiply 'x > y ? x - y : y - x' --text-compiler " +
           name;
  }
  void expect_agreement(const outcome& found, const std::string& notice) const {
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_NE(found.out.find("agrees_with_reference: ok"), std::string::npos) << found.out;
    if (notice.empty())
      EXPECT_EQ(found.err, "");
    else
      EXPECT_NE(found.err.find(notice), std::string::npos) << found.err;
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(
        std::filesystem::directory_iterator(path("cache")), std::filesystem::directory_iterator()));
  }
};

// Each compiler waits until the other one runs.
TEST_F(TextCompiler, MayRunInTwoProcessesAtOnce) {
  if (run("cc --version").exit_code != 0) GTEST_SKIP() << "no C compiler is installed";
  compiler(
      "slow-cc",
      "touch run.$$; n=0\n"
      "while [ $(ls run.* | wc -l) -lt 2 ] && [ $n -lt 200 ]; do sleep 0.1; n=$((n + 1)); done\n"
      "exec cc \"$@\"");
  const std::string one = product("./slow-cc");
  const outcome both = run("(" + one + " > other 2>&1; echo $? >> other) & " + one + "; wait");
  expect_agreement(both, "");
  const std::string other = contents(path("other"));
  EXPECT_NE(other.find("agrees_with_reference: ok"), std::string::npos) << other;
  EXPECT_EQ(other.find("text compiler"), std::string::npos) << other;
  EXPECT_TRUE(other.ends_with("\n0\n")) << other;
  EXPECT_EQ(run("ls run.* | wc -l").out, "2\n");
  EXPECT_EQ(entries(), 1u);
  // What they left is loaded: the compiler of that name and version is not needed any more.
  compiler("slow-cc", "exit 1");
  expect_agreement(run(one), "");
}

TEST_F(TextCompiler, ThatFailsOrIsMissingIsANotice) {
  expect_agreement(run(product("./none")), "text compiler: no C compiler runs: ./none: No such");
  compiler("broken", "echo 'products.c:1: no room' >&2; exit 3");
  expect_agreement(run(product("./broken")),
                   "text compiler: ./broken ends with status 3: products.c:1: no room");
  EXPECT_FALSE(std::filesystem::exists(path("cache")) && entries() > 0);
}

}  // namespace
}  // namespace cli_tests

// SPDX-License-Identifier: Apache-2.0

// In a quick run, PoCL compiles the programs of three quarters of the tests without optimisation,
// in half the time or less. The seed selects the others, so that every commit optimises another
// quarter. Linked into every program that uses this library (CMakeLists.txt).

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/cases.hpp"
#include "support/quick_run.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {
namespace {

constexpr std::uint64_t turns = 4;

class compilation_by_turns : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + '.' + test.name();
    if ((hash_text(name) + base_seed()) % turns != 0) flags_.emplace(pocl_flags, no_optimisation);
  }
  void OnTestEnd(const ::testing::TestInfo&) override { flags_.reset(); }

 private:
  std::optional<environment_variable> flags_{};
};

}  // namespace
}  // namespace tropic::testing

extern "C" const bool tropic_tests_compile_by_turns = [] {
  if (tropic::testing::is_quick_run())
    ::testing::UnitTest::GetInstance()->listeners().Append(
        new tropic::testing::compilation_by_turns);
  return true;
}();

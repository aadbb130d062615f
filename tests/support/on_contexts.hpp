// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fixtures of suites that run on every context of context_names().
//
//   class Product : public AgainstReference {};
//   TEST_P(Product, ...) { ... agrees("min_plus", difference, replay_line(...)) ... }
//   TROPIC_ON_EVERY_CONTEXT(Product);

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/contexts.hpp"
#include "support/quick_run.hpp"

namespace tropic::testing {

/// A fixture with the context `context_name()`; skips the test, with the reason, if this machine
/// does not have it.
class ContextFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    found_context found = make_context(context_name(), options());
    if (!found.where) GTEST_SKIP() << context_name() << ": " << found.reason;
    where_ = std::move(found.where);
  }
  virtual std::string context_name() const = 0;
  virtual context_options options() { return {}; }
  const context& where() const { return *where_; }

 private:
  std::unique_ptr<context> where_;
};

/// The suite's parameter is the name of the context.
class OnContext : public ContextFixture, public ::testing::WithParamInterface<std::string> {
 protected:
  std::string context_name() const override { return GetParam(); }
};

/// A context (ContextFixture or a class derived from it) beside the reference.
template <class Fixture>
class BesideReference : public Fixture {
 protected:
  const context& reference() const { return *reference_; }
  /// The stride over cases: every_nth(), and 16 times that where a quick run compares the reference
  /// with itself, which only shows that it ends.
  std::size_t stride_of_cases() const {
    const bool is_itself = this->where().name() == "reference" && is_quick_run();
    return every_nth() * (is_itself ? 16 : 1);
  }

  /// Whether to continue: `difference` is empty, or few cases have failed so far.
  bool agrees(const std::string& what, const std::string& difference, const std::string& replay) {
    if (difference.empty()) return true;
    ADD_FAILURE() << this->context_name() << ", " << what << ": " << difference << replay;
    return ++failures_ < 5;
  }

 private:
  std::unique_ptr<context> reference_ = make_context("reference").where;
  int failures_ = 0;
};
using AgainstReference = BesideReference<OnContext>;

#define TROPIC_ON_EVERY_CONTEXT(suite)                                              \
  INSTANTIATE_TEST_SUITE_P(Contexts, suite,                                         \
                           ::testing::ValuesIn(::tropic::testing::context_names()), \
                           [](const auto& info) { return info.param; })

}  // namespace tropic::testing

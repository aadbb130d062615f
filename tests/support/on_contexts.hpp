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

namespace tropic::testing {

/// One context; skipped, with the reason, where this machine does not have it.
class OnContext : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    found_context found = make_context(GetParam(), options());
    if (!found.where) GTEST_SKIP() << GetParam() << ": " << found.reason;
    where_ = std::move(found.where);
  }
  virtual context_options options() { return {}; }
  const context& where() const { return *where_; }

 private:
  std::unique_ptr<context> where_;
};

/// One context beside the reference.
class AgainstReference : public OnContext {
 protected:
  const context& reference() const { return *reference_; }

  /// Whether to go on: `difference` is empty, or too little has failed yet.
  bool agrees(const std::string& what, const std::string& difference, const std::string& replay) {
    if (difference.empty()) return true;
    ADD_FAILURE() << GetParam() << ", " << what << ": " << difference << replay;
    return ++failures_ < 5;
  }

 private:
  std::unique_ptr<context> reference_ = make_context("reference").where;
  int failures_ = 0;
};

#define TROPIC_ON_EVERY_CONTEXT(suite)                                              \
  INSTANTIATE_TEST_SUITE_P(Contexts, suite,                                         \
                           ::testing::ValuesIn(::tropic::testing::context_names()), \
                           [](const auto& info) { return info.param; })

}  // namespace tropic::testing

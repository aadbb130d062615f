// SPDX-License-Identifier: Apache-2.0
#pragma once

// A fixture whose context is cancelled at a chosen report of progress.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/on_contexts.hpp"

namespace tropic::testing {

/// `Fixture`: OnContext or a class derived from it.
template <class Fixture>
class Cancelling : public Fixture {
 protected:
  context_options options() override {
    context_options result = Fixture::options();
    result.cancel = cancel_;
    result.progress = [this](std::string_view step, double fraction) {
      steps_.emplace_back(step);
      fractions_.push_back(fraction);
      if (steps_.size() == stop_at_) cancel_.cancel();
    };
    return result;
  }
  /// Forgets the reports; cancels at the one with that number, from 1, or at none.
  void let_run(std::size_t stop_at = 0) {
    cancel_.reset();
    stop_at_ = stop_at;
    steps_.clear();
    fractions_.clear();
  }

  std::vector<std::string> steps_;  ///< of the reports since let_run()
  std::vector<double> fractions_;

 private:
  const cancel_token cancel_;
  std::size_t stop_at_ = 0;
};

}  // namespace tropic::testing

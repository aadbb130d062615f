// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fixtures of tests in which small matrices count as large ones that are pulled often.

#include "backends/backend.hpp"
#include "backends/device/backend.hpp"
#include "support/on_contexts.hpp"

namespace tropic::testing {

/// Base, a fixture on a context, with matrices looked at from 1,000 entries on.
template <class Base>
class LowHubLimits : public Base {
 protected:
  void SetUp() override {
    Base::SetUp();
    if (this->IsSkipped() || this->HasFatalFailure()) return;
    limits() = {.least_entries = 1000, .needs_shuffles = false};
  }
  void TearDown() override {
    if (!this->IsSkipped() && device() != nullptr) limits() = {};
  }
  detail::device_backend* device() const {
    return dynamic_cast<detail::device_backend*>(this->where().state()->executor.get());
  }
  detail::hub_limits& limits() const { return device()->products().limits_of_hubs(); }
  template <class S, class A, class X>
  detail::call_features features(const S& semiring, const matrix<A>& a, const vector<X>& u,
                                 bool transposed = false) const {
    const semiring_description s = detail::describe_for_mxv(semiring);
    return device()->features({s, a.base(), u.base(), transposed, false}, {});
  }
};

}  // namespace tropic::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a call of each kernel costs in microseconds, from what CSR knows by itself; infinity where
// it is not to be chosen (docs/kernels.md, "Choosing a kernel").

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

struct call_features;

namespace device_costs {

double push(const call_features&, index_t expected_calls);
double vector(const call_features&, index_t expected_calls);
double scalar(const call_features&, index_t expected_calls);
double segmented(const call_features&, index_t expected_calls);
double hubs(const call_features&, index_t expected_calls);
double bits(const call_features&, index_t expected_calls);
double listed(const call_features&, index_t expected_calls);

/// The time of a product by csr_hubs relative to segmented sums, if the parts hold such a share of
/// the entries.
double hub_factor(double share);

/// Whether u has so few entries that most of the values which hubs stage would not be read.
bool is_thin(index_t nvals, index_t size);

}  // namespace device_costs
}  // namespace tropic::detail

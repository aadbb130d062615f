// SPDX-License-Identifier: Apache-2.0
#pragma once

// A backend in its three roles. Code that needs one of them takes that one.

#include "backends/array_services.hpp"
#include "backends/cost_source.hpp"
#include "backends/operations.hpp"

namespace tropic::detail {

class backend : public operations, public cost_source, public array_services {};

}  // namespace tropic::detail

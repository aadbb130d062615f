// SPDX-License-Identifier: Apache-2.0
#pragma once

// A backend in its three roles. Code that needs one of them takes that one.

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/semirings/semiring.hpp>
#include "backends/array_services.hpp"
#include "backends/cost_source.hpp"
#include "backends/kernel_info.hpp"
#include "backends/operations.hpp"
#include "backends/pattern_counts.hpp"
#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail {

class backend : public operations, public cost_source, public array_services {};

}  // namespace tropic::detail

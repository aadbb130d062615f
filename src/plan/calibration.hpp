// SPDX-License-Identifier: Apache-2.0
#pragma once

// The constants of the cost model. They are measured on a device once, in seconds, by products of
// synthetic matrices, and stored on disk beside compiled programs ($TROPIC_CACHE_DIR, otherwise
// ~/.cache/tropic). They are measured again when the device, its driver, the number of threads or
// the model changes.

#include <filesystem>
#include <functional>
#include <optional>

#include "plan/cost_model.hpp"

namespace tropic::detail {

/// The constants of the context's device: from this process, from the file, or measured now, which
/// may take a minute, calls progress and cancel, and is logged.
std::shared_ptr<const cost_constants> constants_of(context_state&);
/// The constants that are available without measuring; null if there are none.
std::shared_ptr<const cost_constants> known_constants_of(const context_state&);
/// Measures now and stores the result.
std::shared_ptr<const cost_constants> calibrate(context_state&);

/// Replaces measuring in this process, for the device that the constants name.
void use_constants(cost_constants);

/// The file that they are stored in; empty if TROPIC_CACHE=off.
std::filesystem::path calibration_file(const std::string& identity);
/// As text, one constant per line: the content of the file and the output of `tropic calibrate`.
std::string to_text(const cost_constants&);
/// Nothing unless it is such a text, of this version and for that device.
std::optional<cost_constants> from_text(std::string_view text, std::string_view identity);

/// The constants of the file, if it is complete and of this version and device.
std::optional<cost_constants> read_constants(const std::string& identity);
/// Failures are logged to `log`.
void write_constants(const cost_constants&, const std::function<void(std::string_view)>& log);

}  // namespace tropic::detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The constants of the cost model, measured on a device by products of made matrices: once, in
// seconds, and kept on disk beside compiled programs ($TROPIC_CACHE_DIR, else ~/.cache/tropic).
// They are measured anew when the device, its driver, the number of threads or the model changes.

#include <filesystem>
#include <functional>
#include <optional>

#include "plan/cost_model.hpp"

namespace tropic::detail {

/// Those of the context's device: as this process knows them, or the file, or measured now, which
/// takes seconds, asks for progress and cancel, and is said in the log.
std::shared_ptr<const cost_constants> constants_of(context_state&);
/// Those known without measuring: null where there are none.
std::shared_ptr<const cost_constants> known_constants_of(const context_state&);
/// Measured now, and kept.
std::shared_ptr<const cost_constants> calibrate(context_state&);

/// Instead of measuring, for the device that they name: in this process.
void use_constants(cost_constants);

/// Where they are kept; empty where TROPIC_CACHE=off.
std::filesystem::path calibration_file(const std::string& identity);
/// As text, a line a constant; what a file holds and `tropic calibrate` prints.
std::string to_text(const cost_constants&);
/// Nothing where it is not such a text, of this version and for that device.
std::optional<cost_constants> from_text(std::string_view text, std::string_view identity);

/// The file's, where it is whole and of this version and device.
std::optional<cost_constants> read_constants(const std::string& identity);
/// Where that cannot be, `log` is told.
void write_constants(const cost_constants&, const std::function<void(std::string_view)>& log);

}  // namespace tropic::detail

// SPDX-License-Identifier: Apache-2.0
#include "plan/calibration.hpp"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "backends/backend.hpp"
#include "backends/profiled_backend.hpp"
#include "plan/calibrator.hpp"

namespace tropic::detail {

namespace {

// A process measures a device once; this keeps the constants by identity.
struct known_constants {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const cost_constants>> of;
};
known_constants& known() {
  static known_constants all;
  return all;
}

}  // namespace

std::shared_ptr<const cost_constants> known_constants_of(const context_state& context) {
  const std::string identity = context.executor->identity();
  const std::lock_guard lock(known().mutex);
  if (const auto found = known().of.find(identity); found != known().of.end()) return found->second;
  std::optional<cost_constants> stored = read_constants(identity);
  if (!stored) return nullptr;
  return known().of[identity] = std::make_shared<const cost_constants>(*std::move(stored));
}

std::shared_ptr<const cost_constants> calibrate(context_state& context) {
  const unprofiled_scope own_work;
  context.log(fmt::format("measuring {} once for plans; this may take a minute", context.name));
  const auto constants = std::make_shared<const cost_constants>(measured_constants(context));
  write_constants(*constants, [&](std::string_view message) { context.log(message); });
  const std::lock_guard lock(known().mutex);
  return known().of[constants->device] = constants;
}

void use_constants(cost_constants c) {
  const std::lock_guard lock(known().mutex);
  const std::string device = c.device;
  known().of[device] = std::make_shared<const cost_constants>(std::move(c));
}

std::shared_ptr<const cost_constants> constants_of(context_state& context) {
  if (auto found = known_constants_of(context)) return found;
  // One thread at a time: two concurrent measurements would disturb each other, and the second
  // thread finds the result of the first.
  static std::mutex measuring;
  const std::lock_guard lock(measuring);
  if (auto found = known_constants_of(context)) return found;
  return calibrate(context);
}

}  // namespace tropic::detail

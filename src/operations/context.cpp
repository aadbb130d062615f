// SPDX-License-Identifier: Apache-2.0
// Contexts: the only place that knows every backend by name.

#include <omp.h>

#include <charconv>
#include <optional>

#include <tropic/detail/containers.hpp>
#include <tropic/detail/threads.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/fake_device.hpp"
#include "backends/cuda/cuda.hpp"
#include "backends/opencl/opencl.hpp"
#include "backends/profiled_backend.hpp"
#include "backends/reference/backend.hpp"

namespace tropic {

using detail::context_pointer;
using detail::context_state;

namespace {

context_pointer make_state(std::string name, context_options options) {
  const int threads = detail::checked_threads(options.threads);
  const std::size_t limit = options.memory_limit;
  auto state = std::make_shared<context_state>(std::move(options), limit);
  state->name = std::move(name);
  state->account.evict = [raw = state.get()] {
    const std::size_t freed = detail::evict_derived(*raw);
    return freed + (raw->executor != nullptr ? raw->executor->release_idle() : 0);
  };
  state->usual_threads = threads;
  if (const int usual = omp_get_max_threads(); state->options.threads == 0 && threads < usual)
    state->log("threads: " + std::to_string(threads) + " of " + std::to_string(usual) +
               ", because this process cannot start more");
  return state;
}

void refuse_queue(const char* device, const context_options& options) {
  if (options.queue != nullptr)
    throw usage_error("device " + std::string(device) +
                      ": found a borrowed queue, expected none: only cuda and opencl work on one");
}

// Creates a context with the given state and its backend.
context made_of(context_pointer state) {
  if (state->options.profile)
    state->executor = std::make_shared<detail::profiled_backend>(std::move(state->executor));
  return context(std::move(state));
}

// N of "opencl:N"; 0 without one.
int device_number(std::string_view device, std::string_view backend) {
  if (device == backend) return 0;
  const std::string_view digits = device.substr(backend.size() + 1);
  int number = -1;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || number < 0)
    throw usage_error("device '" + std::string(device) + "': '" + std::string(digits) +
                      "' is not a device number");
  return number;
}
bool is_backend(std::string_view device, std::string_view backend) {
  return device == backend ||
         (device.starts_with(backend) && device.substr(backend.size()).starts_with(':'));
}

}  // namespace

context context::reference(context_options options) {
  refuse_queue("reference", options);
  context_pointer state = make_state("reference", std::move(options));
  state->usual_threads = 1;
  state->executor = std::make_shared<detail::reference_backend>(*state);
  return made_of(state);
}

context context::cpu(context_options options) {
  refuse_queue("cpu", options);
  context_pointer state = make_state("cpu", std::move(options));
  state->executor = std::make_shared<detail::cpu_backend>(*state);
  return made_of(state);
}

context context::fake_device(context_options options) {
  refuse_queue("fake", options);
  context_pointer state = make_state("fake", std::move(options));
  state->device_memory = std::make_unique<detail::fake_memory>();
  state->executor = std::make_shared<detail::cpu_backend>(*state);
  return made_of(state);
}

context context::cuda(int number, context_options options) {
  context_pointer state = make_state("cuda:" + std::to_string(number), std::move(options));
  detail::attach_cuda(*state, number);
  return made_of(state);
}

context context::opencl(int number, context_options options) {
  context_pointer state = make_state("opencl:" + std::to_string(number), std::move(options));
  detail::attach_opencl(*state, number);
  return made_of(state);
}

context context::automatic(context_options options) {
  if (options.queue != nullptr)
    throw usage_error(
        "device auto: a borrowed queue belongs to one device: give its name, as in cuda:0");
  std::optional<context> result;
  std::string taken, refused;
  const auto try_each = [&](const std::vector<device_info>& listed) {
    for (const device_info& d : listed) {
      if (result) return;
      std::string reason = d.name + ": " + (d.available ? "this is the CPU" : d.reason);
      if (d.available && !d.is_cpu) try {
          result = named(d.name, options);
          taken = d.name + ", " + d.description;
          return;
        } catch (const error& e) {  // the message names the device
          reason = e.what();
        }
      refused += (refused.empty() ? "" : "; ") + reason;
    }
  };
  try_each(detail::cuda_devices());
  if (!result) try_each(detail::opencl_devices());
  if (!result) {
    result = cpu(std::move(options));
    taken = "cpu with " + std::to_string(result->threads()) +
            (result->threads() == 1 ? " thread" : " threads") + "; no other device can be used";
  }
  result->state()->log("device: " + taken + (refused.empty() ? "" : " (" + refused + ")"));
  return *result;
}

context context::named(std::string_view device, context_options options) {
  if (device == "auto") return automatic(std::move(options));
  if (device == "cpu") return cpu(std::move(options));
  if (device == "reference") return reference(std::move(options));
  if (is_backend(device, "opencl"))
    return opencl(device_number(device, "opencl"), std::move(options));
  if (is_backend(device, "cuda")) return cuda(device_number(device, "cuda"), std::move(options));
  throw usage_error("device '" + std::string(device) +
                    "', expected auto, reference, cpu, cuda[:N] or opencl[:N]");
}

const std::string& context::name() const {
  return state_->name;
}
int context::threads() const {
  return state_->threads();
}
std::size_t context::memory_used() const {
  return state_->account.used();
}
bool context::is_host() const {
  return state_->device_memory == nullptr;
}
std::size_t context::memory_limit() const {
  return state_->account.limit();
}
std::vector<operation_profile> context::profile() const {
  const auto* noting = dynamic_cast<const detail::profiled_backend*>(state_->executor.get());
  return noting == nullptr ? std::vector<operation_profile>{} : noting->profile();
}
void context::forget_profile() const {
  if (auto* noting = dynamic_cast<detail::profiled_backend*>(state_->executor.get()))
    noting->forget();
}
device_traffic context::traffic() const {
  return state_->executor->traffic();
}
void context::synchronize() const {
  state_->executor->synchronize();
}

void context::checkpoint(std::string_view step, double fraction) const {
  if (state_->is_cancelled()) throw cancelled();
  if (const detail::independent_run* run = detail::this_independent_run()) {
    if (run->is_over->load(std::memory_order_relaxed)) throw cancelled();
    if (!run->is_of_caller) return;
  }
  if (!state_->options.progress) return;
  state_->options.progress(step, fraction);
  if (state_->is_cancelled()) throw cancelled();  // which may have been caused by it
}

std::vector<device_info> devices() {
  std::vector<device_info> all{{"reference", "sequential specification on the host", true, ""}};
  device_info& cpu = all.emplace_back();
  cpu.name = "cpu";
  try {
    const int threads = detail::checked_threads(0);
    cpu.description =
        "OpenMP with " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    cpu.available = true;
  } catch (const usage_error& e) {
    cpu.reason = e.what();
  }
  for (device_info& found : detail::cuda_devices()) all.push_back(std::move(found));
  for (device_info& found : detail::opencl_devices()) all.push_back(std::move(found));
  return all;
}

}  // namespace tropic

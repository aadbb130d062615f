// SPDX-License-Identifier: Apache-2.0
#include "plan/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include <tropic/detail/cancel_watch.hpp>
#include <tropic/semirings/builtins.hpp>

#include "plan/hot_copy.hpp"
#include "plan/made_matrix.hpp"

namespace tropic::detail {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

// Rounds of a few calls each: their median, and how far the quickest is from it.
struct timing {
  double seconds = 0, noise = 0;
};

template <class F>
timing timed(backend& executor, F&& call) {
  constexpr double enough = 2e-3;
  constexpr int rounds = 5;
  executor.synchronize();
  auto start = clock::now();
  call();
  executor.synchronize();
  const double once = std::max(seconds_since(start), 1e-7);
  const int calls = std::clamp(static_cast<int>(enough / once), 1, 100);
  std::vector<double> each;
  for (int round = 0; round < rounds; ++round) {
    start = clock::now();
    for (int n = 0; n < calls; ++n) call();
    executor.synchronize();
    each.push_back(seconds_since(start) / calls);
    if (once > 0.1 && round > 0) break;
  }
  std::ranges::sort(each);
  const double middle = each[each.size() / 2];
  return {middle, middle / each[0] - 1};
}

// What was measured of a kernel, by matrices.
struct observations {
  std::vector<term_values> calls, conversions;
  std::vector<double> call_seconds, conversion_seconds;

  kernel_costs fit() const {
    return {fitted(calls, call_seconds), fitted(conversions, conversion_seconds)};
  }
};

// The seconds of every format that a matrix was brought into.
double conversions_of(const matrix_base& m) {
  const std::lock_guard lock(m.derived->mutex);
  double sum = 0;
  for (const auto& [name, format] : m.derived->formats) sum += format->seconds;
  return sum;
}

class calibrator {
 public:
  explicit calibrator(context_state& context)
      : context_(context), executor_(*context.executor), watch_(context.shared_from_this()) {}

  cost_constants run() {
    const auto start = clock::now();
    cost_constants made;
    made.device = executor_.identity();
    // Matrices that fill the device.
    const double scale = std::clamp(executor_.copy_bandwidth() / 200e9, 1.0, 8.0);
    const std::vector<made_matrix> all = calibration_matrices(scale);
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (context_.options.progress)
        context_.options.progress("measuring the device",
                                  static_cast<double>(n) / static_cast<double>(all.size()));
      watch_.check();
      try {
        const matrix_base narrow = make(context_.shared_from_this(), all[n]);
        const matrix_inspection inspected = inspect_whole(narrow);
        measure(narrow, inspected);
        measure(widened(narrow), inspected);
      } catch (const out_of_memory&) {  // smaller ones say less, but something
      }
    }
    for (const auto& [key, seen] : seen_) made.of.emplace(key, seen.fit());
    std::ranges::sort(noise_);
    made.noise = noise_.empty() ? 0 : noise_[noise_.size() / 2];
    set_transfer(made);
    made.seconds = seconds_since(start);
    made.origin = fmt::format("measured on this device in {:.1f} s", made.seconds);
    return made;
  }

 private:
  void measure(const matrix_base& m, const matrix_inspection& inspected) {
    const type_code type = m.type->code;
    for (const std::string_view kernel : executor_.kernels()) {
      watch_.check();
      // Which writes at random: what most columns never see is not worth the seconds.
      if (kernel == "push" && m.columns > 2 * m.nnz) continue;
      measure(m, inspected, kernel, "plus_times", type);
      // Pushed by atomics, where the sums are the same in any order.
      if (kernel == "push" && context_.device_memory != nullptr)
        measure(m, inspected, kernel, "min_plus", type);
    }
    measure_hot(m, inspected, m.type->size);
  }

  void measure(const matrix_base& original, const matrix_inspection& inspected,
               std::string_view kernel, std::string_view semiring, type_code type) {
    const std::optional<semiring_description> ring = builtin_semiring(semiring, type);
    matrix_base m = original;
    m.derived = std::make_shared<derived_copies>();
    const std::size_t bytes = m.type->size;
    const product_shape shape{.a_bytes = bytes, .x_bytes = bytes, .z_bytes = bytes};
    const kernel_shape how = executor_.shape_of(m, kernel, bytes);
    if (kernel == "cmrs_padded" && expected_padding(inspected, how) > 2) return;
    if (kernel == "csr_blocked" && inspected.features.dense_share < 0.5) return;
    vector_base u = filled(context_.shared_from_this(), *m.type, m.columns, one_of(type)),
                w = empty_vector(context_.shared_from_this(), *m.type, m.rows);
    const product p{*ring, m, u};
    const auto call = [&] { executor_.multiply(w, p, {}, kernel); };
    call();
    executor_.synchronize();
    double conversion = conversions_of(m);
    if (kernel == "push") {
      matrix_base fresh = m;  // whose transpose is not there yet
      fresh.derived = std::make_shared<derived_copies>();
      const auto start = clock::now();
      matrix_base turned = empty_matrix(context_.shared_from_this(), *m.type, m.columns, m.rows);
      executor_.transpose(turned, fresh, {});
      executor_.synchronize();
      conversion = seconds_since(start);
    }
    const timing time = timed(executor_, call);
    noise_.push_back(time.noise);
    const bool sorts =
        kernel == "push" && context_.device_memory != nullptr && semiring == "plus_times";
    observations& seen =
        seen_[cost_constants::key(sorts ? "push_sorted" : std::string(kernel), bytes)];
    seen.calls.push_back(terms_of(kernel, how, inspected, shape));
    seen.call_seconds.push_back(time.seconds);
    if (conversion > 0) {
      seen.conversions.push_back(conversion_terms(inspected));
      seen.conversion_seconds.push_back(conversion);
    }
  }

  // Renumbering columns, and putting u in that order.
  void measure_hot(const matrix_base& m, const matrix_inspection& inspected, std::size_t bytes) {
    watch_.check();
    const hot_columns hot = make_hot_columns(executor_, m);
    vector_base u = filled(context_.shared_from_this(), *m.type, m.columns, one_of(m.type->code)),
                ordered = u;
    ordered.values = make_buffer(context_.shared_from_this(), u.values->bytes());
    const timing time = timed(executor_, [&] { executor_.gather(ordered, u, hot.order); });
    observations& seen = seen_[cost_constants::key("hot_columns", bytes)];
    seen.calls.push_back(gather_terms(m.columns, bytes));
    seen.call_seconds.push_back(time.seconds);
    seen.conversions.push_back(conversion_terms(inspected));
    seen.conversion_seconds.push_back(hot.seconds);
  }

  void set_transfer(cost_constants& made) {
    if (context_.device_memory == nullptr) return;
    std::vector<double> few, many;
    for (const std::size_t bytes : {std::size_t{4096}, std::size_t{1} << 25})
      for (int round = 0; round < 5; ++round) {
        const buffer_pointer b = make_buffer(context_.shared_from_this(), bytes);
        std::memset(b->host_write(), 0, bytes);
        executor_.synchronize();
        const auto start = clock::now();
        b->device();
        executor_.synchronize();
        (bytes == 4096 ? few : many).push_back(seconds_since(start));
      }
    made.transfer_call = *std::ranges::min_element(few);
    made.transfer_byte =
        std::max(0.0, *std::ranges::min_element(many) - made.transfer_call) / double{1 << 25};
  }

  context_state& context_;
  backend& executor_;
  cancel_watch watch_;
  std::map<std::string, observations> seen_;
  std::vector<double> noise_;
};

// A process measures a device once: its constants by identity.
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
  context.log(fmt::format("measuring {}, once, for plans: some seconds", context.name));
  const auto made = std::make_shared<const cost_constants>(calibrator(context).run());
  write_constants(*made, [&](std::string_view message) { context.log(message); });
  const std::lock_guard lock(known().mutex);
  return known().of[made->device] = made;
}

void use_constants(cost_constants c) {
  const std::lock_guard lock(known().mutex);
  const std::string device = c.device;
  known().of[device] = std::make_shared<const cost_constants>(std::move(c));
}

std::shared_ptr<const cost_constants> constants_of(context_state& context) {
  if (auto found = known_constants_of(context)) return found;
  return calibrate(context);
}

}  // namespace tropic::detail

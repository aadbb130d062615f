// SPDX-License-Identifier: Apache-2.0
#include "plan/calibrator.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <tropic/semirings/builtins.hpp>

#include "backends/backend.hpp"
#include "containers/cancel_watch.hpp"
#include "plan/hot_copy.hpp"
#include "plan/observations.hpp"
#include "plan/synthetic_matrix.hpp"

namespace tropic::detail {

namespace {

using clock = calibration_clock;

// Seconds of every format that a matrix was converted to.
double conversions_of(const matrix_base& m) {
  const std::lock_guard lock(m.derived->mutex);
  double sum = 0;
  for (const auto& [name, format] : m.derived->formats) sum += format->seconds;
  return sum;
}

class calibrator {
 public:
  calibrator(context_state& context, kernel_table kernels)
      : context_(context),
        executor_(*context.executor),
        kernels_(kernels),
        watch_(context.shared_from_this()) {}

  cost_constants run(std::span<const synthetic_matrix> all) {
    const auto start = clock::now();
    cost_constants constants;
    constants.device = executor_.identity();
    budget_.emplace(all.size() * 2 * (kernels_.size() + 5));
    for (std::size_t n = 0; n < all.size(); ++n) {
      matrix_ = n;
      if (context_.options.progress)
        context_.options.progress("measuring the device",
                                  static_cast<double>(n) / static_cast<double>(all.size()));
      watch_.check();
      try {
        const matrix_base narrow = make(context_.shared_from_this(), all[n]);
        const inspected_pattern inspected = inspect_whole(narrow);
        if (n == 0) warm_up(narrow);
        measure(narrow, inspected);
        measure(widened(narrow), inspected);
        const matrix_base pattern = pattern_of(narrow);
        measure_booleans(pattern, inspected);
        measure_again();
        if (n == 0) {
          measure_floors(narrow, "plus_times");
          measure_floors(widened(narrow), "plus_times");
          measure_floors(pattern, "xor_and");
        }
      } catch (const out_of_memory&) {  // smaller ones are less informative
        again_.clear();
      }
    }
    for (const auto& [key, seen] : seen_) add_to(constants, key, seen);
    constants.noise = median_or(noise_, 0);
    set_transfer(constants);
    constants.seconds = seconds_since(start);
    constants.origin = fmt::format("measured on this device in {:.1f} s", constants.seconds);
    return constants;
  }

 private:
  // A kernel with everything that its call needs; the matrix keeps its converted formats.
  struct entrant {
    semiring_description semiring;
    const kernel_info* kernel;
    matrix_base matrix;
    vector_base u, w;
    void call(backend& executor) {
      executor.multiply(w, product{semiring, matrix, u}, {}, kernel->name);
    }
  };
  struct repetition {
    std::shared_ptr<entrant> of;
    observations* seen;
    std::size_t index;
  };

  static void add_to(cost_constants& constants, const std::string& key, const observations& seen) {
    const kernel_costs costs = seen.fit();
    constants.of.emplace(key, costs);
    std::size_t converted = 0;
    for (std::size_t n = 0; n < seen.list.size(); ++n) {
      cost_observation one = seen.list[n];
      one.key = key;
      one.call_predicted = costs.seconds_of_call(seen.calls[n]);
      if (one.conversion > 0)
        one.conversion_predicted = seconds_of(costs.conversion, seen.conversions[converted++]);
      constants.observed.push_back(std::move(one));
    }
  }

  vector_base ones_for(const matrix_base& m) {
    return filled(context_.shared_from_this(), *m.type, m.columns, one_of(m.type->code));
  }

  void measure(const matrix_base& m, const inspected_pattern& inspected) {
    const vector_base u = ones_for(m);
    for (const kernel_info* kernel : kernels_) {
      watch_.check();
      if (kernel->reads_bits) continue;
      const bool pushes = kernel->unit == work_unit::frontier;
      // A push writes at random. A matrix with mostly empty columns is not worth the time.
      if (pushes && m.columns > 2 * m.nnz) continue;
      measure(m, inspected, u, *kernel, "plus_times");
      // Pushed by atomics, if the result does not depend on the order of the sums; and rows whose
      // sums are comparisons.
      if (context_.device_memory != nullptr && (pushes || kernel->compares_apart))
        measure(m, inspected, u, *kernel, "min_plus");
    }
    measure_hot(m, inspected, u);
  }

  // Rows that end early, and sums of bits.
  void measure_booleans(const matrix_base& pattern, const inspected_pattern& inspected) {
    const vector_base u = ones_for(pattern);
    for (const kernel_info* kernel : kernels_) {
      if (kernel->exits_early) measure(pattern, inspected, u, *kernel, "or_and");
      if (kernel->reads_bits) measure(pattern, inspected, u, *kernel, "xor_and");
    }
  }

  // The seconds in which it is repeated; 0 if there is none.
  double time_of_conversion(entrant& measured) {
    if (conversions_of(measured.matrix) == 0) return 0;
    measured.matrix.derived = make_derived_copies();
    measured.call(executor_);
    executor_.synchronize();
    return conversions_of(measured.matrix);
  }

  // Below, launches take most of a conversion.
  static constexpr index_t least_for_conversion = 1 << 20;

  // `u` is shared by all measured kernels, which do not modify it.
  void measure(const matrix_base& original, const inspected_pattern& inspected,
               const vector_base& u, const kernel_info& kernel, std::string_view semiring_name) {
    const type_code type = original.type->code;
    const std::optional<semiring_description> semiring = builtin_semiring(semiring_name, type);
    const std::size_t bytes = original.type->size;
    product_traits traits{.a_bytes = original.iso ? 0 : bytes, .x_bytes = bytes, .z_bytes = bytes};
    traits.compares = semiring_name == "min_plus";
    traits.exits_early = semiring_name == "or_and";
    traits.x_is_boolean = type == type_code::boolean;
    traits.adds_in_order =
        context_.device_memory != nullptr && !traits.compares && !traits.exits_early;
    observations& seen = seen_[cost_constants::key(cost_constants::name_of(kernel, traits), bytes)];
    if (!budget_->allows(seen, original.nnz)) return;
    matrix_base bare = original;
    bare.derived = make_derived_copies();
    const work_mapping mapping = executor_.mapping_of(bare, kernel, bytes, traits.exits_early);
    // Only larger matrices show what such a kernel gains; smaller ones show its conversion.
    const bool only_converts = kernel.relative.to != nullptr;
    if (only_converts && (traits.compares || original.nnz < least_for_conversion)) return;
    if (!only_converts && kernel.why_not != nullptr &&
        !kernel.why_not(bare, inspected, mapping).empty())
      return;
    const auto measured = std::make_shared<entrant>(
        entrant{*semiring, &kernel, std::move(bare), u,
                empty_vector(context_.shared_from_this(), *original.type, original.rows)});
    matrix_base& m = measured->matrix;
    const auto call = [&] { measured->call(executor_); };
    call();
    executor_.synchronize();
    const auto warm = clock::now();  // the programs are compiled, also those of conversions
    double conversion = time_of_conversion(*measured);
    if (only_converts) {
      // Another kernel ran where this one cannot.
      if (executor_.format_of(m, kernel.name).conversion_seconds == 0) return;
      seen.conversions.push_back(conversion_terms(inspected));
      seen.conversion_seconds.push_back(conversion);
      budget_->spend(seen, m.nnz, conversion, 0, seconds_since(warm));
      return;
    }
    if (kernel.unit == work_unit::frontier) {
      matrix_base fresh = m;  // whose transpose is not there yet
      fresh.derived = make_derived_copies();
      const auto start = clock::now();
      matrix_base turned = empty_matrix(context_.shared_from_this(), *m.type, m.columns, m.rows);
      executor_.transpose(turned, fresh, {});
      executor_.synchronize();
      conversion = seconds_since(start);
    }
    const timing time = timed(executor_, call);
    noise_.push_back(time.noise);
    seen.calls.push_back(terms_of(kernel, mapping, inspected, traits));
    seen.call_seconds.push_back(time.seconds);
    seen.list.push_back({.key = {},
                         .matrix = matrix_,
                         .mapping = mapping,
                         .call = time.seconds,
                         .conversion = conversion});
    constexpr double is_long = 1e-3;  // long calls are less sensitive to short interruptions
    if (time.seconds < is_long) again_.push_back({measured, &seen, seen.calls.size() - 1});
    if (conversion > 0) {
      seen.conversions.push_back(conversion_terms(inspected));
      seen.conversion_seconds.push_back(conversion);
    }
    if (is_comparable(traits, kernel, m.nnz)) {
      const std::optional<semiring_description> least = builtin_semiring("min_plus", type);
      const product compared{*least, m, u};
      const auto compare = [&] { executor_.multiply(measured->w, compared, {}, kernel.name); };
      compare();
      seen.compares.push_back(timed(executor_, compare).seconds / time.seconds);
    }
    budget_->spend(seen, m.nnz, conversion, time.seconds, seconds_since(warm));
  }

  // Short calls are measured again after all others: by then an interruption of the host or a slow
  // phase of the driver is over. The smaller time counts.
  void measure_again() {
    for (const repetition& one : again_) {
      watch_.check();
      const double seconds = timed(executor_, [&] { one.of->call(executor_); }).seconds;
      double& known = one.seen->call_seconds[one.index];
      known = std::min(known, seconds);
      one.seen->list[one.index].call = known;
    }
    again_.clear();
  }

  // Host and device reach their full clock rate only after some work.
  void warm_up(const matrix_base& m) {
    constexpr double enough = 0.3;
    const std::optional<semiring_description> semiring =
        builtin_semiring("plus_times", m.type->code);
    const vector_base u = ones_for(m);
    vector_base w = empty_vector(context_.shared_from_this(), *m.type, m.rows);
    const product p{*semiring, m, u};
    for (const auto start = clock::now(); seconds_since(start) < enough;) {
      for (int n = 0; n < 100; ++n) executor_.multiply(w, p, {}, kernels_.front()->name);
      executor_.synchronize();
    }
  }

  // Whether a product can show how much longer sums take that are comparisons: neither the fixed
  // time of a call nor memory must hide the time of an addition. Kernels with separate constants
  // for such sums need no factor.
  bool is_comparable(const product_traits& traits, const kernel_info& kernel, index_t nnz) const {
    const bool on_device = context_.device_memory != nullptr;
    return !traits.compares && !traits.x_is_boolean && kernel.unit != work_unit::frontier &&
           !kernel.compares_apart &&
           (on_device ? nnz > 500'000 && nnz < 8'000'000 : nnz > 100'000 && nnz < 2'000'000);
  }

  // Rounds over all kernels, so that a drifting clock rate affects all of them equally: those that
  // read bits over booleans, the others over numbers.
  void measure_floors(const matrix_base& tiny, std::string_view semiring_name) {
    constexpr int rounds = 9, calls = 100;
    const type_code type = tiny.type->code;
    const std::optional<semiring_description> semiring = builtin_semiring(semiring_name, type);
    matrix_base m = tiny;
    m.derived = make_derived_copies();
    const vector_base u = ones_for(m);
    vector_base w = empty_vector(context_.shared_from_this(), *m.type, m.rows);
    const product p{*semiring, m, u};
    for (int round = 0; round <= rounds; ++round)  // the first call compiles and converts
      for (const kernel_info* kernel : kernels_) {
        if (kernel->unit == work_unit::frontier || kernel->lists_rows ||
            kernel->reads_bits != (type == type_code::boolean))
          continue;
        watch_.check();
        executor_.synchronize();
        const auto start = clock::now();
        for (int n = 0; n < (round == 0 ? 1 : calls); ++n)
          executor_.multiply(w, p, {}, kernel->name);
        executor_.synchronize();
        if (round == 0) continue;
        const double seconds = seconds_since(start) / calls;
        for (const product_traits& traits : {product_traits{}, product_traits{.compares = true},
                                             product_traits{.exits_early = true}}) {
          if (traits.exits_early && (!kernel->exits_early || m.type->size > 4)) continue;
          seen_[cost_constants::key(cost_constants::name_of(*kernel, traits), m.type->size)]
              .floors.push_back(seconds);
        }
      }
  }

  // Renumbering columns, and permuting u accordingly.
  void measure_hot(const matrix_base& m, const inspected_pattern& inspected, const vector_base& u) {
    watch_.check();
    const std::size_t bytes = m.type->size;
    observations& seen = seen_[cost_constants::key("hot_columns", bytes)];
    if (!budget_->allows(seen, m.nnz)) return;
    const auto start = clock::now();
    const hot_columns hot = make_hot_columns(executor_, m);
    vector_base ordered = u;
    ordered.values = make_buffer(context_.shared_from_this(), u.values->bytes());
    const timing time = timed(executor_, [&] { executor_.gather(ordered, u, hot.order); });
    seen.calls.push_back(gather_terms(m.columns, bytes));
    seen.call_seconds.push_back(time.seconds);
    seen.list.push_back({.key = {},
                         .matrix = matrix_,
                         .mapping = {},
                         .call = time.seconds,
                         .conversion = hot.seconds});
    seen.conversions.push_back(conversion_terms(inspected));
    seen.conversion_seconds.push_back(hot.seconds);
    budget_->spend(seen, m.nnz, hot.seconds, time.seconds, seconds_since(start));
  }

  void set_transfer(cost_constants& constants) {
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
    constants.transfer_call = *std::ranges::min_element(few);
    constants.transfer_byte =
        std::max(0.0, *std::ranges::min_element(many) - constants.transfer_call) / double{1 << 25};
  }

  context_state& context_;
  backend& executor_;
  kernel_table kernels_;
  cancel_watch watch_;
  std::map<std::string, observations> seen_;
  std::optional<time_budget> budget_;
  std::size_t matrix_ = 0;
  std::vector<double> noise_;
  std::vector<repetition> again_;
};

}  // namespace

cost_constants measured_constants(context_state& context) {
  // Matrices that fill the device.
  const double scale = std::clamp(context.executor->copy_bandwidth() / 200e9, 1.0, 8.0);
  return measured_constants(context, context.executor->kernels(), calibration_matrices(scale));
}

cost_constants measured_constants(context_state& context, kernel_table kernels,
                                  std::span<const synthetic_matrix> all) {
  return calibrator(context, kernels).run(all);
}

}  // namespace tropic::detail

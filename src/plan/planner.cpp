// SPDX-License-Identifier: Apache-2.0
#include "plan/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "containers/context_state.hpp"
#include "containers/derived_copies.hpp"
#include "text/numbers.hpp"

namespace tropic::detail {

namespace {

// A candidate with the terms of its predicted seconds.
struct weighed {
  plan_candidate candidate;
  term_values seconds{};
};

// The bytes of the matrix that are still to be sent to its device.
double transfer_of(const matrix_base& m, const cost_constants& constants) {
  double bytes = 0, calls_of_copies = 0;
  if (m.context->device_memory != nullptr)
    for (const buffer_pointer& part : {m.offsets, m.column_indices, m.values})
      if (!part->device_valid()) {
        bytes += static_cast<double>(part->bytes());
        ++calls_of_copies;
      }
  return calls_of_copies * constants.transfer_call + bytes * constants.transfer_byte;
}

struct weighing {
  cost_source& source;
  const matrix_base& a;
  const inspected_pattern& m;
  const cost_constants& constants;
  plan_key key;
  bool push_needs_transpose = false;
  double transfer = 0;

  // Wider values than were measured take longer in proportion.
  double width_factor() const { return std::max(1.0, static_cast<double>(key.traits.z_bytes) / 8); }

  // Approximate bytes of another format.
  std::size_t format_bytes() const {
    return static_cast<std::size_t>(a.nnz) * (sizeof(std::uint32_t) + (a.iso ? 0 : a.type->size));
  }
  std::string why_no_memory() const {
    const memory_account& account = a.context->account;
    if (account.limit() == 0 || account.used() + format_bytes() <= account.limit()) return {};
    return fmt::format(
        "its format takes some {:.0f} MB, the limit leaves {:.0f}",
        static_cast<double>(format_bytes()) / 1e6,
        static_cast<double>(account.limit() - std::min(account.used(), account.limit())) / 1e6);
  }

  const kernel_costs* costs_of(const kernel_info& kernel) const {
    return constants.find(cost_constants::name_of(kernel, key.traits), key.traits.z_bytes);
  }
  work_mapping mapping_of(const kernel_info& kernel) const {
    return source.mapping_of(a, kernel, key.traits.z_bytes, key.traits.exits_early);
  }

  // What permuting u takes in each call.
  double gather_seconds(const kernel_costs& order) const {
    return order.seconds_of_call(gather_terms(m.summary.columns, key.traits.x_bytes),
                                 width_factor());
  }

  // `is_ordered`: as if columns were in the order of frequency already.
  weighed weigh(const kernel_info& kernel, bool is_ordered = false) const {
    weighed result;
    result.candidate.kernel = kernel.name;
    result.candidate.transfer = transfer;
    const work_mapping mapping = mapping_of(kernel);
    if (kernel.why_not != nullptr) result.candidate.why_not = kernel.why_not(a, m, mapping);
    if (kernel.reads_bits && !key.traits.x_is_boolean)
      result.candidate.why_not = "the product does not read booleans of u";
    else if (kernel.reads_bits && key.is_positional)
      result.candidate.why_not = "the product depends on the order of columns";
    if (kernel.has_frequency_order) {
      if (key.is_positional)
        result.candidate.why_not = "the product depends on the order of columns";
      else if (key.traits.x_bytes == 0)
        result.candidate.why_not = "the product does not read u";
      else if (!key.rows_are_output && !a.symmetric)
        result.candidate.why_not = "rows of the matrix were inspected, not its columns";
    }
    if (!result.candidate.why_not.empty()) return result;
    const kernel_info& model = kernel.relative.to != nullptr ? *kernel.relative.to : kernel;
    const kernel_costs *costs = costs_of(kernel), *of_calls = costs_of(model);
    if (costs == nullptr || of_calls == nullptr) {
      result.candidate.why_not = "it was not measured on this device";
      return result;
    }
    set_seconds(
        result, *of_calls,
        terms_of(model, mapping_of(model), m, key.traits, is_ordered || mapping.orders_columns));
    if (kernel.relative.to != nullptr) {
      const double factor = kernel.relative.factor(m, mapping);
      for (double& seconds : result.seconds) seconds *= factor;
      result.candidate.call *= factor;
    }
    if (mapping.orders_columns)
      if (const kernel_costs* order = constants.find("hot_columns", key.traits.z_bytes))
        result.candidate.call += gather_seconds(*order);
    if (kernel.unit != work_unit::frontier || push_needs_transpose)
      result.candidate.conversion = seconds_of(costs->conversion, conversion_terms(m));
    if (result.candidate.conversion > 0) result.candidate.why_not = why_no_memory();
    return result;
  }

  // With hot columns.
  weighed weigh_hot_columns(const kernel_info& kernel) const {
    weighed result;
    result.candidate.kernel = kernel.name;
    result.candidate.hot_columns = true;
    result.candidate.transfer = transfer;
    const kernel_costs *costs = costs_of(kernel),
                       *order = constants.find("hot_columns", key.traits.z_bytes);
    if (key.is_positional)
      result.candidate.why_not = "the product depends on the order of columns";
    else if (key.traits.x_bytes == 0)
      result.candidate.why_not = "the product does not read u";
    else if (costs == nullptr || order == nullptr)
      result.candidate.why_not = "it was not measured on this device";
    else
      result.candidate.why_not = why_no_memory();
    if (!result.candidate.why_not.empty()) return result;
    set_seconds(result, *costs, terms_of(kernel, mapping_of(kernel), m, key.traits, true));
    result.candidate.call += gather_seconds(*order);
    const term_values terms = conversion_terms(m);
    result.candidate.conversion =
        seconds_of(order->conversion, terms) + seconds_of(costs->conversion, terms);
    return result;
  }

  void set_seconds(weighed& result, const kernel_costs& costs, const term_values& count) const {
    const double factor = width_factor() * (key.traits.compares ? costs.compares : 1);
    for (std::size_t n = 0; n < cost_terms; ++n)
      result.seconds[n] = factor * costs.call[n] * count[n];
    result.candidate.call = costs.seconds_of_call(count, factor);
  }
};

// The main reason why `other` is slower, in words.
std::string reason_against(const weighed& best, const weighed& other, const pattern_summary& f,
                           index_t calls) {
  const double conversion_cost = other.candidate.conversion - best.candidate.conversion,
               calls_cost =
                   (other.candidate.call - best.candidate.call) * static_cast<double>(calls);
  if (conversion_cost > calls_cost)
    return fmt::format(", but its conversion of {} does not pay off in {} {}",
                       duration(other.candidate.conversion), grouped(calls),
                       calls == 1 ? "call" : "calls");
  std::size_t worst = 0;
  for (std::size_t n = 1; n < cost_terms; ++n)
    if (other.seconds[n] - best.seconds[n] > other.seconds[worst] - best.seconds[worst]) worst = n;
  switch (static_cast<cost_term>(worst)) {
    case cost_term::call: return ": each of its calls costs more, whatever the matrix contains";
    case cost_term::row: return fmt::format(": it spends more on each of {} rows", grouped(f.rows));
    case cost_term::row_start:
      return fmt::format(": its subgroups start on rows more often ({} rows)", grouped(f.rows));
    case cost_term::entry: return ": it spends more on each entry";
    case cost_term::lane_step:
      return fmt::format(
          ": its work-items wait for longer rows of their subgroup (mean {:.3g}, longest {})",
          f.row_lengths.mean, grouped(f.longest_row));
    case cost_term::critical_path:
      return fmt::format(": it waits for the longest row, {} entries", grouped(f.longest_row));
    case cost_term::far_byte: return ": it reads more bytes from memory";
    default: break;
  }
  return fmt::format(
      ": more of its reads of u miss the caches ({:.2g} segments of u per entry in windows of "
      "4,096)",
      f.segments_per_entry_4096);
}

std::vector<weighed> weigh_all(const weighing& all) {
  std::vector<weighed> found;
  for (const kernel_info* kernel : all.source.kernels()) found.push_back(all.weigh(*kernel));
  for (const kernel_info* kernel : all.source.kernels())
    if (kernel->suits_frequency_order) found.push_back(all.weigh_hot_columns(*kernel));
  return found;
}

// Sorts by total time, excluded candidates last. All candidates within `noise`, the relative
// difference of repeated measurements, count as equal to the best; of these the one with the least
// conversion comes first.
void put_best_first(std::vector<weighed>& found, index_t calls, double noise) {
  std::ranges::stable_sort(found, {}, [calls](const weighed& w) {
    const bool is_out = !w.candidate.why_not.empty();
    return std::tuple(is_out, is_out ? 0.0 : w.candidate.total(calls));
  });
  const double limit = found[0].candidate.total(calls) * (1 + std::min(noise, 0.05));
  std::size_t best = 0;
  for (std::size_t n = 1; n < found.size() && found[n].candidate.why_not.empty() &&
                          found[n].candidate.total(calls) <= limit;
       ++n)
    if (found[n].candidate.conversion < found[best].candidate.conversion) best = n;
  std::rotate(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(best),
              found.begin() + static_cast<std::ptrdiff_t>(best) + 1);
}

// The first candidate, and the sentence that gives the reason.
plan plan_of(const std::vector<weighed>& found, const pattern_summary& features, index_t calls) {
  const plan_candidate& chosen = found[0].candidate;
  plan result;
  result.kernel = chosen.kernel;
  result.hot_columns = chosen.hot_columns;
  result.reason = fmt::format("{}: {} per call", chosen.name(), duration(chosen.call));
  if (chosen.conversion > 0)
    result.reason +=
        fmt::format(" and {} of conversion, once for {} {}", duration(chosen.conversion),
                    grouped(calls), calls == 1 ? "call" : "calls");
  if (found.size() > 1 && found[1].candidate.why_not.empty())
    result.reason += fmt::format("; {} would take {}{}", found[1].candidate.name(),
                                 duration(found[1].candidate.call),
                                 reason_against(found[0], found[1], features, calls));
  return result;
}

// With the matrix, in the place of an earlier one for such products.
void remember(const matrix_base& a, const plan_key& key, const plan& result) {
  const std::lock_guard lock(a.derived->mutex);
  remembered_plans plans;
  if (a.derived->plans) plans = *a.derived->plans;
  std::erase_if(plans.all, [&](const auto& known) { return known.first == key; });
  plans.all.emplace_back(key, std::make_shared<const plan>(result));
  a.derived->plans = std::make_shared<const remembered_plans>(std::move(plans));
  a.derived->has_plans = true;
}

}  // namespace

plan_key plan_key_of(const product& p, const call_features& f) {
  plan_key key;
  const operator_description& multiply = p.semiring.multiply;
  const bool uses_matrix = p.vector_first ? multiply.uses_y() : multiply.uses_x(),
             uses_vector = p.vector_first ? multiply.uses_x() : multiply.uses_y();
  key.traits.a_bytes = uses_matrix && !p.matrix.iso ? p.matrix.type->size : 0;
  key.traits.x_bytes = uses_vector ? p.input.type->size : 0;
  key.traits.x_is_boolean = uses_vector && p.input.type->code == type_code::boolean;
  key.traits.z_bytes = p.semiring.z().size;
  key.traits.exits_early = f.exits_early;
  key.traits.adds_in_order = !f.can_push;
  key.traits.compares = sums_compare(p.semiring);
  key.rows_are_output = p.rows_are_output();
  key.is_positional = multiply.syntax->positional() || p.semiring.exits_at_first_product;
  return key;
}

plan make_plan(cost_source& source, const product& p, index_t expected_calls, bool always) {
  const auto without_inspection = [&] { return explain_choice(source, p, {}, expected_calls); };
  if (source.kernels().size() == 1 || p.matrix.nnz == 0 || p.input.nvals == 0 ||
      (!always && expected_calls < calls_worth_inspection))
    return without_inspection();
  const call_features known = source.features(p, {});
  // Rows that end at their first match read too little for an inspection to pay off.
  if (!known.is_plain_pull() || (known.exits_early && !always)) return without_inspection();
  const auto constants = constants_of(*p.matrix.context);
  const double transfer = transfer_of(p.matrix, *constants);  // before a device inspects it
  const auto inspection = inspect_matrix(p.matrix);
  const weighing all{
      source,  p.matrix, *inspection, *constants, plan_key_of(p, known), known.push_needs_transpose,
      transfer};

  const index_t calls = std::max<index_t>(expected_calls, 1);
  std::vector<weighed> found = weigh_all(all);
  put_best_first(found, calls, constants->noise);
  plan result = plan_of(found, inspection->summary, calls);
  result.expected_calls = expected_calls;
  auto details = std::make_shared<plan_details>();
  details->features = inspection->summary;
  for (weighed& w : found) details->candidates.push_back(std::move(w.candidate));
  details->constants = constants->origin;
  result.details = std::move(details);
  remember(p.matrix, all.key, result);
  return result;
}

double best_pull(cost_source& source, const matrix_base& a, const inspected_pattern& m,
                 const cost_constants& constants, const product_traits& traits, bool is_ordered) {
  const weighing all{source, a, m, constants, {.traits = traits}};
  double best = std::numeric_limits<double>::infinity();
  for (const kernel_info* kernel : source.kernels()) {
    if (kernel->unit == work_unit::frontier) continue;
    const plan_candidate candidate = all.weigh(*kernel, is_ordered).candidate;
    if (candidate.why_not.empty()) best = std::min(best, candidate.call);
  }
  return best;
}

std::shared_ptr<const plan> remembered_plan(const product& p, const call_features& f) {
  if (!p.matrix.derived->has_plans || !f.is_plain_pull()) return nullptr;
  const std::lock_guard lock(p.matrix.derived->mutex);
  const plan_key key = plan_key_of(p, f);
  for (const auto& [known, found] : p.matrix.derived->plans->all)
    if (known == key) return found;
  return nullptr;
}

}  // namespace tropic::detail

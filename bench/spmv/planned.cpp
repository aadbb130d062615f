// SPDX-License-Identifier: Apache-2.0

// Planned products compared with cuSPARSE: a plan for 1,000 calls, whose inspection and conversion
// are divided among them, and a product without a plan, on plain CSR.

#include <vector>

#include <tropic/detail/operations.hpp>

#include "cusparse.hpp"
#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

constexpr tropic::index_t planned_calls = 1000;

tropic::plan planned(product& p) {
  return tropic::detail::inspect_product(p.semiring, {.matrix = p.a}, p.x,
                                         tropic::detail::factor_order::matrix_first, planned_calls);
}

struct result {
  std::string matrix, kernel;
  std::int64_t entries = 0;
  double baseline = 0, without_plan = 0, call = 0;  // seconds
  double preparation = 0;                           // inspection and conversion
  double share = 0;                                 // of the bandwidth of a copy

  double with_plan() const { return call + preparation / static_cast<double>(planned_calls); }
};

/// The seconds that inspection and conversion take with compiled programs, and the plan.
double prepare(product& p, tropic::plan& plan) {
  for (const auto& array : {p.a.offsets, p.a.column_indices, p.a.values, p.x.values})
    array->device();
  p.on.where.synchronize();
  const double start = now();
  plan = planned(p);
  p.run(plan, 1);
  const double first = now() - start;
  const double again = now();
  p.run(plan, 1);
  return first - (now() - again);
}

result race_one(const settings& s, const std::string& name, const csr& matrix,
                const std::string& type, const device& on, const cusparse* baseline, csv& file,
                bool& right) {
  const tropic::semiring_description semiring = semiring_named(s.semiring, type);
  tropic::plan plan;
  {
    product first(on, matrix, semiring);  // compiles what the second one needs
    prepare(first, plan);
  }
  product p(on, matrix, semiring), plain(on, matrix, semiring);
  result found;
  found.matrix = name.substr(name.rfind('/') + 1);
  found.entries = p.entries();
  found.preparation = prepare(p, plan);
  found.kernel = plan.kernel + (plan.hot_columns ? ", hot columns" : "");

  std::vector<entrant> all;
  if (baseline != nullptr && s.semiring == "plus_times") all = baseline->entrants(p);
  const std::size_t baselines = all.size();
  all.push_back({"plan", [&](int calls) { p.run(plan, calls); }, [&] { return p.is_right(); }});
  // The matrix keeps a plan for later calls; the other one has none.
  all.push_back(
      {"no plan", [&](int calls) { plain.run("", calls); }, [&] { return plain.is_right(); }});
  check(all);
  measure(all, s.batches);
  for (std::size_t n = 0; n < all.size(); ++n) {
    const double seconds = all[n].seconds;
    if (n < baselines)
      found.baseline = found.baseline == 0 ? seconds : std::min(found.baseline, seconds);
    else
      (n == baselines ? found.call : found.without_plan) = seconds;
    right = right && all[n].right;
    file.line("{},{},{},{},{:.3f}\n", name, p.entries(), type,
              '"' + all[n].name + (n == baselines ? " " + found.kernel : "") + '"', seconds * 1e6);
  }
  file.line("{},{},{},preparation,{:.3f}\n", name, p.entries(), type, found.preparation * 1e6);
  found.share = p.bytes_moved() / found.call / on.bandwidth();
  return found;
}

}  // namespace

bool planned(const settings& s) {
  const device on(s.device);
  const auto baseline = on.is_cuda() ? cusparse::open() : nullptr;
  csv file(s.output, "matrix,entries,type,entrant,us");
  bool right = true;
  for (const std::string& type : s.all_types()) {
    fmt::print(
        "{} {}, a plan for {} calls; times in us, ratios are the better time of cuSPARSE "
        "divided by Tropic's, preparation in calls\n",
        s.semiring, type, planned_calls);
    fmt::print("{:<24} {:>10} {:>9} {:>9} {:>9} {:>6} {:>7} {:>8} {:>6}  {}\n", "matrix", "entries",
               "cuSPARSE", "plan", "no plan", "plan", "no plan", "prepared", "copy", "kernel");
    geometric_mean with, without;
    for (const std::string& name : s.all_matrices()) {
      const csr matrix = matrix_named(name, s.shrink);
      const result r = race_one(s, name, matrix, type, on, baseline.get(), file, right);
      const auto ratio = [&](double seconds) {
        return r.baseline > 0 ? fmt::format("{:.2f}", r.baseline / seconds) : "-";
      };
      fmt::print("{:<24} {:>10} {:>9.1f} {:>9.1f} {:>9.1f} {:>6} {:>7} {:>8.1f} {:>6.2f}  {}\n",
                 r.matrix, r.entries, r.baseline * 1e6, r.with_plan() * 1e6, r.without_plan * 1e6,
                 ratio(r.with_plan()), ratio(r.without_plan), r.preparation / r.call, r.share,
                 r.kernel);
      std::fflush(stdout);
      if (r.baseline == 0) continue;
      with.add(r.baseline / r.with_plan());
      without.add(r.baseline / r.without_plan);
    }
    if (!with.empty())
      fmt::print("geometric mean: {:.3f} with a plan, {:.3f} without\n\n", with.value(),
                 without.value());
  }
  return right;
}

}  // namespace bench

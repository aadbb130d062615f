// SPDX-License-Identifier: Apache-2.0

// Kernels compared with cuSPARSE, matrix by matrix, and their targets.

#include <algorithm>
#include <map>

#include "cusparse.hpp"
#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

/// The seconds for a matrix and type; 0 if not run.
struct result {
  std::string matrix, width;
  std::int64_t entries = 0;
  double baseline = 0, vector = 0, segmented = 0;

  double better() const { return vector > 0 && segmented > 0 ? std::min(vector, segmented) : 0; }
};

std::vector<std::string> kernels_of(const settings& s, const device& on) {
  std::vector<std::string> kernels;
  for (const std::string& kernel :
       s.kernels.empty() ? std::vector<std::string>{"csr_vector", "csr_segmented"} : s.kernels) {
    if (kernel != "csr_vector") {
      kernels.push_back(kernel);
      continue;
    }
    for (std::uint32_t width = 2; width <= std::max(2U, on.runtime->traits().subgroup_size);
         width *= 2)
      kernels.push_back(fmt::format("csr_vector:width={}", width));
  }
  return kernels;
}

bool is(const entrant& one, std::string_view kernel) {
  return std::string_view(one.name).substr(0, one.name.find(':')) == kernel;
}

/// Drops the widths that are clearly not the best, to save time.
void drop_slow_widths(std::vector<entrant>& all) {
  std::map<std::string, double> seconds;
  double best = 0;
  for (const entrant& one : all)
    if (is(one, "csr_vector")) {
      const double once = seconds[one.name] = estimate(one);
      best = best == 0 ? once : std::min(best, once);
    }
  std::erase_if(all, [&](const entrant& one) {
    return one.right && is(one, "csr_vector") && seconds[one.name] > 1.5 * best;
  });
}

result race_one(const settings& s, const std::string& name, const csr& matrix,
                const std::string& type, const device& on, const cusparse* baseline, csv& file,
                bool& right) {
  product p(on, matrix, semiring_named(s.semiring, type));
  std::vector<entrant> all;
  if (baseline != nullptr && s.semiring == "plus_times" && (type == "fp32" || type == "fp64"))
    all = baseline->entrants(p);
  for (const std::string& kernel : kernels_of(s, on))
    all.push_back(
        {kernel, [&p, kernel](int calls) { p.run(kernel, calls); }, [&p] { return p.is_right(); }});
  check(all);
  drop_slow_widths(all);
  measure(all, s.batches);

  result found{.matrix = name, .width = {}, .entries = p.entries()};
  for (const entrant& one : all) {
    double& best = one.name.starts_with("cusparse") ? found.baseline
                   : is(one, "csr_vector")          ? found.vector
                                                    : found.segmented;
    if (one.name.starts_with("cusparse") || is(one, "csr_vector") || is(one, "csr_segmented"))
      if (best == 0 || one.seconds < best) {
        best = one.seconds;
        if (is(one, "csr_vector")) found.width = one.name.substr(one.name.find('=') + 1);
      }
    right = right && one.right;
    file.line("{},{},{},{},{:.3f}\n", name, p.entries(), type, '"' + one.name + '"',
              one.seconds * 1e6);
  }
  fmt::print("{} {} x {}, {} entries, longest row {}, {} empty, {} {}\n", name, p.a.rows,
             p.a.columns, p.entries(), p.a.longest_row, p.a.empty_rows, s.semiring, type);
  for (const entrant& one : all) {
    const double speed = p.bytes_moved() / one.seconds;
    fmt::print("  {:<40} {:>10.1f} us {:>6.0f} GB/s {:>5.2f} of copy", one.name, one.seconds * 1e6,
               speed / 1e9, speed / on.bandwidth());
    if (found.baseline > 0) fmt::print(" {:>6.2f} x cusparse", found.baseline / one.seconds);
    fmt::print("{}\n", one.right ? "" : "  WRONG");
  }
  std::fflush(stdout);
  return found;
}

/// A ratio, or "-" if one of the two was not run.
std::string ratio(double of, double to) {
  return of > 0 && to > 0 ? fmt::format("{:.2f}", of / to) : "-";
}

void print_table(const std::vector<result>& results, const std::string& type) {
  fmt::print(
      "\n{}: times in us; ratios are the better time of cuSPARSE divided by that of the kernel, "
      "the "
      "last one csr_vector divided by csr_segmented\n",
      type);
  constexpr std::string_view row =
      "{:<22} {:>10} {:>9} {:>9} {:>5} {:>9} {:>7} {:>7} {:>7} {:>7}\n";
  fmt::print(fmt::runtime(row), "matrix", "entries", "cuSPARSE", "vector", "width", "segmented",
             "vector", "segm.", "better", "s/v");
  geometric_mean vector, segmented, better, gain;
  for (const result& r : results) {
    const auto time = [](double t) { return t > 0 ? fmt::format("{:.1f}", t * 1e6) : "-"; };
    fmt::print(fmt::runtime(row), r.matrix.substr(r.matrix.rfind('/') + 1), r.entries,
               time(r.baseline), time(r.vector), r.width, time(r.segmented),
               ratio(r.baseline, r.vector), ratio(r.baseline, r.segmented),
               ratio(r.baseline, r.better()), ratio(r.vector, r.segmented));
    if (r.better() == 0) continue;
    gain.add(r.vector / r.segmented);
    if (r.baseline == 0) continue;
    vector.add(r.baseline / r.vector);
    segmented.add(r.baseline / r.segmented);
    better.add(r.baseline / r.better());
  }
  const auto value = [](const geometric_mean& m) {
    return m.empty() ? "-" : fmt::format("{:.3f}", m.value());
  };
  fmt::print(fmt::runtime(row), "geometric mean", "", "", "", "", "", value(vector),
             value(segmented), value(better), value(gain));
}

void print_targets(const std::vector<result>& results) {
  geometric_mean better, gain, irregular_baseline;
  const result *least_gain = nullptr, *least_baseline = nullptr, *least_regular = nullptr;
  const auto gain_of = [](const result& r) { return r.vector / r.segmented; };
  const auto baseline_ratio = [](const result& r) { return r.baseline / r.segmented; };
  for (const result& r : results) {
    if (r.better() == 0) continue;
    if (r.baseline > 0) better.add(r.baseline / r.better());
    const shape* s = published_shape(r.matrix);
    if (s == nullptr) continue;
    if (!s->irregular) {
      if (!least_regular || gain_of(r) < gain_of(*least_regular)) least_regular = &r;
      continue;
    }
    gain.add(gain_of(r));
    if (!least_gain || gain_of(r) < gain_of(*least_gain)) least_gain = &r;
    if (r.baseline == 0) continue;
    irregular_baseline.add(baseline_ratio(r));
    if (!least_baseline || baseline_ratio(r) < baseline_ratio(*least_baseline)) least_baseline = &r;
  }
  const auto target = [](std::string_view what, double found, double minimum) {
    print_target(what, found, fmt::format(">= {}", minimum), found >= minimum);
  };
  if (!better.empty()) target("better kernel to cuSPARSE, geometric mean", better.value(), 0.9);
  if (!gain.empty()) {
    target("csr_segmented to csr_vector, irregular, geometric mean", gain.value(), 12);
    target("... the minimum, " + least_gain->matrix, gain_of(*least_gain), 12);
  }
  if (!irregular_baseline.empty()) {
    target("csr_segmented to cuSPARSE, irregular, geometric mean", irregular_baseline.value(),
           0.85);
    target("... the minimum, " + least_baseline->matrix, baseline_ratio(*least_baseline), 0.85);
  }
  if (least_regular != nullptr)
    target("csr_segmented to csr_vector, regular, the minimum, " + least_regular->matrix,
           gain_of(*least_regular), 0.75);
}

}  // namespace

bool race(const settings& s) {
  const device on(s.device);
  fmt::print("{} ({}): copy {:.0f} GB/s\n", s.device, on.runtime->traits().name,
             on.bandwidth() / 1e9);
  const auto baseline = on.is_cuda() ? cusparse::open() : nullptr;
  if (on.is_cuda() && !baseline) fmt::print("cuSPARSE is not available\n");
  const std::vector<std::string> names = s.all_matrices();
  csv file(s.output, "matrix,entries,type,kernel,microseconds");
  bool right = true;
  std::map<std::string, std::vector<result>> results;
  for (const std::string& name : names) {
    const csr matrix = matrix_named(name, s.shrink);
    for (const std::string& type : s.all_types())
      results[type].push_back(race_one(s, name, matrix, type, on, baseline.get(), file, right));
  }
  for (const std::string& type : s.all_types()) {
    print_table(results[type], type);
    if (s.shrink == 1) print_targets(results[type]);
  }
  return right;
}

}  // namespace bench

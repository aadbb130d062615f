// SPDX-License-Identifier: Apache-2.0

// The gain of strips of rows: cmrs compared with csr_vector with a subgroup per row, by mean row
// length, and the paper's model of it (002, the performance model and its figure of the speedup);
// all formats compared with kernels over CSR and with cuSPARSE; and the cost of conversions, in
// products.

#include <algorithm>
#include <map>
#include <tropic/detail/containers.hpp>

#include "backends/device/products/kernel_config.hpp"
#include "containers/derived_copies.hpp"
#include "cusparse.hpp"
#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

constexpr std::string_view formats[] = {"cmrs", "cmrs_padded", "csr_blocked"};

struct result {
  std::string matrix;
  double mean = 0;                              // entries per row
  bool is_skewed = false;                       // the longest row is longer than eight mean ones
  double height = 0;                            // rows per strip
  double item_bytes = 0;                        // of a value
  double full_subgroup = 0;                     // csr_vector, seconds
  std::map<std::string, double> seconds{};      // by kernel, csr_vector with its best width
  std::map<std::string, double> conversions{};  // in products of the converted kernel
  std::string best{};

  double gain() const { return full_subgroup / seconds.at("cmrs"); }
};

/// Bytes read per byte requested, for a chunk at any position in segments of `alpha` bytes.
double waste(double alpha, double item_bytes, double chunk) {
  return 1 + (alpha - item_bytes) / chunk;
}

/// The speedup of strips over a subgroup per row, if only memory traffic counts.
double modelled_gain(double alpha, const result& r) {
  const double row = r.mean * r.item_bytes;
  return waste(alpha, r.item_bytes, row) / waste(alpha, r.item_bytes, r.height * row);
}

/// The segment size with the best fit of the model, by least squares of the logarithms of the
/// gains.
double fitted_segment(const std::vector<result>& results) {
  double best = 0, least_error = -1;
  for (double alpha = 8; alpha <= 8192; alpha *= 1.02) {
    double error = 0;
    for (const result& r : results) {
      if (r.is_skewed) continue;
      const double difference = std::log(r.gain() / modelled_gain(alpha, r));
      error += difference * difference;
    }
    if (least_error >= 0 && !(error < least_error)) continue;
    least_error = error;
    best = alpha;
  }
  return best;
}

/// Seconds of the conversion, with its programs already loaded.
double conversion(const device& on, product& p, const std::string& kernel) {
  tropic::detail::evict_derived(*on.where.state());
  p.run(kernel, 1);
  return on.where.state()->executor->format_of(p.a, kernel).conversion_seconds;
}

result measure_one(const settings& s, const std::string& name, const csr& matrix,
                   const std::string& type, const device& on, const cusparse* baseline,
                   bool& right) {
  product p(on, matrix, semiring_named("plus_times", type));
  const std::uint32_t subgroup = on.runtime->traits().subgroup_size;
  std::vector<entrant> all;
  if (baseline != nullptr) all = baseline->entrants(p);
  std::vector<std::string> kernels = {"csr_segmented"};
  for (std::uint32_t width = 2; width <= subgroup; width *= 2)
    kernels.push_back(fmt::format("csr_vector:width={}", width));
  kernels.insert(kernels.end(), std::begin(formats), std::end(formats));
  for (const std::string& kernel : kernels)
    all.push_back(
        {kernel, [&p, kernel](int calls) { p.run(kernel, calls); }, [&p] { return p.is_right(); }});
  check(all);
  // A format that does not suit the matrix is replaced by another kernel and has no conversion.
  const auto& executor = *on.where.state()->executor;
  std::erase_if(all, [&](const entrant& one) {
    return std::ranges::find(formats, one.name) != std::end(formats) &&
           executor.format_of(p.a, one.name).conversion_seconds == 0;
  });
  measure(all, s.batches);

  result r{.matrix = name.substr(name.rfind('/') + 1),
           .mean = static_cast<double>(p.entries()) /
                   static_cast<double>(std::max<std::int64_t>(1, p.a.rows)),
           .item_bytes = static_cast<double>(p.value_bytes())};
  r.is_skewed = static_cast<double>(p.a.longest_row) > 8 * r.mean;
  r.height = tropic::detail::complete({.kernel = &tropic::detail::kernels::cmrs},
                                      on.runtime->traits(), p.value_bytes(), p.a)
                 .height;
  const std::string full = fmt::format("csr_vector:width={}", subgroup);
  for (const entrant& one : all) {
    right = right && one.right;
    if (!one.right) fmt::print("{} {} {}: WRONG\n", name, type, one.name);
    if (one.name == full) r.full_subgroup = one.seconds;
    const std::string kernel =
        one.name.starts_with("cusparse") ? "cuSPARSE" : one.name.substr(0, one.name.find(':'));
    double& best = r.seconds[kernel];
    if (best == 0 || one.seconds < best) best = one.seconds;
  }
  for (const std::string_view format : formats) {
    const std::string kernel(format);
    if (!r.seconds.contains(kernel)) continue;
    r.conversions[kernel] = conversion(on, p, kernel) / r.seconds[kernel];
  }
  for (const auto& [kernel, seconds] : r.seconds)
    if (kernel != "cuSPARSE" && (r.best.empty() || seconds < r.seconds[r.best])) r.best = kernel;
  return r;
}

void print_table(const std::vector<result>& results, const std::string& type, double alpha) {
  fmt::print(
      "\n{}: times in us; gain: csr_vector with a subgroup per row divided by cmrs; model: "
      "segments of {:.0f} bytes; conversions in products\n",
      type, alpha);
  constexpr std::string_view row =
      "{:<26} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6}  {:<14} {:>6} {:>6} "
      "{:>6}\n";
  fmt::print(fmt::runtime(row), "matrix", "mean", "cuSPARSE", "subgroup", "vector", "segm.", "cmrs",
             "padded", "blocked", "gain", "model", "best", "cmrs", "padded", "blocks");
  for (const result& r : results) {
    const auto time = [&](const char* kernel) {
      const auto found = r.seconds.find(kernel);
      return found == r.seconds.end() ? "-" : fmt::format("{:.1f}", found->second * 1e6);
    };
    const auto cost = [&](const char* kernel) {
      const auto found = r.conversions.find(kernel);
      return found == r.conversions.end() ? "-" : fmt::format("{:.1f}", found->second);
    };
    fmt::print(fmt::runtime(row), r.matrix, fmt::format("{:.1f}", r.mean), time("cuSPARSE"),
               fmt::format("{:.1f}", r.full_subgroup * 1e6), time("csr_vector"),
               time("csr_segmented"), time("cmrs"), time("cmrs_padded"), time("csr_blocked"),
               fmt::format("{:.2f}", r.gain()),
               r.is_skewed ? "-" : fmt::format("{:.2f}", modelled_gain(alpha, r)), r.best,
               cost("cmrs"), cost("cmrs_padded"), cost("csr_blocked"));
  }
}

void print_targets(const std::vector<result>& results) {
  geometric_mean gain, to_vector, to_segmented, to_baseline;
  double slowest = 0;
  std::string where;
  for (const result& r : results) {
    const double cmrs = r.seconds.at("cmrs");
    if (r.conversions.at("cmrs") > slowest) {
      slowest = r.conversions.at("cmrs");
      where = r.matrix;
    }
    if (r.is_skewed || r.mean < 3 || r.mean > 30) continue;
    gain.add(r.gain());
    to_vector.add(r.seconds.at("csr_vector") / cmrs);
    to_segmented.add(r.seconds.at("csr_segmented") / cmrs);
    if (r.seconds.contains("cuSPARSE")) to_baseline.add(r.seconds.at("cuSPARSE") / cmrs);
  }
  if (gain.empty()) return;
  print_target("cmrs to csr_vector with a subgroup per row, 3 to 30 entries per row", gain.value(),
               ">= 1.2", gain.value() >= 1.2);
  print_target("conversion to cmrs in products, the maximum, " + where, slowest, "< 10",
               slowest < 10);
  fmt::print(
      "  without a target: to csr_vector of the best width {:.3f}, to "
      "csr_segmented {:.3f}",
      to_vector.value(), to_segmented.value());
  if (!to_baseline.empty()) fmt::print(", to cuSPARSE {:.3f}", to_baseline.value());
  fmt::print("\n");
}

/// For the matrices without skew, by mean row length: the speedup of every kernel over csr_vector
/// with a subgroup per row, and that of the model.
void write(csv& file, std::vector<result>& results, const std::string& type, double alpha) {
  std::erase_if(results, [](const result& r) { return r.is_skewed; });
  std::ranges::sort(results, {}, &result::mean);
  for (const char* kernel : {"cmrs", "cmrs_padded", "csr_vector", "csr_segmented", "cuSPARSE"})
    for (const result& r : results)
      if (const auto found = r.seconds.find(kernel); found != r.seconds.end())
        file.line("mean,{:.3g},{},{},{:.4f}\n", r.mean, kernel, type,
                  r.full_subgroup / found->second);
  for (const result& r : results)
    file.line("mean,{:.3g},model,{},{:.4f}\n", r.mean, type, modelled_gain(alpha, r));
}

}  // namespace

bool strips(const settings& s) {
  const device on(s.device);
  fmt::print("{} ({}): copy {:.0f} GB/s\n", s.device, on.runtime->traits().name,
             on.bandwidth() / 1e9);
  const auto baseline = on.is_cuda() ? cusparse::open() : nullptr;
  std::vector<std::string> by_mean = {"permutation:4000000"};
  for (const int mean : {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 40, 60, 80, 120, 200, 300, 400})
    by_mean.push_back(fmt::format("even:{}", mean));
  by_mean.emplace_back("paper:dense");
  const std::vector<std::string> names = s.all_matrices(by_mean);
  bool right = true;
  std::map<std::string, std::vector<result>> results;
  for (const std::string& name : names) {
    const csr matrix = matrix_named(name, s.shrink);
    for (const std::string& type : s.all_types())
      results[type].push_back(measure_one(s, name, matrix, type, on, baseline.get(), right));
  }
  csv file(s.output, "constant,value,series,panel,gain");
  for (auto& [type, found] : results) {
    const double alpha = fitted_segment(found);
    print_table(found, type, alpha);
    print_targets(found);
    write(file, found, type, alpha);
  }
  return right;
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0

// What it brings to hold rows in strips: cmrs beside csr_vector with a subgroup a row, by the mean
// row, next to the paper's model of it (002, the performance model and its figure of the speedup);
// all of the formats beside the kernels over CSR and cuSPARSE; and what a conversion costs, in
// products.

#include <algorithm>
#include <map>
#include <tropic/detail/containers.hpp>

#include "backends/device/products/kernel_choice.hpp"
#include "containers/derived_copies.hpp"
#include "cusparse.hpp"
#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

constexpr std::string_view formats[] = {"cmrs", "cmrs_padded", "csr_blocked"};

struct result {
  std::string matrix;
  double mean = 0;                              // entries a row
  bool is_skewed = false;                       // the longest row is more than eight of the mean
  double height = 0;                            // rows a strip
  double item_bytes = 0;                        // of a value
  double full_subgroup = 0;                     // csr_vector, seconds
  std::map<std::string, double> seconds{};      // by kernel, csr_vector with its best width
  std::map<std::string, double> conversions{};  // in products of the converted kernel
  std::string best{};

  double gain() const { return full_subgroup / seconds.at("cmrs"); }
};

/// Bytes that are read for each one asked for, of a chunk that begins anywhere in segments of
/// `alpha` bytes.
double waste(double alpha, double item_bytes, double chunk) {
  return 1 + (alpha - item_bytes) / chunk;
}

/// How many times as fast as a subgroup a row a strip of rows must be where memory alone counts.
double modelled_gain(double alpha, const result& r) {
  const double row = r.mean * r.item_bytes;
  return waste(alpha, r.item_bytes, row) / waste(alpha, r.item_bytes, r.height * row);
}

/// The segment by which the model fits best, in the logarithm of the gains.
double fitted_segment(const std::vector<result>& results) {
  double best = 0, least = -1;
  for (double alpha = 8; alpha <= 8192; alpha *= 1.02) {
    double error = 0;
    for (const result& r : results) {
      if (r.is_skewed) continue;
      const double off = std::log(r.gain() / modelled_gain(alpha, r));
      error += off * off;
    }
    if (least < 0 || error < least) least = error, best = alpha;
  }
  return best;
}

/// Seconds of the conversion alone, its programs loaded.
double conversion(const device& on, product& p, const std::string& kernel) {
  tropic::detail::evict_derived(*on.where.state());
  p.run(kernel, 1);
  return on.where.state()->executor->facts(p.a, kernel).conversion_seconds;
}

result measure_one(const settings& s, const std::string& name, const csr& matrix,
                   const std::string& type, const device& on, const cusparse* peer, bool& right) {
  product p(on, matrix, semiring_named("plus_times", type));
  const std::uint32_t subgroup = on.runtime->traits().subgroup_size;
  std::vector<entrant> all;
  if (peer != nullptr) all = peer->entrants(p);
  std::vector<std::string> kernels = {"csr_segmented"};
  for (std::uint32_t width = 2; width <= subgroup; width *= 2)
    kernels.push_back(fmt::format("csr_vector:width={}", width));
  kernels.insert(kernels.end(), std::begin(formats), std::end(formats));
  for (const std::string& kernel : kernels)
    all.push_back(
        {kernel, [&p, kernel](int calls) { p.run(kernel, calls); }, [&p] { return p.is_right(); }});
  check(all);
  // A format that does not suit the matrix gave way to another kernel: it has no conversion.
  const auto& executor = *on.where.state()->executor;
  std::erase_if(all, [&](const entrant& one) {
    return std::ranges::find(formats, one.name) != std::end(formats) &&
           executor.facts(p.a, one.name).conversion_seconds == 0;
  });
  measure(all, s.how);

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
      "\n{}: times in us; gain: csr_vector with a subgroup a row divided by cmrs; model: of "
      "segments "
      "of {:.0f} bytes; conversions in products\n",
      type, alpha);
  constexpr std::string_view row =
      "{:<26} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6}  {:<14} {:>6} {:>6} "
      "{:>6}\n";
  fmt::print(fmt::runtime(row), "matrix", "mean", "cuSPARSE", "a subgroup", "vector", "segm.",
             "cmrs", "padded", "blocked", "gain", "model", "best", "cmrs", "padded", "blocks");
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

void print_bars(const std::vector<result>& results) {
  geometric_mean gain, to_vector, to_segmented, to_peer;
  double most = 0;
  std::string where;
  for (const result& r : results) {
    const double own = r.seconds.at("cmrs");
    if (r.conversions.at("cmrs") > most) most = r.conversions.at("cmrs"), where = r.matrix;
    if (r.is_skewed || r.mean < 3 || r.mean > 30) continue;
    gain.add(r.gain());
    to_vector.add(r.seconds.at("csr_vector") / own);
    to_segmented.add(r.seconds.at("csr_segmented") / own);
    if (r.seconds.contains("cuSPARSE")) to_peer.add(r.seconds.at("cuSPARSE") / own);
  }
  if (gain.empty()) return;
  print_bar("cmrs to csr_vector with a subgroup a row, 3 to 30 entries a row", gain.value(),
            ">= 1.2", gain.value() >= 1.2);
  print_bar("conversion to cmrs in products, the most, " + where, most, "< 10", most < 10);
  fmt::print(
      "  beside those, without a bar: to csr_vector of the best width {:.3f}, to "
      "csr_segmented {:.3f}",
      to_vector.value(), to_segmented.value());
  if (!to_peer.empty()) fmt::print(", to cuSPARSE {:.3f}", to_peer.value());
  fmt::print("\n");
}

/// Of the matrices without skew, by the mean row: how many times as fast as csr_vector with a
/// subgroup a row each kernel is, and the model.
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
  const auto peer = on.is_cuda() ? cusparse::open() : nullptr;
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
      results[type].push_back(measure_one(s, name, matrix, type, on, peer.get(), right));
  }
  csv file(s.output, "constant,value,series,panel,gain");
  for (auto& [type, found] : results) {
    const double alpha = fitted_segment(found);
    print_table(found, type, alpha);
    print_bars(found);
    write(file, found, type, alpha);
  }
  return right;
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0

// Kernels beside cuSPARSE, matrix by matrix, and the bars that they are held to.

#include <algorithm>
#include <map>

#include "cusparse.hpp"
#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {
namespace {

/// What one matrix and type gave, in seconds; 0: did not run.
struct result {
  std::string matrix, width;
  std::int64_t entries = 0;
  double peer = 0, vector = 0, segmented = 0;

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

/// Of several widths only those that may be the best are worth the time.
void drop_slow_widths(std::vector<entrant>& all) {
  std::map<std::string, double> seconds;
  double best = 0;
  for (const entrant& one : all)
    if (is(one, "csr_vector")) {
      const double once = seconds[one.name] = glance(one);
      best = best == 0 ? once : std::min(best, once);
    }
  std::erase_if(all, [&](const entrant& one) {
    return one.right && is(one, "csr_vector") && seconds[one.name] > 1.5 * best;
  });
}

result race_one(const settings& s, const std::string& name, const csr& matrix,
                const std::string& type, const device& on, const cusparse* peer, csv& file,
                bool& right) {
  product p(on, matrix, semiring_named(s.semiring, type));
  std::vector<entrant> all;
  if (peer != nullptr && s.semiring == "plus_times" && (type == "fp32" || type == "fp64"))
    all = peer->entrants(p);
  for (const std::string& kernel : kernels_of(s, on))
    all.push_back(
        {kernel, [&p, kernel](int calls) { p.run(kernel, calls); }, [&p] { return p.is_right(); }});
  check(all);
  drop_slow_widths(all);
  measure(all, s.how);

  result found{.matrix = name, .width = {}, .entries = p.entries()};
  for (const entrant& one : all) {
    double& best = one.name.starts_with("cusparse") ? found.peer
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
    if (found.peer > 0) fmt::print(" {:>6.2f} x cusparse", found.peer / one.seconds);
    fmt::print("{}\n", one.right ? "" : "  WRONG");
  }
  std::fflush(stdout);
  return found;
}

/// A ratio, or nothing where a part of it did not run.
std::string ratio(double of, double to) {
  return of > 0 && to > 0 ? fmt::format("{:.2f}", of / to) : "-";
}

void print_table(const std::vector<result>& results, const std::string& type) {
  fmt::print(
      "\n{}: times in us; ratios are cuSPARSE's better time divided by the kernel's, and the last "
      "csr_vector's divided by csr_segmented's\n",
      type);
  constexpr std::string_view row =
      "{:<22} {:>10} {:>9} {:>9} {:>5} {:>9} {:>7} {:>7} {:>7} {:>7}\n";
  fmt::print(fmt::runtime(row), "matrix", "entries", "cuSPARSE", "vector", "width", "segmented",
             "vector", "segm.", "better", "s/v");
  geometric_mean vector, segmented, better, gain;
  for (const result& r : results) {
    const auto time = [](double t) { return t > 0 ? fmt::format("{:.1f}", t * 1e6) : "-"; };
    fmt::print(fmt::runtime(row), r.matrix.substr(r.matrix.rfind('/') + 1), r.entries, time(r.peer),
               time(r.vector), r.width, time(r.segmented), ratio(r.peer, r.vector),
               ratio(r.peer, r.segmented), ratio(r.peer, r.better()), ratio(r.vector, r.segmented));
    if (r.better() == 0) continue;
    gain.add(r.vector / r.segmented);
    if (r.peer == 0) continue;
    vector.add(r.peer / r.vector);
    segmented.add(r.peer / r.segmented);
    better.add(r.peer / r.better());
  }
  const auto value = [](const geometric_mean& m) {
    return m.empty() ? "-" : fmt::format("{:.3f}", m.value());
  };
  fmt::print(fmt::runtime(row), "geometric mean", "", "", "", "", "", value(vector),
             value(segmented), value(better), value(gain));
}

void print_bars(const std::vector<result>& results) {
  geometric_mean better, gain, irregular_peer;
  const result *least_gain = nullptr, *least_peer = nullptr, *least_regular = nullptr;
  const auto gain_of = [](const result& r) { return r.vector / r.segmented; };
  const auto peer_of = [](const result& r) { return r.peer / r.segmented; };
  for (const result& r : results) {
    if (r.better() == 0) continue;
    if (r.peer > 0) better.add(r.peer / r.better());
    const shape* s = stand_in(r.matrix);
    if (s == nullptr) continue;
    if (!s->irregular) {
      if (!least_regular || gain_of(r) < gain_of(*least_regular)) least_regular = &r;
      continue;
    }
    gain.add(gain_of(r));
    if (!least_gain || gain_of(r) < gain_of(*least_gain)) least_gain = &r;
    if (r.peer == 0) continue;
    irregular_peer.add(peer_of(r));
    if (!least_peer || peer_of(r) < peer_of(*least_peer)) least_peer = &r;
  }
  const auto bar = [](std::string_view what, double found, double least) {
    print_bar(what, found, fmt::format(">= {}", least), found >= least);
  };
  if (!better.empty()) bar("better kernel to cuSPARSE, geometric mean", better.value(), 0.9);
  if (!gain.empty()) {
    bar("csr_segmented to csr_vector, irregular, geometric mean", gain.value(), 12);
    bar("... the least, " + least_gain->matrix, gain_of(*least_gain), 12);
  }
  if (!irregular_peer.empty()) {
    bar("csr_segmented to cuSPARSE, irregular, geometric mean", irregular_peer.value(), 0.85);
    bar("... the least, " + least_peer->matrix, peer_of(*least_peer), 0.85);
  }
  if (least_regular != nullptr)
    bar("csr_segmented to csr_vector, regular, the least, " + least_regular->matrix,
        gain_of(*least_regular), 0.75);
}

}  // namespace

bool race(const settings& s) {
  const device on(s.device);
  fmt::print("{} ({}): copy {:.0f} GB/s\n", s.device, on.runtime->traits().name,
             on.bandwidth() / 1e9);
  const auto peer = on.is_cuda() ? cusparse::open() : nullptr;
  if (on.is_cuda() && !peer) fmt::print("cuSPARSE cannot be opened\n");
  const std::vector<std::string> names = s.all_matrices();
  csv file(s.output, "matrix,entries,type,kernel,microseconds");
  bool right = true;
  std::map<std::string, std::vector<result>> results;
  for (const std::string& name : names) {
    const csr matrix = matrix_named(name, s.shrink);
    for (const std::string& type : s.all_types())
      results[type].push_back(race_one(s, name, matrix, type, on, peer.get(), file, right));
  }
  for (const std::string& type : s.all_types()) {
    print_table(results[type], type);
    if (s.shrink == 1) print_bars(results[type]);
  }
  return right;
}

}  // namespace bench

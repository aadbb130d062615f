// SPDX-License-Identifier: Apache-2.0
// When to push and when to pull: w' = u' A by both, for u with fewer and fewer entries, uniformly
// random or at the vertices of highest degree, compared with the library's choice; and the
// constants of src/plan/quick_choice.cpp fitted to these times.
//
//   bench_switch [--device D] [--pull KERNEL] [--rounds N] [--threads N] [GRAPH ...]
//
// GRAPH: a generator (kron:18) or a matrix file

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <tropic/tropic.hpp>

#include "graphs.hpp"
#include "paired.hpp"

namespace {

using tropic::index_t;

// One product by both kernels: the work of each (the terms of src/plan/quick_choice.cpp), and its
// nanoseconds.
struct sample {
  std::vector<double> pull_terms;  // entries read, rows, on the CPU mispredicted branches
  std::vector<double> push_terms;  // entries of the matrix, entries of u, on devices rows
  double pull = 0, push = 0, chosen = 0;
  double regret() const { return chosen / std::min(pull, push); }
};

// The costs of the terms, by least squares of the relative errors.
std::vector<double> fitted(const std::vector<sample>& samples, std::vector<double> sample::*terms,
                           double sample::*time) {
  // The normal equations, by Gaussian elimination.
  const std::size_t count = (samples.front().*terms).size();
  std::vector<std::vector<double>> m(count, std::vector<double>(count + 1));
  for (const sample& s : samples)
    for (std::size_t i = 0; i < count; ++i) {
      const double scaled = (s.*terms)[i] / (s.*time);
      for (std::size_t j = 0; j < count; ++j) m[i][j] += scaled * (s.*terms)[j] / (s.*time);
      m[i][count] += scaled;
    }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      if (k == i) continue;
      const double factor = m[k][i] / m[i][i];
      for (std::size_t j = 0; j <= count; ++j) m[k][j] -= factor * m[i][j];
    }
  std::vector<double> cost(count);
  for (std::size_t i = 0; i < count; ++i) cost[i] = m[i][count] / m[i][i];
  return cost;
}

struct graph {
  std::string name;
  tropic::matrix<float> a;
};

graph load(const tropic::context& where, const std::string& name) {
  const tropic::io::coordinates c = bench::graph_named(name);
  auto a = tropic::matrix<float>::from_pattern(where, c.rows, c.columns, c.row, c.column, 1.0F);
  if (c.symmetric) a.assume_symmetric();
  return {name.substr(name.rfind('/') + 1), std::move(a)};
}

// Entries at the first `count` positions of `order`.
tropic::vector<float> entries_at(const tropic::context& where, const std::vector<index_t>& order,
                                 std::size_t count) {
  std::vector<index_t> at(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(at.begin(), at.end());
  const std::vector<float> values(count, 1.0F);
  return tropic::vector<float>::from_entries(where, static_cast<index_t>(order.size()), at, values);
}

// All vertices in random order, or by decreasing degree.
std::vector<index_t> ordered(const graph& g, bool by_degree) {
  std::vector<index_t> order(static_cast<std::size_t>(g.a.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<index_t>(i);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  const auto edges = [&](index_t i) { return g.a.offset(i + 1) - g.a.offset(i); };
  if (by_degree)
    std::stable_sort(order.begin(), order.end(),
                     [&](index_t i, index_t j) { return edges(i) > edges(j); });
  return order;
}

struct plan_key {
  const char* name;
  bool exits_early, masked, by_degree;
};

// With `masked` half of the vertices are masked out, as in the middle of a search.
template <class Semiring>
void measure(const tropic::context& where, const graph& g, const Semiring& semiring,
             const plan_key& kind, const std::string& pulls, int rounds,
             std::vector<sample>& samples) {
  using Z = typename Semiring::z_type;
  const bool on_device = where.name() != "cpu";
  const std::vector<index_t> order = ordered(g, kind.by_degree);
  const double n = static_cast<double>(order.size()), nnz = static_cast<double>(g.a.nvals());
  tropic::vector<float> visited = entries_at(where, ordered(g, false), order.size() / 2);
  visited.expect_dense();
  for (std::size_t count = order.size() / 2; count > 0; count /= 4) {
    const tropic::vector<float> drawn = entries_at(where, order, count);
    tropic::vector<Z> u(where, g.a.rows());
    tropic::apply(u, tropic::identity{}, drawn);
    tropic::vector<Z> pulled(where, g.a.columns()), pushed = pulled, chosen = pulled;
    const tropic::plan pull{.kernel = pulls}, push{.kernel = "push"};
    tropic::vector_options<Z> options;
    if (kind.masked) options.mask = complement(structure(visited)), options.replace = true;
    const auto run = [&](tropic::vector<Z>& w, const tropic::plan* plan) {
      options.plan = plan;
      tropic::vxm(w, semiring, u, g.a, options);
      where.synchronize();
    };
    // The first pull builds the transpose, which later calls reuse.
    const auto found = bench::paired({{"pull", [&] { run(pulled, &pull); }},
                                      {"push", [&] { run(pushed, &push); }},
                                      {"chosen", [&] { run(chosen, nullptr); }}},
                                     rounds);
    double edges = 0;
    for (const auto& e : drawn.entries())
      edges += static_cast<double>(g.a.offset(e.index + 1) - g.a.offset(e.index));
    const double share = on_device ? edges / nnz : static_cast<double>(count) / n;
    const double wanted = kind.masked ? n / 2 : n;
    const double reads = wanted * (kind.exits_early ? std::min(nnz / n, 1 / share) : nnz / n);
    const double wrong = kind.exits_early ? 0 : reads * std::min(share, 1 - share);
    sample s{{reads, n}, {edges, static_cast<double>(count)}};
    (on_device ? s.push_terms : s.pull_terms).push_back(on_device ? n : wrong);
    s.pull = found[0].median * 1e9;
    s.push = found[1].median * 1e9;
    s.chosen = found[2].median * 1e9;
    fmt::print("{:<22} {:<14} {:<4} {:<5} {:>9} {:>10.0f} {:>11.1f} {:>11.1f} {:>8.2f}\n", g.name,
               kind.name, kind.masked ? "half" : "all", kind.by_degree ? "edges" : "even", count,
               edges, s.pull * 1e-3, s.push * 1e-3, s.regret());
    std::fflush(stdout);
    samples.push_back(s);
  }
}

// The time of a transpose, in pulls of all entries. Copies the matrix, which may be marked as
// symmetric.
double transpose_per_pull(const tropic::context& where, const graph& g, int rounds) {
  const auto offsets = g.a.offsets<std::uint32_t>();
  const auto columns = g.a.column_indices();
  const std::vector<float> values(columns.size(), 1.0F);
  const auto a = tropic::matrix<float>::from_csr(
      where, g.a.rows(), g.a.columns(), tropic::array_view<std::uint32_t>{offsets.data, nullptr},
      tropic::array_view<std::uint32_t>{columns.data, nullptr},
      tropic::array_view<float>{values, nullptr}, {.trusted = true});
  tropic::matrix<float> transposed(where, g.a.columns(), g.a.rows());
  const tropic::vector<float> u(where, g.a.columns(), 1.0F);
  tropic::vector<float> w(where, g.a.rows());
  const auto synchronised = [&](const auto& run) {
    return [&, run] {
      run();
      where.synchronize();
    };
  };
  return bench::paired(
             {{"pull", synchronised([&] { tropic::mxv(w, tropic::plus_times<float>{}, a, u); })},
              {"transpose", synchronised([&] { tropic::transpose(transposed, a); })}},
             rounds)[1]
      .ratio;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"Push compared with pull, and the fitted costs", "bench_switch"};
  bench::graph_settings settings{.rounds = 7};
  std::string device = "cpu", pulls;
  app.add_option("--device", device, "cpu, cuda[:N] or opencl[:N]")->capture_default_str();
  app.add_option("--pull", pulls, "the kernel that pulls [pull; csr_vector on a device]");
  settings.add_to(app);
  CLI11_PARSE(app, argc, argv);
  const int rounds = settings.rounds;
  const auto where = tropic::context::named(device, {.threads = settings.threads});
  const bool on_device = where.name() != "cpu";
  if (pulls.empty()) pulls = on_device ? "csr_vector" : "pull";
  std::vector<sample> samples, sorted;
  std::vector<double> transposes;
  fmt::print("times in us on {}; chosen: the library's choice, relative to the better of both\n",
             where.name());
  fmt::print("{:<22} {:<14} {:<4} {:<5} {:>9} {:>10} {:>11} {:>11} {:>8}\n", "graph", "semiring",
             "mask", "drawn", "entries", "edges", "pull", "push", "chosen");
  for (const std::string& name : settings.graphs) {
    const graph g = load(where, name);
    for (const bool masked : {false, true})
      for (const bool by_degree : {false, true}) {
        measure(where, g, tropic::min_secondi<index_t, float>{},
                {"min_secondi", true, masked, by_degree}, pulls, rounds, samples);
        measure(where, g, tropic::min_plus<float>{}, {"min_plus", false, masked, by_degree}, pulls,
                rounds, samples);
        // Sums that round: a device sorts the pushed products.
        if (on_device)
          measure(where, g, tropic::plus_times<float>{}, {"plus_times", false, masked, by_degree},
                  pulls, rounds, sorted);
      }
    transposes.push_back(transpose_per_pull(where, g, rounds));
  }
  double regret = 0, worst = 1;
  for (const auto* all : {&samples, &sorted})
    for (const sample& s : *all)
      regret += std::log(s.regret()), worst = std::max(worst, s.regret());
  const auto pull = fitted(samples, &sample::pull_terms, &sample::pull);
  const auto push = fitted(samples, &sample::push_terms, &sample::push);
  if (!sorted.empty()) {
    const auto of_sorted = fitted(sorted, &sample::push_terms, &sample::push);
    fmt::print("sorted pushes: per_edge {:.4f}, per_input {:.4f}, per_row {:.4f}\n", of_sorted[0],
               of_sorted[1], of_sorted[2]);
  }
  fmt::print("costs in ns: per_read {:.4f}, per_row {:.4f}; per_edge {:.4f}, per_input {:.4f}; ",
             pull[0], pull[1], push[0], push[1]);
  if (on_device)
    fmt::print("per_row of a push {:.4f}", push[2]);
  else
    fmt::print("per_wrong_guess {:.1f}", pull[2]);
  fmt::print("; transpose_per_pull {:.1f}\n", bench::median(transposes));
  fmt::print("chosen: geometric mean {:.2f} of the better, at worst {:.2f}\n",
             std::exp(regret / static_cast<double>(samples.size() + sorted.size())), worst);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_switch: %s\n", e.what());
  return 1;
}

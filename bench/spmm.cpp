// SPDX-License-Identifier: Apache-2.0
// Products of a sparse and a full matrix on the CPU, fp32, in one process, in turns: mxm with a
// full_matrix, as many calls of mxv as it has columns, and SuiteSparse:GraphBLAS's GrB_mxm with a
// full matrix. Results are compared before they are timed.
//
//   plus_times, min_plus   B has every entry
//   batch                  plus_times, B has a tenth of its entries; the mask is the complement of
//   a
//                          bitmap with half of them (a step of a batch of searches)
//
//   bench_spmm [--rounds N] [--threads N] [--cpu-time] [--columns K,...] [GRAPH ...]

extern "C" {  // GraphBLAS.h 7.4 does not declare C linkage
#include <GraphBLAS.h>
}
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <tropic/tropic.hpp>

#include "graphs.hpp"
#include "paired.hpp"

namespace {

using tropic::index_t;

void check(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("GraphBLAS returned " + std::to_string(info));
}

class peer_matrix {
 public:
  explicit peer_matrix(const tropic::matrix<float>& a) {
    const auto csr = a.to_csr<std::uint64_t, std::uint64_t>();
    std::vector<GrB_Index> p(csr.offsets.begin(), csr.offsets.end()),
        j(csr.indices.begin(), csr.indices.end());
    std::vector<float> x(csr.values.begin(), csr.values.end());
    check(GrB_Matrix_import_FP32(&a_, GrB_FP32, static_cast<GrB_Index>(a.rows()),
                                 static_cast<GrB_Index>(a.columns()), p.data(), j.data(), x.data(),
                                 p.size(), j.size(), x.size(), GrB_CSR_FORMAT));
  }
  // Full or a bitmap, from the entries of a full matrix.
  explicit peer_matrix(const tropic::full_matrix<float>& b) : peer_matrix(b.to_matrix()) {
    check(GxB_Matrix_Option_set(a_, GxB_SPARSITY_CONTROL, GxB_FULL | GxB_BITMAP));
    check(GrB_Matrix_wait(a_, GrB_MATERIALIZE));
  }
  peer_matrix(index_t rows, index_t columns) {
    check(GrB_Matrix_new(&a_, GrB_FP32, static_cast<GrB_Index>(rows),
                         static_cast<GrB_Index>(columns)));
    check(GxB_Matrix_Option_set(a_, GxB_SPARSITY_CONTROL, GxB_FULL | GxB_BITMAP));
  }
  ~peer_matrix() { GrB_Matrix_free(&a_); }
  peer_matrix(const peer_matrix&) = delete;
  peer_matrix& operator=(const peer_matrix&) = delete;
  operator GrB_Matrix() const { return a_; }
  void wait() const { check(GrB_Matrix_wait(a_, GrB_MATERIALIZE)); }
  double sum() const {
    double result = 0;
    check(GrB_Matrix_reduce_FP64(&result, nullptr, GrB_PLUS_MONOID_FP64, a_, nullptr));
    return result;
  }

 private:
  GrB_Matrix a_ = nullptr;
};

struct setting {
  int rounds;
  bench::stopwatch watch;
  std::vector<index_t> columns;
};

// Small integers, so that sums do not round.
tropic::full_matrix<float> batch(const tropic::context& where, index_t rows, index_t columns,
                                 unsigned tenths, unsigned seed) {
  const auto size = static_cast<std::size_t>(rows * columns);
  std::vector<float> values(size);
  std::vector<std::uint8_t> present(size);
  for (std::size_t n = 0; n < size; ++n) {
    seed = seed * 1664525u + 1013904223u;
    values[n] = static_cast<float>(seed >> 24 & 3u) + 1;
    present[n] = (seed >> 8) % 10 < tenths ? 1 : 0;
  }
  if (tenths >= 10)
    return tropic::full_matrix<float>::from_array(where, rows, columns, std::move(values));
  return tropic::full_matrix<float>::from_bitmap(
      where, rows, columns, tropic::adopt(std::move(present)), tropic::adopt(std::move(values)));
}

struct ratios {
  double log_sum = 0, least = 1e300;
  int count = 0;
  void add(double ratio) {
    log_sum += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
};

void require_equal(const std::string& what, double ours, double theirs) {
  if (std::abs(ours - theirs) > 1e-6 * std::abs(theirs))
    throw std::runtime_error(fmt::format("{}: {} (mxm), {}", what, ours, theirs));
}

double sum_of(const tropic::full_matrix<float>& c) {
  double sum = 0;
  for (const float value : c.dense(0))
    if (std::isfinite(value)) sum += static_cast<double>(value);
  return sum;
}

template <class S>
void race(const setting& in, const std::string& title, const tropic::matrix<float>& a, index_t k,
          const S& semiring, GrB_Semiring theirs, bool is_batch, ratios& by_columns,
          ratios& by_peer) {
  const auto where = a.where();
  const auto b = batch(where, a.columns(), k, is_batch ? 1 : 10, 7);
  const auto visited = batch(where, a.rows(), k, 5, 3);
  tropic::full_matrix<float> c(where, a.rows(), k);
  std::vector<tropic::vector<float>> u, w, visited_of;
  for (index_t j = 0; j < k; ++j) {
    u.push_back(b.column(j));
    w.emplace_back(where, a.rows());
    visited_of.push_back(visited.column(j));
  }
  const peer_matrix ga(a), gb(b), gc(a.rows(), k), gm(visited);
  const std::vector<bench::contestant> contestants{
      {"mxm",
       [&] {
         if (is_batch)
           tropic::mxm(c, semiring, a, b,
                       {.mask = complement(structure(visited)), .replace = true});
         else
           tropic::mxm(c, semiring, a, b);
       }},
      {"mxv",
       [&] {
         for (std::size_t j = 0; j < u.size(); ++j) {
           if (is_batch)
             tropic::mxv(w[j], semiring, a, u[j],
                         {.mask = complement(structure(visited_of[j])), .replace = true});
           else
             tropic::mxv(w[j], semiring, a, u[j]);
         }
       }},
      {"GrB_mxm", [&] {
         check(GrB_mxm(gc, is_batch ? static_cast<GrB_Matrix>(gm) : nullptr, nullptr, theirs, ga,
                       gb, is_batch ? GrB_DESC_RSC : nullptr));
         gc.wait();
       }}};
  for (const bench::contestant& one : contestants) one.run();
  double of_columns = 0;
  for (const auto& column : w)
    for (const float value : column.dense(0)) of_columns += static_cast<double>(value);
  require_equal(title, sum_of(c), of_columns);
  require_equal(title, sum_of(c), gc.sum());
  const auto found = bench::paired(contestants, in.rounds, 2e-3, in.watch);
  const double products = static_cast<double>(a.nvals()) * static_cast<double>(k);
  for (const bench::timing& t : found)
    fmt::print("{:<36} {:<8} {:>10.3f} ms {:>8.1f} Mproducts/s {:>6.2f} [{:.2f}, {:.2f}]\n", title,
               t.name, t.median * 1e3, products / t.median * 1e-6, t.ratio, t.low, t.high);
  std::fflush(stdout);
  by_columns.add(found[1].ratio);
  by_peer.add(found[2].ratio);
}

void summary(const char* name, const ratios& r) {
  if (r.count > 0)
    fmt::print("{}'s time to mxm's: {} products, geometric mean {:.2f}, least {:.2f}\n", name,
               r.count, std::exp(r.log_sum / r.count), r.least);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"Products of sparse and full matrices on the CPU, compared with mxv and GrB_mxm",
               "bench_spmm"};
  bench::graph_settings settings{.rounds = 5,
                                 .graphs = {"kron:16", "kron:18", "urand:18", "grid:512"}};
  bool processor_time = false;
  std::vector<index_t> columns{4, 32, 128};
  settings.add_to(app);
  app.add_flag("--cpu-time", processor_time, "measure the time that threads compute");
  app.add_option("--columns", columns, "columns of the full matrix")
      ->delimiter(',')
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
  check(GrB_init(GrB_NONBLOCKING));
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  fmt::print("{} threads, {} rounds in turns, {} time\n", threads, settings.rounds,
             processor_time ? "processor" : "wall");
  const setting in{settings.rounds,
                   processor_time ? bench::stopwatch::processor : bench::stopwatch::wall, columns};
  ratios by_columns, by_peer;
  for (const std::string& graph : settings.graphs) {
    const tropic::io::coordinates c = bench::graph_named(graph);
    std::vector<float> values(c.row.size());
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<float>(e % 8 + 1);
    const auto where = tropic::context::cpu({.threads = threads});
    const auto a = tropic::matrix<float>::from_entries(where, c.rows, c.columns, c.row, c.column,
                                                       values, tropic::duplicates::last);
    const std::string name = graph.substr(graph.rfind('/') + 1);
    fmt::print("{}: {} x {}, {} entries\n", name, a.rows(), a.columns(), a.nvals());
    for (const index_t k : in.columns) {
      const std::string title = name + " x " + std::to_string(k);
      race(in, title + " plus_times", a, k, tropic::plus_times<float>{},
           GrB_PLUS_TIMES_SEMIRING_FP32, false, by_columns, by_peer);
      race(in, title + " min_plus", a, k, tropic::min_plus<float>{}, GrB_MIN_PLUS_SEMIRING_FP32,
           false, by_columns, by_peer);
      race(in, title + " batch", a, k, tropic::plus_times<float>{}, GrB_PLUS_TIMES_SEMIRING_FP32,
           true, by_columns, by_peer);
    }
  }
  summary("mxv", by_columns);
  summary("GrB_mxm", by_peer);
  GrB_finalize();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_spmm: %s\n", e.what());
  return 1;
}

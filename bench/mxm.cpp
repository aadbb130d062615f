// SPDX-License-Identifier: Apache-2.0
// Products of matrices on the CPU compared with SuiteSparse:GraphBLAS's GrB_mxm, in one process, in
// turns. Results are compared before they are timed: number of entries and their sum.
//
//   square     C = A A, plus_times over fp64
//   triangles  C<L> = L L' with a structural mask, plus_pair over int64, L the lower triangle of A
//              with A'; and the sum of C alone, fused (reduce_mxm) or not
//
//   bench_mxm [--rounds N] [--threads N] [--cpu-time] [--square-up-to PRODUCTS] [GRAPH ...]
//
// GrB_mxm leaves rows unsorted, which a later use pays for; "GrB_mxm" includes the sort
// (GrB_Matrix_wait), since rows of Tropic are sorted, "unsorted" does not.

extern "C" {  // GraphBLAS.h 7.4 does not declare C linkage
#include <GraphBLAS.h>
}
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <tropic/tropic.hpp>

#include "graphs.hpp"
#include "paired.hpp"

namespace {

using tropic::index_t;

void check(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("GraphBLAS returned " + std::to_string(info));
}

struct setting {
  int rounds, threads;
  bench::stopwatch watch;
  double most_products;
};

struct ratios {
  double log_sum = 0, least = 1e300;
  int count = 0;
  void add(double ratio) {
    log_sum += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
};

class peer_matrix {
 public:
  explicit peer_matrix(const tropic::matrix<double>& a) {
    const auto csr = a.to_csr<std::uint64_t, std::uint64_t>();
    std::vector<GrB_Index> p(csr.offsets.begin(), csr.offsets.end()),
        j(csr.indices.begin(), csr.indices.end());
    std::vector<double> x(csr.values.begin(), csr.values.end());
    check(GrB_Matrix_import_FP64(&a_, GrB_FP64, static_cast<GrB_Index>(a.rows()),
                                 static_cast<GrB_Index>(a.columns()), p.data(), j.data(), x.data(),
                                 p.size(), j.size(), x.size(), GrB_CSR_FORMAT));
  }
  peer_matrix(GrB_Type type, index_t n) {
    check(GrB_Matrix_new(&a_, type, static_cast<GrB_Index>(n), static_cast<GrB_Index>(n)));
  }
  ~peer_matrix() { GrB_Matrix_free(&a_); }
  peer_matrix(const peer_matrix&) = delete;
  peer_matrix& operator=(const peer_matrix&) = delete;
  operator GrB_Matrix() const { return a_; }
  void sort() const { check(GrB_Matrix_wait(a_, GrB_MATERIALIZE)); }
  index_t nvals() const {
    GrB_Index n = 0;
    check(GrB_Matrix_nvals(&n, a_));
    return static_cast<index_t>(n);
  }

 private:
  GrB_Matrix a_ = nullptr;
};

void require_equal(const std::string& what, double ours, double theirs) {
  if (std::abs(ours - theirs) > 1e-9 * std::abs(theirs))
    throw std::runtime_error(fmt::format("{}: {} (tropic), {} (GraphBLAS)", what, ours, theirs));
}

void print(const std::string& graph, const char* name, const std::vector<bench::timing>& found,
           double products) {
  for (const bench::timing& t : found)
    fmt::print("{:<24} {:<10} {:<16} {:>10.3f} ms {:>7.1f} Mproducts/s {:>6.2f} [{:.2f}, {:.2f}]\n",
               graph, name, t.name, t.median * 1e3, products / t.median * 1e-6, t.ratio, t.low,
               t.high);
  std::fflush(stdout);
}

void square(const setting& in, const std::string& graph, const tropic::matrix<double>& a,
            ratios& all) {
  double products = 0;
  for (const std::uint32_t k : a.column_indices())
    products += static_cast<double>(a.offset(k + index_t{1}) - a.offset(k));
  if (products > in.most_products) return;
  const tropic::plus_times<double> semiring;
  tropic::matrix<double> c(a.where(), a.rows(), a.columns());
  const peer_matrix ga(a), gc(GrB_FP64, a.rows());
  const auto theirs = [&] {
    check(GrB_mxm(gc, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, ga, ga, nullptr));
  };
  const std::vector<bench::contestant> contestants{
      {"tropic", [&] { tropic::mxm(c, semiring, a, a); }},
      {"GrB_mxm", [&] { theirs(), gc.sort(); }},
      {"unsorted", theirs}};
  contestants[0].run();
  theirs();
  double sum = 0;
  check(GrB_Matrix_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, gc, nullptr));
  require_equal(graph + ": entries", static_cast<double>(c.nvals()),
                static_cast<double>(gc.nvals()));
  require_equal(graph + ": sum", tropic::reduce(tropic::plus_monoid<double>{}, c), sum);
  const auto found = bench::paired(contestants, in.rounds, 2e-3, in.watch);
  print(graph, "square", found, products);
  all.add(found[1].ratio);
}

void triangles(const setting& in, const std::string& graph, const tropic::matrix<double>& a,
               ratios& masked, ratios& fused) {
  // The lower triangle of A + A', without the diagonal.
  std::vector<std::uint32_t> row, column;
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t e = a.offset(i); e < a.offset(i + 1); ++e) {
      const auto r = static_cast<std::uint32_t>(i),
                 c = a.column_indices()[static_cast<std::size_t>(e)];
      if (r == c) continue;
      row.push_back(std::max(r, c));
      column.push_back(std::min(r, c));
    }
  const auto lower =
      tropic::matrix<double>::from_pattern(a.where(), a.rows(), a.columns(), row, column, 1.0);
  using counter = tropic::plus_pair<std::int64_t, double>;
  tropic::matrix<std::int64_t> c(a.where(), a.rows(), a.columns());
  std::int64_t ours = 0, theirs = 0;
  const peer_matrix gl(lower), gc(GrB_INT64, a.rows());
  const auto their_product = [&] {
    check(GrB_mxm(gc, gl, nullptr, GxB_PLUS_PAIR_INT64, gl, gl, GrB_DESC_RST1));
  };
  const auto their_sum = [&] {
    check(GrB_Matrix_reduce_INT64(&theirs, nullptr, GrB_PLUS_MONOID_INT64, gc, nullptr));
  };
  const std::vector<bench::contestant> products{
      {"tropic",
       [&] {
         tropic::mxm(c, counter{}, lower, tropic::transpose(lower),
                     {.mask = tropic::structure(lower), .replace = true});
       }},
      {"GrB_mxm", [&] { their_product(), gc.sort(); }},
      {"unsorted", their_product}};
  const std::vector<bench::contestant> sums{
      {"tropic",
       [&] {
         ours = tropic::reduce_mxm(tropic::plus_monoid<std::int64_t>{}, counter{}, lower,
                                   tropic::transpose(lower), tropic::structure(lower));
       }},
      {"GrB_mxm, reduce", [&] { their_product(), their_sum(); }}};
  for (const auto& list : {products, sums})
    for (const auto& one : list) one.run();
  // SuiteSparse stores a zero where the mask's position has no product, or no entry.
  require_equal(graph + ": triangles", static_cast<double>(ours), static_cast<double>(theirs));
  require_equal(graph + ": sum of C",
                static_cast<double>(tropic::reduce(tropic::plus_monoid<std::int64_t>{}, c)),
                static_cast<double>(theirs));
  double work = 0;
  for (index_t i = 0; i < lower.rows(); ++i)
    for (index_t e = lower.offset(i); e < lower.offset(i + 1); ++e) {
      const index_t j = lower.column_indices()[static_cast<std::size_t>(e)];
      work += static_cast<double>(lower.offset(j + 1) - lower.offset(j));
    }
  const auto found = bench::paired(products, in.rounds, 2e-3, in.watch);
  print(graph, "triangles", found, work);
  masked.add(found[1].ratio);
  const auto of_sums = bench::paired(sums, in.rounds, 2e-3, in.watch);
  print(graph, "count", of_sums, work);
  fused.add(of_sums[1].ratio);
}

void summary(const char* name, const ratios& r) {
  if (r.count > 0)
    fmt::print("{}: {} graphs, GrB_mxm's time to tropic's: geometric mean {:.2f}, least {:.2f}\n",
               name, r.count, std::exp(r.log_sum / r.count), r.least);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"Products of matrices on the CPU, compared with SuiteSparse:GraphBLAS", "bench_mxm"};
  bench::graph_settings settings{.rounds = 5};
  bool processor_time = false;
  double most_products = 2e9;
  std::string only = "all";
  settings.add_to(app);
  app.add_flag("--cpu-time", processor_time, "measure the time that threads compute");
  app.add_option("--square-up-to", most_products, "leave out squares of more products")
      ->capture_default_str();
  app.add_option("--only", only, "all, square or triangles")
      ->check(CLI::IsMember({"all", "square", "triangles"}))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
  check(GrB_init(GrB_NONBLOCKING));
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  fmt::print("{} threads, {} rounds in turns, {} time\n", threads, settings.rounds,
             processor_time ? "processor" : "wall");
  const setting in{settings.rounds, threads,
                   processor_time ? bench::stopwatch::processor : bench::stopwatch::wall,
                   most_products};
  ratios squares, masked, fused;
  for (const std::string& graph : settings.graphs) {
    const tropic::io::coordinates c = bench::graph_named(graph);
    std::vector<double> values(c.row.size());
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<double>(e % 8 + 1);
    const auto where = tropic::context::cpu({.threads = threads});
    const auto a = tropic::matrix<double>::from_entries(where, c.rows, c.columns, c.row, c.column,
                                                        values, tropic::duplicates::last);
    const std::string name = graph.substr(graph.rfind('/') + 1);
    fmt::print("{}: {} x {}, {} entries\n", name, a.rows(), a.columns(), a.nvals());
    if (a.rows() != a.columns()) continue;
    if (only != "triangles") square(in, name, a, squares);
    if (only != "square") triangles(in, name, a, masked, fused);
  }
  summary("square", squares);
  summary("triangles", masked);
  summary("count", fused);
  GrB_finalize();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_mxm: %s\n", e.what());
  return 1;
}

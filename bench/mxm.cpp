// SPDX-License-Identifier: Apache-2.0
// Products of matrices on the CPU compared with SuiteSparse:GraphBLAS's GrB_mxm, in one process, in
// turns. Results are compared before they are timed: number of entries and their sum.
//
//   square     C = A A, plus_times over fp64
//   triangles  C<L> = L L' with a structural mask, plus_pair over int64, L the lower triangle of A
//              with A'
//   count      the sum of that C alone, fused (reduce_mxm) or not
//   truss      C<S> = S S', the same with S = A with A', without the diagonal: the triangles of
//   each
//              edge, which a k-truss needs
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

enum class part : std::uint8_t { lower, both };

// The pattern of A + A' without the diagonal, or its lower triangle.
tropic::matrix<double> undirected(const tropic::matrix<double>& a, part of) {
  std::vector<std::uint32_t> row, column;
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t e = a.offset(i); e < a.offset(i + 1); ++e) {
      const auto r = static_cast<std::uint32_t>(i),
                 c = a.column_indices()[static_cast<std::size_t>(e)];
      if (r == c) continue;
      row.push_back(std::max(r, c));
      column.push_back(std::min(r, c));
      if (of == part::lower) continue;
      row.push_back(std::min(r, c));
      column.push_back(std::max(r, c));
    }
  return tropic::matrix<double>::from_pattern(a.where(), a.rows(), a.columns(), row, column, 1.0);
}

using counter = tropic::plus_pair<std::int64_t, double>;

// Products of the entries that M has in its rows, at all of M's positions.
double masked_work(const tropic::matrix<double>& m) {
  double work = 0;
  for (const std::uint32_t j : m.column_indices())
    work += static_cast<double>(m.offset(j + index_t{1}) - m.offset(j));
  return work;
}

// C<M> = M M', and its sum by itself unless `sums` is null.
void masked_square(const setting& in, const std::string& graph, const char* name,
                   const tropic::matrix<double>& m, ratios& products, ratios* sums) {
  tropic::matrix<std::int64_t> c(m.where(), m.rows(), m.columns());
  std::int64_t ours = 0, theirs = 0;
  const peer_matrix gm(m), gc(GrB_INT64, m.rows());
  const auto their_product = [&] {
    check(GrB_mxm(gc, gm, nullptr, GxB_PLUS_PAIR_INT64, gm, gm, GrB_DESC_RST1));
  };
  const auto their_sum = [&] {
    check(GrB_Matrix_reduce_INT64(&theirs, nullptr, GrB_PLUS_MONOID_INT64, gc, nullptr));
  };
  const std::vector<bench::contestant> of_products{
      {"tropic",
       [&] {
         tropic::mxm(c, counter{}, m, tropic::transpose(m),
                     {.mask = tropic::structure(m), .replace = true});
       }},
      {"GrB_mxm", [&] { their_product(), gc.sort(); }},
      {"unsorted", their_product}};
  const std::vector<bench::contestant> of_sums{
      {"tropic",
       [&] {
         ours = tropic::reduce_mxm(tropic::plus_monoid<std::int64_t>{}, counter{}, m,
                                   tropic::transpose(m), tropic::structure(m));
       }},
      {"GrB_mxm, reduce", [&] { their_product(), their_sum(); }}};
  for (const auto& list : {of_products, of_sums})
    for (const auto& one : list) one.run();
  // SuiteSparse stores a zero where the mask's position has no product, or no entry.
  require_equal(graph + ": " + name, static_cast<double>(ours), static_cast<double>(theirs));
  require_equal(graph + ": sum of C",
                static_cast<double>(tropic::reduce(tropic::plus_monoid<std::int64_t>{}, c)),
                static_cast<double>(theirs));
  const double work = masked_work(m);
  const auto found = bench::paired(of_products, in.rounds, 2e-3, in.watch);
  print(graph, name, found, work);
  products.add(found[1].ratio);
  if (sums == nullptr) return;
  const auto found_sums = bench::paired(of_sums, in.rounds, 2e-3, in.watch);
  print(graph, "count", found_sums, work);
  sums->add(found_sums[1].ratio);
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
  app.add_option("--only", only, "all, square, triangles or truss")
      ->check(CLI::IsMember({"all", "square", "triangles", "truss"}))
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
  ratios squares, triangles, counts, trusses;
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
    if (only == "all" || only == "square") square(in, name, a, squares);
    if (only == "all" || only == "triangles")
      masked_square(in, name, "triangles", undirected(a, part::lower), triangles, &counts);
    if (only == "all" || only == "truss")
      masked_square(in, name, "truss", undirected(a, part::both), trusses, nullptr);
  }
  summary("square", squares);
  summary("triangles", triangles);
  summary("count", counts);
  summary("truss", trusses);
  GrB_finalize();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_mxm: %s\n", e.what());
  return 1;
}

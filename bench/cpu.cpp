// SPDX-License-Identifier: Apache-2.0
// y = A x on the CPU compared with SuiteSparse:GraphBLAS's GrB_mxv and a plain OpenMP loop over
// CSR, in one process, in turns. Every result is compared with that of the plain loop before it is
// timed.
//
//   bench_cpu [--rounds N] [--threads N] [GRAPH ...]     a generator (kron:18) or a matrix file

extern "C" {  // GraphBLAS.h 7.4 does not declare C linkage
#include <GraphBLAS.h>
}
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <tropic/tropic.hpp>

#include "graphs.hpp"
#include "paired.hpp"

namespace {

TROPIC_BINARY_OPERATOR(my_times, x* y);
TROPIC_BINARY_OPERATOR(my_plus, x + y);
TROPIC_MONOID(my_plus_monoid, my_plus, 0);

void check(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("GraphBLAS returned " + std::to_string(info));
}

// A graph in CSR, as plain arrays. Values are 1 to 8, by position.
struct csr {
  tropic::index_t n = 0;
  std::vector<std::uint32_t> offsets, columns;
  std::size_t nnz() const { return columns.size(); }
};

csr load(const std::string& name) {
  const tropic::io::coordinates c = bench::graph_named(name);
  const auto where = tropic::context::cpu();
  const auto built =
      tropic::matrix<bool>::from_pattern(where, c.rows, c.columns, c.row, c.column, true);
  csr graph{built.rows(), {}, {}};
  const auto offsets = built.offsets<std::uint32_t>();
  graph.offsets.assign(offsets.begin(), offsets.end());
  const auto columns = built.column_indices();
  graph.columns.assign(columns.begin(), columns.end());
  return graph;
}

template <class T>
T value_at(std::size_t e) {
  return static_cast<T>(e % 8 + 1);
}

// GraphBLAS's type and functions for a value type.
template <class T>
struct graphblas;
#define BENCH_GRAPHBLAS(T, NAME)                                                                  \
  template <>                                                                                     \
  struct graphblas<T> {                                                                           \
    static GrB_Type type() {                                                                      \
      return GrB_##NAME;                                                                          \
    }                                                                                             \
    static void import(GrB_Matrix* a, GrB_Index n, std::vector<GrB_Index>& p,                     \
                       std::vector<GrB_Index>& j, std::vector<T>& x) {                            \
      check(GrB_Matrix_import_##NAME(a, GrB_##NAME, n, n, p.data(), j.data(), x.data(), p.size(), \
                                     j.size(), x.size(), GrB_CSR_FORMAT));                        \
    }                                                                                             \
    static void set(GrB_Vector u, T value, GrB_Index i) {                                         \
      check(GrB_Vector_setElement_##NAME(u, value, i));                                           \
    }                                                                                             \
    static T get(GrB_Vector u, GrB_Index i) {                                                     \
      T value{};                                                                                  \
      check(GrB_Vector_extractElement_##NAME(&value, u, i));                                      \
      return value;                                                                               \
    }                                                                                             \
  };
BENCH_GRAPHBLAS(float, FP32)
BENCH_GRAPHBLAS(double, FP64)
BENCH_GRAPHBLAS(std::int32_t, INT32)
template <>
struct graphblas<bool> {
  static GrB_Type type() { return GrB_BOOL; }
  static void set(GrB_Vector u, bool value, GrB_Index i) {
    check(GrB_Vector_setElement_BOOL(u, value, i));
  }
  static bool get(GrB_Vector u, GrB_Index i) {
    bool value{};
    check(GrB_Vector_extractElement_BOOL(&value, u, i));
    return value;
  }
};

template <class T, class Semiring, class UserSemiring, class Plain>
void race(const std::string& graph, const csr& g, const char* name, Semiring semiring,
          std::optional<UserSemiring> user, GrB_Semiring baseline, Plain plain, int rounds,
          int threads) {
  const auto n = static_cast<std::size_t>(g.n);
  std::unique_ptr<T[]> values(new T[g.nnz()]), x(new T[n]), y(new T[n]);
  for (std::size_t e = 0; e < g.nnz(); ++e)
    values[e] = std::is_same_v<T, bool> ? T(1) : value_at<T>(e);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::is_same_v<T, bool> ? T(0) : value_at<T>(i);

  const auto where = tropic::context::cpu({.threads = threads});
  const auto a = tropic::matrix<T>::from_csr(
      where, g.n, g.n, tropic::array_view<std::uint32_t>{g.offsets, nullptr},
      tropic::array_view<std::uint32_t>{g.columns, nullptr},
      tropic::array_view<T>{{values.get(), g.nnz()}, nullptr});
  const auto u = tropic::vector<T>::from_array(where, {{x.get(), n}, nullptr});
  tropic::vector<T> w(where, g.n), w_user(where, g.n);

  std::vector<GrB_Index> p(g.offsets.begin(), g.offsets.end()),
      j(g.columns.begin(), g.columns.end());
  std::vector<T> xs;
  GrB_Matrix ga = nullptr;
  GrB_Vector gu = nullptr, gw = nullptr;
  if constexpr (std::is_same_v<T, bool>) {
    check(GrB_Matrix_import_BOOL(&ga, GrB_BOOL, n, n, p.data(), j.data(), values.get(), p.size(),
                                 j.size(), g.nnz(), GrB_CSR_FORMAT));
  } else {
    xs.assign(values.get(), values.get() + g.nnz());
    graphblas<T>::import(&ga, n, p, j, xs);
  }
  check(GrB_Vector_new(&gu, graphblas<T>::type(), n));
  check(GrB_Vector_new(&gw, graphblas<T>::type(), n));
  for (std::size_t i = 0; i < n; ++i) graphblas<T>::set(gu, x[i], i);
  check(GrB_Vector_wait(gu, GrB_MATERIALIZE));

  std::vector<bench::contestant> all{
      {"tropic", [&] { tropic::mxv(w, semiring, a, u); }},
      {"GrB_mxv", [&] { check(GrB_mxv(gw, nullptr, nullptr, baseline, ga, gu, nullptr)); }},
      {"plain loop", [&] {
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
         for (std::size_t r = 0; r < n; ++r)
           y[r] = plain(values.get(), x.get(), g.columns.data(), g.offsets[r], g.offsets[r + 1]);
       }}};
  if (user) all.push_back({"user-defined", [&] { tropic::mxv(w_user, *user, a, u); }});
  for (const auto& c : all) c.run();
  for (std::size_t r = 0; r < n; r += 97) {
    if (g.offsets[r] == g.offsets[r + 1]) continue;
    const T ours = *w.get(static_cast<tropic::index_t>(r)), theirs = graphblas<T>::get(gw, r);
    const double scale = std::abs(static_cast<double>(y[r])) * 1e-4 + 1e-12;
    if (std::abs(static_cast<double>(ours) - static_cast<double>(y[r])) > scale ||
        std::abs(static_cast<double>(theirs) - static_cast<double>(y[r])) > scale)
      throw std::runtime_error(
          fmt::format("{} {}: row {} is {} (tropic), {} (GraphBLAS), {} (loop)", graph, name, r,
                      ours, theirs, y[r]));
  }
  const auto found = bench::paired(all, rounds);
  const double bytes = static_cast<double>(g.nnz() * (4 + sizeof(T)) + n * (4 + 2 * sizeof(T)));
  for (const auto& t : found)
    fmt::print("{:<22} {:<16} {:<12} {:>9.3f} ms {:>7.2f} GB/s {:>7.3f} x tropic\n", graph, name,
               t.name, t.median * 1e3, bytes / t.median * 1e-9, t.ratio);
  std::fflush(stdout);
  GrB_Matrix_free(&ga);
  GrB_Vector_free(&gu);
  GrB_Vector_free(&gw);
}

template <class T, class Multiply, class Add>
auto plain_loop(Multiply multiply, Add add, T identity) {
  return [=](const T* values, const T* x, const std::uint32_t* columns, std::size_t begin,
             std::size_t end) {
    T sum = identity;
    for (std::size_t e = begin; e < end; ++e) sum = add(sum, multiply(values[e], x[columns[e]]));
    return sum;
  };
}

template <class T>
void plus_times_race(const std::string& graph, const csr& g, const char* name,
                     GrB_Semiring baseline, int rounds, int threads) {
  using mine = tropic::semiring<my_plus_monoid<T>, my_times>;
  race<T>(graph, g, name, tropic::plus_times<T>{}, std::optional<mine>(mine{}), baseline,
          plain_loop<T>([](T a, T b) { return a * b; }, [](T a, T b) { return a + b; }, T{}),
          rounds, threads);
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"y = A x on the CPU, compared with SuiteSparse:GraphBLAS and a plain loop",
               "bench_cpu"};
  bench::graph_settings settings{.rounds = 15};
  settings.add_to(app);
  CLI11_PARSE(app, argc, argv);
  const int rounds = settings.rounds;
  const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
  check(GrB_init(GrB_NONBLOCKING));
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  fmt::print("{} threads, {} rounds in turns; GB/s: each array counted once\n", threads, rounds);
  for (const std::string& graph : settings.graphs) {
    const csr g = load(graph);
    fmt::print("{}: {} rows, {} entries\n", graph, g.n, g.nnz());
    plus_times_race<float>(graph, g, "plus_times fp32", GrB_PLUS_TIMES_SEMIRING_FP32, rounds,
                           threads);
    plus_times_race<double>(graph, g, "plus_times fp64", GrB_PLUS_TIMES_SEMIRING_FP64, rounds,
                            threads);
    race<float>(graph, g, "min_plus fp32", tropic::min_plus<float>{},
                std::optional<tropic::min_plus<float>>{}, GrB_MIN_PLUS_SEMIRING_FP32,
                plain_loop<float>([](float a, float b) { return a + b; },
                                  [](float a, float b) { return b < a ? b : a; }, INFINITY),
                rounds, threads);
    race<std::int32_t>(graph, g, "min_plus int32", tropic::min_plus<std::int32_t>{},
                       std::optional<tropic::min_plus<std::int32_t>>{}, GrB_MIN_PLUS_SEMIRING_INT32,
                       plain_loop<std::int32_t>(
                           [](std::int32_t a, std::int32_t b) { return a + b; },
                           [](std::int32_t a, std::int32_t b) { return b < a ? b : a; }, INT32_MAX),
                       rounds, threads);
    race<bool>(graph, g, "or_and bool", tropic::or_and<bool>{},
               std::optional<tropic::or_and<bool>>{}, GrB_LOR_LAND_SEMIRING_BOOL,
               plain_loop<bool>([](bool a, bool b) { return a && b; },
                                [](bool a, bool b) { return a || b; }, false),
               rounds, threads);
  }
  GrB_finalize();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_cpu: %s\n", e.what());
  return 1;
}

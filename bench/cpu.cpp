// SPDX-License-Identifier: Apache-2.0
// y = A x on the CPU compared with SuiteSparse:GraphBLAS's GrB_mxv and a plain OpenMP loop over
// CSR, in one process, in turns. Every result is compared with that of the plain loop before it is
// timed.
//
//   bench_cpu [--rounds N] [--threads N] [--cpu-time] [GRAPH ...]     a generator (kron:18) or a
//   matrix file

extern "C" {  // GraphBLAS.h 7.4 does not declare C linkage
#include <GraphBLAS.h>
}
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <tropic/detail/random_bits.hpp>
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

// The vector. Of numbers: 1 to 8 by position; of booleans: as said.
enum class operand { numbers, all_false, half_true, all_true };

template <class T>
T operand_at(operand kind, std::size_t i) {
  if (kind == operand::numbers) return value_at<T>(i);
  if (kind == operand::half_true) return static_cast<T>(tropic::detail::mix(i) % 2);
  return static_cast<T>(kind == operand::all_true);
}

struct setting {
  std::string graph;
  int rounds, threads;
  bench::stopwatch what;
};

template <class T, class Semiring, class UserSemiring = Semiring, class Plain>
void race(const setting& in, const csr& g, const char* name, Semiring semiring,
          GrB_Semiring baseline, Plain plain, operand kind = operand::numbers,
          std::optional<UserSemiring> user = {}) {
  const auto& [graph, rounds, threads, what] = in;
  const auto n = static_cast<std::size_t>(g.n);
  std::unique_ptr<T[]> values(new T[g.nnz()]), x(new T[n]), y(new T[n]);
  for (std::size_t e = 0; e < g.nnz(); ++e)
    values[e] = std::is_same_v<T, bool> ? T(1) : value_at<T>(e);
  for (std::size_t i = 0; i < n; ++i) x[i] = operand_at<T>(kind, i);

  const auto where = tropic::context::cpu({.threads = threads});
  const auto a = tropic::matrix<T>::from_csr(
      where, g.n, g.n, tropic::array_view<std::uint32_t>{g.offsets, nullptr},
      tropic::array_view<std::uint32_t>{g.columns, nullptr},
      tropic::array_view<T>{{values.get(), g.nnz()}, nullptr});
  // A copy, as GraphBLAS has one.
  const auto u = tropic::vector<T>::from_array(where, std::span<const T>(x.get(), n));
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
#pragma omp parallel for schedule(dynamic, 1024) num_threads(in.threads)
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
  const auto found = bench::paired(all, rounds, 2e-3, what);
  const double bytes = static_cast<double>(g.nnz() * (4 + sizeof(T)) + n * (4 + 2 * sizeof(T)));
  for (const auto& t : found)
    fmt::print(
        "{:<22} {:<18} {:<12} {:>9.3f} ms {:>7.2f} GB/s {:>7.2f} [{:.2f}, {:.2f}] x tropic\n",
        in.graph, name, t.name, t.median * 1e3, bytes / t.median * 1e-9, t.ratio, t.low, t.high);
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

// Ends at the first true product.
bool plain_or(const bool* values, const bool* x, const std::uint32_t* columns, std::size_t begin,
              std::size_t end) {
  for (std::size_t e = begin; e < end; ++e)
    if (values[e] && x[columns[e]]) return true;
  return false;
}

template <class T>
void numbers(const setting& in, const csr& g, const std::string& type, GrB_Semiring plus_times,
             GrB_Semiring min_plus, GrB_Semiring max_min) {
  const auto least = [](T a, T b) { return b < a ? b : a; };
  const auto largest = [](T a, T b) { return a < b ? b : a; };
  const auto sum = [](T a, T b) { return a + b; };
  const auto product = [](T a, T b) { return a * b; };
  using mine = tropic::semiring<my_plus_monoid<T>, my_times>;
  race<T>(in, g, ("plus_times " + type).c_str(), tropic::plus_times<T>{}, plus_times,
          plain_loop<T>(product, sum, T{}), operand::numbers, std::optional<mine>(mine{}));
  race<T>(in, g, ("min_plus " + type).c_str(), tropic::min_plus<T>{}, min_plus,
          plain_loop<T>(sum, least, std::numeric_limits<T>::max()));
  race<T>(in, g, ("max_min " + type).c_str(), tropic::max_min<T>{}, max_min,
          plain_loop<T>(least, largest, std::numeric_limits<T>::lowest()));
}

void booleans(const setting& in, const csr& g) {
  constexpr std::pair<const char*, operand> inputs[] = {{"all false", operand::all_false},
                                                        {"half true", operand::half_true},
                                                        {"all true", operand::all_true}};
  for (const auto& [words, kind] : inputs)
    race<bool>(in, g, ("or_and " + std::string(words)).c_str(), tropic::or_and<bool>{},
               GrB_LOR_LAND_SEMIRING_BOOL, plain_or, kind);
}

// Rows of equal products: a plain loop needs only the number of entries.
void pairs(const setting& in, const csr& g) {
  using T = float;
  race<T>(in, g, "any_pair fp32", tropic::any_pair<T>{}, GxB_ANY_PAIR_FP32,
          [](const T*, const T*, const std::uint32_t*, std::size_t begin, std::size_t end) {
            return static_cast<T>(begin < end);
          });
  race<T>(in, g, "plus_pair fp32", tropic::plus_pair<T>{}, GxB_PLUS_PAIR_FP32,
          [](const T*, const T*, const std::uint32_t*, std::size_t begin, std::size_t end) {
            return static_cast<T>(end - begin);
          });
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"y = A x on the CPU, compared with SuiteSparse:GraphBLAS and a plain loop",
               "bench_cpu"};
  bench::graph_settings settings{.rounds = 15};
  settings.add_to(app);
  bool processor_time = false;
  app.add_flag("--cpu-time", processor_time, "measure the time that threads compute");
  CLI11_PARSE(app, argc, argv);
  const int rounds = settings.rounds;
  const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
  check(GrB_init(GrB_NONBLOCKING));
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  fmt::print("{} threads, {} rounds in turns; GB/s: each array counted once\n", threads, rounds);
  for (const std::string& graph : settings.graphs) {
    const csr g = load(graph);
    fmt::print("{}: {} rows, {} entries\n", graph, g.n, g.nnz());
    const setting in{graph, rounds, threads,
                     processor_time ? bench::stopwatch::processor : bench::stopwatch::wall};
    numbers<float>(in, g, "fp32", GrB_PLUS_TIMES_SEMIRING_FP32, GrB_MIN_PLUS_SEMIRING_FP32,
                   GrB_MAX_MIN_SEMIRING_FP32);
    numbers<double>(in, g, "fp64", GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                    GrB_MAX_MIN_SEMIRING_FP64);
    numbers<std::int32_t>(in, g, "int32", GrB_PLUS_TIMES_SEMIRING_INT32,
                          GrB_MIN_PLUS_SEMIRING_INT32, GrB_MAX_MIN_SEMIRING_INT32);
    booleans(in, g);
    pairs(in, g);
  }
  GrB_finalize();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_cpu: %s\n", e.what());
  return 1;
}

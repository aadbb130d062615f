// SPDX-License-Identifier: Apache-2.0

// Semirings given as text compared with the same semirings as C++ functors, on the CPU: ratios of
// the CPU time of a product with a full vector, in turns. A text that the library recognises as a
// built-in semiring runs on the kernels of that; one with its operands exchanged runs by blocks.

#include <ctime>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <tropic/semirings/from_text.hpp>
#include <tropic/tropic.hpp>
#include <vector>

#include "containers/timing.hpp"
#include "graphs.hpp"

TROPIC_BINARY_OPERATOR(lesser, x < y ? x : y);
TROPIC_BINARY_OPERATOR(hypotenuse, t_sqrt(x* x + y * y));
TROPIC_BINARY_OPERATOR(distance, x > y ? x - y : y - x);
TROPIC_MONOID(lesser_monoid, lesser, t_inf);

namespace {

using namespace tropic;
using tropic::detail::median;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct texts {
  const char *label, *add, *identity, *multiply;
};

// What a product needs, in one context.
template <class T>
struct operands {
  matrix<T> a;
  vector<T> u, w;

  operands(const context& here, const io::coordinates& graph)
      : a(from_coordinates(here, graph)), u(here, a.columns()), w(here, a.rows()) {
    std::vector<T> values(static_cast<std::size_t>(a.columns()));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<T>(1 + n % 100);
    u = vector<T>::from_array(here, values);
  }
  void multiply(const semiring_description& semiring) {
    tropic::detail::multiply("mxv", w.base(), semiring, tropic::detail::factor_of(a), u.base(),
                             tropic::detail::factor_order::matrix_first, {});
  }

 private:
  static matrix<T> from_coordinates(const context& here, const io::coordinates& graph) {
    std::vector<T> weights(graph.row.size());
    for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = static_cast<T>(1 + e % 97);
    return matrix<T>::from_entries(here, graph.rows, graph.columns, graph.row, graph.column,
                                   weights, duplicates::first);
  }
};

class comparison {
 public:
  /// `compiling`: a context with a text compiler, or none.
  comparison(const context& here, const std::optional<context>& compiling,
             const io::coordinates& graph, int rounds)
      : here_(here), compiling_(compiling), graph_(graph), rounds_(rounds) {}

  template <class T, class S>
  void run(const char* label, const S& functor, const std::vector<texts>& of_text) const {
    std::vector<semiring_description> semirings;
    for (const texts& t : of_text)
      semirings.push_back(semiring_from_text(t.add, t.identity, t.multiply, describe<T>()));
    compare<T>(label, functor, of_text, semirings, here_, "");
    if (compiling_) compare<T>(label, functor, of_text, semirings, *compiling_, ", compiled");
    std::fflush(stdout);
  }

  template <class T>
  void run_all() const {
    run<T>("min_plus", min_plus<T>{},
           {{"as built-in", "t_min(x, y)", "t_inf", "t_tropical_plus(x, y)"},
            {"by blocks", "t_min(x, y)", "t_inf", "t_tropical_plus(y, x)"}});
    run<T>("plus_times", plus_times<T>{},
           {{"as built-in", "x + y", "0", "x * y"}, {"by blocks", "x + y", "0", "y * x"}});
    run<T>("max_min", max_min<T>{},
           {{"as built-in", "t_max(x, y)", "t_lowest", "t_min(x, y)"},
            {"by blocks", "t_max(x, y)", "t_lowest", "t_min(y, x)"}});
    if constexpr (std::is_floating_point_v<T>)
      run<T>("hypotenuse", semiring<lesser_monoid<T>, hypotenuse>{},
             {{"by blocks", "x < y ? x : y", "t_inf", "t_sqrt(x * x + y * y)"}});
    else
      run<T>("distance", semiring<lesser_monoid<T>, distance>{},
             {{"by blocks", "x < y ? x : y", "t_inf", "x > y ? x - y : y - x"}});
  }

 private:
  // The functor and the texts in one context, on the same operands: their places in memory alone
  // can make a difference of a tenth.
  template <class T, class S>
  void compare(const char* label, const S& functor, const std::vector<texts>& of_text,
               const std::vector<semiring_description>& semirings, const context& where,
               const char* suffix) const {
    operands<T> of(where, graph_);
    std::vector<std::function<void()>> contestants{[&] { mxv(of.w, functor, of.a, of.u); }};
    for (const semiring_description& semiring : semirings)
      contestants.push_back([&] { of.multiply(semiring); });
    std::vector<std::vector<double>> seconds(contestants.size()), ratios(contestants.size());
    for (int round = -1; round < rounds_; ++round)  // the first one warms up
      for (std::size_t c = 0; c < contestants.size(); ++c) {
        const double start = cpu_seconds();
        contestants[c]();
        const double took = cpu_seconds() - start;
        if (round < 0) continue;
        seconds[c].push_back(took);
        ratios[c].push_back(took / seconds[0].back());
      }
    for (std::size_t c = 1; c < contestants.size(); ++c)
      fmt::print("{:12} {:6} {:22} {:8.2f} {:8.2f}\n", label, describe<T>().name,
                 std::string(of_text[c - 1].label) + suffix, 1e3 * median(seconds[0]),
                 median(ratios[c]));
  }

  const context& here_;
  const std::optional<context>& compiling_;
  const io::coordinates& graph_;
  int rounds_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Semirings given as text compared with C++ functors, on the CPU");
  bench::graph_settings settings;
  settings.rounds = 21;
  settings.threads = 1;
  settings.graphs = {"kron:16", "urand:16"};
  settings.add_to(app);
  std::string compiler;
  app.add_option("--text-compiler", compiler, "also compiled: auto, or a C compiler");
  CLI11_PARSE(app, argc, argv);
  const auto here = context::cpu({.threads = settings.threads});
  std::optional<context> compiling;
  if (!compiler.empty())
    compiling =
        context::cpu({.threads = settings.threads,
                      .log = [](std::string_view notice) { fmt::print(stderr, "{}\n", notice); },
                      .text_compiler = compiler});
  fmt::print("milliseconds of CPU time of the functor, ratio of the text to it: medians of {}\n",
             settings.rounds);
  for (const std::string& name : settings.graphs) {
    const io::coordinates graph = bench::graph_named(name);
    fmt::print("\n{}\n{:12} {:6} {:22} {:>8} {:>8}\n", name, "semiring", "type", "text", "functor",
               "ratio");
    const comparison compare(here, compiling, graph, settings.rounds);
    compare.run_all<double>();
    compare.run_all<float>();
    compare.run_all<std::int64_t>();
    compare.run_all<std::int32_t>();
  }
}

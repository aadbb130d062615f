// SPDX-License-Identifier: Apache-2.0

// `tropic spmv`: times w = A x over any semiring, with one kernel of the device or all of them.

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/spmv_check.hpp"
#include "cli/input/product_input.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"

namespace tropic::cli {

namespace {

struct spmv_arguments {
  std::string file, kernel = "auto";
  semiring_options semiring;
  permute_options permute;
  bool verify = false;
  int trials = 10;
  std::optional<index_t> calls;
};

// The bytes that a product must read and write.
std::size_t bytes_moved(const semiring_description& s, const detail::matrix_base& a) {
  std::size_t bytes = a.offsets->bytes() + a.column_indices->bytes();
  if (s.multiply.uses_x()) bytes += a.values->bytes();
  if (s.multiply.uses_y()) bytes += static_cast<std::size_t>(a.columns) * s.x().size;
  return bytes + static_cast<std::size_t>(a.rows) * s.z().size;
}

struct job {
  const program& p;
  const spmv_arguments& o;
  const context& where;
  const semiring_description& semiring;
  const detail::matrix_base& matrix;
  const detail::vector_base& x;
  const spmv_check* check;
  /// The permutation of the rows; null if there is none.
  const permutation* rows;
};

// `r` begins with what is common to all kernels.
void run_kernel(const job& j, const std::string& kernel, report& r) {
  plan forced;
  forced.expected_calls = j.o.calls.value_or(j.o.trials);
  if (kernel != "auto") forced.kernel = kernel;
  detail::output_options<detail::vector_base> options;
  options.forced = &forced;
  detail::vector_base w;
  const auto call = [&] {
    j.where.checkpoint("spmv");
    w = detail::empty_vector(j.where.state(), j.semiring.z(), j.matrix.rows);
    const auto start = clock::now();
    detail::multiply("mxv", w, j.semiring, {.matrix = j.matrix}, j.x,
                     detail::factor_order::matrix_first, options);
    j.where.synchronize();
    return seconds_since(start);
  };
  r.kernel = kernel;
  if (kernel == "auto") {
    const auto start = clock::now();
    forced = j.o.calls ? detail::inspect_product(j.semiring, {.matrix = j.matrix}, j.x,
                                                 detail::factor_order::matrix_first, *j.o.calls)
                       : detail::plan_product(j.semiring, {.matrix = j.matrix}, j.x,
                                              detail::factor_order::matrix_first, j.o.trials);
    r.seconds.inspect = forced.details ? forced.details->features.seconds : seconds_since(start);
    r.kernel = std::string(forced.kernel);
    if (forced.hot_columns) r.extra["hot_columns"] = true;
    r.extra["reason"] = forced.reason;
  }
  const double permuting = r.seconds.convert;
  // The first call, which is not a trial, compiles and converts. If it builds a transpose, its time
  // beyond that of the trials counts as conversion.
  const bool had_transpose = j.matrix.derived->transpose != nullptr;
  const double first = call();
  r.seconds.first_use = first;
  const detail::vector_base first_result = w;
  for (int trial = 0; trial < j.o.trials; ++trial) r.seconds.run.push_back(call());
  const double time = median(r.seconds.run);
  if (!had_transpose && j.matrix.derived->transpose)
    r.seconds.convert = permuting + std::max(0.0, first - time);
  if (time > 0)
    r.gbytes_per_second = static_cast<double>(bytes_moved(j.semiring, j.matrix)) / time / 1e9;
  auto& executor = *j.where.state()->executor;
  const detail::format_report format = executor.format_of(j.matrix, *r.kernel);
  if (format.conversion_seconds > 0) r.seconds.convert = permuting + format.conversion_seconds;
  r.extra["format_bytes"] = format.format_bytes;
  if (format.dirty_share) r.extra["dirty_share"] = *format.dirty_share;
  if (format.padding_overhead) r.extra["padding_overhead"] = *format.padding_overhead;
  if (const double copy = executor.copy_bandwidth(); copy > 0 && r.gbytes_per_second)
    r.extra["share_of_copy_bandwidth"] = *r.gbytes_per_second * 1e9 / copy;
  if (!j.check) return;
  // The check expects the rows of the file.
  if (j.rows) w = detail::permute(w, j.rows->inverse());
  r.check("agrees_with_reference", (*j.check)(w));
}

std::string share(const nlohmann::ordered_json& facts, const char* name) {
  return facts.contains(name) ? fmt::format("{:.0f} %", 100 * facts[name].get<double>()) : "-";
}

report run_all(const job& j, report common) {
  std::vector<report> reports;
  for (const auto* kernel : j.where.state()->executor->kernels()) {
    reports.push_back(common);
    run_kernel(j, std::string(kernel->name), reports.back());
  }
  const auto fastest =
      std::min_element(reports.begin(), reports.end(), [](const report& a, const report& b) {
        return median(a.seconds.run) < median(b.seconds.run);
      });
  report r = *fastest;
  r.checks.clear();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const report& of_kernel : reports) {
    list.push_back(to_json(of_kernel));
    for (const auto& [name, passed] : of_kernel.checks)
      r.checks.emplace_back(*of_kernel.kernel + "_" + name, passed);
  }
  r.extra["kernels"] = list;
  r.text = common.text;
  std::vector<std::vector<std::string>> rows{
      {"kernel", "median", "min", "max", "GB/s", "of copy", "format", "convert", "dirty"}};
  if (j.check) rows[0].emplace_back("agrees");
  for (const report& k : reports) {
    const auto [minimum, maximum] = std::minmax_element(k.seconds.run.begin(), k.seconds.run.end());
    rows.push_back({*k.kernel, duration(median(k.seconds.run)), duration(*minimum),
                    duration(*maximum), fmt::format("{:.3g}", k.gbytes_per_second.value_or(0)),
                    share(k.extra, "share_of_copy_bandwidth"),
                    fmt::format("{:.3g} MB", k.extra["format_bytes"].get<double>() / 1e6),
                    k.seconds.convert > 0 ? duration(k.seconds.convert) : "-",
                    share(k.extra, "dirty_share")});
    if (j.check) rows.back().emplace_back(k.all_passed() ? "yes" : "NO");
  }
  r.text += table(rows);
  for (const report& k : reports)
    if (!k.all_passed()) r.text += *k.kernel + ": " + k.text.substr(common.text.size());
  return r;
}

exit_code run_spmv(const program& p, const spmv_arguments& o) {
  o.semiring.check(p);
  const context where = p.make_context();
  const auto& executor = *where.state()->executor;
  if (o.kernel != "auto" && o.kernel != "all" && executor.find_kernel(o.kernel) == nullptr)
    refuse_option("--kernel", "'" + o.kernel + "'",
                  "one that " + where.name() + " has: auto, all, " +
                      detail::names_of(executor.kernels(), ", "));
  product_input input = load_product(p, where, o.file, o.semiring);
  std::optional<spmv_check> check;
  if (o.verify) check.emplace(p, input.semiring, input.matrix, input.x);
  std::optional<permuted_product> permuted;
  const std::size_t bytes = input.matrix.type->size;
  const permute_options permute =
      chosen(o.permute, input.matrix,
             {.a_bytes = input.matrix.iso ? 0 : bytes, .x_bytes = bytes, .z_bytes = bytes},
             o.calls.value_or(o.trials));
  if (permute.kind != permutation_kind::none) {
    permuted = permute_product(input.matrix, input.x, input.semiring, permute);
    input.matrix = permuted->matrix;
    input.x = permuted->x;
  }
  p.print_notices();
  report r = begin_report("spmv", where, input, o.semiring);
  if (permuted) r.seconds.convert = permuted->seconds;
  r.text = headline(o.file, r, where) + fmt::format("spmv     {} over {}\n",
                                                    r.extra["semiring"].get<std::string>(),
                                                    input.matrix.type->name);
  report_permutation(permute, "the run is the product alone, between permuting operands and result",
                     r);
  const job j{p,
              o,
              where,
              input.semiring,
              input.matrix,
              input.x,
              check ? &*check : nullptr,
              permuted ? &permuted->rows : nullptr};
  if (o.kernel == "all") return finish(p, run_all(j, std::move(r)));
  const std::string heading = std::exchange(r.text, {});
  run_kernel(j, o.kernel, r);
  r.text = heading + timing_line(r.seconds) +
           fmt::format("kernel   {}, {:.3g} GB/s\n", *r.kernel, r.gbytes_per_second.value_or(0)) +
           r.text;
  return finish(p, r);
}

}  // namespace

void add_spmv(CLI::App& app, program& p) {
  auto o = std::make_shared<spmv_arguments>();
  command cmd(app, p, "spmv", "compute and time matrix-vector products",
              {.device = true, .reading = true, .type = true, .compiler = true},
              {"tropic spmv graph.mtx --semiring min_plus --type fp32",
               "tropic spmv kron:12 --kernel all --verify --json",
               "tropic spmv graph.mtx --type fp64 --verify --add 't_min(x, y)' --identity t_inf "
               "--multiply 'x > y ? x - y : y - x'"});
  cmd.argument("FILE", o->file, file_help);
  o->semiring.add_to(cmd);
  cmd.text("--kernel", "NAME", o->kernel,
           "auto, all, or the name of a kernel of the device [auto]");
  add_permute_options(cmd, o->permute);
  cmd.flag("--verify", o->verify, "check against the reference backend");
  cmd.number<int>("--trials", o->trials, "run N times [10]", 1);
  cmd.number<index_t>("--calls", o->calls, "inspect the matrix and choose the kernel for N calls",
                      1);
  cmd.runs([&p, o] { return run_spmv(p, *o); });
}

}  // namespace tropic::cli

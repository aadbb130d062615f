// SPDX-License-Identifier: Apache-2.0

// `tropic spgemm`: times C = A B over any semiring, with one kernel of the device or all of them,
// and writes C.

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/commands/spgemm_explanation.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/product_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

namespace {

struct spgemm_arguments {
  std::vector<std::string> files;
  std::string mask, output, kernel = "auto";
  semiring_options semiring;
  matrix_output to;
  trial_options trials{.trials = 3};
  bool complement = false, a_transposed = false, b_transposed = false, explain = false;
};

// The operands and the mask, which needs no values.
struct operands {
  detail::matrix_base a, b, mask;
  semiring_description semiring;
  double load_seconds = 0;
};

operands load_operands(const program& p, const context& where, const spgemm_arguments& o) {
  const product_input first = load_product(p, where, o.files[0], o.semiring);
  operands all{first.matrix, first.matrix, {}, first.semiring, first.load_seconds};
  if (o.files.size() > 1) {
    const product_input second = load_product(p, where, o.files[1], o.semiring);
    all.b = second.matrix;
    all.load_seconds += second.load_seconds;
    if (all.b.type->code != all.a.type->code)
      throw usage_error(fmt::format("{} holds {}, {} holds {}; --type gives both one type",
                                    o.files[0], all.a.type->name, o.files[1], all.b.type->name));
  }
  if (!o.mask.empty()) {
    load_options pattern;
    pattern.file = o.mask;
    pattern.graph = false;
    pattern.ignore_values = true;
    const loaded found = load(p, where, pattern);
    all.mask = found.matrix;
    all.load_seconds += found.seconds;
  }
  return all;
}

// The entries of a product for a file.
io::coordinates entries_of(const detail::matrix_base& c) {
  io::coordinates result;
  result.rows = c.rows;
  result.columns = c.columns;
  result.type = c.type->code;
  const auto count = static_cast<std::size_t>(c.nnz);
  result.row.resize(count);
  for (index_t row = 0; row < c.rows; ++row)
    std::fill(result.row.begin() + detail::offset_at(c, row),
              result.row.begin() + detail::offset_at(c, row + 1), static_cast<std::uint32_t>(row));
  result.column.resize(count);
  result.values.resize(count * c.type->size);
  if (count > 0) {
    std::memcpy(result.column.data(), c.column_indices->host(), count * sizeof(std::uint32_t));
    std::memcpy(result.values.data(), c.values->host(), result.values.size());
  }
  result.stored = c.nnz;
  return result;
}

// Sums have one order, so that results equal the reference's to the bit; NaN equals NaN.
std::string difference(const detail::matrix_base& found, const detail::matrix_base& expected) {
  if (found.nnz != expected.nnz)
    return fmt::format("{} entries, the reference has {}", found.nnz, expected.nnz);
  if (found.nnz == 0) return {};
  const auto* columns = static_cast<const std::uint32_t*>(found.column_indices->host());
  const auto* wanted = static_cast<const std::uint32_t*>(expected.column_indices->host());
  return with_builtin_type(found.type->code, [&]<class T>() -> std::string {
    const T* values = static_cast<const T*>(found.values->host());
    const T* expected_values = static_cast<const T*>(expected.values->host());
    for (index_t row = 0; row < found.rows; ++row) {
      if (detail::offset_at(found, row + 1) != detail::offset_at(expected, row + 1))
        return fmt::format("row {} ends at entry {}, the reference's at {}", row,
                           detail::offset_at(found, row + 1), detail::offset_at(expected, row + 1));
      for (index_t e = detail::offset_at(found, row); e < detail::offset_at(found, row + 1); ++e) {
        if (columns[e] != wanted[e])
          return fmt::format("row {} has column {}, the reference {}", row, columns[e], wanted[e]);
        const T x = values[e], y = expected_values[e];
        if (x != y && (x == x || y == y))
          return fmt::format("({}, {}) is {}, the reference's is {}", row, columns[e],
                             std::to_string(x), std::to_string(y));
      }
    }
    return {};
  });
}

// `kernel`: empty if the backend chooses.
detail::matrix_base multiply(const spgemm_arguments& o, const operands& all, const context& where,
                             const std::string& kernel) {
  const detail::matrix_base &a = all.a, &b = all.b;
  detail::matrix_base c =
      detail::empty_matrix(where.state(), all.semiring.z(), o.a_transposed ? a.columns : a.rows,
                           o.b_transposed ? b.rows : b.columns);
  plan forced;
  forced.kernel = kernel;
  detail::output_options<detail::matrix_base> output;
  output.forced = &forced;
  if (!o.mask.empty()) output.mask = {&all.mask, true, o.complement};
  detail::mxm(c, all.semiring, {.matrix = a, .transposed = o.a_transposed},
              {.matrix = b, .transposed = o.b_transposed}, output);
  return c;
}

detail::matrix_base multiply_by_reference(const program& p, const spgemm_arguments& o,
                                          const operands& all) {
  context_options settings;
  settings.cancel = p.cancel;
  const context reference = context::reference(settings);
  operands copies = all;
  copies.a = detail::copy_to(reference.state(), all.a);
  copies.b = detail::copy_to(reference.state(), all.b);
  if (!o.mask.empty()) copies.mask = detail::copy_to(reference.state(), all.mask);
  return multiply(o, copies, reference, {});
}

// The multiplications, before sums: sum over k of entries in column k of A times row k of B.
std::uint64_t count_products(const spgemm_arguments& o, const operands& all) {
  std::vector<std::uint64_t> of_a(
      static_cast<std::size_t>(o.a_transposed ? all.a.rows : all.a.columns));
  const auto add = [](const detail::matrix_base& m, bool by_rows, auto&& take) {
    if (by_rows) {
      for (index_t row = 0; row < m.rows; ++row)
        take(static_cast<std::size_t>(row),
             static_cast<std::uint64_t>(detail::offset_at(m, row + 1) - detail::offset_at(m, row)));
    } else if (m.nnz > 0) {
      const auto* columns = static_cast<const std::uint32_t*>(m.column_indices->host());
      for (index_t e = 0; e < m.nnz; ++e) take(std::size_t{columns[e]}, std::uint64_t{1});
    }
  };
  std::uint64_t products = 0;
  add(all.a, o.a_transposed, [&](std::size_t k, std::uint64_t n) { of_a[k] += n; });
  add(all.b, !o.b_transposed, [&](std::size_t k, std::uint64_t n) { products += of_a[k] * n; });
  return products;
}

// One kernel's trials; `c` is the result of the last.
void run_kernel(const program& p, const spgemm_arguments& o, const operands& all,
                const context& where, const std::string& kernel, report& r,
                detail::matrix_base& c) {
  r.kernel = kernel;
  const std::string asked = kernel == "auto" ? "" : kernel;
  r.memory = {where.state(), all.a.bytes() + (o.files.size() > 1 ? all.b.bytes() : 0)};
  for (int trial = 0; trial < o.trials.trials; ++trial) {
    c = {};  // not kept beside the next one
    const detail::peak_watch watch(where.state()->account);
    r.seconds.run.push_back(seconds_of(p, where, [&] { c = multiply(o, all, where, asked); }));
  }
}

detail::mxm_explanation explain_product(const spgemm_arguments& o, const operands& all,
                                        const context& where) {
  const detail::matrix_product product{all.semiring, all.a, all.b, o.a_transposed, o.b_transposed};
  detail::matrix_rule rule;
  if (!o.mask.empty()) {
    rule.mask = &all.mask;
    rule.structural = true;
    rule.complemented = o.complement;
  }
  return where.state()->executor->explain_mxm(product, rule);
}

void check_options(const program& p, const spgemm_arguments& o) {
  if (o.files.size() > 2)
    throw usage_error(fmt::format("found {} matrices, expected A, or A and B", o.files.size()));
  if (o.complement && o.mask.empty())
    throw usage_error("--complement: found no mask, expected --mask FILE");
  o.semiring.check(p);
  if (o.output.empty()) return;
  std::vector<std::string> inputs = o.files;
  if (!o.mask.empty()) inputs.push_back(o.mask);
  o.to.check(p, o.output, inputs);
}

// The kernels of --kernel: one, or "auto", or for "all" those that can compute the product. Throws
// usage_error for a name that the device does not have.
std::vector<std::string> kernels_to_run(const spgemm_arguments& o, const context& where) {
  const detail::kernel_table table = where.state()->executor->mxm_kernels();
  if (o.kernel != "all") {
    if (o.kernel != "auto" && detail::find_row(table, o.kernel) == nullptr)
      refuse_option(
          "--kernel", "'" + o.kernel + "'",
          "one that " + where.name() + " has: auto, all, " + detail::names_of(table, ", "));
    return {o.kernel};
  }
  const bool has_bound = !o.mask.empty() && !o.complement;
  std::vector<std::string> kernels;
  for (const detail::kernel_info* kernel : table)
    if (has_bound || !kernel->needs_mask) kernels.emplace_back(kernel->name);
  return kernels;
}

// Runs the kernels in turn: a report for each, with the checks of --verify. c becomes the product.
std::vector<report> run_kernels(const program& p, const spgemm_arguments& o, const operands& all,
                                const context& where, const std::vector<std::string>& kernels,
                                const report& loaded, detail::matrix_base& c) {
  std::optional<detail::matrix_base> expected;
  std::vector<report> measured;
  for (const std::string& kernel : kernels) {
    measured.push_back(loaded);
    run_kernel(p, o, all, where, kernel, measured.back(), c);
    if (!o.trials.verify) continue;
    if (!expected) expected = multiply_by_reference(p, o, all);
    measured.back().check("agrees_with_reference", difference(c, *expected));
  }
  return measured;
}

// The report of the fastest; with --kernel all also the reports and the checks of each.
report joined(const spgemm_arguments& o, const std::vector<report>& measured) {
  report r = *std::ranges::min_element(measured, {},
                                       [](const report& of) { return median(of.seconds.run); });
  if (o.kernel != "all") return r;
  r.checks.clear();
  r.text.clear();
  r.extra["kernels"] = nlohmann::ordered_json::array();
  for (const report& of_kernel : measured) {
    r.extra["kernels"].push_back(to_json(of_kernel));
    for (const auto& [name, passed] : of_kernel.checks)
      r.checks.emplace_back(*of_kernel.kernel + "_" + name, passed);
    if (!of_kernel.all_passed()) r.text += *of_kernel.kernel + ": " + of_kernel.text;
  }
  return r;
}

exit_code run_spgemm(const program& p, const spgemm_arguments& o) {
  check_options(p, o);
  const context where = p.make_context();
  const std::vector<std::string> kernels = kernels_to_run(o, where);
  const operands all = load_operands(p, where, o);
  p.print_notices();
  report loaded;
  loaded.command = "spgemm";
  loaded.device = where.name();
  loaded.set_matrix(all.a);
  loaded.seconds.load = all.load_seconds;
  loaded.seconds.transfer = transfer(where, all.a);
  loaded.extra["semiring"] = o.semiring.name();
  loaded.extra["type"] = all.a.type->name;

  // Before the product keeps transposes, which would then cost nothing.
  std::optional<detail::mxm_explanation> explanation;
  if (o.explain || o.kernel == "all") explanation = explain_product(o, all, where);
  detail::matrix_base c;
  std::vector<report> measured = run_kernels(p, o, all, where, kernels, loaded, c);
  report r = joined(o, measured);
  const std::uint64_t products = count_products(o, all);
  r.extra["products"] = products;
  r.extra["result"] = {
      {"rows", c.rows}, {"columns", c.columns}, {"nnz", c.nnz}, {"bytes", c.bytes()}};
  const std::string checks = std::exchange(r.text, {});
  r.text = headline(o.files[0], r, where) +
           fmt::format("spgemm   {} over {}, {} products\n", o.semiring.name(), all.a.type->name,
                       grouped(static_cast<index_t>(products))) +
           fmt::format("result   {} x {}, {} entries, {}\n", grouped(c.rows), grouped(c.columns),
                       grouped(c.nnz), size_text(c.bytes())) +
           timing_line(r.seconds);
  if (explanation) {
    r.extra["explanation"] = to_json(*explanation);
    if (o.kernel == "auto") measured.front().kernel = explanation->kernel;
    r.text += text_of(*explanation) + candidates_of(*explanation, measured);
  }
  r.text += checks;
  if (o.output.empty()) return finish(p, r);
  r.extra["output"] = o.output;
  return finish(p, r, o.to.write(p, o.output, entries_of(c)));
}

}  // namespace

void add_spgemm(CLI::App& app, program& p) {
  auto o = std::make_shared<spgemm_arguments>();
  command cmd(app, p, "spgemm", "compute and time a product of two matrices",
              {.device = true, .reading = true, .type = true},
              {"tropic spgemm graph.mtx --output square.mtx",
               "tropic spgemm kron:10 --semiring plus_pair --transpose-b --mask kron:10 --verify",
               "tropic spgemm a.mtx b.mtx --semiring min_plus --type fp32 --json",
               "tropic spgemm kron:10 --kernel all --verify"});
  cmd.argument("FILES", o->files, "A, or A and B; with one file C = A A");
  o->semiring.add_to(cmd);
  cmd.text("--mask", "FILE", o->mask, "compute only positions that are entries of FILE");
  cmd.flag("--complement", o->complement, "with --mask: compute only the other positions");
  cmd.flag("--transpose-a", o->a_transposed, "use A' instead of A");
  cmd.flag("--transpose-b", o->b_transposed, "use B' instead of B");
  cmd.text("--output", "FILE", o->output,
           "write C; '-': standard output; the format follows from its ending");
  o->to.add_to(cmd);
  cmd.text("--kernel", "NAME", o->kernel,
           "auto, all, or the name of a kernel of the device [auto]");
  cmd.flag("--explain", o->explain,
           "print the choice of kernel, its reason, and the rows of each method");
  add_trial_options(cmd, o->trials, "check against the reference backend");
  cmd.runs([&p, o] { return run_spgemm(p, *o); });
}

}  // namespace tropic::cli

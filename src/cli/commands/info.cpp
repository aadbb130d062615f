// SPDX-License-Identifier: Apache-2.0

// `tropic info`: the shape, size, degrees and symmetry of a matrix.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

constexpr std::array<std::pair<const char*, double>, 6> quantiles{
    {{"p25", 0.25}, {"median", 0.5}, {"p75", 0.75}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}};

struct degree_summary {
  index_t empty = 0, minimum = 0, maximum = 0;
  double mean = 0;
  std::array<index_t, quantiles.size()> at{};  // nearest rank
};

degree_summary summarise(std::vector<index_t> degrees) {
  degree_summary s;
  if (degrees.empty()) return s;
  std::sort(degrees.begin(), degrees.end());
  s.empty = std::upper_bound(degrees.begin(), degrees.end(), index_t{0}) - degrees.begin();
  s.minimum = degrees.front();
  s.maximum = degrees.back();
  const auto count = static_cast<double>(degrees.size());
  s.mean = static_cast<double>(std::accumulate(degrees.begin(), degrees.end(), index_t{0})) / count;
  for (std::size_t q = 0; q < quantiles.size(); ++q)
    s.at[q] = degrees[static_cast<std::size_t>(std::ceil(quantiles[q].second * count)) - 1];
  return s;
}

nlohmann::ordered_json json_of(const degree_summary& s) {
  nlohmann::ordered_json object{
      {"empty", s.empty}, {"min", s.minimum}, {"mean", s.mean}, {"max", s.maximum}};
  for (std::size_t q = 0; q < quantiles.size(); ++q) object[quantiles[q].first] = s.at[q];
  return object;
}

std::vector<std::string> to_row(const std::string& name, const degree_summary& s) {
  std::vector<std::string> row{name, grouped(s.empty), grouped(s.minimum),
                               fmt::format("{:.4g}", s.mean)};
  for (const index_t d : s.at) row.push_back(grouped(d));
  row.push_back(grouped(s.maximum));
  return row;
}

enum class symmetry { rectangular, none, structure, full };

constexpr const char* words_for(symmetry s) {
  switch (s) {
    case symmetry::rectangular: return "no (rectangular)";
    case symmetry::none: return "no";
    case symmetry::structure: return "in structure";
    case symmetry::full: break;
  }
  return "yes";
}

// Searches the mirror image of every entry. O(nnz log(longest row)).
symmetry symmetry_of(const detail::matrix_base& m, int threads) {
  if (m.rows != m.columns) return symmetry::rectangular;
  if (m.symmetric || m.nnz == 0) return symmetry::full;
  const auto* columns = static_cast<const std::uint32_t*>(m.column_indices->host());
  const auto* values = static_cast<const std::byte*>(m.values->host());
  const std::size_t bytes = m.iso ? 0 : m.type->size;
  bool structure = true, equal_values = true;
  detail::offset_at(m, 0);  // copies the offsets to the host before threads read them
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) \
    reduction(&& : structure, equal_values)
  for (index_t row = 0; row < m.rows; ++row) {
    const index_t end = detail::offset_at(m, row + 1);
    for (index_t e = detail::offset_at(m, row); e < end && structure; ++e) {
      const index_t mirror_row = columns[e];
      const std::uint32_t* first = columns + detail::offset_at(m, mirror_row);
      const std::uint32_t* last = columns + detail::offset_at(m, mirror_row + 1);
      const std::uint32_t* found = std::lower_bound(first, last, static_cast<std::uint32_t>(row));
      structure = found != last && *found == row;
      if (structure && bytes > 0)
        equal_values =
            equal_values &&
            std::memcmp(values + static_cast<std::size_t>(e) * bytes,
                        values + static_cast<std::size_t>(found - columns) * bytes, bytes) == 0;
    }
  }
  if (!structure) return symmetry::none;
  return equal_values ? symmetry::full : symmetry::structure;
}

// Stored entries by row and by column.
struct entry_counts {
  degree_summary by_row, by_column;
  index_t self_loops = 0;
};

entry_counts count_entries(const program& p, const detail::matrix_base& m) {
  std::vector<index_t> of_rows(static_cast<std::size_t>(m.rows));
  std::vector<index_t> of_columns(static_cast<std::size_t>(m.columns), 0);
  entry_counts counts;
  const auto* columns =
      m.nnz > 0 ? static_cast<const std::uint32_t*>(m.column_indices->host()) : nullptr;
  for (index_t row = 0; row < m.rows; ++row) {
    const index_t begin = detail::offset_at(m, row), end = detail::offset_at(m, row + 1);
    of_rows[static_cast<std::size_t>(row)] = end - begin;
    for (index_t e = begin; e < end; ++e) {
      ++of_columns[columns[e]];
      counts.self_loops += columns[e] == row;
    }
    if (row % 65536 == 0) p.check_cancelled();
  }
  counts.by_row = summarise(std::move(of_rows));
  counts.by_column = summarise(std::move(of_columns));
  p.check_cancelled();
  return counts;
}

// A matrix and its properties.
struct matrix_facts {
  const loaded& input;
  entry_counts counts;
  symmetry symmetric;

  index_t merged() const { return input.file_entries - input.matrix.nnz; }
  std::string type() const {
    return fmt::format("{}{}", input.complex ? "complex " : "", describe(input.file_type).name);
  }
};

void add_json(const matrix_facts& f, nlohmann::ordered_json& object) {
  const detail::matrix_base& m = f.input.matrix;
  object["type"] = f.input.pattern ? "pattern" : f.type();
  object["merged"] = f.merged();
  object["bytes"] = {{"offsets", m.offsets->bytes()},
                     {"columns", m.column_indices->bytes()},
                     {"values", m.values->bytes()}};
  object["row_degrees"] = json_of(f.counts.by_row);
  object["column_degrees"] = json_of(f.counts.by_column);
  object["symmetric"] = f.symmetric == symmetry::full;
  object["structurally_symmetric"] =
      f.symmetric == symmetry::full || f.symmetric == symmetry::structure;
  object["self_loops"] = f.counts.self_loops;
}

std::string to_text(const matrix_facts& f, const std::string& file) {
  const detail::matrix_base& m = f.input.matrix;
  std::string text = fmt::format("{}\n", io::detail::printable(file));
  const auto line = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<11}{}\n", name, value);
  };
  line("shape", fmt::format("{} x {}", grouped(m.rows), grouped(m.columns)));
  std::string entries = grouped(m.nnz);
  if (const double cells = static_cast<double>(m.rows) * static_cast<double>(m.columns); cells > 0)
    entries += fmt::format(" ({:.3g} % full)", 100 * static_cast<double>(m.nnz) / cells);
  if (f.merged() > 0) entries += fmt::format(", {} repeated ones merged", grouped(f.merged()));
  line("entries", entries);
  line("values", f.input.pattern ? "none (pattern)" : f.type());
  line("memory", fmt::format("offsets {}, columns {}, values {}", size_text(m.offsets->bytes()),
                             size_text(m.column_indices->bytes()), size_text(m.values->bytes())));
  line("symmetric", words_for(f.symmetric));
  line("self loops", grouped(f.counts.self_loops));
  const vertex_names& vertices = f.input.vertices;
  if (vertices.count() > 0 && m.rows == m.columns) line("vertices", vertices.range());
  std::vector<std::string> heading{"entries of a", "empty", "min", "mean"};
  for (const auto& [name, share] : quantiles) heading.emplace_back(name);
  heading.emplace_back("max");
  return text +
         table({heading, to_row("row", f.counts.by_row), to_row("column", f.counts.by_column)});
}

exit_code run_info(const program& p, const std::string& file) {
  const context where = p.make_host_context();
  load_options options;
  options.file = file;
  options.graph = false;
  options.weighted = true;
  options.rule = duplicates::sum;
  options.structure_of_complex = true;
  const loaded input = load(p, where, options);
  const detail::matrix_base& m = input.matrix;
  matrix_facts found{input, count_entries(p, m), symmetry_of(m, where.threads())};
  // Complex values are not compared: only the file can say that they are symmetric.
  if (input.complex && found.symmetric == symmetry::full && !m.symmetric)
    found.symmetric = symmetry::structure;

  report r;
  r.command = "info";
  r.device = where.name();
  r.set_matrix(m);
  r.seconds.load = input.seconds;
  add_json(found, r.extra);
  r.text = to_text(found, file);
  return finish(p, r);
}

}  // namespace

void add_info(CLI::App& app, program& p) {
  auto file = std::make_shared<std::string>();
  command cmd(app, p, "info", "shape, size, degrees and symmetry of a matrix",
              {.reading = true, .type = true},
              {"tropic info graph.mtx", "tropic info kron:12 --json"});
  cmd.argument("FILE", *file, file_help);
  cmd.runs([&p, file] { return run_info(p, *file); });
}

}  // namespace tropic::cli

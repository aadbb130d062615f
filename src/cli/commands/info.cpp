// SPDX-License-Identifier: Apache-2.0

// `tropic info`: shape, size, degrees, symmetry.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file;
};

constexpr std::array<std::pair<const char*, double>, 6> quantiles{
    {{"p25", 0.25}, {"median", 0.5}, {"p75", 0.75}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}};

struct degree_summary {
  index_t empty = 0, least = 0, most = 0;
  double mean = 0;
  std::array<index_t, quantiles.size()> at{};  // nearest rank
};

degree_summary summarise(std::vector<index_t> degrees) {
  degree_summary s;
  if (degrees.empty()) return s;
  std::sort(degrees.begin(), degrees.end());
  s.empty = std::upper_bound(degrees.begin(), degrees.end(), index_t{0}) - degrees.begin();
  s.least = degrees.front();
  s.most = degrees.back();
  const auto count = static_cast<double>(degrees.size());
  s.mean = static_cast<double>(std::accumulate(degrees.begin(), degrees.end(), index_t{0})) / count;
  for (std::size_t q = 0; q < quantiles.size(); ++q)
    s.at[q] = degrees[static_cast<std::size_t>(std::ceil(quantiles[q].second * count)) - 1];
  return s;
}

nlohmann::ordered_json to_json(const degree_summary& s) {
  nlohmann::ordered_json made{
      {"empty", s.empty}, {"min", s.least}, {"mean", s.mean}, {"max", s.most}};
  for (std::size_t q = 0; q < quantiles.size(); ++q) made[quantiles[q].first] = s.at[q];
  return made;
}

std::vector<std::string> to_row(const std::string& name, const degree_summary& s) {
  std::vector<std::string> row{name, grouped(s.empty), grouped(s.least),
                               fmt::format("{:.4g}", s.mean)};
  for (const index_t d : s.at) row.push_back(grouped(d));
  row.push_back(grouped(s.most));
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

// Looks each entry's mirror image up. O(nnz log(longest row)).
symmetry symmetry_of(const detail::matrix_base& m, int threads) {
  if (m.rows != m.columns) return symmetry::rectangular;
  if (m.symmetric || m.nnz == 0) return symmetry::full;
  const auto* columns = static_cast<const std::uint32_t*>(m.column_indices->host());
  const auto* values = static_cast<const std::byte*>(m.values->host());
  const std::size_t bytes = m.iso ? 0 : m.type->size;
  bool structure = true, alike = true;
  detail::offset_at(m, 0);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) \
    reduction(&& : structure, alike)
  for (index_t row = 0; row < m.rows; ++row) {
    const index_t end = detail::offset_at(m, row + 1);
    for (index_t e = detail::offset_at(m, row); e < end && structure; ++e) {
      const index_t mirror_row = columns[e];
      const std::uint32_t* first = columns + detail::offset_at(m, mirror_row);
      const std::uint32_t* last = columns + detail::offset_at(m, mirror_row + 1);
      const std::uint32_t* found = std::lower_bound(first, last, static_cast<std::uint32_t>(row));
      structure = found != last && *found == row;
      if (structure && bytes > 0)
        alike = alike &&
                std::memcmp(values + static_cast<std::size_t>(e) * bytes,
                            values + static_cast<std::size_t>(found - columns) * bytes, bytes) == 0;
    }
  }
  return !structure ? symmetry::none : alike ? symmetry::full : symmetry::structure;
}

exit_code run(const program& p, const options& o) {
  context_options host;
  host.threads = p.common.threads;
  host.memory_limit = p.common.memory_limit;
  host.cancel = p.cancel;
  const context where = context::cpu(host);
  load_options wanted;
  wanted.file = o.file;
  wanted.graph = false;
  wanted.weighted = true;
  wanted.rule = duplicates::sum;
  wanted.structure_of_complex = true;
  const loaded found = load(p, where, wanted);
  const detail::matrix_base& m = found.matrix;

  std::vector<index_t> leaving(static_cast<std::size_t>(m.rows));
  std::vector<index_t> arriving(static_cast<std::size_t>(m.columns), 0);
  index_t loops = 0;
  const auto* columns =
      m.nnz > 0 ? static_cast<const std::uint32_t*>(m.column_indices->host()) : nullptr;
  for (index_t row = 0; row < m.rows; ++row) {
    const index_t begin = detail::offset_at(m, row), end = detail::offset_at(m, row + 1);
    leaving[static_cast<std::size_t>(row)] = end - begin;
    for (index_t e = begin; e < end; ++e) {
      ++arriving[columns[e]];
      loops += columns[e] == row;
    }
    if (row % 65536 == 0) p.check_cancelled();
  }
  const degree_summary by_row = summarise(std::move(leaving));
  const degree_summary by_column = summarise(std::move(arriving));
  p.check_cancelled();
  symmetry symmetric = symmetry_of(m, where.threads());
  // Complex values were not compared, unless the file says what they are.
  if (found.complex && symmetric == symmetry::full && !m.symmetric) symmetric = symmetry::structure;

  report r;
  r.command = "info";
  r.device = where.name();
  r.set_matrix(m);
  r.seconds.load = found.seconds;
  const index_t merged = found.file_entries - m.nnz;
  const std::string type = found.pattern ? "none (pattern)"
                                         : fmt::format("{}{}", found.complex ? "complex " : "",
                                                       describe(found.file_type).name);
  const double cells = static_cast<double>(m.rows) * static_cast<double>(m.columns);
  r.more["type"] = found.pattern ? "pattern" : type;
  r.more["merged"] = merged;
  r.more["bytes"] = {{"offsets", m.offsets->bytes()},
                     {"columns", m.column_indices->bytes()},
                     {"values", m.values->bytes()}};
  r.more["row_degrees"] = to_json(by_row);
  r.more["column_degrees"] = to_json(by_column);
  r.more["symmetric"] = symmetric == symmetry::full;
  r.more["structurally_symmetric"] =
      symmetric == symmetry::full || symmetric == symmetry::structure;
  r.more["self_loops"] = loops;

  r.text = fmt::format("{}\n", io::detail::printable(o.file));
  const auto line = [&r](std::string_view name, const std::string& value) {
    r.text += fmt::format("  {:<11}{}\n", name, value);
  };
  line("shape", fmt::format("{} x {}", grouped(m.rows), grouped(m.columns)));
  line("entries",
       fmt::format("{}{}{}", grouped(m.nnz),
                   cells > 0
                       ? fmt::format(" ({:.3g} % full)", 100 * static_cast<double>(m.nnz) / cells)
                       : "",
                   merged > 0 ? fmt::format(", {} repeated ones merged", grouped(merged)) : ""));
  line("values", type);
  line("memory", fmt::format("offsets {}, columns {}, values {}", size_text(m.offsets->bytes()),
                             size_text(m.column_indices->bytes()), size_text(m.values->bytes())));
  line("symmetric", words_for(symmetric));
  line("self loops", grouped(loops));
  if (found.vertices.count() > 0 && m.rows == m.columns) line("vertices", found.vertices.range());
  std::vector<std::string> heading{"entries of a", "empty", "min", "mean"};
  for (const auto& [name, share] : quantiles) heading.emplace_back(name);
  heading.emplace_back("max");
  r.text += table({heading, to_row("row", by_row), to_row("column", by_column)});
  return finish(p, r);
}

}  // namespace

void add_info(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command made(app, p, "info", "shape, size, degrees and symmetry of a matrix",
               {.reading = true, .type = true},
               {"tropic info graph.mtx", "tropic info kron:12 --json"});
  made.argument("FILE", o->file, file_help);
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli

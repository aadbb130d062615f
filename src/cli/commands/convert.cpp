// SPDX-License-Identifier: Apache-2.0

// `tropic convert`: converts a file to another format. Entries are copied unchanged, except that
// repeated ones are merged: summed, as Matrix Market specifies, or as --duplicates requests.

#include <cstring>

#include <fmt/format.h>

#include <tropic/generators.hpp>

#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

namespace {

struct convert_arguments {
  std::string in, out;
  matrix_output to;
  bool drop_values = false, drop_names = false;
};

// Replaces the entries by those of the matrix that was built from them.
void replace_entries(io::coordinates& entries, const detail::matrix_base& merged) {
  const auto count = static_cast<std::size_t>(merged.nnz);
  entries.row.resize(count);
  entries.column.resize(count);
  for (index_t r = 0; r < merged.rows; ++r)
    std::fill(entries.row.begin() + detail::offset_at(merged, r),
              entries.row.begin() + detail::offset_at(merged, r + 1),
              static_cast<std::uint32_t>(r));
  std::memcpy(entries.column.data(), merged.column_indices->host(), count * sizeof(std::uint32_t));
  if (!entries.pattern) {
    entries.values.resize(count * merged.type->size);
    std::memcpy(entries.values.data(), merged.values->host(), entries.values.size());
  }
  entries.symmetric = merged.symmetric;
  entries.stored = merged.nnz;
}

// Some inputs always have values: generated graphs, and files of certain formats.
known_content known_before(const program& p, const convert_arguments& o) {
  known_content known;
  known.names = p.common.text.names && !o.drop_names;
  if (o.drop_values) return known;
  const std::optional<io::file_format> format =
      p.common.text.format ? p.common.text.format->format : io::format_of(o.in);
  if (is_generator_spec(o.in) || format == io::file_format::dimacs ||
      format == io::file_format::weighted_edge_list)
    known.values = p.common.type.value_or(type_code::int64);
  return known;
}

// The entries that were placed in a matrix, and what else `from` says of them.
io::mapped_csr rows_of(const detail::matrix_base& m, const io::coordinates& from) {
  io::mapped_csr rows;
  rows.rows = m.rows;
  rows.columns = m.columns;
  rows.entries = m.nnz;
  rows.type = m.type->code;
  rows.pattern = from.pattern;
  rows.symmetric = m.symmetric;
  rows.first_vertex_id = from.first_vertex_id;
  const auto count = static_cast<std::size_t>(m.nnz);
  const std::size_t offsets = static_cast<std::size_t>(m.rows) + 1;
  if (m.wide)
    rows.offsets64 = {static_cast<const std::uint64_t*>(m.offsets->host()), offsets};
  else
    rows.offsets32 = {static_cast<const std::uint32_t*>(m.offsets->host()), offsets};
  rows.column = {static_cast<const std::uint32_t*>(m.column_indices->host()), count};
  rows.values = {static_cast<const std::byte*>(m.values->host()),
                 (m.iso ? 1 : count) * m.type->size};
  return rows;
}

exit_code run_convert(const program& p, const convert_arguments& o) {
  o.to.check(p, o.out, {o.in}, known_before(p, o));
  const context where = p.make_host_context();
  const auto start = clock::now();
  const duplicates rule = p.common.duplicates.value_or(duplicates::sum);
  const auto plan = [&](const io::coordinates& from, index_t) {
    const bool merges_values = rule == duplicates::error || !from.pattern;
    return detail::read_plan{.type = from.type, .rule = merges_values ? rule : duplicates::first};
  };
  io::coordinates entries;
  index_t read = 0;
  std::optional<detail::matrix_base> placed;
  if (o.to.is_binary(o.out)) {
    placed = read_rows(p, where, o.in, true, plan, entries, read);
  } else {  // other formats keep the order of the file
    entries = read_entries(p, o.in, true);
    read = entries.entries();
  }
  p.check_cancelled();
  known_content known;
  if (entries.weighted() && !o.drop_values) known.values = entries.type;
  known.names = !entries.vertex_names.empty() && !o.drop_names;
  o.to.check_holds(o.out, known);
  if (!placed) {
    const detail::matrix_base merged = build(p, where, entries, entries.complex, rule, o.in);
    if (merged.nnz != read) {
      if (entries.complex)
        throw input_error(o.in, 0, "complex values with repeated positions",
                          "each position once, as complex values are not merged");
      replace_entries(entries, merged);
    }
  }
  report r;
  r.command = "convert";
  r.device = where.name();
  r.seconds.load = seconds_since(start);
  const auto writing = clock::now();
  const written output =
      placed ? o.to.write(p, o.out, rows_of(*placed, entries))
             : o.to.write(p, o.out, entries,
                          {.drop_values = o.drop_values, .drop_names = o.drop_names});
  r.rows = entries.rows;
  r.columns = entries.columns;
  r.nnz = placed ? placed->nnz : entries.entries();
  r.seconds.run.push_back(seconds_since(writing));
  r.extra["output"] = o.out;
  r.extra["merged"] = read - r.nnz;
  r.text = fmt::format(
      "{}: {} x {}, {} entries{}; read in {}, written in {}\n", shown_output(o.out),
      grouped(r.rows), grouped(r.columns), grouped(r.nnz),
      read == r.nnz ? "" : fmt::format(" ({} repeated ones merged)", grouped(read - r.nnz)),
      duration(r.seconds.load), duration(r.seconds.run.front()));
  return finish(p, r, output);
}

}  // namespace

void add_convert(CLI::App& app, program& p) {
  auto o = std::make_shared<convert_arguments>();
  command cmd(app, p, "convert", "convert a file to another format",
              {.reading = true, .type = true},
              {"tropic convert graph.mtx graph.tropic", "tropic convert roads.gr roads.wel.gz",
               "tropic convert graph.mtx graph.el --drop-values",
               "tropic convert roads.gr - --to wel --quiet"});
  cmd.argument("IN", o->in, file_help);
  cmd.argument("OUT", o->out,
               "output file, '-': standard output; the format follows from its ending");
  o->to.add_to(cmd);
  cmd.flag("--drop-values", o->drop_values, "drop the values if the output format has none");
  cmd.flag("--drop-names", o->drop_names,
           "drop the names of --names if the output format has none");
  cmd.runs([&p, o] { return run_convert(p, *o); });
}

}  // namespace tropic::cli

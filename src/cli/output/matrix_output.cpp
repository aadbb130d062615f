// SPDX-License-Identifier: Apache-2.0
#include "cli/output/matrix_output.hpp"

#include "cli/input/progress.hpp"
#include "cli/output/output.hpp"
#include "files/output.hpp"
#include "io/writers.hpp"

namespace tropic::cli {

namespace {

constexpr const char* formats =
    "mtx, gr, el, wel, txt, csv, tsv, graph, v, e or tropic, also with .gz, .xz, .zst";

io::write_options options_of(const matrix_output& o) {
  io::write_options options;
  options.format = o.format;
  return options;
}

}  // namespace

void matrix_output::add_to(command& made) {
  made.word("--to", "FORMAT", std::string("the format of OUT, whatever its name: ") + formats,
            [this](const std::string& name) {
              format = io::format_named(name);
              if (!format) refuse_option("--to", "'" + name + "'", formats);
            });
}

void matrix_output::check(const program& p, const std::string& name,
                          const std::vector<std::string>& inputs,
                          const known_content& known) const {
  const std::string path = path_to_write(name);
  if (!format && !io::format_of(path))
    refuse_option(name == "-" ? "standard output" : name, "a name whose ending names no format",
                  std::string("--to FORMAT or the ending of one: ") + formats);
  const io::write_options options = options_of(*this);
  std::vector<std::string> names;
  for (const std::filesystem::path& one : io::detail::paths_to_write(path, options))
    names.push_back(name == "-" ? name : one.string());
  check_outputs(p, names, inputs);
  const io::named_format to = io::detail::format_to_write(path, options);
  const bool is_text = to.format != io::file_format::binary && to.packed == io::packing::none;
  for (const std::string& one : names)
    if (const files::place where(path_to_write(one)); !is_text && where.is_terminal())
      refuse_option(where.name(), "a terminal", "a file or a pipe for binary data");
  check_holds(name, known);
}

void matrix_output::check_holds(const std::string& name, const known_content& known) const {
  const io::file_format to =
      io::detail::format_to_write(path_to_write(name), options_of(*this)).format;
  const std::string shown = name == "-" ? "standard output" : name;
  if (known.values) io::detail::check_holds_values(to, *known.values, shown);
  if (known.names) io::detail::check_holds_names(to, shown);
}

written matrix_output::write(const program& p, const std::string& name,
                             const io::coordinates& entries, io::write_options options) const {
  load_progress progress(p, "writing " + (name == "-" ? "standard output" : name));
  options.format = format;
  options.threads = p.common.threads;
  options.progress = progress.function();
  const std::string path = path_to_write(name);
  written result{.count = 1, .aside = uses_standard_output(name), .closed = {}};
  try {
    io::write(path, entries, options);
  } catch (const files::output_closed& failure) {
    // Half of an LDBC graph is nothing.
    if (io::detail::paths_to_write(path, options).size() > 1) throw error(failure.what());
    result.closed = failure.what();
  }
  return result;
}

}  // namespace tropic::cli

// SPDX-License-Identifier: Apache-2.0

// Loading. Text files become coordinates, which are freed as soon as the matrix is built. A
// `.tropic` file whose values need no conversion is used in place.

#include "cli/input/load.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>
#include <tropic/matrix.hpp>
#include <tropic/read_matrix.hpp>

#include "cli/input/entry_values.hpp"
#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "containers/context_state.hpp"
#include "io/memory.hpp"
#include "io/readers.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

void check_square(const std::string& file, index_t rows, index_t columns) {
  if (rows != columns)
    throw input_error(file, 0, fmt::format("a {}x{} matrix", rows, columns),
                      "a square one: a graph has as many rows as columns");
}

// Counts bytes against the context's memory limit for the lifetime of the result, which also owns
// `owner`: those of a decompressed file that a matrix uses in place, and the names of vertices.
std::shared_ptr<const void> reserved(const context& where, std::size_t bytes,
                                     const std::shared_ptr<const void>& owner,
                                     const std::string& file) {
  if (bytes == 0) return owner;
  const detail::context_pointer state = where.state();
  return detail::with_file_name(file, bytes, [&] {
    state->account.acquire(bytes);
    return std::shared_ptr<const void>(state.get(),
                                       [state, owned = owner, bytes](const void*) mutable {
                                         owned = nullptr;
                                         state->account.release(bytes);
                                       });
  });
}

// A small file may declare 2^32 rows and columns. Checks, before any work, that the memory limit
// allows the vectors that every command needs.
void require_vectors(const program& p, const context& where, const detail::matrix_base& m,
                     std::size_t element, const std::string& file) {
  if (is_generator_spec(file)) return;
  io::detail::memory_room room;
  room.limit = p.common.memory_limit;
  room.used = where.memory_used();
  room.require(
      io::detail::bytes_for(static_cast<std::size_t>(m.rows) + static_cast<std::size_t>(m.columns),
                            element == 0 ? m.type->size : element),
      fmt::format("{}: vectors over the rows and columns of a {}x{} matrix", file, m.rows,
                  m.columns));
}

// The first given option about text, or null; readers refuse options that do not apply.
const char* text_option(const program& p) {
  const io::read_options& text = p.common.text;
  if (text.names) return "--names";
  if (text.header != io::header_rule::automatic) return "--header";
  if (!text.columns.empty()) return "--columns";
  return text.separator != '\0' ? "--separator" : nullptr;
}

[[noreturn]] void refuse_for_generator(const std::string& option, const std::string& generator) {
  throw usage_error(option + ": applies to files, not to " + generator);
}

void refuse_trusted(const program& p, const std::string& file) {
  if (p.common.trusted)
    refuse_option("--trusted", fmt::format("'{}'", file),
                  "a .tropic file that is used in place, with values of the type that is needed");
}

io::read_options reading_entries(const program& p, const std::string& file,
                                 load_progress& progress) {
  io::read_options options = reading(p);
  options.name = file;
  options.type = p.common.type;
  options.undirected = p.common.undirected;
  options.progress = progress.function();
  return options;
}

// Uses a `.tropic` file in place, if its values have the requested type.
std::optional<loaded> load_mapped(const program& p, const context& where,
                                  const load_options& options) {
  if (p.common.undirected || is_generator_spec(options.file) || p.common.text.format ||
      text_option(p) != nullptr || io::format_of(options.file) != io::file_format::binary)
    return std::nullopt;
  const io::read_options limits = reading(p);
  io::mapped_csr m = io::map_binary(options.file, {.trusted = p.common.trusted,
                                                   .threads = limits.threads,
                                                   .memory_limit = limits.memory_limit,
                                                   .unpack_ratio = limits.unpack_ratio});
  if (options.graph) check_square(options.file, m.rows, m.columns);
  type_code type = p.common.type.value_or(options.type(m.type));
  if (options.ignore_values) type = type_code::boolean;
  const bool one_value = m.pattern || options.ignore_values;
  if (!one_value && (m.complex || type != m.type)) return std::nullopt;

  m.owner = reserved(where, m.memory, m.owner, options.file);
  loaded result;
  result.file_type = m.type;
  result.pattern = m.pattern;
  result.complex = m.complex;
  result.file_entries = m.entries;
  result.vertices =
      vertex_names({m.vertex_ids.begin(), m.vertex_ids.end()}, m.first_vertex_id, m.rows);
  result.vertices.set_reservation(reserved(where, result.vertices.bytes(), nullptr, options.file));
  result.matrix = with_builtin_type(type, [&]<class T>() {
    array_view<T> values;
    if (one_value) {
      auto one = std::make_shared<T>(T{1});
      values = {{one.get(), 1}, one};
    } else {
      values = {{reinterpret_cast<const T*>(m.values.data()), m.values.size() / sizeof(T)},
                m.owner};
    }
    const array_view<std::uint32_t> columns{m.column, m.owner};
    if (m.offsets64.empty())
      return matrix<T>::from_csr(where, m.rows, m.columns,
                                 array_view<std::uint32_t>{m.offsets32, m.owner}, columns, values,
                                 {.trusted = true})
          .base();
    return matrix<T>::from_csr(where, m.rows, m.columns,
                               array_view<std::uint64_t>{m.offsets64, m.owner}, columns, values,
                               {.trusted = true})
        .base();
  });
  result.matrix.symmetric = m.symmetric && m.rows == m.columns;
  return result;
}

}  // namespace

std::string path_of(const std::string& file) {
  return file == "-" ? "/dev/stdin" : file;
}

io::read_options reading(const program& p) {
  io::read_options options = p.common.text;
  options.threads = p.common.threads;
  options.memory_limit = p.common.memory_limit;
  options.unpack_ratio = p.common.unpack_ratio.value_or(options.unpack_ratio);
  return options;
}

bool can_be_read_again(const std::string& file) {
  if (is_generator_spec(file)) return false;
  const std::vector<std::filesystem::path> read = io::detail::paths_to_read(path_of(file));
  return std::all_of(read.begin(), read.end(), [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
  });
}

std::size_t line_of(const program& p, const std::string& file, const io::coordinates& from,
                    std::size_t entry) {
  if (!can_be_read_again(file)) return 0;
  try {
    io::read_options options = reading(p);
    options.memory_used = io::detail::bytes_held(from);
    return io::line_of_entry(path_of(file), from, static_cast<index_t>(entry), options);
  } catch (const error&) {
    return 0;
  }
}

io::coordinates read_entries(const program& p, const std::string& file, bool weighted) {
  refuse_trusted(p, file);
  load_progress progress(p, "loading " + file);
  if (is_generator_spec(file)) {
    const char* const option = p.common.text.format ? "--format" : text_option(p);
    if (option) refuse_for_generator(option, file);
    if (p.common.undirected && file.starts_with("paper:"))
      refuse_for_generator("--undirected", file);
    generator_options options;
    options.weighted = weighted;
    if (p.common.type && weighted) options.type = *p.common.type;
    options.threads = p.common.threads;
    options.progress = progress.function();
    return generate(file, options);
  }
  return io::read(path_of(file), reading_entries(p, file, progress));
}

std::optional<detail::matrix_base> read_rows(const program& p, const context& where,
                                             const std::string& file, bool weighted,
                                             const detail::read_plan_function& plan,
                                             io::coordinates& from, index_t& entries) {
  if (is_generator_spec(file)) {
    from = read_entries(p, file, weighted);
    entries = from.entries();
    return std::nullopt;
  }
  refuse_trusted(p, file);
  load_progress progress(p, "loading " + file);
  return detail::read_rows(where.state(), path_of(file), reading_entries(p, file, progress), plan,
                           from, entries);
}

void refuse_duplicates(const program& p, const std::string& file, const io::coordinates& entries) {
  // The first entry, in file order, that repeats the position of another one.
  const auto count = static_cast<std::size_t>(entries.entries());
  io::detail::memory_room room;
  room.limit = p.common.memory_limit;
  room.beside(io::detail::bytes_held(entries))
      .require(io::detail::bytes_for(count, sizeof(std::size_t)),
               file + ": finding the repeated entry");
  std::vector<std::size_t> order(count);
  for (std::size_t e = 0; e < count; ++e) order[e] = e;
  const auto key = [&](std::size_t e) {
    return std::uint64_t{entries.row[e]} << 32 | entries.column[e];
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return key(a) != key(b) ? key(a) < key(b) : a < b;
  });
  std::size_t first = count, again = count;
  for (std::size_t n = 1; n < count; ++n)
    if (key(order[n]) == key(order[n - 1]) && order[n] < again) {
      first = order[n - 1];
      again = order[n];
    }
  if (again == count) return;
  // A mirrored entry has the line of its original, which may be the earlier of the two.
  std::size_t line = line_of(p, file, entries, again), other = line_of(p, file, entries, first);
  if (line < other) std::swap(line, other);
  throw input_error(file, line,
                    other == 0 || other == line
                        ? "a second entry for the same position"
                        : fmt::format("a second entry for the position in line {}", other),
                    "each position once (or --duplicates with another rule than error)");
}

detail::matrix_base build(const program& p, const context& where, const io::coordinates& from,
                          bool pattern, duplicates rule, const std::string& file) {
  const bool is_error = rule == duplicates::error;
  static constexpr bool present = true;
  const bool one_value = pattern || from.pattern;
  // A pattern has no values to combine.
  const duplicates applied = is_error || one_value ? duplicates::first : rule;
  const type_description& type = describe(pattern ? type_code::boolean : from.type);
  const std::size_t required = detail::require_build_memory(
      from, type, one_value, where.memory_limit(), where.memory_used(), file);
  detail::matrix_base result = detail::with_file_name(file, required, [&] {
    return detail::build_matrix(
        where.state(), type, from.rows, from.columns, from.row, from.column,
        pattern ? static_cast<const void*>(&present) : from.values.data(),
        one_value ? detail::value_layout::iso : detail::value_layout::per_entry, applied);
  });
  if (is_error && result.nnz != from.entries()) refuse_duplicates(p, file, from);
  result.symmetric = detail::stays_symmetric(result, from, applied);
  return result;
}

namespace {

// Only what load() and build() would do to a list of the entries.
detail::read_plan_function plan_of(const program& p, const load_options& options) {
  return [&p, &options](const io::coordinates& from, index_t) -> std::optional<detail::read_plan> {
    if (options.graph && from.rows != from.columns) return std::nullopt;
    detail::read_plan plan;
    plan.values = !options.ignore_values;
    plan.type = plan.values ? p.common.type.value_or(options.type(from.type)) : type_code::boolean;
    plan.rule = p.common.duplicates.value_or(options.rule);
    // A pattern has no values to combine.
    if (plan.rule != duplicates::error && (!plan.values || from.pattern))
      plan.rule = duplicates::first;
    if (plan.values && (options.refuse_nan || options.refuse_negative))
      plan.accepts = [&options, type = from.type](const void* values, std::size_t count) {
        return are_weights(values, type, count, options);
      };
    return plan;
  };
}

}  // namespace

loaded load(const program& p, const context& where, const load_options& options) {
  const auto start = clock::now();
  if (std::optional<loaded> mapped = load_mapped(p, where, options)) {
    require_vectors(p, where, mapped->matrix, options.vector_bytes, options.file);
    mapped->seconds = seconds_since(start);
    return std::move(*mapped);
  }
  io::coordinates entries;
  loaded result;
  std::optional<detail::matrix_base> placed = read_rows(
      p, where, options.file, options.weighted, plan_of(p, options), entries, result.file_entries);
  p.check_cancelled();
  result.file_type = entries.type;
  result.pattern = entries.pattern;
  result.complex = entries.complex;
  if (options.graph) check_square(options.file, entries.rows, entries.columns);
  if (placed) result.matrix = std::move(*placed);
  const bool pattern = options.ignore_values || (options.structure_of_complex && entries.complex);
  if (placed) {
    // Its values have been checked.
  } else if (pattern) {
    entries.values = {};
  } else {
    if (entries.complex) throw input_error(options.file, 0, "complex values", "real ones");
    check_weights(p, options.file, entries, options);
    const type_code type = p.common.type.value_or(options.type(entries.type));
    // The conversion needs less memory than building the matrix.
    if (type != entries.type && !entries.pattern)
      detail::require_build_memory(entries, describe(type), false, where.memory_limit(),
                                   where.memory_used(), options.file);
    set_type(p, options.file, entries, type);
  }
  if (!placed)
    result.matrix =
        build(p, where, entries, pattern, p.common.duplicates.value_or(options.rule), options.file);
  result.vertices = vertex_names(entries);
  entries = {};
  result.vertices.set_reservation(reserved(where, result.vertices.bytes(), nullptr, options.file));
  p.check_cancelled();
  require_vectors(p, where, result.matrix, options.vector_bytes, options.file);
  result.seconds = seconds_since(start);
  return result;
}

void check_source(const program& p, const std::optional<std::string>& named) {
  if (named && !p.common.text.names)
    number_of<index_t>("--source", *named, std::numeric_limits<index_t>::lowest());
}

index_t source_of(const loaded& graph, const std::optional<std::string>& named,
                  const std::string& file) {
  if (named) {
    if (const std::optional<index_t> found = graph.vertices.position(*named)) return *found;
    const bool names = graph.vertices.has_names();
    throw usage_error(fmt::format("--source: found {}, expected a vertex of {}, which has {}",
                                  names ? io::detail::quote(*named) : *named, file,
                                  graph.vertices.range()));
  }
  if (graph.matrix.rows == 0)
    throw input_error(file, 0, "a graph without vertices", "a vertex to start from");
  for (index_t v = 0; v < graph.matrix.rows; ++v)
    if (detail::offset_at(graph.matrix, v + 1) > detail::offset_at(graph.matrix, v)) return v;
  return 0;
}

}  // namespace tropic::cli

// SPDX-License-Identifier: Apache-2.0

// Tables, `.csv` and `.tsv`, and edge lists whose vertices are names.
//
//   .csv .tsv   SOURCE,TARGET[,WEIGHT], perhaps with a header; fields in quotes as in RFC 4180
//   .el .wel .txt with read_options::names   the same between blanks, without quotes
//
// Vertices are numbers from 0, or names, which are numbered in their order (vertex_numbers.hpp).
// Weights are as in edge lists. Chunks of records are parsed in parallel; see fields.hpp.

#include <algorithm>

#include "io/entries.hpp"
#include "io/readers.hpp"
#include "io/tables/table_layout.hpp"
#include "io/tables/vertex_numbers.hpp"

namespace tropic::io::detail {

namespace {

/// Vertices given by their numbers.
struct numbers_of_fields {
  explicit numbers_of_fields(memory_tally&) {}
  void close() const {}
  std::uint32_t number(const field& f, const dialect&, bool) const {
    cursor c(f.text);
    std::uint64_t value = 0;
    if (!natural(c, value) || c.at != c.end || value >= most_vertices)
      throw parse_failure{f.at, f.text.empty() ? "an empty field" : quote(f.text),
                          std::string("a vertex number from 0 to 4294967295") +
                              (is_integer_token(f.text) ? "" : ", or names and --names")};
    return static_cast<std::uint32_t>(value);
  }
};

template <class T>
T weight_of(const field& f, number_rule rule, bool quotes) {
  if (f.text.empty())
    throw parse_failure{f.at, quotes ? "an empty field" : "the end of the line", "a weight"};
  if (f.text.find(',') != std::string_view::npos)
    throw parse_failure{f.at, quote(f.text), "a number with a decimal point"};
  cursor c(f.text);
  const T value = number<T>(c, rule);
  if (c.at != c.end) throw parse_failure{f.at, quote(f.text), "one number"};
  return value;
}

/// Takes weight k into `values`. A call for each record, so that what reads records is no template
/// over the type of weights.
using take_weight = void (*)(const field& f, number_rule rule, bool quotes, void* values,
                             std::size_t k);

template <class Vertices>
void parse_record(cursor& c, std::size_t k, const table_layout& t, number_rule rule,
                  Vertices& vertices, coordinates& out, take_weight take) {
  const dialect& d = t.fields;
  for (std::size_t column = 0; column < t.roles.size(); ++column) {
    if (column > 0) {
      if (d.separator == ' ')
        c.skip_space();
      else if (!c.at_line_end())
        ++c.at;
      else
        throw parse_failure{c.at,
                            "the end of the line after " + std::to_string(column) + " columns",
                            std::to_string(t.roles.size()) + " as in the first line"};
    }
    const field f = take_field(c, d);
    switch (t.roles[column]) {
      case role::ignored: break;
      case role::source: out.row[k] = vertices.number(f, d, column == 0); break;
      case role::target: out.column[k] = vertices.number(f, d, column == 0); break;
      case role::weight:
        if (take != nullptr) take(f, rule, d.quotes, out.values.data(), k);
        break;
    }
  }
  if (d.separator != ' ' && !c.at_line_end())
    throw parse_failure{c.at, "column " + std::to_string(t.roles.size() + 1),
                        std::to_string(t.roles.size()) + " as in the first line"};
  c.finish_line();
}

template <class Vertices>
void parse_records(const records& all, const table_layout& t, number_rule rule,
                   std::vector<Vertices>& vertices, coordinates& out, take_weight take,
                   const job& work) {
  for_each_task(all.chunks.size(), work, [&, take](std::size_t i) {
    Vertices& here = vertices[vertices.size() > 1 ? i : 0];
    cursor c(all.chunks[i]);
    for (std::size_t k = all.first[i]; next_record(c, t.fields); ++k)
      parse_record(c, k, t, rule, here, out, take);
    here.close();
  });
}

/// Parses every record into `out`, whose type and pattern are set.
template <class Vertices>
void parse_all(const records& all, const table_layout& t, number_rule rule,
               std::vector<Vertices>& vertices, coordinates& out, memory_tally& memory,
               const job& work) {
  const std::size_t count = all.count();
  const std::size_t bytes = bytes_for(count, 8 + (out.pattern ? 0 : out.value_size()));
  // The arrays of a first attempt exist already.
  const std::size_t held = bytes_held(out);
  if (bytes > held) memory.take(bytes - held, "reading the entries");
  out.row.resize(count);
  out.column.resize(count);
  out.stored = static_cast<index_t>(count);
  if (out.pattern) {
    set_iso_one(out);
    parse_records(all, t, rule, vertices, out, nullptr, work);
    return;
  }
  out.values.resize(count * out.value_size());
  const take_weight take = with_builtin_type(out.type, []<class T>() -> take_weight {
    return [](const field& f, number_rule of, bool quotes, void* values, std::size_t k) {
      static_cast<T*>(values)[k] = weight_of<T>(f, of, quotes);
    };
  });
  parse_records(all, t, rule, vertices, out, take, work);
}

/// Parses with `tables` tables of vertices, which take their bytes from `memory`, as the entries
/// do.
template <class Vertices>
std::vector<Vertices> parse(const records& all, const table_layout& t, std::size_t tables,
                            coordinates& out, memory_tally& memory, const read_options& options,
                            const job& work) {
  std::vector<Vertices> vertices;
  const auto attempt = [&](number_rule rule) {
    vertices.clear();
    for (std::size_t i = 0; i < tables; ++i) vertices.emplace_back(memory);
    parse_all(all, t, rule, vertices, out, memory, work);
  };
  if (out.pattern) {
    out.type = options.type.value_or(type_code::boolean);
    attempt(number_rule::real);
  } else {
    parse_integers_or_reals(out, options.type, attempt);
  }
  return vertices;
}

/// Throws if the first line is either a header that contains names of vertices, or an edge neither
/// end of which occurs in any other line.
void check_first_line(const table_layout& t, const coordinates& m) {
  std::string_view ends[2];
  for (std::size_t i = 0; i < t.roles.size(); ++i)
    if (t.roles[i] == role::source || t.roles[i] == role::target)
      ends[t.roles[i] == role::target] = t.first[i];
  bool elsewhere = false;
  if (t.has_header) {
    elsewhere = m.vertex_names.find(ends[0]) || m.vertex_names.find(ends[1]);
  } else {
    const std::uint32_t row = m.row[0], column = m.column[0];
    elsewhere = row == column;
    for (std::size_t k = 1; k < m.row.size() && !elsewhere; ++k)
      for (const std::uint32_t end : {m.row[k], m.column[k]})
        elsewhere = elsewhere || end == row || end == column;
  }
  if (elsewhere != t.has_header) return;
  throw parse_failure{t.first_line,
                      quote(ends[0]) + " and " + quote(ends[1]) +
                          (t.has_header ? ", names of columns that are vertices in other lines"
                                        : " in the first line and nowhere else"),
                      "--header yes or no, to say whether they are the names of columns"};
}

void number_by_names(const std::vector<local_names>& tables, const records& all, coordinates& out,
                     memory_tally& memory, const job& work) {
  joined_names joined = join(tables, memory, work);
  for_each_task(all.chunks.size(), work, [&](std::size_t i) {
    for (std::size_t k = all.first[i]; k < all.first[i + 1]; ++k) {
      out.row[k] = joined.numbers[i][out.row[k]];
      out.column[k] = joined.numbers[i][out.column[k]];
    }
  });
  out.rows = out.columns = static_cast<index_t>(joined.table.size());
  out.vertex_names = std::move(joined.table);
}

}  // namespace

const char* table_entry(std::string_view text, file_format format, const coordinates& from,
                        std::size_t entry, const read_options& options) {
  const dialect d = dialect_of(text, format, options);
  const records all = find_records(text, d, job());
  // Every record but the header is an entry.
  const std::size_t header =
      all.count() - std::min(all.count(), static_cast<std::size_t>(from.stored));
  return record_at(all, text, d, entry + header);
}

coordinates read_table(std::string_view text, file_format format, std::string_view name,
                       const read_options& options) {
  if (text.empty()) throw parse_failure{text.data(), "an empty file", "a list of edges"};
  coordinates out;
  {
    const table_layout t = find_layout(text, format, options);
    out.pattern = !t.weighted;
    const records all = find_records(t.body, t.fields, job(options, 0.3, 0.4));
    const job work(options, 0.4, 1);
    memory_tally memory(work.memory.beside(t.first_bytes));
    if (options.names) {
      // At least two, so that every chunk has its own.
      const std::size_t tables = std::max<std::size_t>(2, all.chunks.size());
      const auto names = parse<local_names>(all, t, tables, out, memory, options, work);
      number_by_names(names, all, out, memory, work);
      if (t.check_first_line) check_first_line(t, out);
    } else {
      parse<numbers_of_fields>(all, t, 1, out, memory, options, work);
      size_by_largest_vertex(out, work);
    }
  }  // everything but the entries is freed
  make_undirected(out, name, options);
  return out;
}

}  // namespace tropic::io::detail

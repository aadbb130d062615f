// SPDX-License-Identifier: Apache-2.0

// Files and generators.

#include <cstring>

#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <tropic/read_matrix.hpp>

#include "core.hpp"

namespace tropic::python {

namespace {

io::progress_function progress_of(call& c, const std::string& step) {
  return [&c, step](double fraction) { return call::goes_on(&c, step, fraction); };
}

struct read_request {
  std::string file;
  std::optional<type_code> type;
  duplicates rule;
  io::read_options options;
};

io::coordinates generated(const read_request& from) {
  generator_options options;
  // int8 and bool cannot hold the weights.
  options.weighted = from.type && *from.type != type_code::boolean && *from.type != type_code::int8;
  if (options.weighted) options.type = *from.type;
  options.threads = from.options.threads;
  options.progress = from.options.progress;
  return generate(from.file, options);
}

detail::matrix_base built(const detail::context_pointer& state, const read_request& request) {
  const std::string& file = request.file;
  io::coordinates from;
  if (is_generator_spec(file)) {
    from = generated(request);
  } else {
    const auto plan = [&](const io::coordinates& header, index_t) {
      // A pattern has nothing to sum, as below.
      return detail::read_plan{.type = request.type.value_or(header.type),
                               .rule = header.pattern && request.rule == duplicates::sum
                                           ? duplicates::first
                                           : request.rule};
    };
    index_t entries = 0;
    if (std::optional<detail::matrix_base> placed =
            detail::read_rows(state, file, request.options, plan, from, entries))
      return std::move(*placed);
  }
  if (from.complex) throw input_error(file, 0, "complex values", "real ones");
  const type_description& held = describe(request.type.value_or(from.type));
  const scalar_bytes one =
      with_builtin_type(held.code, []<class T>() { return scalar_bytes::of(T{1}); });
  const void* values = from.pattern ? one.data() : from.values.data();
  // A pattern has nothing to sum: an entry is there or not.
  const duplicates rule =
      from.pattern && request.rule == duplicates::sum ? duplicates::first : request.rule;
  const std::size_t required = detail::require_build_memory(
      from, held, from.pattern, request.options.memory_limit, request.options.memory_used, file);
  detail::matrix_base result = detail::with_file_name(file, required, [&] {
    return detail::build_matrix(
        state, held, from.rows, from.columns, from.row, from.column, values,
        from.pattern ? detail::value_layout::iso : detail::value_layout::per_entry, rule);
  });
  result.symmetric = detail::stays_symmetric(result, from, rule);
  return result;
}

std::unique_ptr<matrix_handle> read(const context_pointer& of, const std::string& file,
                                    std::optional<int> type, truth undirected, int rule,
                                    const std::optional<std::string>& format, nb::handle progress) {
  call c("read");
  read_request request{.file = file, .type = {}, .rule = {}, .options = {}};
  if (rule < 0 || rule > static_cast<int>(duplicates::last))
    c.refuse("rule " + std::to_string(rule) + " for duplicates, there are 0 to 5");
  request.rule = static_cast<duplicates>(rule);
  if (type) request.type = type_of(*type).code;
  io::read_options& options = request.options;
  options.type = request.type;
  options.undirected = undirected;
  options.threads = of->where->threads();
  options.progress = progress_of(c, file);
  options.memory_limit = of->where->memory_limit();
  options.memory_used = of->where->memory_used();
  if (format) {
    options.format = io::format_named(*format);
    if (!options.format) c.refuse("format '" + *format + "', known are " + io::format_endings());
  }
  return std::make_unique<matrix_handle>(
      of, c.run(*of, progress, [&] { return built(of->state(), request); }));
}

// The entries by row, then by column.
io::coordinates listed(const detail::matrix_base& m) {
  io::coordinates result;
  const auto count = static_cast<std::size_t>(m.nnz), size = m.type->size;
  result.rows = m.rows;
  result.columns = m.columns;
  result.type = m.type->code;
  result.symmetric = m.symmetric;
  result.stored = m.nnz;
  result.row.resize(count);
  result.column.resize(count);
  result.values.resize(count * size);
  for (index_t row = 0; row < m.rows; ++row)
    std::fill(result.row.begin() + detail::offset_at(m, row),
              result.row.begin() + detail::offset_at(m, row + 1), static_cast<std::uint32_t>(row));
  if (count == 0) return result;
  std::memcpy(result.column.data(), m.column_indices->host(), count * sizeof(std::uint32_t));
  const auto* values = static_cast<const std::byte*>(m.values->host());
  for (std::size_t e = 0; e < count; ++e)
    std::memcpy(result.values.data() + e * size, values + (m.iso ? 0 : e * size), size);
  return result;
}

void write(const std::string& file, matrix_handle& a, const std::optional<std::string>& format,
           truth drop_values, const std::string& comment, nb::handle progress) {
  call c("write");
  c.read(a);
  io::write_options options;
  options.drop_values = drop_values;
  options.comment = comment;
  options.threads = a.of->where->threads();
  options.progress = progress_of(c, file);
  if (format) {
    options.format = io::format_named(*format);
    if (!options.format) c.refuse("format '" + *format + "', known are " + io::format_endings());
  }
  c.run(*a.of, progress, [&] { io::write(file, listed(a.base()), options); });
}

}  // namespace

void bind_files(nb::module_& m) {
  m.def("read", read, nb::arg("context"), nb::arg("file"), nb::arg("type").none(),
        nb::arg("undirected"), nb::arg("duplicates"), nb::arg("format").none(),
        nb::arg("progress").none());
  m.def("write", write, nb::arg("file"), nb::arg("matrix"), nb::arg("format").none(),
        nb::arg("drop_values"), nb::arg("comment"), nb::arg("progress").none());
}

}  // namespace tropic::python

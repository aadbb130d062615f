// SPDX-License-Identifier: Apache-2.0

// Matrices of the C ABI from files and generators.

#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <tropic/read_matrix.hpp>

#include "containers/context_state.hpp"
#include "interop/c/support.hpp"

namespace tropic::c_abi {

namespace {

// Readers call it from inside parallel loops: it answers, and throws nothing.
io::progress_function progress_of(const shared_context& of, const std::string& step) {
  return [&of, step](double fraction) {
    const auto& progress = of.state()->options.progress;
    if (progress) progress(step, fraction);
    return !of.cancel.is_cancelled();
  };
}

io::coordinates generated(const shared_context& of, const std::string& spec,
                          std::optional<type_code> type) {
  generator_options options;
  // int8 and bool cannot hold the weights.
  options.weighted = type && *type != type_code::boolean && *type != type_code::int8;
  if (options.weighted) options.type = *type;
  options.threads = of.where->threads();
  options.progress = progress_of(of, "generating " + spec);
  return generate(spec, options);
}

io::read_options options_of(const shared_context& of, const std::string& file,
                            const tropic_read_options& given, std::optional<type_code> type) {
  io::read_options options;
  options.type = type;
  options.undirected = given.undirected != 0;
  options.threads = of.where->threads();
  options.progress = progress_of(of, "reading " + file);
  options.unpack_ratio = given.unpack_ratio;
  options.memory_limit = given.memory_limit;
  if (options.memory_limit == 0) {
    options.memory_limit = of.where->memory_limit();
    options.memory_used = of.where->memory_used();
  }
  return options;
}

detail::matrix_base read(const call& c, const shared_context& of, const std::string& file,
                         const tropic_read_options& given) {
  const duplicates rule = c.rule(given.duplicates);
  std::optional<type_code> type;
  if (given.convert != 0) type = c.type(given.type, "options->type").code;
  const io::read_options options = options_of(of, file, given, type);
  io::coordinates from;
  if (is_generator_spec(file)) {
    from = generated(of, file, type);
  } else {
    const auto plan = [&](const io::coordinates& header, index_t) {
      // A pattern has nothing to sum, as below.
      return detail::read_plan{
          .type = type.value_or(header.type),
          .rule = header.pattern && rule == duplicates::sum ? duplicates::first : rule};
    };
    index_t entries = 0;
    if (std::optional<detail::matrix_base> placed =
            detail::read_rows(of.state(), file, options, plan, from, entries))
      return std::move(*placed);
  }
  if (from.complex) throw input_error(file, 0, "complex values", "real ones");
  const type_description& held = describe(type.value_or(from.type));
  const scalar_bytes one =
      with_builtin_type(held.code, []<class T>() { return scalar_bytes::of(T{1}); });
  const void* values = from.pattern ? one.data() : from.values.data();
  // A pattern has nothing to sum: an entry is there or not.
  const duplicates applied = from.pattern && rule == duplicates::sum ? duplicates::first : rule;
  const std::size_t required = detail::require_build_memory(
      from, held, from.pattern, options.memory_limit, options.memory_used, file);
  detail::matrix_base result = detail::with_file_name(file, required, [&] {
    return detail::build_matrix(
        of.state(), held, from.rows, from.columns, from.row, from.column, values,
        from.pattern ? detail::value_layout::iso : detail::value_layout::per_entry, applied);
  });
  result.symmetric = detail::stays_symmetric(result, from, applied);
  return result;
}

}  // namespace
}  // namespace tropic::c_abi

using namespace tropic::c_abi;

tropic_status tropic_matrix_read(tropic_context* context, const char* file,
                                 const tropic_read_options* options, tropic_matrix** result) {
  return guarded(context_of(context), "tropic_matrix_read", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    c.need(file, "file");
    static const tropic_read_options defaults = TROPIC_READ_OPTIONS_INIT;
    c.begin(*context->of);
    *result = new_matrix(context->of,
                         read(c, *context->of, file, c.options(options, defaults, "options")));
  });
}

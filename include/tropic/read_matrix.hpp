// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices from files and generators.

#include <filesystem>
#include <string>

#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {

/// Whether a matrix built from mirrored entries equals its transpose. Repeated positions are merged
/// in the order of the list, in which the mirror images may have another order.
inline bool stays_symmetric(const matrix_base& built, const io::coordinates& from,
                            duplicates rule) {
  if (!from.symmetric || from.rows != from.columns) return false;
  const bool rounds = from.type == type_code::fp32 || from.type == type_code::fp64;
  return built.nnz == from.entries() || built.iso || rule == duplicates::minimum ||
         rule == duplicates::maximum || (rule == duplicates::sum && !rounds);
}

/// The number of bytes needed to build the matrix of `from`. Throws out_of_memory, naming the file
/// and the dimensions, if together with the entries and `used` they exceed `limit` (0: none), or if
/// the process cannot allocate them.
TROPIC_API std::size_t require_build_memory(const io::coordinates& from,
                                            const type_description& type, bool iso,
                                            std::size_t limit, std::size_t used,
                                            const std::string& file);

/// In a catch block: rethrows the exception; lack of memory becomes an out_of_memory that names the
/// file.
[[noreturn]] TROPIC_API void explain_build_failure(const std::string& file, std::size_t required);

/// Calls build(); errors of memory name the file.
template <class F>
decltype(auto) with_file_name(const std::string& file, std::size_t required, F&& build) {
  try {
    return build();
  } catch (...) {
    explain_build_failure(file, required);
  }
}

}  // namespace detail

/// The matrix of a list of entries of type T, or of a pattern (all entries are T{1}). `rule`
/// combines repeated positions. Matrices of symmetric files are known to be symmetric, unless
/// combining may have changed that. Throws usage_error if the entries have another type: read them
/// with read_options::type.
template <builtin_value_type T>
matrix<T> make_matrix(const context& where, const io::coordinates& from,
                      duplicates rule = duplicates::sum) {
  if (from.complex || (from.type != builtin_code<T>() && !from.pattern))
    throw usage_error("matrix: the entries are " + std::string(from.complex ? "complex " : "") +
                      std::string(describe(from.type).name) + ", the matrix holds " +
                      std::string(describe<T>().name));
  const T one{1};
  const void* values = from.pattern ? static_cast<const void*>(&one) : from.values.data();
  matrix<T> result(detail::build_matrix(
      where.state(), describe<T>(), from.rows, from.columns, from.row, from.column, values,
      from.pattern ? detail::value_layout::iso : detail::value_layout::per_entry, rule));
  if (detail::stays_symmetric(result.base(), from, rule)) result.assume_symmetric();
  return result;
}

/// Reads a file of any format listed in io.hpp, or generates `kron:SCALE`, `urand:SCALE`,
/// `grid:SIDE`. Values are converted to T; one that does not fit is an input_error. Without
/// options.memory_limit, reading and building may use the memory that the context's limit leaves.
template <builtin_value_type T>
matrix<T> read_matrix(const context& where, const std::string& file,
                      duplicates rule = duplicates::sum, io::read_options options = {}) {
  options.type = builtin_code<T>();
  if (options.threads == 0) options.threads = where.threads();
  if (is_generator_spec(file)) {
    generator_options generate_options;
    generate_options.type = builtin_code<T>();
    generate_options.threads = options.threads;
    return make_matrix<T>(where, generate(file, generate_options), rule);
  }
  if (options.memory_limit == 0) {
    options.memory_limit = where.memory_limit();
    options.memory_used = where.memory_used();
  }
  const io::coordinates from = io::read(file, options);
  const std::size_t required =
      detail::require_build_memory(from, describe<T>(), from.pattern && rule != duplicates::sum,
                                   options.memory_limit, options.memory_used, file);
  return detail::with_file_name(file, required, [&] { return make_matrix<T>(where, from, rule); });
}

}  // namespace tropic

// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a file, or a generator's spec, to a matrix.

#include <filesystem>
#include <string>

#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {

/// Whether a matrix built from entries that a file mirrored equals its transpose. Repeated
/// positions are merged in the order of the list, where the images of two entries need not have
/// theirs.
inline bool stays_symmetric(const matrix_base& built, const io::coordinates& from,
                            duplicates rule) {
  if (!from.symmetric || from.rows != from.columns) return false;
  const bool rounds = from.type == type_code::fp32 || from.type == type_code::fp64;
  return built.nnz == from.entries() || built.iso || rule == duplicates::minimum ||
         rule == duplicates::maximum || (rule == duplicates::sum && !rounds);
}

/// The bytes that building the matrix of `from` takes beside it. Throws out_of_memory, which names
/// the file and the shape, where they are more than `limit` (0: none) leaves beside the entries and
/// `used`, or more than this process can get.
TROPIC_API std::size_t require_build_memory(const io::coordinates& from,
                                            const type_description& type, bool iso,
                                            std::size_t limit, std::size_t used,
                                            const std::string& file);

/// In a catch block: throws the exception again; where memory ran out, as an out_of_memory that
/// names the file.
[[noreturn]] TROPIC_API void explain_build_failure(const std::string& file, std::size_t required);

/// build(), whose memory errors name the file.
template <class F>
decltype(auto) with_file_name(const std::string& file, std::size_t required, F&& build) {
  try {
    return build();
  } catch (...) {
    explain_build_failure(file, required);
  }
}

}  // namespace detail

/// The matrix of a list of entries whose type is T, or of a pattern (every entry is T{1}). `rule`
/// merges repeated positions. Symmetric files give matrices that know it, unless merging may have
/// left them otherwise. Throws usage_error where
/// the entries have another type: read them with read_options::type.
template <builtin_value_type T>
matrix<T> make_matrix(const context& where, const io::coordinates& from,
                      duplicates rule = duplicates::sum) {
  if (from.complex || (from.type != builtin_code<T>() && !from.pattern))
    throw usage_error("matrix: the entries are " + std::string(from.complex ? "complex " : "") +
                      std::string(describe(from.type).name) + ", the matrix holds " +
                      std::string(describe<T>().name));
  const T one{1};
  const void* values = from.pattern ? static_cast<const void*>(&one) : from.values.data();
  matrix<T> made(detail::build_matrix(where.state(), describe<T>(), from.rows, from.columns,
                                      from.row, from.column, values, from.pattern, rule));
  if (detail::stays_symmetric(made.base(), from, rule)) made.assume_symmetric();
  return made;
}

/// Reads a file of any format that io.hpp lists, or generates `kron:SCALE`, `urand:SCALE`,
/// `grid:SIDE`. Values are converted to T; one that does not fit is an input_error. Without a
/// memory_limit of its own, reading and building share what the context's leaves.
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

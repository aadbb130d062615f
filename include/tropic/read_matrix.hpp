// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrices from files and generators.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <tropic/generators.hpp>
#include <tropic/io.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {

/// Whether a matrix built from mirrored entries equals its transpose. Repeated positions are merged
/// in the order of the list, in which the mirror images may have another order. `entries`: those of
/// the list.
inline bool stays_symmetric(const matrix_base& built, const io::coordinates& from, index_t entries,
                            duplicates rule) {
  if (!from.symmetric || from.rows != from.columns) return false;
  const bool rounds = from.type == type_code::fp32 || from.type == type_code::fp64;
  return built.nnz == entries || built.iso || rule == duplicates::minimum ||
         rule == duplicates::maximum || (rule == duplicates::sum && !rounds);
}
inline bool stays_symmetric(const matrix_base& built, const io::coordinates& from,
                            duplicates rule) {
  return stays_symmetric(built, from, from.entries(), rule);
}

/// How the entries of a file are to become a matrix.
struct read_plan {
  type_code type = type_code::boolean;  ///< of the matrix
  bool values = true;                   ///< false: every entry is 1
  duplicates rule = duplicates::sum;
  /// Whether these values of the file's type may be taken; called by several threads.
  std::function<bool(const void* values, std::size_t count)> accepts{};
};
/// From the matrix without its entries, and their number with mirror images. Nothing: the entries
/// are listed.
using read_plan_function =
    std::function<std::optional<read_plan>(const io::coordinates& from, index_t entries)>;

/// io::read for a matrix. Many entries of Matrix Market, DIMACS and edge lists are placed in it
/// while the text is parsed, which takes half the memory of a list or less; `from` has no entries
/// then. Otherwise nothing is returned, and `from` lists the entries: also where the plan refuses,
/// values have another type than the plan, repeated entries are an error or change the values of a
/// pattern, a sixteenth of the entries is in few rows, or the memory limit is exceeded. `entries`:
/// the number of those in the list.
TROPIC_API std::optional<matrix_base> read_rows(const context_pointer& context,
                                                const std::filesystem::path& path,
                                                const io::read_options& options,
                                                const read_plan_function& plan,
                                                io::coordinates& from, index_t& entries);

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

/// Reads a file of any format listed in io.hpp, or generates a matrix for a text that generate()
/// accepts: `kron:SCALE`, `urand:SCALE`, `grid:SIDE`, `paper:NAME`. Generated entries have no
/// weights: all are 1. Values of a file are converted to T; one that does not fit is an
/// input_error. Without options.memory_limit, reading and building may use the memory that the
/// context's limit leaves.
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
  io::coordinates from;
  index_t entries = 0;
  if (std::optional<detail::matrix_base> placed = detail::read_rows(
          where.state(), file, options,
          [rule](const io::coordinates&, index_t) {
            return detail::read_plan{.type = builtin_code<T>(), .rule = rule};
          },
          from, entries))
    return matrix<T>(std::move(*placed));
  const std::size_t required =
      detail::require_build_memory(from, describe<T>(), from.pattern && rule != duplicates::sum,
                                   options.memory_limit, options.memory_used, file);
  return detail::with_file_name(file, required, [&] { return make_matrix<T>(where, from, rule); });
}

}  // namespace tropic

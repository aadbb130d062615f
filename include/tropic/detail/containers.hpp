// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors and matrices with their type erased: what operations, plans and backends see.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tropic/array_view.hpp>
#include <tropic/detail/buffer.hpp>
#include <tropic/semirings/operator.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic {

/// The storage format of a vector. Operations choose it by density; it is visible only in
/// `bytes()`.
enum class vector_storage : std::uint8_t { sparse, bitmap, full };

/// How several entries at one position are combined.
enum class duplicates { error, sum, minimum, maximum, first, last };

namespace detail {

/// The number of entries of a vector. An operation on a device may leave the counting to the
/// device: reading the number then waits for it, and a loop that does not read it is not delayed.
class TROPIC_API entry_count {
 public:
  entry_count(index_t known = 0) : known_(known) {}
  /// The sum of an array of 32-bit numbers.
  explicit entry_count(buffer_pointer counters) : counters_(std::move(counters)) {}

  operator index_t() const { return counters_ == nullptr ? known_ : sum(); }
  bool is_zero_surely() const { return counters_ == nullptr && known_ == 0; }
  entry_count& operator+=(index_t n) { return *this = index_t{*this} + n; }
  entry_count& operator-=(index_t n) { return *this = index_t{*this} - n; }
  entry_count& operator++() { return *this += 1; }
  entry_count& operator--() { return *this -= 1; }

 private:
  index_t sum() const;

  index_t known_ = 0;
  buffer_pointer counters_;
};

struct vector_fields {
  context_pointer context;
  const type_description* type = nullptr;
  index_t size = 0;
  entry_count nvals;
  vector_storage storage = vector_storage::sparse;
  buffer_pointer indices, present, values;
};

/// sparse: `indices` (uint32, ascending) and `values`, one each per entry. bitmap: `present` (one
/// byte, 0 or 1, per position) and `values`, arbitrary where absent. full: only `values`.
///
/// A moved-from vector is an empty vector of size 0, of the same type in the same context.
struct TROPIC_API vector_base : vector_fields {
  vector_base() = default;
  vector_base(const vector_base&);
  vector_base(vector_base&&) noexcept;
  vector_base& operator=(const vector_base&);
  vector_base& operator=(vector_base&&) noexcept;
  ~vector_base();

  std::size_t bytes() const;

 private:
  void become_empty() noexcept;
};

/// What is built from a matrix and kept with it (src/containers/derived_copies.hpp): shared by its
/// copies, replaced as a whole when the matrix changes.
struct derived_copies;
TROPIC_API std::shared_ptr<derived_copies> make_derived_copies();

struct matrix_fields {
  context_pointer context;
  const type_description* type = nullptr;
  index_t rows = 0, columns = 0, nnz = 0;
  bool wide = false;
  bool iso = false;
  bool symmetric = false;  // known to equal its transpose, including values
  index_t longest_row = 0, empty_rows = 0;
  buffer_pointer offsets, column_indices, values;
  std::uint64_t structure_version = 0, value_version = 0;
  std::shared_ptr<derived_copies> derived = make_derived_copies();
};

/// CSR: `offsets` (rows + 1, uint32, or uint64 if `wide`), `column_indices` (uint32, strictly
/// ascending in each row), `values` (nnz, or a single one if `iso`).
///
/// A moved-from matrix is 0x0, of the same type in the same context. It has no arrays, not even
/// offsets, since a move allocates nothing: changeable_matrix (changes.hpp) creates them when they
/// are requested.
struct TROPIC_API matrix_base : matrix_fields {
  matrix_base() = default;
  matrix_base(const matrix_base&);
  matrix_base(matrix_base&&) noexcept;
  matrix_base& operator=(const matrix_base&);
  matrix_base& operator=(matrix_base&&) noexcept;
  ~matrix_base();

  std::size_t bytes() const;

 private:
  void become_empty() noexcept;
};

inline constexpr index_t largest_dimension = index_t{1} << 32;
/// A new number for structure and value versions.
TROPIC_API std::uint64_t next_version();

// --- construction (src/containers) ---------------------------------------------------------------

/// Throws usage_error if a dimension is negative or greater than 2^32.
TROPIC_API void check_dimensions(index_t rows, index_t columns);
TROPIC_API vector_base empty_vector(const context_pointer&, const type_description&, index_t size);
/// Full; every element is `value`.
TROPIC_API vector_base filled_vector(const context_pointer&, const type_description&, index_t size,
                                     const void* value);
/// The same, by the context's backend: on a device without a host copy.
TROPIC_API vector_base filled(const context_pointer&, const type_description&, index_t size,
                              const void* value);
/// Converts the vector to a bitmap, except on a device.
TROPIC_API void expect_dense(vector_base&);
/// From (index, value) pairs in any order; `rule` applies to repeated indices.
TROPIC_API vector_base build_vector(const context_pointer&, const type_description&, index_t size,
                                    std::span<const index_t> indices, const void* values,
                                    duplicates rule);
TROPIC_API matrix_base empty_matrix(const context_pointer&, const type_description&, index_t rows,
                                    index_t columns);
/// Whether an array of values has one element per entry, or a single one for all entries.
enum class value_layout : std::uint8_t { per_entry, iso };
/// From entries in any order. Records have no sum, minimum or maximum. Throws usage_error naming an
/// entry out of range, or the repeated one under duplicates::error.
TROPIC_API matrix_base build_matrix(const context_pointer&, const type_description&, index_t rows,
                                    index_t columns, std::span<const std::uint32_t> row,
                                    std::span<const std::uint32_t> column, const void* values,
                                    value_layout layout, duplicates rule);
/// Names of the parts of compressed arrays for messages, and whether column indices were signed.
struct TROPIC_API csr_words {
  const char* row = "row";  // null: a vector, whose only row has no name
  const char* column = "column";
  const char* of = "matrix";
  bool is_signed = false;

  /// The number of columns that 32-bit indices of this signedness can address.
  index_t limit(index_t columns) const;
  /// "matrix: row 2 has ".
  std::string place(index_t row_number) const;
  /// "matrix: row 2 has column 7 at entry 5, expected 0 to 2".
  std::string outside(index_t row_number, const std::string& found, std::size_t entry,
                      index_t columns) const;
};
/// Sets longest_row and empty_rows; unless `trusted`, checks offsets and column indices.
TROPIC_API void inspect_csr(matrix_base&, import_options, const csr_words& words = {});
/// A copy in another context.
TROPIC_API vector_base copy_to(const context_pointer&, const vector_base&);
TROPIC_API matrix_base copy_to(const context_pointer&, const matrix_base&);

/// Converts the vector to `storage` (full only if no entry is missing).
TROPIC_API void convert(vector_base&, vector_storage storage);
/// Copies the value at i to `value`; false if there is no entry.
TROPIC_API bool element(const vector_base&, index_t i, void* value);
TROPIC_API bool element(const matrix_base&, index_t i, index_t j, void* value);
/// Throws usage_error past the end.
TROPIC_API void check_position(const matrix_base&, index_t i, index_t j);
TROPIC_API void set_element(vector_base&, index_t i, const void* value);
/// A sparse vector stays sparse.
TROPIC_API void remove_element(vector_base&, index_t i);
/// A buffer with the same bytes that no other container uses; `from` itself if it is not shared.
TROPIC_API buffer_pointer unshared(const context_pointer&, const buffer_pointer& from);

/// The offset of a row, from the host copy, for either width.
TROPIC_API index_t offset_at(const matrix_base&, index_t row);

}  // namespace detail
}  // namespace tropic

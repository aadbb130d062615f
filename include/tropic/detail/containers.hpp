// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors and matrices with their type erased: what operations, plans and backends see.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tropic/detail/context_state.hpp>
#include <tropic/semirings/operator.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic {

/// How a vector is held. Operations choose it by density; users see it in `bytes()` alone.
enum class vector_storage : std::uint8_t { sparse, bitmap, full };

/// What becomes of several entries given for one position.
enum class duplicates { error, sum, minimum, maximum, first, last };

namespace detail {

/// How many entries a vector has. An operation on a device may leave the counting to it: then
/// whoever looks at the number waits for it, and a loop that does not look runs on.
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

/// sparse: `indices` ascending (uint32), `values` beside them. bitmap: `present` (one byte, 0 or 1,
/// a position) and `values`, arbitrary where absent. full: `values` alone.
///
/// One that was moved from is an empty vector of size 0, of the same type in the same context.
struct TROPIC_API vector_base : vector_fields {
  vector_base() = default;
  vector_base(const vector_base&) = default;
  vector_base(vector_base&&) noexcept;
  vector_base& operator=(const vector_base&) = default;
  vector_base& operator=(vector_base&&) noexcept;
  ~vector_base() = default;

  std::size_t bytes() const;

 private:
  void become_empty() noexcept;
};

struct matrix_base;
struct inspected_pattern;  // src/backends/inspected_pattern.hpp
struct remembered_plans;   // src/plan/planner.hpp

/// A matrix in another format, for one kernel: "padded:16", "row_indices".
struct converted_copy {
  std::vector<buffer_pointer> parts;
  double seconds = 0;       // that making it took
  double overhead = 1;      // entries with padding / entries
  std::uint64_t words = 0;  // entries with padding, where there is some

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const buffer_pointer& part : parts) sum += part->bytes();
    return sum;
  }
};

/// A matrix with its columns numbered by descending number of entries
/// (src/permute/hot_columns.hpp).
struct hot_columns {
  std::shared_ptr<const matrix_base> matrix;  // whose offsets are those that it was made from
  buffer_pointer order;                       // m words: its column k was column order[k]
  double seconds = 0;                         // that making it took

  TROPIC_API std::size_t bytes() const;  // beside those of the other matrix
};

/// Conversions of a matrix, built when first asked for, shared by its copies, evicted under
/// memory pressure. Replaced as a whole when the matrix changes.
struct derived_copies {
  std::mutex mutex;
  std::atomic<bool> building{false};  // the mutex is held by whoever builds
  std::shared_ptr<const matrix_base> transpose;
  std::map<std::string, std::shared_ptr<const converted_copy>, std::less<>> formats;
  // Entries pushed so far for want of a transpose; once they outweigh building it, it is built.
  index_t pushed_without_transpose = 0;
  std::shared_ptr<const hot_columns> hot;
  // What plans know of the matrix, and the plans.
  std::shared_ptr<const inspected_pattern> inspection;
  std::shared_ptr<const remembered_plans> plans;
  std::atomic<bool> has_plans{false};
};

struct matrix_fields {
  context_pointer context;
  const type_description* type = nullptr;
  index_t rows = 0, columns = 0, nnz = 0;
  bool wide = false;
  bool iso = false;
  bool symmetric = false;  // equal to its transpose, values too: known from how it was built
  index_t longest_row = 0, empty_rows = 0;
  buffer_pointer offsets, column_indices, values;
  std::uint64_t structure_version = 0, value_version = 0;
  std::shared_ptr<derived_copies> derived = std::make_shared<derived_copies>();
};

/// CSR: `offsets` (rows + 1, uint32, or uint64 where `wide`), `columns` (uint32, strictly ascending
/// in each row), `values` (nnz, or one where `iso`).
///
/// One that was moved from is 0x0, of the same type in the same context. It has no arrays, not even
/// offsets, as a move allocates nothing: changeable_matrix (changes.hpp) makes them where they are
/// asked for.
struct TROPIC_API matrix_base : matrix_fields {
  matrix_base() = default;
  matrix_base(const matrix_base&) = default;
  matrix_base(matrix_base&&) noexcept;
  matrix_base& operator=(const matrix_base&) = default;
  matrix_base& operator=(matrix_base&&) noexcept;
  ~matrix_base() = default;

  std::size_t bytes() const;

 private:
  void become_empty() noexcept;
};

inline constexpr index_t largest_dimension = index_t{1} << 32;
/// Fresh numbers for structure and value versions.
TROPIC_API std::uint64_t next_version();

// --- making them (src/containers) --------------------------------------------------------------

/// Throws usage_error where a dimension is negative or past 2^32.
TROPIC_API void check_dimensions(index_t rows, index_t columns);
TROPIC_API vector_base empty_vector(const context_pointer&, const type_description&, index_t size);
/// Full; every element is `value`.
TROPIC_API vector_base filled_vector(const context_pointer&, const type_description&, index_t size,
                                     const void* value);
/// The same by the context's backend: on a device, without a copy of the host's.
TROPIC_API vector_base filled(const context_pointer&, const type_description&, index_t size,
                              const void* value);
/// Holds it as a bitmap, but on a device, which makes one of its own.
TROPIC_API void expect_dense(vector_base&);
/// From (index, value) pairs in any order; `rule` for repeated indices.
TROPIC_API vector_base build_vector(const context_pointer&, const type_description&, index_t size,
                                    std::span<const index_t> indices, const void* values,
                                    duplicates rule);
TROPIC_API matrix_base empty_matrix(const context_pointer&, const type_description&, index_t rows,
                                    index_t columns);
/// From entries in any order. `values`: one an entry, or a single one where `iso`.
/// Records take no sum, minimum or maximum. Throws usage_error naming an entry out of range, or
/// the repeated one under duplicates::error.
TROPIC_API matrix_base build_matrix(const context_pointer&, const type_description&, index_t rows,
                                    index_t columns, std::span<const std::uint32_t> row,
                                    std::span<const std::uint32_t> column, const void* values,
                                    bool iso, duplicates rule);
/// What messages call the parts of compressed arrays, and whether columns came with a sign.
struct TROPIC_API csr_words {
  const char* row = "row";  // null: a vector, which has one row without a name
  const char* column = "column";
  const char* of = "matrix";
  bool is_signed = false;

  /// Columns that 32 bits with this sign can name.
  index_t limit(index_t columns) const;
  /// "matrix: row 2 has ".
  std::string place(index_t row_number) const;
  /// "matrix: row 2 has column 7 at entry 5, expected 0 to 2".
  std::string outside(index_t row_number, const std::string& found, std::size_t entry,
                      index_t columns) const;
};
/// Completes longest_row and empty_rows; unless `trusted`, checks offsets and columns.
TROPIC_API void inspect_csr(matrix_base&, bool trusted, const csr_words& words = {});
/// A copy in another context.
TROPIC_API vector_base copy_to(const context_pointer&, const vector_base&);
TROPIC_API matrix_base copy_to(const context_pointer&, const matrix_base&);

/// The same entries, held as `storage` (full only where no entry is missing).
TROPIC_API void convert(vector_base&, vector_storage storage);
/// The value at i, or false.
TROPIC_API bool element(const vector_base&, index_t i, void* value);
TROPIC_API bool element(const matrix_base&, index_t i, index_t j, void* value);
/// Throws usage_error past the end.
TROPIC_API void check_position(const matrix_base&, index_t i, index_t j);
TROPIC_API void set_element(vector_base&, index_t i, const void* value);
/// A sparse vector stays sparse.
TROPIC_API void remove_element(vector_base&, index_t i);
/// A buffer of the same bytes that no other container sees; `from` itself where that is so already.
TROPIC_API buffer_pointer unshared(const context_pointer&, const buffer_pointer& from);

/// Notes that `copies` hold something which could be built again.
TROPIC_API void remember_derived(context_state&, const std::shared_ptr<derived_copies>& copies);
/// Drops every conversion that nobody uses at the moment; returns the bytes of it.
TROPIC_API std::size_t evict_derived(context_state&);

/// Offsets on the host, whatever their width.
TROPIC_API index_t offset_at(const matrix_base&, index_t row);

}  // namespace detail
}  // namespace tropic

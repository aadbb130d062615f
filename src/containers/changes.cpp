// SPDX-License-Identifier: Apache-2.0
// Single entries of a matrix, set and removed: recorded in a hash table with open addressing,
// merged into CSR in one pass over the entries.
//
// A merge sorts the changes by row and column, finds each position by binary search in its row, and
// drops changes without effect. If only values change, they are written in place, in arrays owned
// by the matrix, and the pattern keeps its version. Otherwise all arrays are rebuilt: runs of
// entries between changes are copied. Everything that may fail comes before any modification.
// Merging runs on the host: the arrays of a device are copied there, and back when the device next
// needs them.

#include <tropic/detail/changes.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include <tropic/error.hpp>

#include "containers/csr_view.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t first_capacity = 16;
constexpr std::size_t most_notes = std::size_t{1} << 30;  // numbers of changes have 32 bits
constexpr std::uint32_t free_slot = ~std::uint32_t{0};

std::uint64_t key_of(index_t i, index_t j) {
  return static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint64_t>(j);
}

template <class T>
T* written(const buffer_pointer& b) {
  return static_cast<T*>(b->host_write(access::modify));
}

/// The changes that are not merged yet, one per position. The arrays are allocated in the context.
class noted_changes {
 public:
  noted_changes(const context_pointer& context, std::size_t value_bytes)
      : context_(context), value_bytes_(value_bytes) {}

  std::size_t count() const { return count_; }
  std::uint64_t key(std::size_t n) const { return keys_[n]; }
  /// Null: the entry is removed.
  const std::byte* value(std::size_t n) const {
    return removals_[n] ? nullptr : values_ + n * value_bytes_;
  }
  /// The number of the change for that position, or count().
  std::size_t find(std::uint64_t key) const {
    if (count_ == 0) return 0;
    const std::uint32_t n = slots_[slot_of(key)];
    return n == free_slot ? count_ : n;
  }
  void note(std::uint64_t key, const void* value) {
    if (count_ == capacity_) grow();
    std::uint32_t& slot = slots_[slot_of(key)];
    if (slot == free_slot) {
      slot = static_cast<std::uint32_t>(count_++);
      keys_[slot] = key;
    }
    removals_[slot] = value == nullptr;
    if (value != nullptr) std::memcpy(values_ + slot * value_bytes_, value, value_bytes_);
  }
  void clear() noexcept {
    arrays_ = {};
    count_ = capacity_ = 0;
  }

 private:
  struct arrays {
    buffer_pointer keys, values, removals, slots;
  };

  // The slot of `key`, or the free slot for it. Half of the slots are free.
  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t last = 2 * capacity_ - 1;
    std::size_t at = ((key ^ (key >> 32)) * 0x9e3779b97f4a7c15u >> 32) & last;
    while (slots_[at] != free_slot && keys_[slots_[at]] != key) at = (at + 1) & last;
    return at;
  }
  void grow() {
    const std::size_t wanted = std::max(first_capacity, 2 * capacity_);
    arrays result;
    result.keys = make_buffer(context_, wanted * sizeof(std::uint64_t));
    result.values = make_buffer(context_, wanted * value_bytes_);
    result.removals = make_buffer(context_, wanted);
    result.slots = make_buffer(context_, 2 * wanted * sizeof(std::uint32_t));
    auto* keys = written<std::uint64_t>(result.keys);
    auto* values = written<std::byte>(result.values);
    auto* removals = written<std::uint8_t>(result.removals);
    auto* slots = written<std::uint32_t>(result.slots);
    if (count_ > 0) {
      std::copy(keys_, keys_ + count_, keys);
      std::copy(values_, values_ + count_ * value_bytes_, values);
      std::copy(removals_, removals_ + count_, removals);
    }
    std::fill(slots, slots + 2 * wanted, free_slot);
    arrays_ = std::move(result);
    capacity_ = wanted;
    keys_ = keys;
    values_ = values;
    removals_ = removals;
    slots_ = slots;
    for (std::size_t n = 0; n < count_; ++n)
      slots_[slot_of(keys_[n])] = static_cast<std::uint32_t>(n);
  }

  context_pointer context_;
  std::size_t value_bytes_, count_ = 0, capacity_ = 0;
  arrays arrays_;
  std::uint64_t* keys_ = nullptr;
  std::byte* values_ = nullptr;
  std::uint8_t* removals_ = nullptr;
  std::uint32_t* slots_ = nullptr;
};

// A change that has an effect.
struct change {
  std::uint64_t key;
  const std::byte* value;  // null: the entry at `at` is removed
  std::uint64_t at;        // the entry that it affects, or before which it is inserted
  bool is_new;

  std::uint64_t row() const { return key >> 32; }
  std::uint32_t column() const { return static_cast<std::uint32_t>(key); }
};

class merge {
 public:
  merge(matrix_base& m, const noted_changes& noted)
      : m_(m),
        csr_(m),
        bytes_(m.type->size),
        old_values_(m.nnz > 0 ? static_cast<const std::byte*>(m.values->host()) : nullptr) {
    list_ = make_buffer(m.context, noted.count() * sizeof(change));
    begin_ = end_ = static_cast<change*>(list_->host_write());
    for (std::size_t n = 0; n < noted.count(); ++n)
      *end_++ = {noted.key(n), noted.value(n), 0, false};
    std::sort(begin_, end_, [](const change& x, const change& y) { return x.key < y.key; });
    find_positions();
  }

  void run() {
    if (begin_ == end_) return;
    auto derived = make_derived_copies();
    if (changes_pattern_)
      rebuild();
    else
      overwrite();
    m_.symmetric = false;
    m_.value_version = next_version();
    m_.derived = std::move(derived);
  }

 private:
  const std::byte* old_value(std::uint64_t entry) const {
    return old_values_ + (m_.iso ? 0 : entry * bytes_);
  }
  bool is_old_value(std::uint64_t entry, const std::byte* value) const {
    return std::memcmp(old_value(entry), value, bytes_) == 0;
  }

  void find_positions() {
    stays_iso_ = m_.iso && m_.nnz > 0;
    std::uint64_t row = 0, from = 0, end = m_.nnz > 0 ? csr_.offset(1) : 0;
    change* kept = begin_;
    for (change* c = begin_; c != end_; ++c) {
      if (m_.nnz > 0) {
        if (c->row() != row) {
          row = c->row();
          from = csr_.offset(row);
          end = csr_.offset(row + 1);
        }
        from = static_cast<std::uint64_t>(
            std::lower_bound(csr_.columns + from, csr_.columns + end, c->column()) - csr_.columns);
      }
      c->at = from;
      c->is_new = from == end || csr_.columns[from] != c->column();
      if (c->is_new ? c->value == nullptr : c->value != nullptr && is_old_value(from, c->value))
        continue;
      changes_pattern_ = changes_pattern_ || c->is_new || c->value == nullptr;
      if (c->value != nullptr) stays_iso_ = stays_iso_ && is_old_value(0, c->value);
      *kept++ = *c;
    }
    end_ = kept;
  }

  // Changes of values only.
  void overwrite() {
    buffer_pointer values;
    if (m_.iso) {
      values = make_buffer(m_.context, static_cast<std::size_t>(m_.nnz) * bytes_);
      auto* to = static_cast<std::byte*>(values->host_write());
      for (index_t e = 0; e < m_.nnz; ++e, to += bytes_) std::memcpy(to, old_value(0), bytes_);
    } else {
      values = unshared(m_.context, m_.values);
    }
    auto* to = static_cast<std::byte*>(values->host_write(access::modify));
    for (const change* c = begin_; c != end_; ++c)
      std::memcpy(to + c->at * bytes_, c->value, bytes_);
    m_.values = std::move(values);
    m_.iso = false;
  }

  void rebuild() {
    const auto rows = static_cast<std::size_t>(m_.rows);
    std::uint64_t count = static_cast<std::uint64_t>(m_.nnz);
    for (const change* c = begin_; c != end_; ++c) {
      count += c->is_new;
      count -= c->value == nullptr;
    }
    const bool wide = m_.wide || count > 0xffffffffu;
    buffer_pointer offsets = make_buffer(m_.context, (rows + 1) * (wide ? 8 : 4));
    buffer_pointer columns = make_buffer(m_.context, count * sizeof(std::uint32_t));
    buffer_pointer values =
        stays_iso_ && count > 0 ? m_.values : make_buffer(m_.context, count * bytes_);
    if (wide)
      write_offsets(static_cast<std::uint64_t*>(offsets->host_write()));
    else
      write_offsets(static_cast<std::uint32_t*>(offsets->host_write()));
    write_entries(columns, stays_iso_ ? nullptr : values);
    m_.offsets = std::move(offsets);
    m_.column_indices = std::move(columns);
    m_.values = std::move(values);
    m_.nnz = static_cast<index_t>(count);
    m_.wide = wide;
    m_.iso = stays_iso_;
    m_.longest_row = longest_;
    m_.empty_rows = empty_;
    m_.structure_version = next_version();
  }

  template <class Offset>
  void write_offsets(Offset* to) {
    const change* c = begin_;
    std::uint64_t added = 0, old = 0,
                  next = 0;  // `added` wraps around if more entries are removed than added
    to[0] = 0;
    for (std::uint64_t row = 0; row < csr_.rows(); ++row) {
      for (; c != end_ && c->row() == row; ++c) {
        added += c->is_new;
        added -= c->value == nullptr;
      }
      const std::uint64_t begin = next;
      old = csr_.offset(row + 1);
      next = old + added;
      to[row + 1] = static_cast<Offset>(next);
      longest_ = std::max(longest_, static_cast<index_t>(next - begin));
      empty_ += next == begin;
    }
  }

  // `values` null: the matrix is iso.
  void write_entries(const buffer_pointer& columns, const buffer_pointer& values) const {
    auto* to_column = static_cast<std::uint32_t*>(columns->host_write());
    auto* to = values == nullptr ? nullptr : static_cast<std::byte*>(values->host_write());
    std::uint64_t from = 0, at = 0;
    const auto copy_until = [&](std::uint64_t end) {
      if (from == end) return;
      std::copy(csr_.columns + from, csr_.columns + end, to_column + at);
      if (to != nullptr && !m_.iso)
        std::memcpy(to + at * bytes_, old_value(from), (end - from) * bytes_);
      else if (to != nullptr)
        for (std::uint64_t n = 0; n < end - from; ++n)
          std::memcpy(to + (at + n) * bytes_, old_value(0), bytes_);
      at += end - from;
      from = end;
    };
    for (const change* c = begin_; c != end_; ++c) {
      copy_until(c->at);
      if (!c->is_new) ++from;
      if (c->value == nullptr) continue;
      to_column[at] = c->column();
      if (to != nullptr) std::memcpy(to + at * bytes_, c->value, bytes_);
      ++at;
    }
    copy_until(static_cast<std::uint64_t>(m_.nnz));
  }

  matrix_base& m_;
  const csr_view csr_;
  const std::size_t bytes_;
  const std::byte* const old_values_;
  buffer_pointer list_;
  change *begin_ = nullptr, *end_ = nullptr;  // by row and column
  bool changes_pattern_ = false, stays_iso_ = false;
  index_t longest_ = 0, empty_ = 0;
};

}  // namespace

/// The changes of one matrix.
struct pending_changes {
  std::mutex mutex{};  // of const functions while `stale`
  std::atomic<bool> stale{false};
  std::optional<noted_changes> noted{};
};

namespace {

// Of all matrices that were moved from: a move allocates nothing, so their arrays are created when
// they are first read. It stays stale.
constinit pending_changes moved_from{.stale = true};

std::shared_ptr<pending_changes> without_arrays() noexcept {
  return {std::shared_ptr<void>(), &moved_from};
}

}  // namespace

changeable_matrix::changeable_matrix() = default;
changeable_matrix::changeable_matrix(matrix_base base) : base_(std::move(base)) {
  if (base_.offsets == nullptr) pending_ = without_arrays();
}
changeable_matrix::changeable_matrix(const changeable_matrix& from) : base_(from.base()) {}
changeable_matrix::changeable_matrix(changeable_matrix&& from) noexcept
    : base_(std::move(from.base_)), pending_(std::exchange(from.pending_, without_arrays())) {}
changeable_matrix& changeable_matrix::operator=(const changeable_matrix& from) {
  return *this = changeable_matrix(from);
}
changeable_matrix& changeable_matrix::operator=(changeable_matrix&& from) noexcept {
  if (this == &from) return *this;
  base_ = std::move(from.base_);
  pending_ = std::exchange(from.pending_, without_arrays());
  return *this;
}
changeable_matrix::~changeable_matrix() = default;

void changeable_matrix::record(index_t i, index_t j, const void* value) try {
  check_position(base_, i, j);
  if (pending_ == nullptr) pending_ = std::make_shared<pending_changes>();
  std::optional<noted_changes>& noted = pending_->noted;
  if (!noted) noted.emplace(base_.context, base_.type->size);
  if (noted->count() == most_notes) settle();
  noted->note(key_of(i, j), value);
  pending_->stale.store(true, std::memory_order_release);
} catch (const out_of_memory& cause) {
  throw out_of_memory(value == nullptr ? "remove" : "set", cause);
}

bool changeable_matrix::element(index_t i, index_t j, void* value) const {
  check_position(base_, i, j);
  if (pending_ == nullptr || !pending_->stale.load(std::memory_order_acquire))
    return detail::element(base_, i, j, value);
  const std::lock_guard lock(pending_->mutex);
  if (const auto& noted = pending_->noted; noted && noted->count() > 0) {
    const std::size_t n = noted->find(key_of(i, j));
    if (n < noted->count()) {
      const std::byte* found = noted->value(n);
      if (found != nullptr) std::memcpy(value, found, base_.type->size);
      return found != nullptr;
    }
  }
  return detail::element(base_, i, j, value);
}

void changeable_matrix::settle() const try {
  pending_changes& pending = *pending_;
  if (!pending.stale.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(pending.mutex);
  if (!pending.stale.load(std::memory_order_relaxed)) return;  // another thread was first
  if (base_.offsets == nullptr && base_.context != nullptr) {
    // Not the whole object: context(), type(), rows() and columns() are read without the mutex.
    matrix_base arrays = empty_matrix(base_.context, *base_.type, 0, 0);
    base_.offsets = std::move(arrays.offsets);
    base_.column_indices = std::move(arrays.column_indices);
    base_.values = std::move(arrays.values);
    base_.derived = std::move(arrays.derived);
    base_.structure_version = arrays.structure_version;
    base_.value_version = arrays.value_version;
  }
  if (&pending == &moved_from) return;
  if (pending.noted && pending.noted->count() > 0) {
    merge(base_, *pending.noted).run();
    pending.noted->clear();
  }
  pending.stale.store(false, std::memory_order_release);
} catch (const out_of_memory& cause) {
  throw out_of_memory("changes of a matrix", cause);
}

void changeable_matrix::settle_alone() {
  settle();
  if (pending_.get() == &moved_from) pending_ = nullptr;
}

}  // namespace tropic::detail

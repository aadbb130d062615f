// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "containers/context_state.hpp"
#include "containers/memory/machine_memory.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t kept_from = std::size_t{1} << 18;  // smaller blocks are left to malloc
constexpr std::size_t kept_limit = std::size_t{1} << 30;
constexpr std::size_t kept_blocks = 32;

constexpr std::size_t huge_from = std::size_t{1} << 21;  // a huge page, on most processors

// If the memory of the device is exhausted, conversions that can be rebuilt are dropped, and `act`
// is called once more.
template <class Act>
void with_eviction(const memory_account& account, Act act) {
  try {
    return act();
  } catch (const out_of_memory&) {
    if (!account.evict || account.evict() == 0) throw;
  }
  act();
}

constexpr std::size_t rounded(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
}

// The size of the allocation, regardless of the size that it serves now.
std::size_t size_of(void* block) {
  return ::malloc_usable_size(block);
}

// Asks for huge pages. Products and searches read and write vectors at random, and small pages of a
// vector of some MB do not fit the processor's buffer of translations. A system may refuse, which
// changes nothing but speed.
void advise_huge_pages(void* block, std::size_t size) {
  if (size < huge_from) return;
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(block), begin = at / page * page;
  ::madvise(reinterpret_cast<void*>(begin), at + size - begin, MADV_HUGEPAGE);
}

// Bytes of the host blocks of all accounts, in use or kept.
std::atomic<std::size_t> host_bytes{0};

// Null if there is not enough memory. A system that overcommits grants addresses for more memory
// than it has and kills the process when they are written to: so all blocks together must not
// exceed what the machine can hold.
void* new_block(std::size_t size) {
  const std::size_t limit = machine_memory();
  std::size_t used = host_bytes.load();
  do {
    if (size > limit || used > limit - size) return nullptr;
  } while (!host_bytes.compare_exchange_weak(used, used + size));
  void* block = std::aligned_alloc(alignment, size);
  if (block == nullptr)
    host_bytes -= size;
  else
    host_bytes += size_of(block) - size;
  if (block != nullptr) advise_huge_pages(block, size);
  return block;
}
void free_block(void* block) noexcept {
  host_bytes -= size_of(block);
  std::free(block);
}

}  // namespace

memory_account::~memory_account() {
  drop_kept(0);
}

std::size_t memory_account::room_to_keep() const noexcept {
  const std::size_t used = used_;
  return limit_ == 0 ? kept_limit : std::min(kept_limit, limit_ > used ? limit_ - used : 0);
}

void memory_account::drop_kept(std::size_t limit) noexcept {
  while (kept_bytes_ > limit) {
    free_block(kept_.back().block);
    kept_bytes_ -= kept_.back().bytes;
    kept_.pop_back();
  }
}

void memory_account::acquire(std::size_t bytes) {
  if (countdown_ >= 0 && countdown_-- == 0) {
    countdown_ = -1;
    throw out_of_memory(bytes, out_of_memory::unknown, "allocation (failed by a test)");
  }
  std::size_t used = used_.load();
  do {
    if (limit_ != 0 && (bytes > limit_ || used > limit_ - bytes)) {
      if (evict && evict() > 0) {
        used = used_.load();
        if (bytes <= limit_ && used <= limit_ - bytes) continue;
      }
      throw out_of_memory(bytes, limit_ > used ? limit_ - used : 0, "memory limit");
    }
  } while (!used_.compare_exchange_weak(used, used + bytes));
  if (watches_.load(std::memory_order_relaxed) > 0) note_peak(used + bytes);
}

void memory_account::note_peak(std::size_t used) noexcept {
  std::size_t before = peak_;
  while (before < used && !peak_.compare_exchange_weak(before, used)) {
  }
}

void* memory_account::allocate_host(std::size_t bytes) {
  acquire(bytes);
  const std::size_t size = rounded(bytes);
  if (size >= kept_from) {
    const std::lock_guard lock(mutex_);
    // The closest fit, if at most a quarter is wasted.
    auto best = kept_.end();
    for (auto at = kept_.begin(); at != kept_.end(); ++at)
      if (at->bytes >= size && at->bytes - size <= size / 4 &&
          (best == kept_.end() || at->bytes < best->bytes))
        best = at;
    if (best != kept_.end()) {
      void* block = best->block;
      kept_bytes_ -= best->bytes;
      *best = kept_.back();
      kept_.pop_back();
      return block;
    }
    drop_kept(room_to_keep());
  }
  void* block = new_block(size);
  if (block == nullptr && size <= machine_memory()) {
    if (evict) evict();  // into the kept blocks, which are released next
    {
      const std::lock_guard lock(mutex_);
      drop_kept(0);
    }
    block = new_block(size);
  }
  if (block == nullptr) {
    release(bytes);
    throw out_of_memory(bytes, available_memory(), "host memory");
  }
  return block;
}

void memory_account::deallocate_host(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  release(bytes);
  const std::size_t size = size_of(block);
  if (size >= kept_from) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < kept_blocks && kept_bytes_ + size <= room_to_keep()) {
      try {
        kept_.push_back({block, size});
        kept_bytes_ += size;
        return;
      } catch (const std::bad_alloc&) {  // then it is freed
      }
    }
  }
  free_block(block);
}

namespace {

// What is known of the elements of a buffer: nothing, that they are equal, or that they are not.
enum class sameness : std::uint8_t { unknown, equal, different };

// Doubling copies: as fast as memory for any size of an element.
void fill_bytes(std::byte* to, const void* value, std::size_t size, std::size_t total) {
  std::memcpy(to, value, size);
  for (std::size_t done = size; done < total; done *= 2)
    std::memcpy(to + done, to, std::min(done, total - done));
}

// Ends at the first element that differs.
bool are_equal(const void* values, std::size_t size, std::size_t count) {
  return count < 2 ||
         std::memcmp(values, static_cast<const std::byte*>(values) + size, (count - 1) * size) == 0;
}

}  // namespace

/// What a buffer's mutex guards. A copy that is valid stays so while others read: readers need the
/// mutex only to make one valid.
struct buffer::copies {
  std::mutex mutex;
  std::atomic<bool> host_valid{false}, device_valid{false};
  std::atomic<bool> is_pending{false};  // `elements` are equal, and not written yet
  bool is_lent_by_device = false;
  sameness elements = sameness::unknown;
  void* host = nullptr;
  void* device = nullptr;        // unused where the device is the host
  std::size_t element_size = 0;  // of element(); unless unknown, of what was compared

  bool host_is_readable() const { return host_valid && !is_pending; }
  // Aligned for every type. An array of that alignment would make each allocation of this one a
  // slow one, and every call on a device allocates some.
  static constexpr std::size_t element_bytes = 64;
  void* element() {
    const auto at = reinterpret_cast<std::uintptr_t>(room_);
    return room_ + (alignment - at % alignment) % alignment;
  }

 private:
  alignas(std::max_align_t) std::byte room_[element_bytes + alignment - alignof(std::max_align_t)];
};

buffer::buffer(context_pointer context, std::size_t bytes)
    : context_(std::move(context)), bytes_(bytes), copies_(std::make_unique<copies>()) {
  // Reserves what will certainly be needed, so that running out of memory is reported here, before
  // the caller has changed anything.
  if (bytes_ > 0 && context_->device_memory == nullptr)
    copies_->host = context_->account.allocate_host(bytes_);
}

buffer::buffer(context_pointer context, const void* data, std::size_t bytes,
               std::shared_ptr<const void> owner)
    : context_(std::move(context)),
      bytes_(bytes),
      owner_(std::move(owner)),
      copies_(std::make_unique<copies>()) {
  copies_->host = const_cast<void*>(data);  // never written: host_at throws
  copies_->host_valid = true;
}

buffer::buffer(context_pointer context, device_handle data, std::size_t bytes,
               std::shared_ptr<const void> owner)
    : context_(std::move(context)),
      bytes_(bytes),
      owner_(std::move(owner)),
      copies_(std::make_unique<copies>()) {
  copies_->is_lent_by_device = true;
  copies_->device = data.handle;
  copies_->device_valid = true;
}

buffer::~buffer() {
  if (context_ == nullptr) return;
  const copies& c = *copies_;
  if (owner_ == nullptr || c.is_lent_by_device)
    context_->account.deallocate_host(c.host, c.host == nullptr ? 0 : bytes_);
  if (c.is_lent_by_device) {
    context_->device_memory->settle();
  } else if (c.device != nullptr) {
    context_->device_memory->deallocate(c.device, bytes_);
    context_->account.release(bytes_);
  }
}

bool buffer::host_valid() const {
  return copies_->host_valid;
}
bool buffer::device_valid() const {
  return copies_->device_valid;
}

void* buffer::host_at(access mode) const {
  if (bytes_ == 0) return nullptr;
  copies& c = *copies_;
  if (mode == access::read && c.host_is_readable()) return c.host;
  const std::lock_guard lock(c.mutex);
  if (mode != access::read && owner_ != nullptr)
    throw usage_error("a borrowed array is never written");
  if (c.host == nullptr) c.host = context_->account.allocate_host(bytes_);
  if (context_->device_memory == nullptr) {
    if (c.is_pending) write_pending();
    if (mode != access::read) c.elements = sameness::unknown;
    c.host_valid = true;
    return c.host;
  }
  if (!c.host_valid && mode != access::overwrite) {
    if (c.device_valid) context_->device_memory->to_host(c.host, c.device, bytes_);
    c.host_valid = c.device_valid.load();
  }
  if (mode != access::read) {
    c.host_valid = true;
    c.device_valid = false;
  }
  return c.host;
}

void* buffer::device_at(access mode) const {
  if (bytes_ == 0) return nullptr;
  if (context_->device_memory == nullptr) return host_at(mode);
  copies& c = *copies_;
  if (mode == access::read && c.device_valid) return c.device;
  const std::lock_guard lock(c.mutex);
  if (mode != access::read && owner_ != nullptr)
    throw usage_error("a borrowed array is never written");
  if (c.device == nullptr) {
    context_->account.acquire(bytes_);
    try {
      with_eviction(context_->account,
                    [&] { c.device = context_->device_memory->allocate(bytes_); });
    } catch (...) {
      context_->account.release(bytes_);
      throw;
    }
  }
  if (!c.device_valid && mode != access::overwrite) {
    if (c.host_valid)  // drivers may allocate the memory as late as here
      with_eviction(context_->account,
                    [&] { context_->device_memory->to_device(c.device, c.host, bytes_); });
    c.device_valid = c.host_valid.load();
  }
  if (mode != access::read) {
    c.device_valid.store(true, std::memory_order_release);
    c.host_valid.store(false, std::memory_order_release);
  }
  return c.device;
}

// Under the mutex. Also before a write: one that follows may leave some elements as they are.
void buffer::write_pending() const {
  copies& c = *copies_;
  if (c.host == nullptr) c.host = context_->account.allocate_host(bytes_);
  fill_bytes(static_cast<std::byte*>(c.host), c.element(), c.element_size, bytes_);
  c.is_pending = false;
}

void buffer::fill(const void* value, std::size_t size) {
  if (bytes_ == 0) return;
  copies& c = *copies_;
  if (context_->device_memory != nullptr || size > copies::element_bytes)
    return fill_bytes(static_cast<std::byte*>(host_write()), value, size, bytes_);
  const std::lock_guard lock(c.mutex);
  if (owner_ != nullptr) throw usage_error("a borrowed array is never written");
  std::memcpy(c.element(), value, size);
  c.element_size = size;
  c.elements = sameness::equal;
  c.is_pending = true;
  c.host_valid = true;
}

const void* buffer::equal_element(std::size_t size) const {
  if (bytes_ == 0) return nullptr;
  copies& c = *copies_;
  if (context_->device_memory == nullptr && owner_ == nullptr && size <= copies::element_bytes) {
    const std::lock_guard lock(c.mutex);
    if (c.elements == sameness::unknown || c.element_size != size) {
      if (c.is_pending) write_pending();
      if (c.host == nullptr) return nullptr;  // never written
      c.elements = are_equal(c.host, size, bytes_ / size) ? sameness::equal : sameness::different;
      c.element_size = size;
      std::memcpy(c.element(), c.host, size);
    }
    return c.elements == sameness::equal ? c.element() : nullptr;
  }
  const void* const data = host();
  return are_equal(data, size, bytes_ / size) ? data : nullptr;
}

buffer_pointer make_buffer(const context_pointer& context, std::size_t bytes) {
  return std::make_shared<buffer>(context, bytes);
}

}  // namespace tropic::detail

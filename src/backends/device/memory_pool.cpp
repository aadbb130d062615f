// SPDX-License-Identifier: Apache-2.0
#include "backends/device/memory_pool.hpp"

#include <bit>
#include <cstdlib>
#include <string_view>

#include <tropic/error.hpp>

namespace tropic::detail {
namespace {

constexpr std::size_t smallest = 256;
constexpr std::size_t large = std::size_t{256} << 20;
constexpr std::size_t page = std::size_t{2} << 20;

// Sizes near the largest number are refused by the driver as they are.
constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return bytes > ~std::size_t{0} - unit ? bytes : (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::size_t memory_pool::block_size(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  if (bytes >= large) return rounded_up(bytes, page);
  return rounded_up(bytes, std::max(std::bit_floor(bytes - 1) / 8, smallest / 8));
}

memory_pool::memory_pool(memory_source source, std::string name, std::size_t keep_at_most)
    : source_(std::move(source)), name_(std::move(name)), keep_at_most_(keep_at_most) {}

memory_pool::~memory_pool() {
  trim_locked();
}

// The smallest kept block that fits without wasting more than a fresh one would.
void* memory_pool::take_kept(std::size_t bytes, std::size_t block) {
  const auto found = kept_.lower_bound(bytes);
  if (found == kept_.end() || found->first > block) return nullptr;
  void* handle = found->second;
  given_.emplace(handle, found->first);  // may throw; nothing has changed by then
  counts_.used += found->first;
  counts_.kept -= found->first;
  ++counts_.reused;
  kept_.erase(found);
  return handle;
}

void* memory_pool::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  std::size_t block = keep_at_most_ == 0 ? bytes : block_size(bytes);
  if (void* kept = take_kept(bytes, block)) return kept;
  void* handle = source_.allocate(block);
  if (handle == nullptr && trim_locked() > 0) {
    ++counts_.trimmed;
    handle = source_.allocate(block);
  }
  if (handle == nullptr && block != bytes) {  // the rounding alone may be too much
    block = bytes;
    handle = source_.allocate(block);
  }
  if (handle == nullptr) throw out_of_memory(bytes, source_.free_bytes(), name_);
  try {
    given_.emplace(handle, block);
  } catch (...) {
    source_.release(handle, block);
    throw;
  }
  counts_.used += block;
  ++counts_.taken;
  return handle;
}

void memory_pool::deallocate(void* handle) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = given_.find(handle);
  if (found == given_.end()) return;
  const std::size_t block = found->second;
  counts_.used -= block;
  given_.erase(found);
  if (block <= keep_at_most_ && counts_.kept <= keep_at_most_ - block) try {
      kept_.emplace(block, handle);
      counts_.kept += block;
      return;
    } catch (...) {  // no memory for the note of it: then it goes back
    }
  if (source_.settle) source_.settle();
  source_.release(handle, block);
}

std::size_t memory_pool::trim() noexcept {
  const std::lock_guard lock(mutex_);
  return trim_locked();
}

std::size_t memory_pool::trim_locked() noexcept {
  if (kept_.empty()) return 0;
  if (source_.settle) source_.settle();
  for (const auto& [bytes, handle] : kept_) source_.release(handle, bytes);
  const std::size_t freed = counts_.kept;
  kept_.clear();
  counts_.kept = 0;
  return freed;
}

memory_pool::counts memory_pool::now() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::size_t memory_pool::worth_keeping(std::size_t device_memory) {
  const char* set = std::getenv("TROPIC_DEVICE_POOL");
  return set != nullptr && std::string_view(set) == "off" ? 0 : device_memory / 4;
}

}  // namespace tropic::detail

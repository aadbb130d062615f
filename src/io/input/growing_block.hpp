// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory for a text whose length is not known before its end.

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/input/source.hpp"
#include "io/memory.hpp"

namespace tropic::io::detail {

/// Bytes by which a text is read and its memory is rounded up.
inline constexpr std::size_t piece = std::size_t{1} << 18;

/// A growing block of whole pages. It is not copied if the system can move pages, and uses only the
/// memory that was written. Its start is aligned for every type.
class growing_block {
 public:
  /// A decoder with a window of `window` bytes holds that much of the text a second time.
  growing_block(std::string name, const memory_room& room, std::size_t window)
      : name_(std::move(name)), room_(room), window_(window) {}
  ~growing_block() { release(bytes_, capacity_); }
  growing_block(const growing_block&) = delete;
  growing_block& operator=(const growing_block&) = delete;

  /// Room for `bytes` more at the end.
  char* room(std::size_t bytes) {
    if (size_ + bytes > capacity_) grow_to(size_ + bytes);
    return bytes_ + size_;
  }
  void grow(std::size_t count) { size_ += count; }
  std::size_t size() const { return size_; }

  source finish() {
#ifdef MREMAP_MAYMOVE
    const std::size_t used = (size_ + piece - 1) / piece * piece;
    if (used != 0 && used < capacity_ && ::mremap(bytes_, capacity_, used, 0) != MAP_FAILED)
      capacity_ = used;
#endif
    const std::string_view text{bytes_, size_};
    std::shared_ptr<const void> owner(
        bytes_, [capacity = capacity_](const char* p) { release(const_cast<char*>(p), capacity); });
    bytes_ = nullptr;
    return {name_, text, std::move(owner), capacity_};
  }

 private:
  static void release(char* bytes, std::size_t capacity) {
    if (bytes) ::munmap(bytes, capacity);
  }

  void grow_to(std::size_t least) {
#ifdef MREMAP_MAYMOVE
    constexpr bool copies = false;
#else
    constexpr bool copies = true;
#endif
    const std::string what = name_ + ": " + (window_ == 0 ? "reading" : "unpacking");
    const std::size_t beside = std::min(size_, window_) + (copies ? capacity_ : 0);
    room_.beside(beside).require(least, what, copies ? 0 : capacity_);
    // Grow by half, within the limit and the memory of the machine.
    std::size_t wanted = std::max(least, capacity_ + capacity_ / 2);
    if (room_.limit != 0) wanted = std::clamp(room_.limit - room_.used - beside, least, wanted);
    if (wanted - capacity_ > available_memory()) wanted = least;
    wanted = (wanted + piece - 1) / piece * piece;
#ifdef MREMAP_MAYMOVE
    void* const moved = bytes_ ? ::mremap(bytes_, capacity_, wanted, MREMAP_MAYMOVE) : map(wanted);
#else
    void* const moved = map(wanted);
    if (moved != MAP_FAILED && bytes_) {
      std::memcpy(moved, bytes_, size_);
      release(bytes_, capacity_);
    }
#endif
    if (moved == MAP_FAILED) throw out_of_memory(wanted - capacity_, available_memory(), what);
    bytes_ = static_cast<char*>(moved);
    capacity_ = wanted;
  }

  static void* map(std::size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }

  std::string name_;
  memory_room room_;
  std::size_t window_;
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tropic::io::detail

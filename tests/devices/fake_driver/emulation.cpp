// SPDX-License-Identifier: Apache-2.0
#include "emulation.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tropic::testing {
namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;
constexpr std::uint32_t lanes = 32;

// Stacks are used again: their pages are in memory.
class stack_pool {
 public:
  char* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return all_.emplace_back(new char[stack_bytes]).get();
    char* const stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give_back(char* stack) {
    const std::lock_guard lock(mutex_);
    free_.push_back(stack);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<char[]>> all_;
  std::vector<char*> free_;
};
stack_pool& stacks() {
  static auto* pool = new stack_pool;
  return *pool;
}

// Where some wait for all the others: a number that grows once all have come.
struct meeting {
  std::uint32_t members = 0, arrived = 0, number = 0;
  void check() {
    if (members == 0 || arrived < members) return;
    arrived = 0;
    ++number;
  }
};

struct cluster {
  explicit cluster(unsigned groups)
      : meeting(static_cast<std::ptrdiff_t>(groups)), anchors(groups) {}
  std::barrier<> meeting;
  std::vector<char*> anchors;
};

struct subgroup {
  meeting all;
  // Of this exchange and the one before, which a slow work-item may still read.
  std::array<std::array<std::uint32_t, lanes>, 2> words{};
};

// Runs one work-item after the other, up to one that waits.
struct fiber {
  emulator_calls::work_item item{};
  ucontext_t start{};
  jmp_buf resume{};
  char* stack = nullptr;
  bool is_started = false, is_done = false;
  const meeting* awaits = nullptr;
  std::uint32_t seen = 0;
  std::uint32_t exchanges = 0;
};

class group_run {
 public:
  group_run(emulated_program::call kernel, void** arguments, unsigned group, unsigned groups,
            unsigned size, unsigned local_bytes, cluster* together)
      : together_(together),
        kernel_(kernel),
        arguments_(arguments),
        next_item_{group, groups, 0, size},
        subgroups_((size + lanes - 1) / lanes),
        local_space_(local_bytes / sizeof(std::max_align_t) + 1) {
    all_.members = size;
    for (unsigned n = 0; n < size; ++n) ++subgroups_[n / lanes].all.members;
  }
  void run() {
    current = this;
    while (true) {
      bool has_run = false;
      for (std::size_t n = 0; n < fibers_.size(); ++n) {
        fiber& f = *fibers_[n];
        if (f.is_done || (f.awaits != nullptr && f.awaits->number == f.seen)) continue;
        switch_to(f);
        has_run = true;
      }
      if (next_item_.local < next_item_.size) {
        switch_to(new_fiber());
      } else if (!has_run) {
        break;
      }
    }
    if (all_.members > 0) {
      std::fputs("emulated kernel: all work-items wait\n", stderr);
      std::abort();
    }
    for (const auto& f : fibers_) stacks().give_back(f->stack);
  }

  static thread_local group_run* current;
  fiber& now() { return *now_; }
  void wait_for(meeting& m) {
    fiber& f = now();
    f.awaits = &m;
    f.seen = m.number;
    ++m.arrived;
    m.check();
    while (m.number == f.seen) yield();
    f.awaits = nullptr;
  }
  void barrier() { wait_for(all_); }
  void barrier_together() {
    barrier();
    if (together_ == nullptr) return;
    if (now().item.local == 0) together_->meeting.arrive_and_wait();
    barrier();
  }
  const std::uint32_t* exchange(std::uint32_t word) {
    fiber& f = now();
    subgroup& mine = subgroups_[f.item.local / lanes];
    auto& words = mine.words[f.exchanges++ % 2];
    words[f.item.local % lanes] = word;
    wait_for(mine.all);
    return words.data();
  }
  void* of_group(const volatile void* word, std::uint32_t group) {
    auto* const place = static_cast<char*>(const_cast<void*>(word));
    if (together_ == nullptr) return place;
    return together_->anchors[group] + (place - together_->anchors[now().item.group]);
  }
  void* local_space() { return local_space_.data(); }

 private:
  fiber& new_fiber() {
    fiber& f = *fibers_.emplace_back(std::make_unique<fiber>());
    f.stack = stacks().take();
    ::getcontext(&f.start);
    f.start.uc_stack.ss_sp = f.stack;
    f.start.uc_stack.ss_size = stack_bytes;
    f.start.uc_link = nullptr;
    ::makecontext(&f.start, &group_run::begin, 0);
    return f;
  }
  static void begin() {
    group_run& self = *current;
    while (self.next_item_.local < self.next_item_.size) {
      fiber& f = self.now();
      f.item = self.next_item_;
      f.exchanges = 0;
      ++self.next_item_.local;
      self.kernel_(self.arguments_);
      // Those that still wait do not wait for it.
      for (meeting* m : {&self.all_, &self.subgroups_[self.now().item.local / lanes].all}) {
        --m->members;
        m->check();
      }
    }
    self.now().is_done = true;
    self.yield();
  }
  // _setjmp and _longjmp, as swapcontext makes two system calls.
  [[gnu::noinline]] void switch_to(fiber& f) {
    now_ = &f;
    if (::_setjmp(scheduler_) != 0) return;
    if (f.is_started) ::_longjmp(f.resume, 1);
    f.is_started = true;
    ::setcontext(&f.start);
  }
  [[gnu::noinline]] void yield() {
    if (::_setjmp(now().resume) == 0) ::_longjmp(scheduler_, 1);
  }

  cluster* together_;
  emulated_program::call kernel_;
  void** arguments_;
  emulator_calls::work_item next_item_;
  std::vector<std::unique_ptr<fiber>> fibers_;
  fiber* now_ = nullptr;
  std::vector<subgroup> subgroups_;
  std::vector<std::max_align_t> local_space_;
  meeting all_;
  jmp_buf scheduler_{};
};
thread_local group_run* group_run::current = nullptr;

constexpr emulator_calls calls{
    .item = []() -> const emulator_calls::work_item* { return &group_run::current->now().item; },
    .barrier = [] { group_run::current->barrier(); },
    .barrier_together = [] { group_run::current->barrier_together(); },
    .exchange = [](std::uint32_t word) { return group_run::current->exchange(word); },
    .of_group = [](const volatile void* word,
                   std::uint32_t group) { return group_run::current->of_group(word, group); },
    .local_space = [] { return group_run::current->local_space(); }};

}  // namespace

bool emulated_program::is_image(const std::string& image) {
  Elf64_Ehdr head;
  if (image.size() < sizeof(head)) return false;
  std::memcpy(&head, image.data(), sizeof(head));
  constexpr int cuda = 190;
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_machine != cuda;
}

emulated_program::emulated_program(const std::string& image) {
  char name[] = "/tmp/tropic-emulated-XXXXXX";
  const int file = ::mkstemp(name);
  if (file < 0) throw std::runtime_error("no temporary file");
  const bool written =
      ::write(file, image.data(), image.size()) == static_cast<ssize_t>(image.size());
  ::close(file);
  if (written) library_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char* const reason = library_ == nullptr ? ::dlerror() : nullptr;
  ::unlink(name);
  if (library_ == nullptr) throw std::runtime_error(reason == nullptr ? "cannot write" : reason);
  *static_cast<const emulator_calls**>(::dlsym(library_, "t_emulator")) = &calls;
  is_cluster_ = *static_cast<const int*>(::dlsym(library_, "t_is_cluster")) != 0;
  anchor_ = reinterpret_cast<void* (*)()>(::dlsym(library_, "t_anchor"));
}

emulated_program::~emulated_program() {
  ::dlclose(library_);
}

emulated_program::call emulated_program::kernel(const std::string& name,
                                                const std::size_t*& sizes) const {
  const auto found = reinterpret_cast<call>(::dlsym(library_, ("t_call_" + name).c_str()));
  if (found != nullptr)
    sizes = reinterpret_cast<const std::size_t* (*)()>(
        ::dlsym(library_, ("t_sizes_" + name).c_str()))();
  return found;
}

void emulated_program::run(call kernel, void** arguments, unsigned groups, unsigned group_size,
                           unsigned local_bytes) const {
  if (!is_cluster_) {
    for (unsigned group = 0; group < groups; ++group)
      group_run(kernel, arguments, group, groups, group_size, local_bytes, nullptr).run();
    return;
  }
  cluster together(groups);
  std::vector<std::thread> threads;
  for (unsigned group = 0; group < groups; ++group)
    threads.emplace_back([&, group] {
      together.anchors[group] = static_cast<char*>(anchor_());
      together.meeting.arrive_and_wait();
      group_run(kernel, arguments, group, groups, group_size, local_bytes, &together).run();
      together.meeting.arrive_and_wait();  // others may still read its local memory
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace tropic::testing

// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/compiled/compiled_kernels.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>

#include <tropic/error.hpp>

#include "backends/cpu/compiled/compiler.hpp"
#include "backends/cpu/compiled/source.hpp"
#include "backends/device/program/program_cache.hpp"

namespace tropic::detail::on_cpu {

/// A library that is open as long as the table is used.
struct compiled_kernels::library {
  void* handle = nullptr;
  cpu_kernel_table tables[2]{};
  library() = default;
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  ~library() {
    if (handle != nullptr) dlclose(handle);
  }
};

namespace {

// Everything that shapes a program.
std::string key_of(const semiring_description& semiring) {
  std::string key;
  for (const operator_description* op : {&semiring.add.add, &semiring.multiply}) {
    key.append(op->text).push_back('\0');
    for (const type_description* type : {op->x, op->y, op->z}) {
      key.append(type->name).append(std::to_string(type->size)).push_back(' ');
      for (const field_description& f : type->fields)
        key.append(f.name)
            .append(describe(f.code).name)
            .append(std::to_string(f.offset))
            .push_back(' ');
    }
  }
  return key;
}

// Whether only this user, or the system's administrator, can have written there.
bool is_ours(const std::filesystem::path& name, mode_t kind) {
  struct stat status {};
  return lstat(name.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == kind &&
         (status.st_uid == geteuid() || status.st_uid == 0) &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

template <class Function>
void take(void* library, const char* name, Function& to) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw error(std::string("the library lacks ") + name);
  static_assert(sizeof(to) == sizeof(found));
  std::memcpy(&to, &found, sizeof(to));
}

// t_layout of products.kernel as it is here.
std::array<std::uint64_t, 15> layout_of(const semiring_description& s) {
  using g = product_arguments;
  return {sizeof(g),
          offsetof(g, offsets),
          offsetof(g, wide),
          offsetof(g, columns),
          offsetof(g, a),
          offsetof(g, a_iso),
          offsetof(g, u),
          offsetof(g, u_present),
          offsetof(g, u_indices),
          offsetof(g, skip),
          offsetof(g, w),
          offsetof(g, w_present),
          s.a().size,
          s.x().size,
          s.z().size};
}

}  // namespace

compiled_kernels::compiled_kernels(context_state& context) : context_(context) {}
compiled_kernels::~compiled_kernels() = default;

const cpu_kernel_table* compiled_kernels::find(const semiring_description& semiring) {
  if (context_.options.text_compiler.empty() || !semiring.multiply.parameters.empty() ||
      !semiring.add.add.parameters.empty())
    return nullptr;
  held_notices held;  // a callback of the log may use the context
  std::string notice;
  const cpu_kernel_table* found = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = libraries_.try_emplace(key_of(semiring));
    if (is_new) try {
        at->second = make(semiring, notice);
      } catch (...) {  // cancelled: the next call tries again
        libraries_.erase(at);
        throw;
      }
    if (at->second != nullptr) found = at->second->tables;
  }
  held.give();
  if (!notice.empty()) context_.log(notice);
  return found;
}

std::unique_ptr<compiled_kernels::library> compiled_kernels::make(
    const semiring_description& semiring, std::string& notice) {
  if (has_failed_) return nullptr;
  try {
    if (compiler_ == nullptr) {
      has_failed_ = true;
      compiler_ = std::make_unique<c_compiler>(context_.options.text_compiler, [this] {
        if (context_.is_cancelled()) throw cancelled();
      });
      has_failed_ = false;
    }
    const std::string source = c_source(semiring);
    program_cache cache([this](std::string_view message) { context_.log(message); });
    const std::string key =
        program_cache::key_of(source, compiler_->options(), compiler_->identity());
    const auto open = [&](const std::vector<unsigned char>& bytes) {
      const private_folder folder;
      const std::filesystem::path file = folder.path() / "products.so";
      std::ofstream(file, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
      auto loaded = std::make_unique<library>();
      loaded->handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (loaded->handle == nullptr) throw error(std::string("it cannot be loaded: ") + dlerror());
      const std::uint64_t* layout = nullptr;
      take(loaded->handle, "t_layout", layout);
      const auto expected = layout_of(semiring);
      if (std::memcmp(layout, expected.data(), sizeof(expected)) != 0)
        throw error("its types have another layout than the library's");
      const char* const sides[] = {"_0", "_1"};
      for (std::size_t side = 0; side < 2; ++side) {
        const auto name = [&](const char* kind) { return std::string(kind) + sides[side]; };
        cpu_kernel_table& table = loaded->tables[side];
        take(loaded->handle, name("t_pull_full").c_str(), table.full);
        take(loaded->handle, name("t_pull_bitmap").c_str(), table.bitmap);
        take(loaded->handle, name("t_piece").c_str(), table.piece);
        take(loaded->handle, name("t_push").c_str(), table.push);
        const bool* asks_for_plain = nullptr;
        take(loaded->handle, "t_asks_for_plain", asks_for_plain);
        table.asks_for_plain = *asks_for_plain;
      }
      return loaded;
    };
    std::error_code ignored;
    if (const auto entry = cache.folder() / key;
        !cache.folder().empty() && std::filesystem::exists(entry, ignored)) {
      if (!is_ours(cache.folder(), S_IFDIR) || !is_ours(entry, S_IFREG)) {
        notice = "text compiler: other users can write to " + entry.string() +
                 " or its folder: not loaded, compiling it again";
      } else if (const auto bytes = cache.load(key)) {
        try {
          auto loaded = open(*bytes);
          ++loaded_;
          return loaded;
        } catch (const error&) {
          cache.reject(key);
        }
      }
    }
    const std::vector<unsigned char> bytes = compiler_->compile(source);
    auto loaded = open(bytes);
    ++compiled_;
    cache.store(key, bytes);
    return loaded;
  } catch (const cancelled&) {
    if (compiler_ == nullptr) has_failed_ = false;
    throw;
  } catch (const error& e) {
    notice = std::string("text compiler: ") + e.what() + "; products are computed by blocks";
    return nullptr;
  }
}

}  // namespace tropic::detail::on_cpu

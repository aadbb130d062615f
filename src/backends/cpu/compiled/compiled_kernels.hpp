// SPDX-License-Identifier: Apache-2.0
#pragma once

// Product kernels of semirings given as text, compiled by the machine's C compiler if the context
// asks for it (context_options::text_compiler). They are kept in the folder of compiled device
// programs (program_cache.hpp), from which they are loaded only if it and the entry belong to this
// user and no other user can write to them.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <tropic/detail/cpu/kernels.hpp>

#include "containers/context_state.hpp"

namespace tropic::detail::on_cpu {

class c_compiler;

class compiled_kernels {
 public:
  explicit compiled_kernels(context_state& context);
  ~compiled_kernels();
  compiled_kernels(const compiled_kernels&) = delete;
  compiled_kernels& operator=(const compiled_kernels&) = delete;

  /// The kernels of mxv and of vxm for a semiring that has none; null if the context does not ask
  /// for them, if the semiring has parameters, or, with one notice, if they cannot be compiled.
  /// Thread-safe.
  const cpu_kernel_table* find(const semiring_description& semiring);

  /// Programs compiled, and loaded from disk, so far; for tests.
  int compiled() const { return compiled_; }
  int loaded() const { return loaded_; }

 private:
  struct library;
  std::unique_ptr<library> make(const semiring_description& semiring, std::string& notice);

  context_state& context_;
  std::mutex mutex_;
  bool has_failed_ = false;  // the compiler does not run
  std::unique_ptr<c_compiler> compiler_;
  std::map<std::string, std::unique_ptr<library>> libraries_;
  int compiled_ = 0, loaded_ = 0;
};

}  // namespace tropic::detail::on_cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVRTC, the run-time compiler of CUDA, opened when it is first needed: neither its headers nor
// its library are there when Tropic is built or started.

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/program/program.hpp"

namespace tropic::detail {

class nvrtc {
 public:
  /// Tries $TROPIC_NVRTC_LIBRARY alone where it is set, else the usual names and places. Null where
  /// there is none; `reason` then says what was tried.
  static std::shared_ptr<const nvrtc> open(std::string& reason);

  /// "13.0"
  std::string version() const;
  /// The architectures that it compiles for: 75, 80, 90, ...
  std::vector<int> architectures() const;
  /// PTX for "compute_80" and the like, machine code for "sm_80". Throws device_error with the
  /// user's expressions and the compiler's log.
  std::string compile(const device_program&, std::string_view architecture) const;
  /// The options of such a compilation, that of the architecture left out: for the keys of kept
  /// programs.
  static std::string options();

 private:
  friend class nvrtc_on_demand;
  struct functions;
  static std::vector<std::string> names();
  static std::shared_ptr<const nvrtc> open(const std::vector<std::string>& names,
                                           std::string& reason);
  explicit nvrtc(std::shared_ptr<const functions> found) : call_(std::move(found)) {}
  std::shared_ptr<const functions> call_;
};

/// Opens it when it is first asked for, from where nvrtc::open() would open it at the construction:
/// its library has 100 MB, and where all programs are kept nothing is compiled. Thread-safe.
class nvrtc_on_demand {
 public:
  nvrtc_on_demand() : names_(nvrtc::names()) {}
  /// Null where there is none; reason() then says what was tried.
  std::shared_ptr<const nvrtc> get() const {
    std::call_once(opened_, [this] { found_ = nvrtc::open(names_, reason_); });
    return found_;
  }
  const std::string& reason() const { return reason_; }

 private:
  std::vector<std::string> names_;
  mutable std::once_flag opened_;
  mutable std::shared_ptr<const nvrtc> found_;
  mutable std::string reason_;
};

}  // namespace tropic::detail

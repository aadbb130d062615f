// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVRTC, the run-time compiler of CUDA, opened when it is first needed: neither its headers nor
// its library are there when Tropic is built or started.

#include <memory>
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
  /// The options of such a compilation, for the keys of kept programs; the second without that of
  /// the architecture.
  static std::string options(std::string_view architecture);
  static std::string options();

 private:
  struct functions;
  explicit nvrtc(std::shared_ptr<const functions> found) : call_(std::move(found)) {}
  std::shared_ptr<const functions> call_;
};

}  // namespace tropic::detail

// SPDX-License-Identifier: Apache-2.0

// The key of sip_hash.hpp.

#include "io/tables/sip_hash.hpp"

#include <random>

namespace tropic::io::detail {

const sip_key& sip_key_of_process() {
  static const sip_key key = [] {
    std::random_device device;
    const auto draw = [&] { return std::uint64_t{device()} << 32 | device(); };
    return sip_key{draw(), draw()};
  }();
  return key;
}

}  // namespace tropic::io::detail

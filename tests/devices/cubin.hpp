// SPDX-License-Identifier: Apache-2.0
#pragma once

// What machine code of CUDA says about its kernels.

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tropic::testing {

/// The bytes of local memory that a work-item of each kernel has on its stack: arrays that are not
/// in registers, and spilled registers. From the attributes EIATTR_FRAME_SIZE in the section
/// .nv.info of an ELF file; these do not depend on a report of the compiler.
inline std::vector<std::uint32_t> frame_sizes(std::string_view cubin) {
  const auto read = [cubin]<class T>(T& to, std::size_t at) {
    if (at > cubin.size() || sizeof(T) > cubin.size() - at)
      throw std::runtime_error("machine code that ends early");
    std::memcpy(&to, cubin.data() + at, sizeof(T));
  };
  const auto section = [&](const Elf64_Ehdr& file, std::size_t number) {
    Elf64_Shdr header;
    read(header, file.e_shoff + number * sizeof header);
    return header;
  };
  struct attribute {
    std::uint8_t format, name;
    std::uint16_t value;  // or its bytes, which follow
  };
  constexpr std::uint8_t has_bytes = 4, frame_size = 0x11;
  struct frame {
    std::uint32_t kernel, bytes;
  };

  Elf64_Ehdr file;
  read(file, 0);
  const Elf64_Shdr names = section(file, file.e_shstrndx);
  std::vector<std::uint32_t> found;
  for (std::size_t n = 0; n < file.e_shnum; ++n) {
    const Elf64_Shdr info = section(file, n);
    const std::string_view name = cubin.substr(names.sh_offset + info.sh_name);
    if (name.substr(0, name.find('\0')) != ".nv.info") continue;
    for (std::size_t at = info.sh_offset; at < info.sh_offset + info.sh_size;) {
      attribute one;
      read(one, at);
      at += sizeof one;
      if (one.format != has_bytes) continue;
      if (one.name == frame_size) {
        frame of_kernel;
        read(of_kernel, at);
        found.push_back(of_kernel.bytes);
      }
      at += one.value;
    }
  }
  return found;
}

}  // namespace tropic::testing

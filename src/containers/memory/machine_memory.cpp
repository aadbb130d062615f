// SPDX-License-Identifier: Apache-2.0
#include "containers/memory/machine_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace tropic::detail {

namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

// The bytes that /proc/meminfo gives for `wanted`, or `otherwise`.
std::size_t from_meminfo(const std::string& wanted, std::size_t otherwise) {
  std::ifstream info("/proc/meminfo");
  std::string key, rest;
  std::size_t kibibytes = 0;
  while (info >> key >> kibibytes) {
    if (key == wanted) return kibibytes * 1024;
    std::getline(info, rest);
  }
  return otherwise;
}

std::size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return unknown;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes);
}

// A file that contains one number; "max", or no file: unknown.
std::size_t number_in(const std::string& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  return in >> number ? number : unknown;
}

// The minimum limit of this process's control group and its parents, of memory alone.
std::size_t group_limit() {
  std::size_t least = unknown;
  std::ifstream groups("/proc/self/cgroup");
  std::string line;  // NUMBER:CONTROLLERS:PATH, without controllers in version 2
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_version_2 = controllers.empty();
    if (!is_version_2 && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    const std::string root = is_version_2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const std::string name = is_version_2 ? "/memory.max" : "/memory.limit_in_bytes";
    std::string path = line.substr(second + 1);
    while (true) {
      while (!path.empty() && path.back() == '/') path.pop_back();
      least = std::min(least, number_in(root + path + name));
      if (path.empty()) break;
      path.erase(path.rfind('/'));
    }
  }
  return least;
}

}  // namespace

std::size_t machine_memory() {
  static const std::size_t bytes = [] {
    const std::size_t memory =
        std::min(from_meminfo("MemTotal:", physical_memory()), group_limit());
    const std::size_t swap = from_meminfo("SwapTotal:", 0);
    return memory > unknown - swap ? unknown : memory + swap;
  }();
  return bytes;
}

}  // namespace tropic::detail

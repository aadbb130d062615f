// SPDX-License-Identifier: Apache-2.0

// The memory that this process can still get: the minimum of what the machine has free or can free
// immediately (MemAvailable), of what remains in each control group above it (including page cache
// that the group can drop), and of its limits of address space and data (ulimit -v, -d).

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "containers/memory/machine_memory.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t bytes_for(std::size_t count, std::size_t size) {
  return count > unlimited / size ? unlimited : count * size;
}
std::size_t difference(std::size_t a, std::size_t b) {
  return a > b ? a - b : 0;
}

/// The number after `key` in a file of lines `key number`.
std::size_t number_of(const std::string& file, const std::string& key, std::size_t otherwise) {
  std::ifstream in(file);
  std::string word, rest;
  std::size_t value = 0;
  while (in >> word >> value) {
    if (word == key) return value;
    std::getline(in, rest);
  }
  return otherwise;
}

/// The number that a file consists of; for `max` and other text `otherwise`.
std::size_t number_in(const std::string& file, std::size_t otherwise) {
  std::ifstream in(file);
  std::size_t value = 0;
  return in >> value ? value : otherwise;
}

std::size_t left_on_machine() {
  const std::size_t kibibytes = number_of("/proc/meminfo", "MemAvailable:", unlimited);
  if (kibibytes != unlimited) return bytes_for(kibibytes, 1024);
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return unlimited;
  return bytes_for(static_cast<std::size_t>(pages), static_cast<std::size_t>(bytes));
}

/// The minimum that remains in a control group and its parents, up to the mount.
std::size_t left_in_group(const std::string& mount, std::string group, const char* limit_file,
                          const char* usage_file, const char* cache_key) {
  std::size_t left = unlimited;
  for (;;) {
    const std::string folder = mount + (group == "/" ? "" : group) + "/";
    const std::size_t limit = number_in(folder + limit_file, unlimited);
    if (limit != unlimited) {
      const std::size_t usage = number_in(folder + usage_file, 0);
      const std::size_t cache = number_of(folder + "memory.stat", cache_key, 0);
      left = std::min(left, difference(limit, difference(usage, cache)));
    }
    if (group.empty() || group == "/") return left;
    group.resize(group.rfind('/'));
  }
}

std::size_t left_in_groups() {
  std::size_t left = unlimited;
  std::ifstream groups("/proc/self/cgroup");  // HIERARCHY:CONTROLLERS:PATH
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty())
      left = std::min(left, left_in_group("/sys/fs/cgroup", path, "memory.max", "memory.current",
                                          "inactive_file"));
    if (("," + controllers + ",").find(",memory,") != std::string::npos)
      left = std::min(left, left_in_group("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                                          "memory.usage_in_bytes", "total_inactive_file"));
  }
  return left;
}

std::size_t left_to_process() {
  std::ifstream statm("/proc/self/statm");  // pages: size resident shared text lib data dirty
  std::size_t size = 0, skipped = 0, data = 0;
  if (!(statm >> size >> skipped >> skipped >> skipped >> skipped >> data)) return unlimited;
  const auto page = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  const auto left = [page](auto resource, std::size_t pages) {
    struct rlimit limit {};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return difference(limit.rlim_cur, pages * page);
  };
  return std::min(left(RLIMIT_AS, size), left(RLIMIT_DATA, data));
}

}  // namespace

std::size_t available_memory() {
  return std::min({left_on_machine(), left_in_groups(), left_to_process()});
}

}  // namespace tropic::detail

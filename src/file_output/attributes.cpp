// SPDX-License-Identifier: Apache-2.0

// Permission bits are always kept, owner and group if the process may change the owner of files. If
// the group cannot be kept, it keeps only the permissions that others have: the rest would apply to
// the members of another group.

#include "file_output/attributes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace tropic::files {

namespace {

constexpr const char* access_list = "system.posix_acl_access";

/// What a user or an administrator has set. Other attributes, such as capabilities, belong to the
/// old content.
bool is_kept(std::string_view name) {
  return name.starts_with("user.") || name == access_list || name == "security.selinux";
}

std::string list_of(int file) {
  const ssize_t size = ::flistxattr(file, nullptr, 0);
  std::string names(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  const ssize_t found = names.empty() ? 0 : ::flistxattr(file, names.data(), names.size());
  names.resize(found > 0 ? static_cast<std::size_t>(found) : 0);
  return names;
}

/// False if an access control list cannot be kept.
bool copy_extended(int from, int to) {
  bool whole = true;
  const std::string names = list_of(from);
  for (const char* name = names.data(); name < names.data() + names.size();
       name += std::string_view(name).size() + 1) {
    if (!is_kept(name)) continue;
    const ssize_t size = ::fgetxattr(from, name, nullptr, 0);
    std::string value(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
    const bool copied = size >= 0 && ::fgetxattr(from, name, value.data(), value.size()) == size &&
                        ::fsetxattr(to, name, value.data(), value.size(), 0) == 0;
    whole = whole && (copied || std::string_view(name) != access_list);
  }
  return whole;
}

}  // namespace

void keep_attributes(const place& old, int file) {
  constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  descriptor from(::openat(old.folder(), old.file().c_str(), O_RDONLY | flags));
  if (!from) from = descriptor(::openat(old.folder(), old.file().c_str(), O_WRONLY | flags));
  struct stat was {
  }, result{};
  if (!from || ::fstat(from.number(), &was) != 0 || ::fstat(file, &result) != 0)
    refuse(old.name(), errno);
  if (was.st_uid != result.st_uid && ::fchown(file, was.st_uid, was.st_gid) == 0)
    result.st_gid = was.st_gid;
  if (was.st_gid != result.st_gid && ::fchown(file, static_cast<uid_t>(-1), was.st_gid) == 0)
    result.st_gid = was.st_gid;
  ::fremovexattr(file, access_list);  // the default permissions of the folder
  mode_t bits = was.st_mode & 0777;
  if (was.st_gid != result.st_gid)
    bits &= static_cast<mode_t>(0707 | (bits & 7) << 3);
  else if (!copy_extended(from.number(), file))
    refuse(old.name(), EPERM);
  if (::fchmod(file, bits) != 0) refuse(old.name(), errno);
}

}  // namespace tropic::files

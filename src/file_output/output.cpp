// SPDX-License-Identifier: Apache-2.0

// The temporary file beside its target, the renaming, and undoing it if one of several files fails.

#include "file_output/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

#include "file_output/attributes.hpp"
#include "file_output/temporaries.hpp"

namespace tropic::files {

namespace {

/// "NAME.tmp-PROCESS-RANDOM", NAME shortened to the limit of file names. No other file has it: the
/// name is recorded for removal before the file exists.
std::string temporary_name(const std::string& file) {
  constexpr std::size_t limit = 200;  // of NAME_MAX, 255
  std::random_device device;
  const std::uint64_t random = std::uint64_t{device()} << 32 | device();
  return file.substr(0, limit) + ".tmp-" + std::to_string(::getpid()) + "-" +
         std::to_string(random);
}

}  // namespace

int write_all(int descriptor, std::string_view bytes, const interruption& interrupted) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      struct pollfd until {
        descriptor, POLLOUT, 0
      };
      if (::poll(&until, 1, -1) < 0 && errno == EINTR && interrupted) interrupted();
    } else if (errno != EINTR) {
      return errno;
    } else if (interrupted) {
      interrupted();
    }
  }
  return 0;
}

struct output::state {
  place where;
  interruption interrupted;
  descriptor file;
  std::string temporary;   // in the folder; empty if there is none
  temporary_note note;     // of the temporary file's folder
  struct stat written {};  // of the temporary file
  bool has_name = false;
  enum { for_good, by_exchange, by_removal } undone = for_good;

  state(place w, interruption i) : where(std::move(w)), interrupted(std::move(i)) {}
  bool is_replaced() const { return where.what() == kind::regular || where.what() == kind::absent; }
  [[noreturn]] void fail(int reason) const {
    if (reason == EPIPE)
      throw output_closed(where.name() + ": cannot write: its reader has closed it");
    refuse(where.name(), reason);
  }

  void make_temporary() {
    const bool is_new = where.what() == kind::absent;
    do {
      temporary = temporary_name(where.file());
      // Before the file exists, as a signal may end the process as soon as it does.
      note.set(where.folder(), temporary);
      // A file that replaces another is never readable to more users than that one.
      file = descriptor(::openat(where.folder(), temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_new ? 0666 : 0600));
    } while (!file && errno == EEXIST);
    if (!file) {
      const int reason = errno;
      temporary.clear();
      note.clear();
      fail(reason);
    }
    if (!is_new) keep_attributes(where, file.number());
    if (::fstat(file.number(), &written) != 0) fail(errno);
  }

  void open_special() {
    for (;;) {
      file = descriptor(
          ::openat(where.folder(), where.file().c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
      if (file) return;
      if (errno != EINTR) fail(errno);
      if (interrupted) interrupted();
    }
  }

  bool rename(unsigned flags) const {
    return ::renameat2(where.folder(), temporary.c_str(), where.folder(), where.file().c_str(),
                       flags) == 0;
  }

  /// Gives the file its new name. `undoable`: the old file is kept, if the file system can exchange
  /// names.
  void publish(bool undoable, std::span<output* const> before) {
    struct stat there {};
    const bool exists =
        ::fstatat(where.folder(), where.file().c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists && !S_ISREG(there.st_mode)) fail(S_ISDIR(there.st_mode) ? EISDIR : EEXIST);
    // Some file systems treat two spellings as one name.
    for (const output* other : before)
      if (exists && other->state_->written.st_dev == there.st_dev &&
          other->state_->written.st_ino == there.st_ino)
        throw usage_error(where.name() + ": found the same file as the output " +
                          other->where().name() + ", expected another one");
    if (undoable && exists) note.clear();  // the temporary name becomes that of the old file
    if (undoable && exists && rename(RENAME_EXCHANGE)) {
      undone = by_exchange;
    } else {
      if (!rename(0)) fail(errno);
      undone = exists ? for_good : by_removal;
      temporary.clear();
      note.clear();
    }
    has_name = true;
  }

  void withdraw() noexcept {
    if (undone == by_exchange) rename(RENAME_EXCHANGE);
    if (undone == by_removal) ::unlinkat(where.folder(), where.file().c_str(), 0);
    undone = for_good;
  }
};

output::output(place where, interruption interrupted)
    : state_(std::make_unique<state>(std::move(where), std::move(interrupted))) {
  state& s = *state_;
  if (s.where.what() == kind::open) {
    s.file = descriptor(::fcntl(s.where.number(), F_DUPFD_CLOEXEC, 3));
    if (!s.file) s.fail(errno);
  } else if (s.is_replaced()) {
    try {
      s.make_temporary();
    } catch (...) {
      if (!s.temporary.empty()) ::unlinkat(s.where.folder(), s.temporary.c_str(), 0);
      throw;
    }
  } else {
    s.open_special();
  }
}

output::~output() {
  state& s = *state_;
  if (!s.temporary.empty()) ::unlinkat(s.where.folder(), s.temporary.c_str(), 0);
}

const place& output::where() const {
  return state_->where;
}

void output::write(std::string_view bytes) {
  if (const int failed = write_all(state_->file.number(), bytes, state_->interrupted))
    state_->fail(failed);
}

void output::finish() {
  state& s = *state_;
  if (!s.file) return;
  const int number = std::exchange(s.file, descriptor()).release();
  if (::close(number) != 0 && errno != EINTR) s.fail(errno);
}

void output::commit() {
  output* const alone = this;
  files::commit({&alone, 1});
}

void commit(std::span<output* const> outputs) {
  for (output* one : outputs) one->finish();
  std::size_t published = 0;
  try {
    for (; published < outputs.size(); ++published) {
      output::state& s = *outputs[published]->state_;
      if (s.is_replaced() && !s.has_name)
        s.publish(published + 1 < outputs.size(), outputs.first(published));
    }
  } catch (...) {
    while (published > 0) outputs[--published]->state_->withdraw();
    throw;
  }
  // The replaced files are removed by the destructors.
}

}  // namespace tropic::files

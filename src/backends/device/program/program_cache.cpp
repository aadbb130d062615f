// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/program_cache.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include <tropic/detail/hash.hpp>
#include <tropic/error.hpp>

#include "file_output/output.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of an entry; no program has as many
constexpr char magic[8] = {'t', 'r', 'o', 'p', 'i', 'c', 'k', '1'};

struct entry_header {
  char magic[8];
  char key[32];
  std::uint64_t bytes;
  std::uint64_t checksum;
};
static_assert(sizeof(entry_header) == 56);

// Two hashes of different families, so that the pair is as good as 128 bits by accident; by words,
// as texts have some 30 KB.
struct hash_pair {
  std::uint64_t first = fnv_basis, second = 0;

  void add(std::uint64_t word) {
    first = (std::rotl(first, 23) ^ word) * golden;
    second = mix(second + word + golden);
  }
  void add(std::string_view part) {
    const std::uint64_t size = part.size();
    std::uint64_t word = 0;
    for (; part.size() >= sizeof(word); part.remove_prefix(sizeof(word))) {
      std::memcpy(&word, part.data(), sizeof(word));
      add(word);
    }
    word = 0;
    std::memcpy(&word, part.data(), part.size());
    add(word);
    add(size);  // ends it
  }
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

program_cache::program_cache(notice log) : log_(std::move(log)) {
  if (environment("TROPIC_CACHE") == "off") return;
  if (const std::string given = environment("TROPIC_CACHE_DIR"); !given.empty())
    folder_ = given;
  else if (const std::string user = environment("XDG_CACHE_HOME"); !user.empty())
    folder_ = std::filesystem::path(user) / "tropic";
  else if (const std::string home = environment("HOME"); !home.empty())
    folder_ = std::filesystem::path(home) / ".cache" / "tropic";
}

thread_local held_notices* held_notices::current = nullptr;

held_notices::~held_notices() {
  try {
    give();
  } catch (...) {  // another error is under way
  }
  current = before_;
}

void held_notices::give() {
  if (before_ != nullptr) {
    for (auto& notice : waiting_) before_->waiting_.push_back(std::move(notice));
    return waiting_.clear();
  }
  const std::vector<std::function<void()>> all = std::exchange(waiting_, {});
  current = nullptr;  // what they say in turn has no lock over it
  for (const auto& notice : all) notice();
}

void held_notices::say(std::function<void()> notice) {
  if (current != nullptr)
    current->waiting_.push_back(std::move(notice));
  else
    notice();
}

std::string program_cache::key_of(std::string_view text, std::string_view options,
                                  std::string_view device) {
  hash_pair hash;
  for (const std::string_view part : {text, options, device, std::string_view(TROPIC_BUILD_ID)})
    hash.add(part);
  char key[33];
  std::snprintf(key, sizeof(key), "%016llx%016llx",
                static_cast<unsigned long long>(mix(hash.first)),
                static_cast<unsigned long long>(hash.second));
  return key;
}

void program_cache::warn(const std::string& message) {
  if (warned_.exchange(true)) return;
  if (!log_) return;
  held_notices::say(
      [log = log_, text = "program cache " + folder_.string() + ": " + message] { log(text); });
}

// A pipe in the place of an entry would never end.
bool program_cache::has(const std::string& key) const {
  std::error_code ignored;
  return !folder_.empty() && std::filesystem::is_regular_file(folder_ / key, ignored);
}

std::optional<std::vector<unsigned char>> program_cache::load(const std::string& key) {
  if (!has(key)) return {};
  std::error_code ignored;
  std::ifstream file(folder_ / key, std::ios::binary);
  if (!file) return {};
  entry_header header;
  std::vector<unsigned char> binary;
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  bool good = file && std::memcmp(header.magic, magic, sizeof(magic)) == 0 &&
              key.compare(0, sizeof(header.key), header.key, sizeof(header.key)) == 0;
  good = good && header.bytes <= most_bytes &&
         std::filesystem::file_size(folder_ / key, ignored) == sizeof(header) + header.bytes;
  if (good) {
    binary.resize(header.bytes);
    file.read(reinterpret_cast<char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
    good = file && fnv(fnv_basis, binary.data(), binary.size()) == header.checksum;
  }
  if (!good) {
    warn("the entry " + key + " is damaged; compiling it again");
    return {};
  }
  ++hits_;
  return binary;
}

void program_cache::reject(const std::string& key) {
  --hits_;
  warn("the device rejects the entry " + key + "; compiling it again");
}

void program_cache::store(const std::string& key, std::span<const unsigned char> binary) {
  if (folder_.empty()) return;
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  if (problem) return warn("cannot be made: " + problem.message());

  entry_header header{};
  std::memcpy(header.magic, magic, sizeof(magic));
  std::memcpy(header.key, key.data(), std::min(key.size(), sizeof(header.key)));
  header.bytes = binary.size();
  header.checksum = fnv(fnv_basis, binary.data(), binary.size());

  try {
    // Whole or not at all, so that no reader sees half of it.
    files::output file{files::place(folder_ / key)};
    file.write({reinterpret_cast<const char*>(&header), sizeof(header)});
    file.write({reinterpret_cast<const char*>(binary.data()), binary.size()});
    file.commit();
  } catch (const error& failure) {
    warn(std::string("an entry cannot be written: ") + failure.what());
  }
}

}  // namespace tropic::detail

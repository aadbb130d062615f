// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/precompile.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include <tropic/error.hpp>

#include "backends/cuda/enumerate.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "backends/device/program/precompiled_programs.hpp"
#include "backends/device/program/request_text.hpp"
#include "backends/device/program_variants.hpp"
#include "backends/kernels/texts.hpp"
#include "containers/timing.hpp"

namespace tropic::detail {
namespace {

// Machine code is needed: PTX would be compiled by the driver of every machine.
void require_known(const nvrtc& compiler, const std::string& architecture) {
  const std::vector<int> known = compiler.architectures();
  int number = 0;
  if (architecture.starts_with("sm_"))
    std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), number);
  std::string names;
  for (const int candidate : known) {
    const std::string name = "sm_" + std::to_string(candidate);
    if (name == architecture) return;
    names += (names.empty() ? "" : ", ") + name;
  }
  throw usage_error("architecture '" + architecture + "': NVRTC " + compiler.version() +
                    " compiles for " + names);
}

// What texts depend on is the same for all GPUs, but for clusters (above). What else differs
// decides which programs are asked for: the local memory of a launch that asks for more, least and
// most.
constexpr std::size_t local_memories[] = {64 << 10, 227 << 10};

device_traits usual_gpu(std::size_t most_local_bytes) {
  return {.name = "a GPU",
          .language = dialect::cuda,
          .fp64 = true,
          .atomics_64 = true,
          .local_bytes = 48 << 10,
          .most_local_bytes = most_local_bytes,
          .group_limit = 1024,
          .processors = 100,
          .subgroup_size = 32,
          .exchange = subgroup_exchange::shuffle};
}

struct task {
  std::size_t architecture;
  const device_program* program;
  std::string key{}, code{};
};

}  // namespace

bool is_for(const program_request& request, std::string_view architecture) {
  const auto together = std::ranges::find(request.constants, std::string_view("T_TOGETHER"),
                                          &std::pair<std::string_view, long>::first);
  return together == request.constants.end() ||
         together->second == (has_clusters(architecture) ? long{groups_of_cluster} : 1);
}

std::vector<std::string> lines_of_programs(std::string_view list) {
  std::vector<std::string> lines;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    const std::string_view line = list.substr(0, end);
    if (!line.empty() && line[0] != '#') lines.emplace_back(line);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return lines;
}

std::vector<std::string> with_variants(const std::vector<std::string>& lines) {
  std::set<std::string> all(lines.begin(), lines.end());
  for (const std::string& line : lines) {
    const listed_request request(line);
    for (const std::size_t most_local_bytes : local_memories)
      for_each_variant(request.get(), usual_gpu(most_local_bytes),
                       [&all](const program_request& variant) {
                         if (std::string variant_line = line_of(variant); !variant_line.empty())
                           all.insert(std::move(variant_line));
                       });
  }
  return {all.begin(), all.end()};
}

std::vector<std::string> builtin_programs() {
  return with_variants(lines_of_programs(kernel_text("programs.list")));
}

std::vector<precompiled_architecture> precompile(const precompilation& asked) {
  std::string reason;
  const std::shared_ptr<const nvrtc> compiler = nvrtc::open(reason);
  if (compiler == nullptr) throw device_error(reason);
  for (const std::string& name : asked.architectures) require_known(*compiler, name);

  std::set<std::string_view> seen;
  std::vector<listed_request> requests;
  for (const std::string& line : asked.lines)
    if (seen.insert(line).second) requests.emplace_back(line);
  std::vector<device_program> programs;
  for (const listed_request& request : requests)
    programs.push_back(make_program(dialect::cuda, request.get()));

  std::vector<precompiled_architecture> results(asked.architectures.size());
  std::vector<task> tasks;
  for (std::size_t a = 0; a < results.size(); ++a) {
    results[a].architecture = asked.architectures[a];
    std::set<std::string_view> texts;  // of lines that differ in what is not in the text
    for (std::size_t n = 0; n < programs.size(); ++n)
      if (is_for(requests[n].get(), results[a].architecture) &&
          texts.insert(programs[n].text).second)
        tasks.push_back({a, &programs[n]});
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // of the results and the first failure
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t n = next++; n < tasks.size(); n = next++) {
      try {
        if (asked.cancel.is_cancelled()) throw cancelled();
        precompiled_architecture& of = results[tasks[n].architecture];
        const auto start = std::chrono::steady_clock::now();
        tasks[n].code = compiler->compile(*tasks[n].program, of.architecture);
        const double seconds = seconds_since(start);
        tasks[n].key = precompiled_programs::key_of(tasks[n].program->text, nvrtc::options());
        const std::lock_guard lock(mutex);
        of.compiler_seconds += seconds;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (failure == nullptr) failure = std::current_exception();
        next = tasks.size();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (int n = 1; n < asked.threads; ++n) threads.emplace_back(work);
  work();
  threads.clear();  // waits for them
  if (failure != nullptr) std::rethrow_exception(failure);

  std::filesystem::create_directories(asked.folder);
  std::size_t next_task = 0;
  for (precompiled_architecture& result : results) {
    compiled_programs compiled;
    for (; next_task < tasks.size() && &results[tasks[next_task].architecture] == &result;
         ++next_task) {
      result.code_bytes += tasks[next_task].code.size();
      compiled.emplace_back(std::move(tasks[next_task].key), std::move(tasks[next_task].code));
    }
    result.programs = compiled.size();
    result.file = asked.folder / precompiled_programs::name_of(result.architecture);
    write_archive(result.file, result.architecture, compiled);
    result.file_bytes = std::filesystem::file_size(result.file);
  }
  return results;
}

}  // namespace tropic::detail

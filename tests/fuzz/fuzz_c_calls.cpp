// SPDX-License-Identifier: Apache-2.0

// Sequences of calls of the C interface, decoded from bytes: which objects are created, with which
// arguments, which of them are NULL or out of range. Pointers are valid or NULL, arrays have the
// stated length: everything else must be rejected by the library. Each call is made on the
// reference and on the cpu, or on the fake device, whose invalid memory is poisoned: statuses and
// results agree, a failure has a message, creates nothing and changes nothing, and at the end all
// memory is released.
//
// `fuzz_c_calls --seeds DIR` writes the first inputs.

#include <filesystem>
#include <fstream>
#include <string>

#include "c_session.hpp"
#include "interop/c/support.hpp"

namespace tropic::fuzz {

namespace {
constexpr std::size_t most_workspace = 1 << 14;
}

session::session(decisions& in) : arguments(in) {
  fake_ = (in_.byte() & 1U) != 0;
  make_contexts();
  for (int step = 0; step < 60 && !in_.done(); ++step) take_step();
}

session::~session() {
  for (auto& m : matrices_) m = {};
  for (auto& v : vectors_) v = {};
  for (auto& s : semirings_) s = {};
  for (const int w : worlds) {
    std::size_t used = 1;
    require(tropic_context_memory(context_.of[w], &used, nullptr) == TROPIC_OK,
            "tropic_context_memory");
    // Unlike the reference, other contexts keep workspaces, a few words per output position.
    require(used <= (w == 0 ? 0 : most_workspace), "memory that is not given back");
  }
  context_ = {};
  for (const loan& l : loans_)
    require(l.released == (l.taken ? 1 : 0), "a loan not given back once");
}

void session::take_step() {
  switch (in_.below(24)) {
    case 0: return other_contexts();
    case 1:
    case 2: return from_csr();
    case 3: return from_coo();
    case 4: return read();
    case 5: return free_one();
    case 6: return new_vector();
    case 7: return dense_vector();
    case 8: return vector_of_pairs();
    case 9: return copy_vector();
    case 10: return set_element();
    case 11: return remove_element();
    case 12: return get_elements();
    case 13: return export_vector();
    case 14: return export_matrix();
    case 15: return named_semiring();
    case 16: return text_semiring();
    case 17:
    case 18:
    case 19: return product();
    case 20: return explain();
    case 21: return search();
    case 22: return rank();
    default: return ask_context();
  }
}

void session::make_contexts() {
  tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
  options.memory_limit = memory_limit;
  for (const int w : worlds) {
    options.threads = w == 0 ? 1 : 2;
    const tropic_status status =
        tropic_context_new(w == 0 ? "reference" : "cpu", &options, &context_.of[w]);
    require(status == TROPIC_OK, "tropic_context_new");
  }
  if (fake_) context_.of[1]->of->where = tropic::context::fake_device(bounded(1));
}

void session::other_contexts() {
  if (in_.rarely(4)) {  // objects created in the old ones stay alive
    twin<tropic_context> old = std::move(context_);
    make_contexts();
    return;
  }
  constexpr const char* devices[] = {"cpu", "reference", "", "cpu:1", "nothing", "Cpu", "cpu "};
  const char* device = or_null(devices[in_.below(7)], null());
  tropic_context_options options = TROPIC_CONTEXT_OPTIONS_INIT;
  options.size = odd_size(sizeof options);
  options.threads = static_cast<int>(in_.below(4)) - 1;
  options.memory_limit = in_.byte();
  const bool no_options = null(), no_result = null();
  tropic_context* result = nullptr;
  const tropic_status status =
      tropic_context_new(device, or_null(&options, no_options), or_null(&result, no_result));
  check_status(status);
  require((result != nullptr) == (status == TROPIC_OK), "tropic_context_new");
  tropic_context_free(result);
}

void session::ask_context() {
  const bool none = null(), no_result = null();
  switch (in_.below(8)) {
    case 0: {
      const char* name = nullptr;
      in_both("tropic_context_name", [&](int w) {
        return tropic_context_name(or_null(context_.of[w], none), or_null(&name, no_result));
      });
      return require(none || no_result || *name != '\0', "a context without a name");
    }
    case 1: {
      int threads = 1;
      in_both("tropic_context_threads", [&](int w) {
        return tropic_context_threads(or_null(context_.of[w], none), or_null(&threads, no_result));
      });
      return require(threads >= 1, "a context without threads");
    }
    case 2:
      in_both("tropic_context_memory", [&](int w) {
        std::size_t used = 0, limit = 0;
        return tropic_context_memory(or_null(context_.of[w], none), or_null(&used, no_result),
                                     &limit);
      });
      return;
    case 3:
      in_both("tropic_context_synchronize",
              [&](int w) { return tropic_context_synchronize(or_null(context_.of[w], none)); });
      return;
    case 4:
      in_both("tropic_context_kernels", [&](int w) {
        char* json = nullptr;
        const tropic_status status =
            tropic_context_kernels(or_null(context_.of[w], none), or_null(&json, no_result));
        require((json != nullptr) == (status == TROPIC_OK), "tropic_context_kernels");
        tropic_string_free(json);
        return status;
      });
      return;
    case 5:
      for (const int w : worlds) tropic_context_cancel(or_null(context_.of[w], none));
      return;
    case 6:
      for (const int w : worlds) tropic_context_resume(or_null(context_.of[w], none));
      return;
    default: {
      const tropic_type given = type();
      const char* name = tropic_type_name(given);
      require((name == nullptr) == (tropic_type_size(given) == 0), "tropic_type_name");
      tropic_status_name(static_cast<tropic_status>(static_cast<int>(in_.byte()) - 9));
      for (const int w : worlds) tropic_last_error(context_.of[w]);
    }
  }
}

}  // namespace tropic::fuzz

using namespace tropic::fuzz;

int tropic::fuzz::write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (unsigned seed = 0; seed < 16; ++seed) {
    std::string bytes;
    std::uint32_t state = seed * 2654435761U + 1;
    for (unsigned n = 0; n < 200; ++n) {
      state = state * 1664525U + 1013904223U;
      bytes += static_cast<char>(state >> 24U);
    }
    std::ofstream(folder / ("seed-" + std::to_string(seed)), std::ios::binary) << bytes;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  decisions in(data, size);
  try {
    const session all(in);
  } catch (const worlds_apart&) {
  }
  return 0;
}

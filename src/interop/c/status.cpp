// SPDX-License-Identifier: Apache-2.0

// Versions, names, messages, and what becomes of exceptions.

#include <cstdlib>
#include <new>
#include <stdexcept>

#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/semirings/typing.hpp>

#include "algorithms/centrality.hpp"
#include "interop/c/support.hpp"
#include "text/utf8.hpp"

namespace tropic::c_abi {

namespace {

static_assert(TROPIC_VERSION_MAJOR == TROPIC_PROJECT_MAJOR &&
                  TROPIC_VERSION_MINOR == TROPIC_PROJECT_MINOR &&
                  TROPIC_VERSION_PATCH == TROPIC_PROJECT_PATCH,
              "tropic.h and CMakeLists.txt disagree about the version");
static_assert(TROPIC_BOOL == static_cast<int>(type_code::boolean) &&
              TROPIC_INT64 == static_cast<int>(type_code::int64) &&
              TROPIC_UINT8 == static_cast<int>(type_code::uint8) &&
              TROPIC_FP64 == static_cast<int>(type_code::fp64));
static_assert(TROPIC_DUPLICATES_ERROR == static_cast<int>(duplicates::error) &&
              TROPIC_DUPLICATES_SUM == static_cast<int>(duplicates::sum) &&
              TROPIC_DUPLICATES_MIN == static_cast<int>(duplicates::minimum) &&
              TROPIC_DUPLICATES_MAX == static_cast<int>(duplicates::maximum) &&
              TROPIC_DUPLICATES_FIRST == static_cast<int>(duplicates::first) &&
              TROPIC_DUPLICATES_LAST == static_cast<int>(duplicates::last));

thread_local char failure_of_thread[message_bytes] = "";
thread_local char shown_to_thread[message_bytes] = "";

// Cut between two characters if it is too long.
void keep(char (&room)[message_bytes], const char* text) {
  std::size_t length = std::strlen(text);
  if (length >= message_bytes) length = detail::utf8_prefix({text, length}, message_bytes - 1);
  std::memmove(room, text, length);
  room[length] = '\0';
}

tropic_status note(shared_context* of, tropic_status status, const char* text) {
  keep(failure_of_thread, text);
  if (of != nullptr) {
    const std::lock_guard lock(of->mutex);
    keep(of->message, text);
  }
  return status;
}

}  // namespace

tropic_status explain_failure(shared_context* of) noexcept {
  try {
    throw;
  } catch (const cancelled& e) {
    return note(of, TROPIC_CANCELLED, e.what());
  } catch (const out_of_memory& e) {
    return note(of, TROPIC_OUT_OF_MEMORY, e.what());
  } catch (const std::bad_alloc&) {
    return note(of, TROPIC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error&) {  // of a std::vector past what there can be
    return note(of, TROPIC_OUT_OF_MEMORY, "out of memory: more entries than a machine holds");
  } catch (const usage_error& e) {
    return note(of, TROPIC_USAGE, e.what());
  } catch (const expression_error& e) {
    return note(of, TROPIC_USAGE, e.what());
  } catch (const input_error& e) {
    return note(of, TROPIC_BAD_INPUT, e.what());
  } catch (const negative_cycle& e) {
    return note(of, TROPIC_BAD_INPUT, e.what());
  } catch (const no_convergence& e) {
    return note(of, TROPIC_BAD_INPUT, e.what());
  } catch (const device_error& e) {
    return note(of, TROPIC_DEVICE, e.what());
  } catch (const std::exception& e) {
    return note(of, TROPIC_INTERNAL, e.what());
  } catch (...) {
    return note(of, TROPIC_INTERNAL, "a failure without a message");
  }
}

char* new_string(const std::string& text) {
  void* copy = std::malloc(text.size() + 1);
  if (copy == nullptr) throw std::bad_alloc();
  return static_cast<char*>(std::memcpy(copy, text.c_str(), text.size() + 1));
}

}  // namespace tropic::c_abi

using namespace tropic::c_abi;

const char* tropic_version(void) {
#define TROPIC_TEXT_OF(x) #x
#define TROPIC_DOTTED(a, b, c) TROPIC_TEXT_OF(a) "." TROPIC_TEXT_OF(b) "." TROPIC_TEXT_OF(c)
  return TROPIC_DOTTED(TROPIC_PROJECT_MAJOR, TROPIC_PROJECT_MINOR, TROPIC_PROJECT_PATCH);
#undef TROPIC_DOTTED
#undef TROPIC_TEXT_OF
}

const char* tropic_status_name(tropic_status status) {
  switch (status) {
    case TROPIC_OK: return "ok";
    case TROPIC_USAGE: return "usage";
    case TROPIC_BAD_INPUT: return "bad_input";
    case TROPIC_OUT_OF_MEMORY: return "out_of_memory";
    case TROPIC_DEVICE: return "device";
    case TROPIC_CANCELLED: return "cancelled";
    case TROPIC_INTERNAL: return "internal";
  }
  return "unknown";
}

const char* tropic_last_error(const tropic_context* context) {
  if (context == nullptr) return failure_of_thread;
  const std::lock_guard lock(context->of->mutex);
  keep(shown_to_thread, context->of->message);
  return shown_to_thread;
}

void tropic_string_free(char* text) {
  std::free(text);
}

const char* tropic_type_name(tropic_type type) {
  const int code = static_cast<int>(type);
  if (code < 0 || code >= tropic::builtin_type_count) return nullptr;
  return tropic::builtin_types[static_cast<std::size_t>(code)].name.data();  // of a literal
}

size_t tropic_type_size(tropic_type type) {
  const int code = static_cast<int>(type);
  if (code < 0 || code >= tropic::builtin_type_count) return 0;
  return tropic::builtin_types[static_cast<std::size_t>(code)].size;
}

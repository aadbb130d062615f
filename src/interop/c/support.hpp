// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every call of the C ABI shares: handles, the way from exceptions to status and message, and
// the checks of arguments, whose errors name the call and the argument.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <tropic/c/tropic.h>
#include <tropic/context.hpp>
#include <tropic/detail/changes.hpp>
#include <tropic/detail/full.hpp>
#include <tropic/error.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::c_abi {

/// Room for a message, so that none is lost for want of memory.
inline constexpr std::size_t message_bytes = 2048;

/// A context with what C asks of it; every container result in it keeps it alive.
struct shared_context {
  cancel_token cancel;
  std::optional<context> where;
  mutable std::mutex mutex;
  char message[message_bytes] = "";

  const detail::context_pointer& state() const { return where->state(); }
};
using context_handle = std::shared_ptr<shared_context>;

}  // namespace tropic::c_abi

struct tropic_context {
  tropic::c_abi::context_handle of;
};
struct tropic_matrix {
  tropic::c_abi::context_handle of;
  tropic::detail::changeable_matrix changes;
  /// The same entries, all true, for algorithms that ignore values. Discarded by a change.
  mutable std::mutex mutex;
  mutable std::optional<tropic::detail::matrix_base> pattern;

  const tropic::detail::matrix_base& base() const { return changes.base(); }
};
struct tropic_vector {
  tropic::c_abi::context_handle of;
  tropic::detail::vector_base base;
};
struct tropic_full {
  tropic::c_abi::context_handle of;
  tropic::detail::full_base base;
};
struct tropic_semiring {
  tropic::c_abi::context_handle of;
  tropic::semiring_description description;
  std::string name;
};

namespace tropic::c_abi {

/// The status of the exception in flight; its message becomes the thread's and the context's.
tropic_status explain_failure(shared_context* of) noexcept;

/// The context of the first handle that is there.
inline shared_context* context_of() {
  return nullptr;
}
template <class Handle, class... More>
shared_context* context_of(const Handle* first, const More*... rest) {
  return first != nullptr ? first->of.get() : context_of(rest...);
}

/// What a struct of options was as large as in earlier versions of the header.
template <class Struct>
inline constexpr std::array<std::size_t, 0> earlier_sizes{};
template <>
inline constexpr std::array<std::size_t, 1> earlier_sizes<tropic_context_options>{
    offsetof(tropic_context_options, text_compiler)};
template <>
inline constexpr std::array<std::size_t, 1> earlier_sizes<tropic_mxm_options>{
    offsetof(tropic_mxm_options, kernel)};
template <>
inline constexpr std::array<std::size_t, 2> earlier_sizes<tropic_sssp_options>{
    offsetof(tropic_sssp_options, choose_type), offsetof(tropic_sssp_options, limit)};
template <>
inline constexpr std::array<std::size_t, 1> earlier_sizes<tropic_read_options>{
    offsetof(tropic_read_options, memory_limit)};

/// A call's name, for messages.
struct call {
  const char* name;

  [[noreturn]] void refuse(const std::string& what) const {
    throw usage_error(std::string(name) + ": " + what);
  }
  /// Throws where an argument is NULL.
  template <class T>
  T& need(T* argument, const char* what) const {
    if (argument == nullptr) refuse(std::string(what) + " is NULL");
    return *argument;
  }
  /// The same for arrays that may have any type, and none at all where they are empty.
  void need_array(const void* array, std::size_t count, const char* what) const {
    if (array == nullptr && count > 0) refuse(std::string(what) + " is NULL");
  }
  /// Throws where two outputs, named as in "level, parent", are one pointer.
  template <class... Outputs>
  void distinct(const char* names, const Outputs*... outputs) const {
    const std::array<const void*, sizeof...(Outputs)> all{outputs...};
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n] != nullptr && std::find(all.begin(), all.begin() + n, all[n]) != all.begin() + n)
        refuse("two of the outputs " + std::string(names) + " are one pointer");
  }
  /// The library's type; throws where it is none.
  const type_description& type(tropic_type type, const char* what) const {
    const int code = static_cast<int>(type);
    if (code < 0 || code >= builtin_type_count)
      refuse(std::string(what) + " is " + std::to_string(code) + ", types are 0 to " +
             std::to_string(builtin_type_count - 1));
    return describe(static_cast<type_code>(code));
  }
  /// Throws where `given` is not the type that a container holds.
  void same_type(const char* container, const type_description& held, tropic_type given) const {
    const type_description& asked = type(given, "type");
    if (held.code != asked.code)
      refuse(std::string(container) + " holds " + std::string(held.name) + ", type is " +
             std::string(asked.name) + "; nothing is typecast");
  }
  duplicates rule(tropic_duplicates rule) const {
    const int code = static_cast<int>(rule);
    if (code < 0 || code > static_cast<int>(duplicates::last))
      refuse("duplicates is " + std::to_string(code) + ", rules are 0 to 5");
    return static_cast<duplicates>(code);
  }
  /// What the caller's version of a struct says over the defaults; throws where it is no version.
  template <class Struct>
  Struct options(const Struct* given, const Struct& defaults, const char* what) const {
    Struct result = defaults;
    if (given == nullptr) return result;
    const auto& earlier = earlier_sizes<Struct>;
    if (given->size != sizeof(Struct) && std::ranges::find(earlier, given->size) == earlier.end()) {
      std::string known = std::to_string(sizeof(Struct));
      for (const std::size_t size : earlier) known += " or " + std::to_string(size);
      refuse(std::string(what) + "->size is " + std::to_string(given->size) + ", expected " +
             known + " (initialise it with its _INIT)");
    }
    std::memcpy(static_cast<void*>(&result), given, given->size);
    return result;
  }
  /// Long work starts: throws where it was cancelled before.
  static void begin(const shared_context& of) {
    if (of.cancel.is_cancelled()) throw cancelled();
  }
};

/// body(call), whose exceptions become a status.
template <class Body>
tropic_status guarded(shared_context* of, const char* name, Body&& body) noexcept {
  try {
    body(call{name});
    return TROPIC_OK;
  } catch (...) {
    return explain_failure(of);
  }
}

/// A string that tropic_string_free takes.
char* new_string(const std::string& text);

inline tropic_matrix* new_matrix(context_handle of, detail::matrix_base base) {
  return new tropic_matrix{std::move(of), detail::changeable_matrix(std::move(base)), {}, {}};
}
inline tropic_vector* new_vector(context_handle of, detail::vector_base base) {
  return new tropic_vector{std::move(of), std::move(base)};
}
inline tropic_full* new_full(context_handle of, detail::full_base base) {
  return new tropic_full{std::move(of), std::move(base)};
}
/// Sets two outputs, each unless it is NULL: both, or neither if memory ends.
inline void hand_over(const context_handle& of, tropic_vector** first, detail::vector_base a,
                      tropic_vector** second, detail::vector_base b) {
  std::unique_ptr<tropic_vector> one, other;
  if (first != nullptr) one.reset(new_vector(of, std::move(a)));
  if (second != nullptr) other.reset(new_vector(of, std::move(b)));
  if (first != nullptr) *first = one.release();
  if (second != nullptr) *second = other.release();
}

}  // namespace tropic::c_abi

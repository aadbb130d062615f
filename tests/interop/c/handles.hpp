// SPDX-License-Identifier: Apache-2.0
#pragma once

// The C ABI's handles around containers of the C++ API, freed automatically.

#include <gtest/gtest.h>

#include <memory>

#include "interop/c/support.hpp"
#include "support/host_data.hpp"

namespace tropic::testing {

struct free_handle {
  void operator()(tropic_context* h) const { tropic_context_free(h); }
  void operator()(tropic_matrix* h) const { tropic_matrix_free(h); }
  void operator()(tropic_vector* h) const { tropic_vector_free(h); }
  void operator()(tropic_full* h) const { tropic_full_free(h); }
  void operator()(tropic_semiring* h) const { tropic_semiring_free(h); }
  void operator()(char* text) const { tropic_string_free(text); }
};
template <class Handle>
using owned = std::unique_ptr<Handle, free_handle>;

/// The result of make(&handle); if it fails, so does the test.
template <class Handle, class Make>
owned<Handle> made_by(const Make& make) {
  Handle* result = nullptr;
  const tropic_status status = make(&result);
  EXPECT_EQ(status, TROPIC_OK) << tropic_last_error(nullptr);
  EXPECT_NE(result, nullptr);
  return owned<Handle>(result);
}

inline owned<tropic_context> handle_of(const context& where) {
  owned<tropic_context> result(new tropic_context{std::make_shared<c_abi::shared_context>()});
  result->of->where = where;
  return result;
}
inline owned<tropic_matrix> handle_of(const owned<tropic_context>& c, detail::matrix_base m) {
  return owned<tropic_matrix>(c_abi::new_matrix(c->of, std::move(m)));
}
inline owned<tropic_vector> handle_of(const owned<tropic_context>& c, detail::vector_base v) {
  return owned<tropic_vector>(c_abi::new_vector(c->of, std::move(v)));
}
inline owned<tropic_semiring> semiring(const owned<tropic_context>& c, const char* name,
                                       type_code type) {
  return made_by<tropic_semiring>([&](tropic_semiring** result) {
    return tropic_semiring_named(c.get(), name, static_cast<tropic_type>(static_cast<int>(type)),
                                 result);
  });
}
inline tropic_type c_type(const type_description& type) {
  return static_cast<tropic_type>(static_cast<int>(type.code));
}

}  // namespace tropic::testing

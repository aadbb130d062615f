// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records: a user's value type in one line.
//
//   TROPIC_VALUE_TYPE(edge, (float, length), (std::int32_t, hops))
//
// declares the aggregate `struct edge { float length; std::int32_t hops; }` with its run-time
// description. In operators its fields are x.length and x.hops, and t_make(a, b) builds one.

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <tropic/semirings/operand.hpp>
#include <tropic/semirings/preprocessor.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic {

template <class T>
  requires requires { typename T::tropic_fields; }
struct record_traits<T> {
  static constexpr bool is_record = true;
  static_assert(sizeof(T) <= 64, "tropic: a record holds at most 64 bytes");
  static constexpr auto fields = T::tropic_describe_fields();
  static constexpr type_description description{type_code::record, T::tropic_name, sizeof(T),
                                                alignof(T), fields};
};

template <class T>
  requires(record_traits<T>::is_record)
struct operand<T> : T::tropic_operand {
  constexpr operand(T v) : T::tropic_operand(T::tropic_wrap(v)) {}
  template <class... Fields>
  constexpr operand(words::record_parts<Fields...> m)
      : operand(
            build(m, std::make_index_sequence<std::tuple_size_v<typename T::tropic_fields>>{})) {
    static_assert(sizeof...(Fields) == std::tuple_size_v<typename T::tropic_fields>,
                  "tropic: t_make takes one value for each field of the record");
  }
  constexpr explicit operator T() const { return T::tropic_unwrap(*this); }

 private:
  template <class... Fields, std::size_t... N>
  static constexpr T build(const words::record_parts<Fields...>& m, std::index_sequence<N...>) {
    return T{detail::result<std::tuple_element_t<N, typename T::tropic_fields>>(
        std::get<N>(m.fields))...};
  }
};

}  // namespace tropic

#define TROPIC_DETAIL_FIELD(type, name) type name;
#define TROPIC_DETAIL_FIELD_TYPE(type, name) type
#define TROPIC_DETAIL_FIELD_OPERAND(type, name) ::tropic::operand<type> name;
#define TROPIC_DETAIL_FIELD_WRAP(type, name) ::tropic::operand<type>(tropic_value.name)
#define TROPIC_DETAIL_FIELD_UNWRAP(type, name) tropic_value.name.value
#define TROPIC_DETAIL_FIELD_DESCRIBE(owner, type, name)          \
  ::tropic::field_description {                                  \
    #name, ::tropic::builtin_code<type>(), offsetof(owner, name) \
  }

/// Declares a record: TROPIC_VALUE_TYPE(name, (type, field), ...), at namespace scope.
#define TROPIC_VALUE_TYPE(name_, ...)                                                             \
  struct name_ {                                                                                  \
    TROPIC_DETAIL_EACH(TROPIC_DETAIL_FIELD, __VA_ARGS__)                                          \
    [[maybe_unused]] friend constexpr bool operator==(const name_&, const name_&) = default;      \
    [[maybe_unused]] static constexpr std::string_view tropic_name = #name_;                      \
    using tropic_fields = std::tuple<TROPIC_DETAIL_LIST(TROPIC_DETAIL_FIELD_TYPE, __VA_ARGS__)>;  \
    struct tropic_operand {                                                                       \
      TROPIC_DETAIL_EACH(TROPIC_DETAIL_FIELD_OPERAND, __VA_ARGS__)                                \
    };                                                                                            \
    static constexpr tropic_operand tropic_wrap(const name_& tropic_value) {                      \
      return {TROPIC_DETAIL_LIST(TROPIC_DETAIL_FIELD_WRAP, __VA_ARGS__)};                         \
    }                                                                                             \
    static constexpr name_ tropic_unwrap(const tropic_operand& tropic_value) {                    \
      return {TROPIC_DETAIL_LIST(TROPIC_DETAIL_FIELD_UNWRAP, __VA_ARGS__)};                       \
    }                                                                                             \
    static constexpr auto tropic_describe_fields() {                                              \
      return std::array{TROPIC_DETAIL_LIST_OF(TROPIC_DETAIL_FIELD_DESCRIBE, name_, __VA_ARGS__)}; \
    }                                                                                             \
  }

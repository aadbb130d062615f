// SPDX-License-Identifier: Apache-2.0
#pragma once

// Labels of shortest paths: a distance and the vertex before the end of the path, as one value.
// Their semiring extends a label along an edge and keeps the nearer of two, or the one with the
// smaller parent on a tie. A single product finds distances and parents.

#include <cstdint>

#include <tropic/semirings/monoid.hpp>
#include <tropic/semirings/operator.hpp>
#include <tropic/semirings/record.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic {

// One record per distance type, as the fields of a record are built-in types.
#define TROPIC_DETAIL_LABEL(T, name) \
  TROPIC_VALUE_TYPE(name, (T, distance), (::tropic::index_t, parent));
TROPIC_DETAIL_LABEL(std::int8_t, label_int8)
TROPIC_DETAIL_LABEL(std::int16_t, label_int16)
TROPIC_DETAIL_LABEL(std::int32_t, label_int32)
TROPIC_DETAIL_LABEL(std::int64_t, label_int64)
TROPIC_DETAIL_LABEL(std::uint8_t, label_uint8)
TROPIC_DETAIL_LABEL(std::uint16_t, label_uint16)
TROPIC_DETAIL_LABEL(std::uint32_t, label_uint32)
TROPIC_DETAIL_LABEL(std::uint64_t, label_uint64)
TROPIC_DETAIL_LABEL(float, label_fp32)
TROPIC_DETAIL_LABEL(double, label_fp64)
#undef TROPIC_DETAIL_LABEL

namespace detail {
template <class T>
struct label_of;
// clang-format off
template <> struct label_of<std::int8_t> { using type = label_int8; };
template <> struct label_of<std::int16_t> { using type = label_int16; };
template <> struct label_of<std::int32_t> { using type = label_int32; };
template <> struct label_of<std::int64_t> { using type = label_int64; };
template <> struct label_of<std::uint8_t> { using type = label_uint8; };
template <> struct label_of<std::uint16_t> { using type = label_uint16; };
template <> struct label_of<std::uint32_t> { using type = label_uint32; };
template <> struct label_of<std::uint64_t> { using type = label_uint64; };
template <> struct label_of<float> { using type = label_fp32; };
template <> struct label_of<double> { using type = label_fp64; };
// clang-format on
}  // namespace detail
template <class T>
using label = typename detail::label_of<T>::type;

TROPIC_BINARY_OPERATOR(nearer_label, x.distance < y.distance   ? x
                                     : y.distance < x.distance ? y
                                     : x.parent <= y.parent    ? x
                                                               : y);
TROPIC_BINARY_OPERATOR(extend_label, t_make(t_tropical_plus(x.distance, y), k));
TROPIC_BINARY_OPERATOR(make_label, t_make(x, y));
TROPIC_BINARY_OPERATOR(announce_label, t_make(x.distance, y));
TROPIC_BINARY_OPERATOR(extend_announced_label, t_make(t_tropical_plus(x.distance, y), x.parent));
TROPIC_BINARY_OPERATOR(label_improves, x.distance < y.distance);
TROPIC_BINARY_OPERATOR(label_reaches, x.distance == y);
TROPIC_UNARY_OPERATOR(label_distance, x.distance);
TROPIC_UNARY_OPERATOR(label_parent, x.parent);
TROPIC_MONOID(nearer_label_monoid, nearer_label, t_make(t_inf, t_inf), .idempotent = true,
              .exact_for_floating = true);

/// u' A over labels with distances of type D and weights of type T: the best label of every
/// neighbour through u. Sums are computed in D, where the largest value of a narrower T is an
/// ordinary length.
template <class D, class T>
using label_semiring = semiring<nearer_label_monoid<label<D>>, extend_label, label<D>, T>;

/// The same if the labels of u carry the number of their own vertex in place of their parent's.
template <class D, class T>
using announced_label_semiring =
    semiring<nearer_label_monoid<label<D>>, extend_announced_label, label<D>, T>;

}  // namespace tropic

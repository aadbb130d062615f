// SPDX-License-Identifier: Apache-2.0

// Vectors of the C ABI.

#include <algorithm>

#include "interop/c/arrays.hpp"

using namespace tropic::c_abi;
using tropic::index_t;
using tropic::type_description;
using tropic::vector_storage;
using tropic::detail::vector_base;

namespace {

void check_size(const call& c, int64_t size) {
  if (size < 0 || size > tropic::detail::largest_dimension)
    c.refuse("size is " + std::to_string(size) + ", allowed are 0 to 2^32");
}

}  // namespace

tropic_status tropic_vector_new(tropic_context* context, tropic_type type, int64_t size,
                                tropic_vector** result) {
  return guarded(context_of(context), "tropic_vector_new", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    check_size(c, size);
    *result = new_vector(context->of, tropic::detail::empty_vector(context->of->state(),
                                                                   c.type(type, "type"), size));
  });
}

tropic_status tropic_vector_from_dense(tropic_context* context, tropic_type type, int64_t size,
                                       const void* values, tropic_vector** result) {
  return guarded(context_of(context), "tropic_vector_from_dense", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    check_size(c, size);
    const auto count = static_cast<std::size_t>(size);
    c.need_array(values, count, "values");
    vector_base v;
    v.context = context->of->state();
    v.type = &c.type(type, "type");
    v.size = v.nvals = size;
    v.storage = vector_storage::full;
    v.values = copied_values(v.context, values, count, *v.type);
    *result = new_vector(context->of, std::move(v));
  });
}

tropic_status tropic_vector_from_pairs(tropic_context* context, tropic_type type, int64_t size,
                                       int64_t count, const int64_t* indices, const void* values,
                                       tropic_duplicates duplicates, tropic_vector** result) {
  return guarded(context_of(context), "tropic_vector_from_pairs", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(context, "context");
    check_size(c, size);
    if (count < 0) c.refuse("count is " + std::to_string(count));
    const auto pairs = static_cast<std::size_t>(count);
    c.need_array(indices, pairs, "indices");
    c.need_array(values, pairs, "values");
    const type_description& t = c.type(type, "type");
    const tropic::duplicates rule = c.rule(duplicates);
    const auto& state = context->of->state();
    buffer_pointer bools;
    if (t.code == tropic::type_code::boolean && pairs > 0) {
      bools = copied_values(state, values, pairs, t);
      values = bools->host();
    }
    *result = new_vector(
        context->of, tropic::detail::build_vector(
                         state, t, size, std::span<const index_t>(indices, pairs), values, rule));
  });
}

tropic_status tropic_vector_copy(const tropic_vector* vector, tropic_vector** result) {
  return guarded(context_of(vector), "tropic_vector_copy", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(vector, "vector");
    *result = new tropic_vector(*vector);
  });
}

void tropic_vector_free(tropic_vector* vector) {
  delete vector;
}

tropic_status tropic_vector_size(const tropic_vector* vector, int64_t* size) {
  return guarded(context_of(vector), "tropic_vector_size", [&](const call& c) {
    c.need(vector, "vector");
    c.need(size, "size") = vector->base.size;
  });
}

tropic_status tropic_vector_nvals(const tropic_vector* vector, int64_t* nvals) {
  return guarded(context_of(vector), "tropic_vector_nvals", [&](const call& c) {
    c.need(vector, "vector");
    c.need(nvals, "nvals") = index_t{vector->base.nvals};
  });
}

tropic_status tropic_vector_type(const tropic_vector* vector, tropic_type* type) {
  return guarded(context_of(vector), "tropic_vector_type", [&](const call& c) {
    c.need(vector, "vector");
    c.need(type, "type") = static_cast<tropic_type>(static_cast<int>(vector->base.type->code));
  });
}

tropic_status tropic_vector_set(tropic_vector* vector, int64_t index, tropic_type type,
                                const void* value) {
  return guarded(context_of(vector), "tropic_vector_set", [&](const call& c) {
    c.need(vector, "vector");
    c.need_array(value, 1, "value");
    c.same_type("vector", *vector->base.type, type);
    tropic::detail::set_element(vector->base, index, scalar(value, *vector->base.type).data());
  });
}

tropic_status tropic_vector_remove(tropic_vector* vector, int64_t index) {
  return guarded(context_of(vector), "tropic_vector_remove", [&](const call& c) {
    tropic::detail::remove_element(c.need(vector, "vector").base, index);
  });
}

tropic_status tropic_vector_get(const tropic_vector* vector, int64_t index, tropic_type type,
                                void* value, int* present) {
  return guarded(context_of(vector), "tropic_vector_get", [&](const call& c) {
    c.need(vector, "vector");
    c.need_array(value, 1, "value");
    c.need(present, "present");
    c.distinct("value, present", value, present);
    c.same_type("vector", *vector->base.type, type);
    *present = tropic::detail::element(vector->base, index, value) ? 1 : 0;
  });
}

tropic_status tropic_vector_export_dense(const tropic_vector* vector, tropic_type type,
                                         const void* missing, int64_t capacity, void* values) {
  return guarded(context_of(vector), "tropic_vector_export_dense", [&](const call& c) {
    c.need(vector, "vector");
    vector_base v = vector->base;
    c.same_type("vector", *v.type, type);
    if (capacity < v.size)
      c.refuse("capacity is " + std::to_string(capacity) + ", the vector has " +
               std::to_string(v.size) + " positions");
    const auto size = static_cast<std::size_t>(v.size), bytes = v.type->size;
    c.need_array(values, size, "values");
    if (missing == nullptr || v.storage == vector_storage::full) {
      tropic::detail::convert(v, vector_storage::full);  // which refuses gaps
      if (size > 0) std::memcpy(values, v.values->host(), size * bytes);
      return;
    }
    tropic::detail::convert(v, vector_storage::sparse);
    const auto count = static_cast<std::size_t>(index_t{v.nvals});
    const auto* index = count > 0 ? static_cast<const std::uint32_t*>(v.indices->host()) : nullptr;
    const auto* from = count > 0 ? static_cast<const std::byte*>(v.values->host()) : nullptr;
    const tropic::scalar_bytes gap = scalar(missing, *v.type);
    auto* to = static_cast<std::byte*>(values);
    for (std::size_t i = 0; i < size; ++i) std::memcpy(to + i * bytes, gap.data(), bytes);
    for (std::size_t e = 0; e < count; ++e)
      std::memcpy(to + index[e] * bytes, from + e * bytes, bytes);
  });
}

tropic_status tropic_vector_export_pairs(const tropic_vector* vector, tropic_type type,
                                         int64_t capacity, int64_t* indices, void* values,
                                         int64_t* count) {
  return guarded(context_of(vector), "tropic_vector_export_pairs", [&](const call& c) {
    c.need(vector, "vector");
    c.need(count, "count");
    c.distinct("indices, values, count", indices, values, count);
    vector_base v = vector->base;
    c.same_type("vector", *v.type, type);
    *count = index_t{v.nvals};
    if (capacity < *count)
      c.refuse("capacity is " + std::to_string(capacity) + ", the vector has " +
               std::to_string(*count) + " entries");
    const auto entries = static_cast<std::size_t>(*count);
    if (entries == 0) return;
    tropic::detail::convert(v, vector_storage::sparse);
    const auto* index = static_cast<const std::uint32_t*>(v.indices->host());
    const void* from = v.values->host();
    if (indices != nullptr) std::copy(index, index + entries, indices);
    if (values != nullptr) std::memcpy(values, from, entries * v.type->size);
  });
}

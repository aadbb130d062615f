// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors from and to DLPack tensors, without a copy, on the host, CUDA and OpenCL devices
// (docs/arrays.md#dlpack). Opt-in: it works with the dlpack.h that the program includes, version
// 0.6 or newer; with 1.0 or newer also with versioned tensors.
//
//   DLPack -> Tropic   from_dlpack<T>(context, std::move(tensor))   the vector keeps the tensor
//   Tropic -> DLPack   to_dlpack(v), to_dlpack_versioned(v)         the values are shared and must
//                                                                   not be written
//                      the same with std::move(v)                   the consumer owns the values
//
// A tensor is held by a unique_ptr which calls its deleter; release() transfers ownership, for
// instance to a PyCapsule. T is exactly the tensor's element type: nothing is typecast.

#ifndef DLPACK_DLPACK_H_
#include <dlpack/dlpack.h>
#endif
#if !defined(DLPACK_MAJOR_VERSION) && (!defined(DLPACK_VERSION) || DLPACK_VERSION < 60)
#error "tropic/interop/dlpack.hpp needs DLPack 0.6 or newer"
#endif

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tropic/apply.hpp>
#include <tropic/error.hpp>
#include <tropic/semirings/builtins.hpp>
#include <tropic/vector.hpp>

namespace tropic {

template <class Managed>
struct delete_dlpack_tensor {
  void operator()(Managed* tensor) const noexcept {
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  }
};
/// A tensor whose deleter is called with this.
template <class Managed>
using dlpack_owner = std::unique_ptr<Managed, delete_dlpack_tensor<Managed>>;
using dlpack_tensor = dlpack_owner<DLManagedTensor>;
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
using versioned_dlpack_tensor = dlpack_owner<DLManagedTensorVersioned>;
#endif

namespace dlpack_internal {

inline constexpr int bool_code = 6;  // kDLBool, from version 0.8 on

template <builtin_value_type T>
constexpr DLDataType data_type() {
  const int code = std::is_same_v<T, bool>       ? bool_code
                   : std::is_floating_point_v<T> ? static_cast<int>(kDLFloat)
                   : std::is_unsigned_v<T>       ? static_cast<int>(kDLUInt)
                                                 : static_cast<int>(kDLInt);
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * sizeof(T)), 1};
}

inline std::string to_text(DLDataType type) {
  const char* names[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  std::string text =
      type.code < 7 ? names[type.code] : "type code " + std::to_string(type.code) + ", ";
  text += std::to_string(type.bits);
  if (type.lanes != 1) text += " in " + std::to_string(type.lanes) + " lanes";
  return text;
}

[[noreturn]] inline void refuse(const std::string& what) {
  throw usage_error("from_dlpack: " + what);
}

/// The number of elements; throws unless the tensor is a contiguous vector of T.
template <builtin_value_type T>
std::size_t check(const DLTensor& t) {
  if (t.shape == nullptr || (t.ndim != 1 && !(t.ndim == 2 && t.shape[1] == 1)))
    refuse("a tensor of " + std::to_string(t.ndim) + " dimensions, a vector has one (or is n x 1)");
  const std::int64_t count = t.shape[0];
  if (count < 0) refuse("a tensor of " + std::to_string(count) + " elements");
  const DLDataType wanted = data_type<T>();
  if (t.dtype.code != wanted.code || t.dtype.bits != wanted.bits || t.dtype.lanes != wanted.lanes)
    refuse("the tensor holds " + to_text(t.dtype) + ", expected " +
           std::string(describe<T>().name) + "; nothing is typecast");
  if (t.strides != nullptr && count > 1 && t.strides[0] != 1)
    refuse("a stride of " + std::to_string(t.strides[0]) +
           " elements, expected 1: make the tensor contiguous");
  if (t.data == nullptr && count > 0) refuse("a tensor without data");
  return static_cast<std::size_t>(count);
}

/// The vector over the tensor's data, kept alive by `owner`.
template <builtin_value_type T>
vector<T> borrow(const context& where, const DLTensor& t, std::shared_ptr<const void> owner) {
  const std::size_t count = check<T>(t);
  const std::string& name = where.name();
  auto* const data = static_cast<std::byte*>(t.data);
  const auto at = [&] { return data == nullptr ? data : data + t.byte_offset; };
  const auto wrong_context = [&](const std::string& device) {
    refuse("the tensor is on " + device + ", the context is " + name +
           "; import it into a context of that device and copy it with to(context)");
  };
  // As a number, which may not be one of the enumeration's.
  std::int32_t device = 0;
  static_assert(sizeof(device) == sizeof(t.device.device_type));
  std::memcpy(&device, &t.device.device_type, sizeof(device));
  switch (device) {
    case kDLCPU:
    case kDLCUDAHost:
    case kDLROCMHost: {
      if (reinterpret_cast<std::uintptr_t>(at()) % alignof(T) != 0)
        refuse("the data are not aligned to " + std::to_string(alignof(T)) + " bytes");
      return vector<T>::from_array(
          where, array_view<T>{{reinterpret_cast<const T*>(at()), count}, std::move(owner)});
    }
    case kDLCUDA: {
      const std::string needed = "cuda:" + std::to_string(t.device.device_id);
      if (name != needed) wrong_context(needed);
      return vector<T>::from_array(where, device_array<T>{at(), count, std::move(owner)});
    }
    case kDLCUDAManaged:
      if (!name.starts_with("cuda:")) wrong_context("CUDA, in managed memory");
      return vector<T>::from_array(where, device_array<T>{at(), count, std::move(owner)});
    case kDLOpenCL:
      if (!name.starts_with("opencl:")) wrong_context("OpenCL");
      if (t.byte_offset != 0)
        refuse("a byte offset of " + std::to_string(t.byte_offset) +
               " into a cl_mem; make a sub-buffer of it");
      return vector<T>::from_array(where, device_array<T>{t.data, count, std::move(owner)});
    default: refuse("device type " + std::to_string(device) + " is none of host, CUDA and OpenCL");
  }
}

template <builtin_value_type T, class Managed>
vector<T> take(const context& where, dlpack_owner<Managed>& tensor) {
  if (tensor == nullptr) refuse("the tensor is null");
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    if (tensor->version.major != DLPACK_MAJOR_VERSION)
      refuse("DLPack " + std::to_string(tensor->version.major) + "." +
             std::to_string(tensor->version.minor) + ", this program has " +
             std::to_string(DLPACK_MAJOR_VERSION) + "." + std::to_string(DLPACK_MINOR_VERSION));
#endif
  // Empty until nothing can fail.
  const auto keeper = std::make_shared<dlpack_owner<Managed>>();
  vector<T> result = borrow<T>(where, tensor->dl_tensor, keeper);
  *keeper = std::move(tensor);
  return result;
}

inline DLDevice device_of(const std::string& name) {
  const auto number = [&](std::size_t prefix) {
    return static_cast<std::int32_t>(std::stol(name.substr(prefix)));
  };
  if (name.starts_with("cuda:")) return {kDLCUDA, number(5)};
  if (name.starts_with("opencl:")) return {kDLOpenCL, number(7)};
  return {kDLCPU, 0};
}

/// A tensor passed out, with the storage that it refers to.
template <class Managed>
struct outgoing {
  Managed tensor{};
  std::int64_t shape[1] = {0}, stride[1] = {1};
  std::shared_ptr<const void> values;
};

template <class Managed, builtin_value_type T>
dlpack_owner<Managed> show(const vector<T>& v) {
  auto result = std::make_unique<outgoing<Managed>>();
  DLTensor& t = result->tensor.dl_tensor;
  t.device = device_of(v.where().name());
  t.ndim = 1;
  t.dtype = data_type<T>();
  t.shape = result->shape;
  t.strides = result->stride;
  result->shape[0] = v.size();
  try {
    if (t.device.device_type == kDLCPU) {
      array_view<T> values = v.to_array();
      t.data = const_cast<T*>(values.data.data());
      result->values = std::move(values.owner);
    } else {
      device_array<T> values = v.to_device_array();
      t.data = values.handle;
      result->values = std::move(values.owner);
    }
  } catch (const usage_error& cause) {
    throw usage_error(std::string("to_dlpack: ") + cause.what());
  }
  result->tensor.manager_ctx = result.get();
  result->tensor.deleter = [](Managed* self) {
    delete static_cast<outgoing<Managed>*>(self->manager_ctx);
  };
  return dlpack_owner<Managed>(&result.release()->tensor);
}

/// Makes v the only user of its values; returns whether they had to be copied.
template <builtin_value_type T>
bool unshare(vector<T>& v) {
  const auto& values = v.base().values;
  if (values != nullptr && values.use_count() == 1 && !values->is_borrowed()) return false;
  vector<T> copy(v.where(), v.size());
  apply(copy, identity{}, v);
  v = std::move(copy);
  return true;
}

}  // namespace dlpack_internal

/// A full vector over the tensor's data, which is not copied. Host data can be used in any context,
/// data of a CUDA device in a context of that device, CUDA managed memory in any CUDA context, and
/// OpenCL data (a cl_mem of the context of the borrowed queue) in an OpenCL context. The data must
/// be ready, or be written by work enqueued earlier on the queue that the context borrowed. They
/// must not be written as long as the vector or a copy of it is used. The deleter is called after
/// the last use.
///
/// Throws usage_error if the tensor is null, is not contiguous, has another type than T or other
/// dimensions than n or n x 1, is on another device, or if host data are not aligned for T or a
/// cl_mem has a byte offset. `tensor` is then unchanged.
template <builtin_value_type T>
vector<T> from_dlpack(const context& where, dlpack_tensor&& tensor) {
  return dlpack_internal::take<T>(where, tensor);
}
/// The values of `v`, shared without a copy: neither side may write them. The tensor may outlive
/// the vector. The values are on the vector's device, which has finished all enqueued work. Throws
/// usage_error if an entry is missing.
template <builtin_value_type T>
dlpack_tensor to_dlpack(const vector<T>& v) {
  return dlpack_internal::show<DLManagedTensor>(v);
}
/// The values of `v`, which is moved from; the consumer may write them. Values that are borrowed or
/// shared with other vectors are first copied on their device. Throws usage_error if an entry is
/// missing.
template <builtin_value_type T>
dlpack_tensor to_dlpack(vector<T>&& v) {
  dlpack_internal::unshare(v);
  dlpack_tensor result = dlpack_internal::show<DLManagedTensor>(v);
  const vector<T> gone = std::move(v);
  return result;
}

#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
/// The same for versioned tensors, including read-only ones: nothing is written. Another major
/// version is refused.
template <builtin_value_type T>
vector<T> from_dlpack(const context& where, versioned_dlpack_tensor&& tensor) {
  return dlpack_internal::take<T>(where, tensor);
}
/// As to_dlpack(v), but versioned, and flagged as read-only.
template <builtin_value_type T>
versioned_dlpack_tensor to_dlpack_versioned(const vector<T>& v) {
  versioned_dlpack_tensor result = dlpack_internal::show<DLManagedTensorVersioned>(v);
  result->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  result->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  return result;
}
/// As to_dlpack(std::move(v)), but versioned, and flagged as a copy if the values had to be copied.
template <builtin_value_type T>
versioned_dlpack_tensor to_dlpack_versioned(vector<T>&& v) {
  const bool is_copy = dlpack_internal::unshare(v);
  versioned_dlpack_tensor result = dlpack_internal::show<DLManagedTensorVersioned>(v);
  const vector<T> gone = std::move(v);
  result->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
#ifdef DLPACK_FLAG_BITMASK_IS_COPIED
  if (is_copy) result->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
#else
  static_cast<void>(is_copy);
#endif
  return result;
}
#endif

}  // namespace tropic

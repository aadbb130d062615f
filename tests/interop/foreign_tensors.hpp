// SPDX-License-Identifier: Apache-2.0
#pragma once

// DLPack tensors as another library creates them, which count the calls of their deleters.

#include <gtest/gtest.h>

#include <tropic/interop/dlpack.hpp>
#include <vector>

namespace tropic::testing {

#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
using tensor_types = ::testing::Types<DLManagedTensor, DLManagedTensorVersioned>;
#else
using tensor_types = ::testing::Types<DLManagedTensor>;
#endif

template <class Managed>
class foreign_tensor {
 public:
  foreign_tensor(void* data, std::int64_t count, DLDataType type, DLDevice device = {kDLCPU, 0})
      : shape{count, 1}, stride{1, 1} {
    DLTensor& t = tensor.dl_tensor;
    t.data = data;
    t.device = device;
    t.ndim = 1;
    t.dtype = type;
    t.shape = shape;
    t.strides = nullptr;
    t.byte_offset = 0;
    tensor.manager_ctx = this;
    tensor.deleter = [](Managed* self) {
      ++static_cast<foreign_tensor*>(self->manager_ctx)->deleted;
    };
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
    if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
      tensor.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
      tensor.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
    }
#endif
  }
  foreign_tensor(const foreign_tensor&) = delete;
  foreign_tensor& operator=(const foreign_tensor&) = delete;

  dlpack_owner<Managed> owned() { return dlpack_owner<Managed>(&tensor); }

  Managed tensor{};
  std::int64_t shape[2], stride[2];
  int deleted = 0;
};

template <class Managed, value_type T>
dlpack_owner<Managed> to_tensor(const vector<T>& v) {
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    return to_dlpack_versioned(v);
  else
#endif
    return to_dlpack(v);
}
template <class Managed, value_type T>
dlpack_owner<Managed> to_tensor(vector<T>&& v) {
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    return to_dlpack_versioned(std::move(v));
  else
#endif
    return to_dlpack(std::move(v));
}

}  // namespace tropic::testing

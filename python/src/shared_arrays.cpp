// SPDX-License-Identifier: Apache-2.0

// Arrays of containers for other libraries, where they lie: on the host or on the context's device.
// The order of work on a CUDA device is that of DLPack's protocol: the reader names its stream, and
// that stream waits.

#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include <tropic/detail/exported_arrays.hpp>

#include "arrays.hpp"

namespace tropic::python {

namespace {

using detail::buffer_pointer;

// The first `count` elements of a buffer. Work that computes them may be enqueued only.
struct shared_array {
  context_pointer of;
  buffer_pointer values;
  std::size_t count;
  const type_description* type;

  shared_array(context_pointer where, buffer_pointer from, std::size_t size,
               const type_description& its_type)
      : of(std::move(where)), values(std::move(from)), count(size), type(&its_type) {}
  shared_array(shared_array&&) = default;
  ~shared_array() {
    values.reset();
    release_dropped();
  }
  bool is_on(const char* prefix) const { return of->where->name().starts_with(prefix); }
};

// DLPack's type and number of the device.
std::tuple<int, int> device_of(const shared_array& a) {
  if (a.of->where->is_host()) return {nb::device::cpu::value, 0};
  const std::string& name = a.of->where->name();
  return {a.is_on("cuda:") ? nb::device::cuda::value : nb::device::opencl::value,
          std::stoi(name.substr(name.find(':') + 1))};
}

// What an exported array keeps.
struct kept_values {
  buffer_pointer values;
  detail::context_pointer context;
  bool is_read_elsewhere;  // by work of queues that the context does not know
};

nb::capsule keeper(const shared_array& a, bool is_read_elsewhere) {
  return {new kept_values{a.values, a.of->state(), is_read_elsewhere}, [](void* held) noexcept {
            auto* const kept = static_cast<kept_values*>(held);
            if (kept->is_read_elsewhere) {
              // Without the GIL: work of others that is waited for may call Python.
              const nb::gil_scoped_release released;
              detail::settle_device(*kept->context);
            }
            delete kept;
            release_dropped();
          }};
}

// The stream that reads, as `__dlpack__(stream=...)` names it; null: none.
void* reader_of(const call& c, const shared_array& a, std::optional<std::int64_t> stream) {
  if (!a.is_on("cuda:")) {
    if (stream && *stream != -1)
      c.refuse("stream " + std::to_string(*stream) + ", but " + a.of->where->name() +
               " has no streams: None is needed");
    return nullptr;
  }
  const std::int64_t number = stream.value_or(1);  // None: the legacy default stream
  if (number == 0 || number < -1)
    c.refuse("stream " + std::to_string(number) +
             ", needed 1 (the legacy default stream), 2 (that of the thread), a CUstream, or -1");
  return number == -1 ? nullptr : reinterpret_cast<void*>(static_cast<std::intptr_t>(number));
}

nb::object exported(const shared_array& a, std::optional<std::int64_t> stream) {
  call c("__dlpack__");
  const bool on_host = a.of->where->is_host();
  void* const reader = reader_of(c, a, stream);
  static const std::uint64_t nothing = 0;
  const void* data = on_host ? &nothing : nullptr;
  c.run(*a.of, [&] {
    if (a.count > 0) data = on_host ? a.values->host() : a.values->device();
    if (a.is_on("opencl:")) a.of->where->synchronize();
    if (reader != nullptr) detail::precede(*a.of->state(), reader);
  });
  const auto [device, number] = device_of(a);
  const bool is_own = reader != nullptr && reader == a.of->queue;
  const std::size_t shape[1] = {a.count};
  return nb::cast(nb::ndarray<nb::array_api, nb::ro>(data, 1, shape,
                                                     keeper(a, a.is_on("cuda:") && !is_own),
                                                     nullptr, array_type(*a.type), device, number));
}

// The host's copy of an array on a device, for readers on the host.
nb::object exported_copy(const shared_array& a, std::optional<std::int64_t> stream) {
  call c("__dlpack__");
  if (stream && *stream != -1)
    c.refuse("stream " + std::to_string(*stream) + " of a copy on the host: None is needed");
  static const std::uint64_t nothing = 0;
  const void* data = &nothing;
  c.run(*a.of, [&] {
    if (a.count > 0) data = a.values->host();
  });
  const std::size_t shape[1] = {a.count};
  return nb::cast(nb::ndarray<nb::array_api, nb::ro>(data, 1, shape, keeper(a, false), nullptr,
                                                     array_type(*a.type)));
}

shared_array vector_shared(vector_handle& v) {
  call c("to_dlpack");
  c.read(v);
  const auto count = static_cast<std::size_t>(v.base.size);
  buffer_pointer values = c.run(*v.of, [&]() -> buffer_pointer {
    if (!v.of->where->is_host()) return detail::full_on_device(v.base, {.wait = false});
    detail::vector_base dense = v.base;
    if (index_t{dense.nvals} != dense.size)
      c.refuse(std::to_string(dense.size - index_t{dense.nvals}) + " of " + std::to_string(count) +
               " positions have no entry, and a tensor has a value at each");
    detail::convert(dense, vector_storage::full);
    return dense.values;
  });
  return {v.of, std::move(values), count, *v.base.type};
}

// Offsets, columns and values.
nb::tuple matrix_shared(matrix_handle& a) {
  call c("to_dlpack");
  c.read(a);
  const bool wide = c.run(*a.of, [&] { return is_wide(a.base()); });
  const detail::matrix_base& m = a.base();
  detail::compressed_buffers out = c.run(*a.of, [&] {
    return a.of->where->is_host() ? detail::to_csr(m, as_index(wide), as_index(wide))
                                  : detail::csr_on_device(m, as_index(wide), as_index(wide));
  });
  const auto count = static_cast<std::size_t>(m.nnz);
  return nb::make_tuple(shared_array{a.of, std::move(out.offsets),
                                     static_cast<std::size_t>(m.rows) + 1, index_type(wide)},
                        shared_array{a.of, std::move(out.indices), count, index_type(wide)},
                        shared_array{a.of, std::move(out.values), count, *m.type});
}

}  // namespace

void bind_shared_arrays(nb::module_& m) {
  nb::class_<shared_array>(m, "SharedArray")
      .def_prop_ro("device", device_of)
      .def_prop_ro("type", [](const shared_array& a) { return code_of(*a.type); })
      .def("__len__", [](const shared_array& a) { return a.count; })
      .def("exported", exported, nb::arg("stream").none())
      .def("exported_copy", exported_copy, nb::arg("stream").none());
  m.def("vector_shared", vector_shared);
  m.def("matrix_shared", matrix_shared);
}

}  // namespace tropic::python

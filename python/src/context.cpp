// SPDX-License-Identifier: Apache-2.0

// Contexts and devices.

#include "core.hpp"

namespace tropic::python {

namespace {

context_pointer make_context(const std::string& device, int threads, std::size_t memory_limit,
                             nb::object log, std::uintptr_t queue, truth profile,
                             const std::string& text_compiler) {
  auto result = std::make_shared<context_handle>();
  result->log = std::move(log);
  context_options options;
  options.threads = threads;
  options.memory_limit = memory_limit;
  options.cancel = result->cancel;
  options.queue = result->queue = reinterpret_cast<void*>(queue);
  options.profile = profile;
  options.text_compiler = text_compiler;
  options.progress = call::report;
  // The library logs in the middle of its work; Python hears of it at the end of the call.
  options.log = [to = std::weak_ptr<context_handle>(result)](std::string_view notice) {
    const context_pointer of = to.lock();
    if (of == nullptr) return;
    const std::lock_guard lock(of->mutex);
    of->notices.emplace_back(notice);
  };
  call(device.c_str()).run(*result, [&] { result->where = context::named(device, options); });
  return result;
}

nb::list listed_devices() {
  std::vector<device_info> found;
  {
    const nb::gil_scoped_release released;
    found = devices();
  }
  nb::list result;
  for (const device_info& d : found)
    result.append(nb::make_tuple(d.name, d.description, d.available, d.reason));
  return result;
}

nb::list profile_of(const context_handle& of) {
  nb::list result;
  for (const operation_profile& p : of.where->profile())
    result.append(nb::make_tuple(p.operation, p.calls, p.seconds, p.launches, p.bytes_copied));
  return result;
}

}  // namespace

void bind_context(nb::module_& m) {
  nb::class_<context_handle>(m, "Context")
      .def_prop_ro("name", [](const context_handle& of) { return of.where->name(); })
      .def_prop_ro("threads", [](const context_handle& of) { return of.where->threads(); })
      .def_prop_ro("is_host", [](const context_handle& of) { return of.where->is_host(); })
      .def_prop_ro("memory_used", [](const context_handle& of) { return of.where->memory_used(); })
      .def_prop_ro("memory_limit",
                   [](const context_handle& of) { return of.where->memory_limit(); })
      .def(
          "synchronize",
          [](context_handle& of) { call("synchronize").run(of, [&] { of.where->synchronize(); }); })
      .def("cancel", [](const context_handle& of) { of.cancel.cancel(); })
      .def("resume", [](const context_handle& of) { of.cancel.reset(); })
      .def("profile", profile_of)
      .def("forget_profile", [](const context_handle& of) { of.where->forget_profile(); });
  m.def("make_context", make_context, nb::arg("device"), nb::arg("threads"),
        nb::arg("memory_limit"), nb::arg("log").none(), nb::arg("queue"), nb::arg("profile"),
        nb::arg("text_compiler"));
  m.def("devices", listed_devices);
}

}  // namespace tropic::python

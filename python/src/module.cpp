// SPDX-License-Identifier: Apache-2.0

// The extension module tropic._core, and the exceptions that errors of the library become.

#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/semirings/typing.hpp>

#include "algorithms/centrality.hpp"
#include "core.hpp"

namespace tropic::python {

namespace {

// The classes of python/tropic/_errors.py. The module keeps them for ever.
struct error_types {
  PyObject *base = nullptr, *usage = nullptr, *expression = nullptr, *input = nullptr,
           *cycle = nullptr, *endless = nullptr, *memory = nullptr, *device = nullptr,
           *ended = nullptr;
};
error_types types;

void set_errors(nb::object base, nb::object usage, nb::object expression, nb::object input,
                nb::object cycle, nb::object endless, nb::object memory, nb::object device,
                nb::object ended) {
  types = {base.release().ptr(),   usage.release().ptr(),  expression.release().ptr(),
           input.release().ptr(),  cycle.release().ptr(),  endless.release().ptr(),
           memory.release().ptr(), device.release().ptr(), ended.release().ptr()};
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const cancelled& e) {
    PyErr_SetString(types.ended, e.what());
  } catch (const out_of_memory& e) {
    PyErr_SetString(types.memory, e.what());
  } catch (const expression_error& e) {
    PyErr_SetString(types.expression, e.what());
  } catch (const usage_error& e) {
    PyErr_SetString(types.usage, e.what());
  } catch (const input_error& e) {
    PyErr_SetString(types.input, e.what());
  } catch (const negative_cycle& e) {
    PyErr_SetString(types.cycle, e.what());
  } catch (const no_convergence& e) {
    PyErr_SetString(types.endless, e.what());
  } catch (const device_error& e) {
    PyErr_SetString(types.device, e.what());
  } catch (const error& e) {
    PyErr_SetString(types.base, e.what());
  }
}

}  // namespace

void bind_errors(nb::module_& m) {
  m.def("set_errors", set_errors);
  nb::register_exception_translator(translate, nullptr);
}

}  // namespace tropic::python

NB_MODULE(_core, m) {
  using namespace tropic::python;
  m.doc() = "The compiled part of Tropic. Use the package `tropic`.";
  // Matrices and vectors may outlive the module's dictionary when the interpreter ends.
  nb::set_leak_warnings(false);
  bind_errors(m);
  bind_context(m);
  bind_operators(m);
  bind_semirings(m);
  bind_containers(m);
  bind_arrays(m);
  bind_shared_arrays(m);
  bind_operations(m);
  bind_algorithms(m);
  bind_files(m);
  bind_program(m);
  bind_networkx(m);
}

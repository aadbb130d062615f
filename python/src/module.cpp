// SPDX-License-Identifier: Apache-2.0

// The extension module tropic._core, and the exceptions that errors of the library become.

#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/semirings/typing.hpp>

#include "core.hpp"

namespace tropic::python {

namespace {

struct error_types {
  PyObject *base = nullptr, *usage = nullptr, *input = nullptr, *memory = nullptr,
           *device = nullptr, *ended = nullptr, *expression = nullptr, *cycle = nullptr;
};
error_types types;

PyObject* make(nb::module_& m, const char* name, const char* text, PyObject* first,
               PyObject* second = nullptr) {
  const std::string full = std::string("tropic.") + name;
  const auto bases = nb::steal<nb::object>(second == nullptr ? PyTuple_Pack(1, first)
                                                             : PyTuple_Pack(2, first, second));
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), text, bases.ptr(), nullptr);
  if (made == nullptr) throw nb::python_error();
  m.attr(name) = nb::handle(made);
  return made;  // the reference of the static table
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
  } catch (const device_error& e) {
    PyErr_SetString(types.device, e.what());
  } catch (const error& e) {
    PyErr_SetString(types.base, e.what());
  }
}

}  // namespace

void bind_errors(nb::module_& m) {
  types.base = make(m, "Error", "Base of the errors of Tropic.", PyExc_Exception);
  types.usage =
      make(m, "UsageError", "Arguments whose values, shapes, types or contexts do not match.",
           types.base, PyExc_ValueError);
  types.expression = make(m, "ExpressionError",
                          "Text or a function that is not in the operator language.", types.usage);
  types.input = make(m, "InputError",
                     "A file whose content violates its format; the message names file and line.",
                     types.base, PyExc_ValueError);
  types.cycle =
      make(m, "NegativeCycle", "Shortest paths without a lower bound: a cycle of negative weight.",
           types.base, PyExc_ValueError);
  types.memory = make(m, "OutOfMemory",
                      "More memory than the machine, the device or the context's limit allows.",
                      types.base, PyExc_MemoryError);
  types.device =
      make(m, "DeviceError", "A device, driver or run-time compiler that is missing or has failed.",
           types.base, PyExc_RuntimeError);
  types.ended = make(m, "Cancelled", "Context.cancel() was called.", types.base);
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
  bind_operations(m);
  bind_algorithms(m);
  bind_files(m);
}

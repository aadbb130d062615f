// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the files of the extension module `tropic._core` share: the objects that Python holds, and
// how a call of the library is made (call.cpp). The classes that users see are written in Python
// (python/tropic); they check and convert arguments and call the functions here.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tropic/context.hpp>
#include <tropic/detail/changes.hpp>
#include <tropic/detail/operations.hpp>
#include <tropic/error.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::python {

namespace nb = nanobind;

/// Whether it is a bool of NumPy, which is neither a bool of Python nor an integer.
bool is_numpy_bool(nb::handle value);
/// A bool of Python or NumPy as an argument: nanobind's bool takes Python's alone.
struct truth {
  bool value = false;
  operator bool() const { return value; }
};

/// Owns a reference to a Python object from any thread, with or without the GIL. The reference is
/// dropped by the next release_dropped(), never at once: the library may hold a lock at that
/// moment.
std::shared_ptr<const void> keep(nb::object object);
/// Drops references whose owners are gone. With the GIL, outside of the library.
void release_dropped();

/// A context with the notices that wait to be delivered to Python.
struct context_handle {
  cancel_token cancel;
  std::optional<context> where;
  void* queue = nullptr;  // that of the caller, if one is used
  nb::object log;         // a callable or None
  std::mutex mutex;
  std::vector<std::string> notices;

  const detail::context_pointer& state() const { return where->state(); }
};
using context_pointer = std::shared_ptr<context_handle>;

/// How many calls read or write a container. Guarded by the GIL: a call registers before it
/// releases the GIL, so that a second thread is refused instead of racing.
struct access_count {
  int readers = 0;
  bool written = false;
};

struct matrix_handle {
  context_pointer of;
  detail::changeable_matrix changes;
  /// The same entries, all true: for algorithms that use no values. Gone with a change.
  std::optional<detail::matrix_base> pattern{};
  access_count access{};

  matrix_handle(context_pointer where, detail::matrix_base base)
      : of(std::move(where)), changes(std::move(base)) {}
  ~matrix_handle() {
    pattern.reset();
    changes = {};
    release_dropped();
  }
  const detail::matrix_base& base() const { return changes.base(); }
};
struct vector_handle {
  context_pointer of;
  detail::vector_base base;
  access_count access{};

  vector_handle(context_pointer where, detail::vector_base its_base)
      : of(std::move(where)), base(std::move(its_base)) {}
  ~vector_handle() {
    base = {};
    release_dropped();
  }
};
struct semiring_handle {
  semiring_description description;
};
struct monoid_handle {
  monoid_description description;
};

/// One call of the library: registers its operands, runs the work without the GIL, and reports
/// progress and Ctrl+C to Python in between.
class call {
 public:
  explicit call(const char* name) : name_(name) {}
  call(const call&) = delete;
  call& operator=(const call&) = delete;
  ~call();

  /// Registers an operand; raises RuntimeError if another thread writes it. The output of the same
  /// call may be an operand.
  void read(vector_handle& v) { read(v.access, "vector"); }
  void read(matrix_handle& m) { read(m.access, "matrix"); }
  /// Registers the output; raises RuntimeError if another thread uses it.
  void write(vector_handle& v) { write(v.access, "vector"); }
  void write(matrix_handle& m) {
    write(m.access, "matrix");
    m.pattern.reset();
  }

  /// work() without the GIL. `progress`, a callable or None, receives (step, fraction or None). An
  /// exception that it raises, and KeyboardInterrupt, end the work at its next step.
  template <class F>
  auto run(context_handle& of, nb::handle progress, F&& work) {
    enter(of, progress);
    try {
      if constexpr (std::is_void_v<decltype(work())>) {
        {
          const nb::gil_scoped_release released;
          work();
        }
        leave();
      } else {
        auto result = [&] {
          const nb::gil_scoped_release released;
          return work();
        }();
        leave();
        return result;
      }
    } catch (...) {
      fail();
      throw;
    }
  }
  template <class F>
  auto run(context_handle& of, F&& work) {
    return run(of, nb::none(), std::forward<F>(work));
  }

  /// What context_options::progress calls. Throws cancelled if Python raised an exception.
  static void report(std::string_view step, double fraction);
  /// For readers, which call it inside parallel loops: false if work is to end.
  static bool goes_on(call* one, std::string_view step, double fraction);
  call* self() { return this; }
  const char* name() const { return name_; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw usage_error(std::string(name_) + ": " + what);
  }

 private:
  void read(access_count& access, const char* what);
  void write(access_count& access, const char* what);
  void enter(context_handle& of, nb::handle progress);
  void leave();
  void fail();
  bool tell(std::string_view step, double fraction);

  const char* name_;
  context_handle* of_ = nullptr;
  nb::handle progress_;
  std::vector<access_count*> read_;
  access_count* written_ = nullptr;
  call* outer_ = nullptr;
  std::chrono::steady_clock::time_point next_look_{};
  std::optional<nb::python_error> raised_;
  std::thread::id thread_{};
};

/// The types by their codes (0: bool, ... 10: fp64). Throws usage_error for others.
const type_description& type_of(int code);
inline int code_of(const type_description& type) {
  return static_cast<int>(type.code);
}
/// A number of Python or NumPy as a value of that type; raises TypeError, or OverflowError if it
/// does not fit.
scalar_bytes value_of(nb::handle number, const type_description& type);
nb::object number_of(const void* value, const type_description& type);

/// An operator by name or as text. Throws expression_error.
operator_description operator_over(const std::string& text, const type_description& x,
                                   const type_description& y, const type_description& z);
/// A predicate of positions and a number ("tril", ...).
unary_description predicate_over(const std::string& name, std::int64_t thunk,
                                 const type_description& type);

/// A mask as Python passes it: (container, structural, complemented) or None.
detail::mask_base<detail::vector_base> vector_mask_of(call& c, nb::handle mask);
detail::mask_base<detail::matrix_base> matrix_mask_of(call& c, nb::handle mask);

void bind_errors(nb::module_& m);
void bind_context(nb::module_& m);
void bind_operators(nb::module_& m);
void bind_semirings(nb::module_& m);
void bind_containers(nb::module_& m);
void bind_arrays(nb::module_& m);
void bind_shared_arrays(nb::module_& m);
void bind_operations(nb::module_& m);
void bind_algorithms(nb::module_& m);
void bind_files(nb::module_& m);
void bind_program(nb::module_& m);
void bind_networkx(nb::module_& m);

}  // namespace tropic::python

namespace nanobind::detail {
template <>
struct type_caster<tropic::python::truth> {
  NB_TYPE_CASTER(tropic::python::truth, const_name("bool"))

  // The type of the flags differs between versions of nanobind.
  bool from_python(handle source, auto, cleanup_list*) noexcept {
    if (source.is(Py_True) || source.is(Py_False)) {
      value.value = source.is(Py_True);
      return true;
    }
    try {
      if (!tropic::python::is_numpy_bool(source)) return false;
    } catch (const python_error&) {
      return false;
    }
    value.value = PyObject_IsTrue(source.ptr()) == 1;
    return true;
  }
};
}  // namespace nanobind::detail

// SPDX-License-Identifier: Apache-2.0

// How a call of the library is made: the GIL, progress, Ctrl+C, objects that are kept alive.

#include <cmath>

#include "core.hpp"

namespace tropic::python {

namespace {

struct dropped_references {
  std::mutex mutex;
  std::vector<PyObject*> objects;
};
// Never destroyed: containers may outlive static objects of this file.
dropped_references& dropped() {
  static auto* const all = new dropped_references;
  return *all;
}

thread_local call* innermost = nullptr;

// Signals are looked at this often: taking the GIL waits for other threads of Python.
constexpr auto between_looks = std::chrono::milliseconds(20);

void deliver_notices(context_handle& of) {
  std::vector<std::string> notices;
  {
    const std::lock_guard lock(of.mutex);
    notices.swap(of.notices);
  }
  if (of.log.is_none()) return;
  for (const std::string& one : notices) of.log(one);
}

}  // namespace

std::shared_ptr<const void> keep(nb::object object) {
  return {object.release().ptr(), [](const void* gone) {
            dropped_references& all = dropped();
            const std::lock_guard lock(all.mutex);
            all.objects.push_back(static_cast<PyObject*>(const_cast<void*>(gone)));
          }};
}

void release_dropped() {
  dropped_references& all = dropped();
  for (;;) {
    PyObject* one = nullptr;
    {
      const std::lock_guard lock(all.mutex);
      if (all.objects.empty()) return;
      one = all.objects.back();
      all.objects.pop_back();
    }
    Py_DECREF(one);  // may run Python code, which may come here again
  }
}

void call::read(access_count& access, const char* what) {
  if (&access == written_) return;
  if (access.written)
    throw nb::builtin_exception(
        nb::exception_type::runtime_error,
        (std::string(name_) + ": another thread is writing this " + what).c_str());
  ++access.readers;
  read_.push_back(&access);
}

void call::write(access_count& access, const char* what) {
  if (access.written || access.readers > 0)
    throw nb::builtin_exception(
        nb::exception_type::runtime_error,
        (std::string(name_) + ": another thread is using this " + what + ", which is written")
            .c_str());
  access.written = true;
  written_ = &access;
}

call::~call() {
  for (access_count* one : read_) --one->readers;
  if (written_ != nullptr) written_->written = false;
}

void call::enter(context_handle& of, nb::handle progress) {
  if (of.cancel.is_cancelled()) throw cancelled();
  of_ = &of;
  progress_ = progress;
  thread_ = std::this_thread::get_id();
  outer_ = innermost;
  innermost = this;
  next_look_ = std::chrono::steady_clock::now() + between_looks;
}

void call::leave() {
  innermost = outer_;
  release_dropped();
  deliver_notices(*of_);
}

void call::fail() {
  innermost = outer_;
  release_dropped();
  if (raised_) {
    nb::python_error raised = std::move(*raised_);
    raised_.reset();
    throw raised;
  }
  deliver_notices(*of_);
}

bool call::tell(std::string_view step, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  const bool shows = !progress_.is_none();
  if (!shows && now < next_look_) return true;
  next_look_ = now + between_looks;
  const nb::gil_scoped_acquire acquired;
  try {
    if (shows) {
      nb::object done = nb::none();
      if (fraction >= 0) done = nb::float_(fraction);
      progress_(nb::str(step.data(), step.size()), done);
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  } catch (nb::python_error& error) {
    raised_.emplace(std::move(error));
    return false;
  }
  return true;
}

void call::report(std::string_view step, double fraction) {
  if (innermost == nullptr) return;
  if (innermost->raised_ || !innermost->tell(step, fraction)) throw cancelled();
}

bool call::goes_on(call* one, std::string_view step, double fraction) {
  if (one->thread_ != std::this_thread::get_id()) return true;  // a thread of a parallel loop
  return !one->raised_ && !one->of_->cancel.is_cancelled() && one->tell(step, fraction);
}

const type_description& type_of(int code) {
  if (code < 0 || code >= builtin_type_count)
    throw usage_error("type code " + std::to_string(code) + ", there are 0 to " +
                      std::to_string(builtin_type_count - 1));
  return describe(static_cast<type_code>(code));
}

bool is_numpy_bool(nb::handle value) {
  // Guarded by the GIL. Never dropped: the interpreter may end first.
  static PyObject* type = nullptr;
  if (type == nullptr)
    type = nb::object(nb::module_::import_("numpy").attr("bool_")).release().ptr();
  const int found = PyObject_IsInstance(value.ptr(), type);
  if (found < 0) throw nb::python_error();
  return found == 1;
}

namespace {
nb::object integer_of(nb::handle number) {
  if (!PyLong_Check(number.ptr()) && is_numpy_bool(number))
    return nb::bool_(PyObject_IsTrue(number.ptr()) == 1);
  auto index = nb::steal<nb::object>(PyNumber_Index(number.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  return index;
}
}  // namespace

scalar_bytes value_of(nb::handle number, const type_description& type) {
  const auto fits = [&](bool fitting) {
    if (fitting && PyErr_Occurred() == nullptr) return;
    PyErr_Clear();
    PyErr_Format(PyExc_OverflowError, "%R does not fit %s", number.ptr(),
                 std::string(type.name).c_str());
    throw nb::python_error();
  };
  return with_builtin_type(type.code, [&]<class T>() -> scalar_bytes {
    if constexpr (std::is_floating_point_v<T>) {
      const double value = PyFloat_AsDouble(number.ptr());
      if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
      const T narrowed = static_cast<T>(value);
      fits(std::isfinite(narrowed) || !std::isfinite(value));
      return scalar_bytes::of(narrowed);
    } else {
      const nb::object index = integer_of(number);
      if constexpr (std::is_same_v<T, bool>) {
        const int truth = PyObject_IsTrue(index.ptr());
        return scalar_bytes::of(truth == 1);
      } else if constexpr (std::is_signed_v<T>) {
        const long long value = PyLong_AsLongLong(index.ptr());
        fits(PyErr_Occurred() == nullptr && std::in_range<T>(value));
        return scalar_bytes::of(static_cast<T>(value));
      } else {
        const unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
        fits(PyErr_Occurred() == nullptr && std::in_range<T>(value));
        return scalar_bytes::of(static_cast<T>(value));
      }
    }
  });
}

nb::object number_of(const void* value, const type_description& type) {
  return with_builtin_type(type.code, [&]<class T>() -> nb::object {
    T typed;
    std::memcpy(&typed, value, sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      return nb::bool_(typed);
    else if constexpr (std::is_floating_point_v<T>)
      return nb::float_(static_cast<double>(typed));
    else
      return nb::int_(typed);
  });
}

namespace {
template <class Handle, class Base, class Get>
detail::mask_base<Base> mask_of(call& c, nb::handle mask, const Get& base) {
  if (mask.is_none()) return {};
  const auto parts = nb::cast<nb::tuple>(mask);
  auto& container = nb::cast<Handle&>(parts[0]);
  c.read(container);
  return {base(container), nb::cast<bool>(parts[1]), nb::cast<bool>(parts[2])};
}
}  // namespace

detail::mask_base<detail::vector_base> vector_mask_of(call& c, nb::handle mask) {
  return mask_of<vector_handle, detail::vector_base>(
      c, mask, [](const vector_handle& v) { return &v.base; });
}
detail::mask_base<detail::matrix_base> matrix_mask_of(call& c, nb::handle mask) {
  return mask_of<matrix_handle, detail::matrix_base>(
      c, mask, [](const matrix_handle& m) { return &m.base(); });
}

}  // namespace tropic::python

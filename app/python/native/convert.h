#pragma once
// Converts between the library's types and Python's.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/matrix.h"
#include "core/lab/study.h"

namespace emergence::python {

namespace py = pybind11;

/// Makes a read-only array that owns the values, which are not copied.
template <class T>
py::array view_of(std::vector<T> values, const std::vector<size_t>& shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    const py::capsule owner(owned.release(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
    py::array_t<T> array(std::vector<py::ssize_t>(shape.begin(), shape.end()), data, owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}
py::array view_of(Array array);
py::array view_of(const Table& table);
/// Makes a dictionary by their names.
py::dict views_of(ArrayMap arrays);

/// Makes a copy. Throws InputError, naming `name`, for elements that are not numbers.
Array array_of(const py::handle& object, const std::string& name);

/// Makes a copy in double. An array of one dimension becomes a column. Raises Python's error for anything but numbers.
Mat matrix_of(const py::handle& object);

py::object object_of(const FieldValue& value);
py::dict dict_of(const Settings& settings);
/// Sets the fields that the dictionary names. Throws InputError.
void set_fields(const py::dict& values, Settings& settings);

/// While it lives, this thread has given Python's lock back. Raises SystemExit once the interpreter ends.
class WithoutLock {
  public:
    /// The interpreter's end waits for it.
    struct Counted {
        Counted();
        ~Counted();
        Counted(const Counted&) = delete;
        Counted& operator=(const Counted&) = delete;
    };

  private:
    Counted counted_;  // counts this thread until it has the lock again
    py::gil_scoped_release released_;
};

/// Returns true once the interpreter ends. Training then stops as soon as it can.
bool interpreter_ends();
/// Raises SystemExit once the interpreter ends. The caller has Python's lock.
void leave_if_interpreter_ends();
/// Called once. From then on the interpreter's end waits for threads that are without its lock.
void end_with_interpreter();

/// Calls `work` on another thread, without Python's lock, while this one looks for Ctrl-C. After Ctrl-C `stop` is true,
/// and KeyboardInterrupt is raised as soon as `work` has ended. `asked`, called with Python's lock, stops it too.
void interruptible(const std::function<void(const std::atomic<bool>& stop)>& work,
                   const std::function<bool()>& asked = {});

void add_catalogue(py::module_& module);
void add_runs(py::module_& module);
void add_pictures(py::module_& module);
void add_networks(py::module_& module);

}  // namespace emergence::python

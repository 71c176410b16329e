#include "app/python/native/convert.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/error.h"

namespace emergence::python {
namespace {

std::string shown(const py::handle& object) { return py::repr(object).cast<std::string>(); }

// Python's texts may contain halves of characters.
std::string utf8_of(const std::string& name, const py::handle& text) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes != nullptr && std::strlen(bytes) == static_cast<size_t>(size)) return bytes;
    if (bytes != nullptr) throw InputError("{}: {} holds a NUL character, which no text may have", name, shown(text));
    PyErr_Clear();
    throw InputError("{}: {} cannot be written as UTF-8", name, shown(text));
}

// Returns nullopt for what is not a number, or too large for any.
std::optional<double> number_of(const py::handle& object) {
    const double number = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred() == nullptr) return number;
    PyErr_Clear();
    return std::nullopt;
}

// Converts to the type of the field's default. A text is read as the command line reads it.
FieldValue value_of(const FieldInfo& info, const py::handle& object) {
    const auto refuse = [&](const char* wanted) -> InputError {
        return InputError("{}: {} is not a {}. Give it {}", info.name, shown(object), wanted, allowed_text(info));
    };
    if (std::holds_alternative<std::string>(info.default_value)) {
        if (py::isinstance<py::str>(object)) return utf8_of(info.name, object);
        if (py::hasattr(object, "__fspath__")) return utf8_of(info.name, py::str(object.attr("__fspath__")()));
        throw refuse("text");
    }
    if (py::isinstance<py::str>(object)) return parse_value(info, utf8_of(info.name, object));
    const bool truth =
        PyBool_Check(object.ptr()) != 0 || py::isinstance(object, py::module_::import("numpy").attr("bool_"));
    if (std::holds_alternative<bool>(info.default_value)) {
        if (!truth) throw refuse("flag");
        return py::bool_(py::reinterpret_borrow<py::object>(object)).cast<bool>();
    }
    if (truth || PyNumber_Check(object.ptr()) == 0 || py::hasattr(object, "__len__")) throw refuse("number");
    const std::optional<double> number = number_of(object);
    if (!number) throw refuse("number");
    if (std::holds_alternative<double>(info.default_value)) return *number;
    if (*number != std::floor(*number) || std::abs(*number) > 9e15) throw refuse("whole number");
    return static_cast<int64_t>(*number);
}

template <class T>
std::vector<T> copied(const py::handle& object) {
    const auto array = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(object);
    if (!array) throw py::error_already_set();
    return std::vector<T>(array.data(), array.data() + array.size());
}

}  // namespace

py::array view_of(Array array) {
    return std::visit([&](auto& values) { return view_of(std::move(values), array.shape); }, array.values);
}

py::array view_of(const Table& table) {
    return view_of(table.values, {static_cast<size_t>(table.rows), static_cast<size_t>(table.columns)});
}

py::dict views_of(ArrayMap arrays) {
    py::dict views;
    for (auto& [name, array] : arrays) views[py::str(name)] = view_of(std::move(array));
    return views;
}

Array array_of(const py::handle& object, const std::string& name) {
    const py::array given = py::array::ensure(object);
    if (!given) throw py::error_already_set();
    const char kind = given.dtype().kind();
    Array array;
    array.shape.assign(given.shape(), given.shape() + given.ndim());
    if (kind == 'f' && given.itemsize() == 4)
        array.values = copied<float>(given);
    else if (kind == 'f')
        array.values = copied<double>(given);
    else if (kind == 'i' || kind == 'b')
        array.values = copied<int64_t>(given);
    else if (kind == 'u')
        array.values = copied<uint64_t>(given);
    else
        throw InputError("{}: its elements are {}. Give an array of numbers", name,
                         py::str(given.dtype()).cast<std::string>());
    return array;
}

Mat matrix_of(const py::handle& object) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(object);
    if (!array) throw py::error_already_set();
    return ConstMatView::by_rows(array.data(), array.shape(0), array.ndim() > 1 ? array.shape(1) : 1);
}

py::object object_of(const FieldValue& value) {
    return std::visit([](const auto& one) { return py::cast(one); }, value);
}

py::dict dict_of(const Settings& settings) {
    py::dict values;
    for (const FieldInfo& field : settings.fields())
        values[py::str(field.name)] = object_of(settings.value(field.name));
    return values;
}

void set_fields(const py::dict& values, Settings& settings) {
    for (const auto& [key, value] : values) {
        const std::string name = utf8_of("settings", py::str(key));
        settings.set(name, value_of(settings.info(name), value));
    }
}

namespace {

// Counts Python's threads that are in C++ without its lock. If one asked for the lock while the interpreter ends, it
// would be ended there, and the process with it.
std::atomic<int> outside_count = 0;
std::atomic<bool> ending = false;

}  // namespace

WithoutLock::Counted::Counted() {
    leave_if_interpreter_ends();
    ++outside_count;
}

WithoutLock::Counted::~Counted() { --outside_count; }

bool interpreter_ends() { return ending; }

void leave_if_interpreter_ends() {
    if (!ending) return;
    PyErr_SetNone(PyExc_SystemExit);  // ends a thread without a message
    throw py::error_already_set();
}

void end_with_interpreter() {
    const auto end = [] {
        ending = true;
        const py::gil_scoped_release released;
        while (outside_count > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    };
    py::module_::import("atexit").attr("register")(py::cpp_function(end));
    // A child of fork() has none of the threads that were counted.
    const auto child = [] { outside_count = 0; };
    py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function(child));
}

void interruptible(const std::function<void(const std::atomic<bool>& stop)>& work, const std::function<bool()>& asked) {
    const WithoutLock::Counted counted;
    std::atomic<bool> stop = false;
    bool done = false;
    std::mutex mutex;
    std::condition_variable ended;
    std::exception_ptr failure;
    std::thread worker([&] {
        try {
            work(stop);
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        done = true;
        ended.notify_one();
    });
    std::optional<py::error_already_set> interrupt;
    const auto wait = [&] {
        const py::gil_scoped_release released;
        std::unique_lock lock(mutex);
        return ended.wait_for(lock, std::chrono::milliseconds(20), [&] { return done; });
    };
    while (!wait()) {
        stop = stop || interpreter_ends() || (asked && asked());
        if (!interrupt && PyErr_CheckSignals() != 0) {
            interrupt.emplace();
            stop = true;
        }
    }
    worker.join();
    if (interrupt) throw py::error_already_set(*interrupt);
    if (failure) std::rethrow_exception(failure);
}

}  // namespace emergence::python

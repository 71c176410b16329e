// Defines the module emergence._native. People call ../emergence, which also checks what it is given.
#include <pybind11/stl.h>

#include <exception>

#include "app/python/native/lab_run.h"
#include "core/base/error.h"

namespace emergence::python {

void add_runs(py::module_& module) {
    py::class_<LabRun>(module, "LabRun")
        .def(py::init<const std::string&, const py::dict&, int, py::object, py::object>())
        .def_static("loaded", &LabRun::loaded)
        .def_static("from_state", &LabRun::from_state)
        .def("advance_to", &LabRun::advance_to)
        .def("extend_to", &LabRun::extend_to)
        .def("settings", &LabRun::settings)
        .def("config", &LabRun::config)
        .def("weights", &LabRun::weights)
        .def("metrics", &LabRun::metrics)
        .def("metrics_csv", &LabRun::metrics_csv)
        .def("metric_help",
             [](const LabRun& run) {
                 py::dict help;
                 for (const MetricInfo& metric : run.history().table()) help[py::str(metric.name)] = metric.help;
                 return help;
             })
        .def("seeds", &LabRun::seeds)
        .def("moment_steps", &LabRun::moment_steps)
        .def("weights_at", &LabRun::weights_at)
        .def("save", &LabRun::save)
        .def("save_weights", &LabRun::save_weights)
        .def("state", &LabRun::state)
        .def_property_readonly("step", &LabRun::step)
        .def_property_readonly("target", &LabRun::target)
        .def_property_readonly("finished", &LabRun::finished)
        .def_property_readonly("seconds", &LabRun::seconds)
        .def_property_readonly("threads", &LabRun::threads)
        .def_property_readonly("experiment", &LabRun::experiment)
        .def_property_readonly("step_unit", [](LabRun& run) { return run.study().step_unit(); })
        .def_property_readonly("log_interval", [](LabRun& run) { return run.study().log_interval(); })
        .def_property_readonly("notice", &LabRun::notice)
        .def_property_readonly("own_seconds", [](const LabRun& run) {
            const std::lock_guard lock(run.own()->mutex);
            return run.own()->seconds;
        });
}

}  // namespace emergence::python

PYBIND11_MODULE(_native, module) {
    using namespace emergence;
    pybind11::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const InputError& error) {
            PyErr_SetString(PyExc_ValueError, error.what());
        } catch (const IoError& error) {
            PyErr_SetString(PyExc_OSError, error.what());
        }
    });
    python::end_with_interpreter();
    python::add_catalogue(module);
    python::add_runs(module);
    python::add_pictures(module);
    python::add_networks(module);
}

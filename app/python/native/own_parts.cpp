// Runs users' own losses and worlds, which are Python functions that the training threads call.
#include <fmt/format.h>

#include <chrono>

#include "app/python/native/lab_run.h"
#include "core/base/error.h"

namespace emergence::python {
namespace {

// Calls `work` with Python's lock. An exception fails the seed here, and is stored for the thread that started
// training.
template <class Work>
void with_python(OwnParts& own, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const py::gil_scoped_acquire acquired;
    const auto count = [&] {
        const std::lock_guard lock(own.mutex);
        own.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    try {
        work();
        count();
    } catch (...) {
        {
            const std::lock_guard lock(own.mutex);
            if (!own.raised) own.raised = std::current_exception();
        }
        throw std::runtime_error("your own function raised an exception");
    }
}

py::array_t<double> numbers(const double* values, int count) { return py::array_t<double>(count, values); }

// Reads one part of what a loss returns: `batch` numbers, or one for all windows.
void read_numbers(const py::handle& object, const char* what, int batch, double* into) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(object);
    if (!array) throw py::error_already_set();
    if (array.size() != 1 && array.size() != batch)
        throw InputError("loss: {} has {} numbers for {} windows. Return one for each", what, array.size(), batch);
    for (int w = 0; w < batch; ++w) into[w] = array.data()[array.size() == 1 ? 0 : w];
}

OwnLoss loss_of(std::shared_ptr<OwnParts> own) {
    return [own](const LossInput<double>& in, double* targets, double* weights, double* slopes) {
        with_python(*own, [&] {
            const py::object answer = own->loss(numbers(in.values, in.batch + 1), numbers(in.rewards, in.batch),
                                                in.gamma, numbers(in.mean_rewards, in.batch));
            const py::tuple parts = py::cast<py::tuple>(answer);
            read_numbers(parts[0], "targets", in.batch, targets);
            read_numbers(parts[1], "weights", in.batch, weights);
            read_numbers(parts[2], "slopes", in.batch, slopes);
        });
    };
}

}  // namespace

std::shared_ptr<const ExperimentInfo> experiment_with(const std::shared_ptr<OwnParts>& own,
                                                      const ExperimentInfo& info) {
    if (own->empty()) return std::make_shared<const ExperimentInfo>(info);
    if (info.name != "td")
        throw InputError("experiment {}: only experiment td trains on your own loss or worlds", info.name);
    return std::make_shared<const ExperimentInfo>(td_with(own_td(own)));
}

OwnTd own_td(const std::shared_ptr<OwnParts>& own) {
    OwnTd parts;
    if (!own->loss.is_none()) parts.loss = std::make_shared<const OwnLoss>(loss_of(own));
    // The function returns checked arrays: transition m x m, reward m, features m x d, initial m.
    if (!own->world.is_none())
        parts.world = [own](uint64_t seed, uint32_t index, Mrp& mrp) {
            with_python(*own, [&] {
                const py::tuple world = own->world(seed, index);
                mrp.transition = matrix_of(world[0]);
                mrp.reward = matrix_of(world[1]);
                mrp.features = matrix_of(world[2]).transpose();
                mrp.initial = matrix_of(world[3]);
            });
        };
    return parts;
}

}  // namespace emergence::python

// The state of a training as named arrays: save and load.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/training/multi_task_td.h"

namespace emergence {
namespace {

template <class T>
Array array_of(const std::vector<T>& values) {
    return {{values.size()}, values};
}

template <class T>
void read(const ArrayMap& state, const std::string& name, std::vector<T>& values) {
    const auto found = state.find(name);
    if (found == state.end()) throw InputError("training state: array '" + name + "' is missing");
    const auto* stored = std::get_if<std::vector<T>>(&found->second.values);
    if (!stored || stored->size() != values.size())
        throw InputError("training state: array '" + name + "' has " +
                         std::to_string(element_count(found->second.shape)) +
                         " entries or another type, wanted are " + std::to_string(values.size()) +
                         " of this config's type");
    for (const T x : *stored)
        if (!std::isfinite(static_cast<double>(x)))
            throw InputError("training state: array '" + name + "' has an entry that is not finite");
    values = *stored;
}

void require(bool holds, const char* array, const char* wanted) {
    if (!holds) throw InputError(std::string("training state: array '") + array + "' " + wanted);
}

}  // namespace

ArrayMap MultiTaskTd::save() const {
    ArrayMap map;
    map["weights"] = array_of(state_.weights);
    map["alpha"] = array_of(std::vector<float>{state_.alpha});
    const auto add = [&map](const std::string& name, const Adam<float>& adam) {
        map[name + ".first_moment"] = array_of(adam.first_moment);
        map[name + ".second_moment"] = array_of(adam.second_moment);
        map[name + ".steps"] = array_of(std::vector<int64_t>{adam.steps});
    };
    add("adam", state_.adam);
    add("alpha_adam", state_.alpha_adam);
    // Streams are keyed by the MRP's number, so the position in them is this number.
    map["progress"] = array_of(std::vector<int64_t>{mrps_, diverged_ ? 1 : 0, loss_count_});
    map["loss_sum"] = array_of(std::vector<double>{loss_sum_});
    return map;
}

void MultiTaskTd::load(const ArrayMap& map) {
    const ArrayMap own = save();
    for (const auto& [name, array] : map)
        if (own.count(name) == 0)
            throw InputError("training state: array '" + name + "' belongs to no training");
    State next = state_;
    std::vector<float> alpha(1);
    std::vector<int64_t> progress(3);
    std::vector<double> loss_sum(1);
    read(map, "weights", next.weights);
    read(map, "alpha", alpha);
    const auto take = [&map](const std::string& name, Adam<float>& adam) {
        std::vector<int64_t> steps(1);
        read(map, name + ".first_moment", adam.first_moment);
        read(map, name + ".second_moment", adam.second_moment);
        read(map, name + ".steps", steps);
        require(steps[0] >= 0, (name + ".steps").c_str(), "is negative");
        require(
            std::none_of(adam.second_moment.begin(), adam.second_moment.end(), [](float v) { return v < 0; }),
            (name + ".second_moment").c_str(), "has a negative entry");
        adam.steps = steps[0];
    };
    take("adam", next.adam);
    take("alpha_adam", next.alpha_adam);
    read(map, "progress", progress);
    read(map, "loss_sum", loss_sum);
    require(progress[0] >= 0 && (progress[1] == 0 || progress[1] == 1) && progress[2] >= 0, "progress",
            "is not a number of MRPs, 0 or 1 for diverged, a number of losses");
    next.alpha = alpha[0];
    state_ = std::move(next);
    mrps_ = progress[0];
    diverged_ = progress[1] != 0;
    loss_count_ = progress[2];
    loss_sum_ = loss_sum[0];
}

}  // namespace emergence

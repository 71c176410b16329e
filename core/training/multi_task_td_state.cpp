// The state of a training as named arrays: save and load.
#include "core/training/multi_task_td.h"
#include "core/training/state_arrays.h"

namespace emergence {

ArrayMap MultiTaskTd::save() const {
    ArrayMap map;
    map["weights"] = array_of(state_.weights);
    map["alpha"] = array_of(std::vector<float>{state_.alpha});
    save_adam("adam", state_.adam, map);
    save_adam("alpha_adam", state_.alpha_adam, map);
    // Streams are keyed by the MRP's number, so this number gives the position in them.
    map["progress"] = array_of(std::vector<int64_t>{mrps_, diverged_ ? 1 : 0, loss_count_});
    map["loss_sum"] = array_of(std::vector<double>{loss_sum_});
    return map;
}

void MultiTaskTd::load(const ArrayMap& map) {
    require_known(map, save());
    State next = state_;
    std::vector<float> alpha(1);
    std::vector<int64_t> progress(3);
    std::vector<double> loss_sum(1);
    read_array(map, "weights", next.weights);
    read_array(map, "alpha", alpha);
    read_adam(map, "adam", next.adam);
    read_adam(map, "alpha_adam", next.alpha_adam);
    read_array(map, "progress", progress);
    read_array(map, "loss_sum", loss_sum);
    require_array(progress[0] >= 0 && (progress[1] == 0 || progress[1] == 1) && progress[2] >= 0, "progress",
                  "is not a number of MRPs, 0 or 1 for diverged, a number of losses");
    next.alpha = alpha[0];
    state_ = std::move(next);
    mrps_ = progress[0];
    diverged_ = progress[1] != 0;
    loss_count_ = progress[2];
    loss_sum_ = loss_sum[0];
}

}  // namespace emergence

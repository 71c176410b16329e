#pragma once
// Settings of experiment "td" for its tasks and its loss.

#include <string>

#include "core/settings/field_builder.h"
#include "core/tasks/task.h"
#include "core/training/window_loss.h"

namespace emergence {

/// The kind of tasks, without their sizes.
struct TdTaskConfig {
    std::string kind = "boyan";
    int pool_size = 0;
    bool fixed_transition = false;
    bool fixed_features = false;
    int loop_min_states = 0;
    double loop_min_threshold = 0.1;
    double loop_max_threshold = 0.9;
    std::string cart_features = "tiles";
    int cart_bins = 6;
    std::string cart_pole_mass = "code";

    /// The kind of task and the pool.
    void kind_fields(Fields& f);
    /// Loops and CartPole.
    void shape_fields(Fields& f);
};

/// The loss, and how training minimises it.
struct TdLossConfig {
    std::string loss = "td";
    double lambda = 0.9;
    std::string updates = "minibatch";
    std::string optimizer = "adam";

    void fields(Fields& f);
};

/// The task options that TdTaskConfig holds; the caller sets sizes, gamma and representability.
TaskOptions task_options_of(const TdTaskConfig& c);
/// The loss options that TdLossConfig holds.
LossOptions loss_options_of(const TdLossConfig& c);

}  // namespace emergence

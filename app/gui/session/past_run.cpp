#include "app/gui/session/past_run.h"

#include <utility>

#include "core/settings/toml.h"

namespace emergence {

std::shared_ptr<const Checkpoint> checkpoint_of(const SavedRun& saved, const MetricHistory& history) {
    const SavedState& state = saved.state;
    Checkpoint checkpoint;
    checkpoint.settings = parse_settings(
        settings_to_toml(state.experiment, state.settings, {.figure = "", .step = state.step, .with_places = true}),
        "the run");
    checkpoint.seeds = state.seeds;
    checkpoint.seconds = state.seconds;
    checkpoint.emerged = state.emerged;
    checkpoint.moments = saved.moments;
    for (const MetricInfo& metric : history.table()) checkpoint.metrics.push_back(metric.name);
    for (int seed = 0; seed < history.num_seeds(); ++seed) {
        for (size_t i = 0; i < history.steps().size(); ++i) {
            MetricRow row{seed, static_cast<int64_t>(history.steps()[i]), {}};
            if (row.step > state.step) break;
            for (const MetricInfo& metric : history.table()) row.values.push_back(history.column(metric.name, seed)[i]);
            checkpoint.rows.push_back(std::move(row));
        }
    }
    return std::make_shared<const Checkpoint>(std::move(checkpoint));
}

}  // namespace emergence

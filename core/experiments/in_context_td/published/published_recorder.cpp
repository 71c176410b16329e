#include "core/experiments/in_context_td/published/published_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {
namespace {

// Appends one seed's part of an array over seeds.
void append_part(const Array& array, size_t index, std::vector<float>& values) {
    const auto* all = std::get_if<std::vector<float>>(&array.values);
    check(all != nullptr && array.shape.front() > index, "weights are floats, one part a seed");
    const size_t size = all->size() / array.shape.front();
    const auto start = all->begin() + static_cast<std::ptrdiff_t>(index * size);
    values.insert(values.end(), start, start + static_cast<std::ptrdiff_t>(size));
}

// Appends the last logged value of a metric if the run has that metric.
void append_last(const MetricHistory& history, const std::string& metric, int seed,
                 std::vector<double>& values) {
    for (const MetricInfo& info : history.table())
        if (info.name == metric) values.push_back(history.column(metric, seed).back());
}

}  // namespace

PublishedRecorder::PublishedRecorder(const std::string& experiment, const Settings& settings) {
    if (experiment != "td")
        throw InputError(fmt::format(
            "experiment: the published code's form holds the P and Q of td, not weights of {}", experiment));
    if (settings.text("model") != "attention")
        throw InputError(
            "model: the published code's form holds P and Q of attention, not weights of an RNN");
    PublishedRun run;
    run.params = published_params_of(settings);
    for (int64_t k = 0; k < settings.integer("seeds"); ++k) {
        runs_.push_back(run);
        runs_.back().params.random_seed += k;
    }
}

void PublishedRecorder::add(const Snapshot& snapshot, const MetricHistory& history) {
    check(snapshot.seeds.size() == runs_.size(), "the run has the seeds of its settings");
    for (size_t k = 0; k < runs_.size(); ++k) {
        const SeedStatus& seed = snapshot.seeds[k];
        runs_[k].params.random_seed = static_cast<int64_t>(seed.seed);
        const bool logged =
            !history.steps().empty() && history.steps().back() == static_cast<double>(snapshot.step);
        if (snapshot.step > 0 && logged && !seed.failed) add_seed(k, snapshot, history);
    }
}

void PublishedRecorder::add_seed(size_t index, const Snapshot& snapshot, const MetricHistory& history) {
    PublishedRun& run = runs_[index];
    const auto seed = static_cast<int>(index);
    run.steps.push_back(snapshot.step);
    append_part(snapshot.weights.at("P"), index, run.P);
    append_part(snapshot.weights.at("Q"), index, run.Q);
    append_last(history, "alpha", seed, run.alpha);
    append_last(history, "value_difference", seed, run.value_difference);
    append_last(history, "implicit_weight_similarity", seed, run.implicit_weight);
    append_last(history, "sensitivity_similarity", seed, run.sensitivity);
}

std::vector<PublishedRun> PublishedRecorder::runs() const {
    std::vector<PublishedRun> logged;
    std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(logged),
                 [](const PublishedRun& run) { return !run.steps.empty(); });
    return logged;
}

}  // namespace emergence

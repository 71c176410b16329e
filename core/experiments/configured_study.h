#pragma once
// Base of the studies: settings, the Config made from them, metrics, and the common part of every snapshot.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/lab/study.h"
#include "core/settings/field_builder.h"

namespace emergence {

/// A study of a Config that has a field `seeds` and may have a `log_interval`; without one every step is
/// logged. The derived constructor fills in metrics_ and metric_plots_.
template <class Config>
class ConfiguredStudy : public Study {
  public:
    const Settings& settings() const override { return settings_; }
    int num_seeds() const override { return config_.seeds; }
    std::string step_unit() const override { return step_unit_; }
    int64_t log_interval() const override {
        if constexpr (requires(const Config& config) { config.log_interval; })
            return config_.log_interval;
        else
            return 1;
    }
    const MetricTable& metrics() const override { return metrics_; }
    const std::vector<MetricPlot>& metric_plots() const override { return metric_plots_; }
    Snapshot inspect(const Snapshot&, const Inspection& inspection) const override {
        throw InputError("inspection '" + inspection.kind + "': experiment " + name_ + " knows none");
    }
    void set_live(const Settings& settings) override {
        settings_ = settings;
        config_ = config_from<Config>(settings);
    }

  protected:
    /// `name`: as in the registry. `step_unit`: in the plural, "MRPs".
    ConfiguredStudy(std::string name, std::string step_unit, const Settings& settings)
        : settings_(settings),
          config_(config_from<Config>(settings)),
          name_(std::move(name)),
          step_unit_(std::move(step_unit)) {}

    /// A snapshot of these seeds with everything that does not depend on the experiment.
    Snapshot begin_snapshot(const std::vector<const Experiment*>& seeds) const {
        Snapshot snapshot;
        snapshot.experiment = name_;
        snapshot.settings = settings_;
        snapshot.step_unit = step_unit_;
        for (const Experiment* seed : seeds) {
            snapshot.seeds.push_back(seed->status());
            snapshot.step = std::max(snapshot.step, seed->step());
        }
        return snapshot;
    }
    /// For studies whose only inspection is "evaluate": throws InputError for others, and returns the
    /// snapshot at the inspection's settings.
    Snapshot begin_evaluation(const Snapshot& snapshot, const Inspection& inspection) const {
        if (inspection.kind != "evaluate")
            throw InputError("inspection '" + inspection.kind + "': experiment " + name_ +
                             " knows 'evaluate'");
        Snapshot answer = snapshot;
        answer.settings = inspection.settings;
        return answer;
    }

    Settings settings_;
    Config config_;
    MetricTable metrics_;
    std::vector<MetricPlot> metric_plots_;

  private:
    std::string name_, step_unit_;
};

}  // namespace emergence

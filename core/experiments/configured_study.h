#pragma once
// Bases of the studies: settings, the Config made from them, metrics, seeds, and the common part of every snapshot.

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
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
    using ConfigType = Config;

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

/// The names of a study.
struct StudyNames {
    /// As in the registry.
    const char* experiment;
    /// In the plural, "MRPs".
    const char* step_unit;
    /// The field with the number of steps after which a run stops.
    const char* num_steps;
};

/// A study with seeds of one class, each made as Seed(config, seed_index, shared), or Seed(config, seed_index) if
/// `Shared` is void. `Shared` is what all seeds of a run share.
template <class Config, class Seed, class Shared = void>
class StudyOf : public ConfiguredStudy<Config> {
  public:
    int64_t target_step() const override { return this->settings_.integer(num_steps_); }
    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        if constexpr (std::is_void_v<Shared>)
            return std::make_unique<Seed>(this->config_, seed_index);
        else
            return std::make_unique<Seed>(this->config_, seed_index, shared_);
    }

    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin(seeds);
        evaluate(this->config_, snapshot);
        return snapshot;
    }
    Snapshot outline(const std::vector<const Experiment*>& seeds) const override {
        if (!evaluates_on_request()) return describe(seeds);
        Snapshot snapshot = begin(seeds);
        snapshot.evaluated = false;
        return snapshot;
    }
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = this->begin_evaluation(snapshot, inspection);
        evaluate(config_from<Config>(inspection.settings), answer);
        answer.evaluated = true;
        return answer;
    }

  protected:
    using Seeds = std::vector<const Seed*>;

    StudyOf(const StudyNames& names, const Settings& settings)
        : ConfiguredStudy<Config>(names.experiment, names.step_unit, settings), num_steps_(names.num_steps) {}

    /// Adds all that is made of the seeds.
    virtual void show(const Seeds& seeds, Snapshot& snapshot) const = 0;
    /// Adds all that live fields select, made of the snapshot alone. Safe on any thread: it must not read
    /// this->config_, which live fields change.
    virtual void evaluate(const Config&, Snapshot&) const {}
    /// Whether evaluate() is expensive, so that stored snapshots do without it.
    virtual bool evaluates_on_request() const { return false; }

    std::shared_ptr<const Shared> shared_;

  private:
    Snapshot begin(const std::vector<const Experiment*>& seeds) const {
        Snapshot snapshot = this->begin_snapshot(seeds);
        Seeds own;
        for (const Experiment* seed : seeds) own.push_back(&dynamic_cast<const Seed&>(*seed));
        show(own, snapshot);
        return snapshot;
    }

    const char* num_steps_;
};

/// Throws InputError if a run of these settings would log nothing. `num_steps`: the field with the length of a run.
void check_log_interval(const Settings& settings, const std::string& num_steps);

/// The registry's entry of `StudyType`, a StudyOf; figures and claims are left to add. If it has a static
/// check(const Config&), that is called for settings that contradict each other.
template <class StudyType>
ExperimentInfo experiment_of(const StudyNames& names, std::string title, std::string summary,
                             std::string emergence_rule = "") {
    using Config = typename StudyType::ConfigType;
    ExperimentInfo info;
    info.name = names.experiment;
    info.title = std::move(title);
    info.summary = std::move(summary);
    info.emergence_rule = std::move(emergence_rule);
    info.fields = std::make_shared<const FieldTable>(fields_of<Config>());
    info.check = [names](const Settings& settings) {
        if constexpr (requires(const Config& config) { StudyType::check(config); })
            StudyType::check(config_from<Config>(settings));
        check_log_interval(settings, names.num_steps);
    };
    info.make = [](const Settings& settings) { return std::make_unique<StudyType>(settings); };
    return info;
}

}  // namespace emergence

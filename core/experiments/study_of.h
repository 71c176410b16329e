#pragma once
// The base of all studies: settings, the Config made from them, metrics, seeds, snapshots, and the entry in the
// registry.

#include <list>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/lab/study.h"
#include "core/lab/views/run_views.h"
#include "core/settings/fields.h"

namespace emergence {

/// One statement declares a metric: its name, label, help, value, and the line that draws it. The table of metrics, the
/// plots of the history and the rows of values all come from say():
///
///     struct Measured {
///         double msve = kMissing;
///         void say(Row& row) const {
///             HistoryPlot& error = row.plot("value_error", "Value error while training");
///             error.y("MSVE").from(0.0);
///             row("msve", "MSVE", "Mean squared value error on held-out MRPs.", msve).line(error).label("transformer");
///         }
///     };
struct Row {
    MetricTable table;
    /// In the order of the table.
    std::vector<double> values;
    /// The plots of the history.
    std::list<HistoryPlot> plots;

    /// Sets the metric that was said last; valid until the next one.
    class Said {
      public:
        explicit Said(MetricInfo& metric) : metric_(&metric) {}
        /// See MetricInfo.
        Said& share() { return metric_->share = true, *this; }
        Said& of_scale(bool on = true) { return metric_->of_scale = on, *this; }
        /// Draws it, in a colour of the categorical palette.
        MetricLineBuilder line(HistoryPlot& plot, int color = 0) const { return plot.line(metric_->name).color(color); }

      private:
        MetricInfo* metric_;
    };

    Said operator()(std::string name, std::string label, std::string help, double value) {
        values.push_back(value);
        return Said(table.emplace_back(MetricInfo{std::move(name), std::move(label), std::move(help)}));
    }
    /// Adds a plot after the plots before.
    HistoryPlot& plot(std::string id, std::string title) { return plots.emplace_back(std::move(id), std::move(title)); }
};

/// The names of a study.
struct StudyNames {
    /// As in the registry.
    const char* experiment;
    /// In the plural, "MRPs".
    const char* step_unit;
    /// The field with the number of steps after which a run stops.
    const char* num_steps;
    /// See ExperimentInfo.
    const char* emergence_rule = "";
    /// See Snapshot.
    const char* emerged_words = "emerged";
};

/// A study with seeds of one class, each made as Seed(config, seed_index, shared), or Seed(config, seed_index) if
/// `Shared` is void. `Shared` is what all seeds of a run share. The Config has a field `seeds`, and may have a
/// `log_interval`; without one every step is logged. The derived constructor sets shared_, and declares what seeds
/// measure.
template <class ConfigOf, class Seed, class Shared = void>
class StudyOf : public Study {
  public:
    using Config = ConfigOf;

    const Settings& settings() const override { return settings_; }
    int num_seeds() const override { return config_.seeds; }
    std::string step_unit() const override { return names_.step_unit; }
    int64_t log_interval() const override {
        if constexpr (requires(const Config& config) { config.log_interval; })
            return config_.log_interval;
        else
            return 1;
    }
    int64_t target_step() const override { return settings_.integer(names_.num_steps); }
    const MetricTable& metrics() const override { return metrics_; }
    const std::vector<MetricPlot>& metric_plots() const override { return metric_plots_; }
    void set_live(const Settings& settings) override {
        settings_ = settings;
        config_ = config_from<Config>(settings);
    }
    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        if constexpr (std::is_void_v<Shared>)
            return std::make_unique<Seed>(config_, seed_index);
        else
            return std::make_unique<Seed>(config_, seed_index, shared_);
    }

    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin(seeds);
        evaluate(config_, snapshot);
        return snapshot;
    }
    Snapshot outline(const std::vector<const Experiment*>& seeds) const override {
        if (!evaluates_on_request()) return describe(seeds);
        Snapshot snapshot = begin(seeds);
        snapshot.evaluated = false;
        return snapshot;
    }
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = begin_evaluation(snapshot, inspection);
        evaluate(config_from<Config>(inspection.settings), answer);
        answer.evaluated = true;
        return answer;
    }

  protected:
    using Seeds = std::vector<const Seed*>;

    StudyOf(const StudyNames& names, const Settings& settings)
        : settings_(settings), config_(config_from<Config>(settings)), names_(names) {}

    /// Takes the metrics and plots that measured.say() declares; the values do not matter.
    void declare(const auto& measured) {
        Row row;
        measured.say(row);
        metrics_ = row.table;
        metric_plots_.assign(row.plots.begin(), row.plots.end());
    }

    /// Adds everything that is made from the seeds.
    virtual void show(const Seeds& seeds, Snapshot& snapshot) const = 0;
    /// Adds everything that live settings select, made from the snapshot alone. It may run on any thread, so it must
    /// not read config_, which live settings change.
    virtual void evaluate(const Config&, Snapshot&) const {}
    /// Whether evaluate() is expensive, so that stored snapshots do without it.
    virtual bool evaluates_on_request() const { return false; }

    /// The snapshot at the inspection's settings. Throws InputError if its kind is not "evaluate".
    Snapshot begin_evaluation(const Snapshot& snapshot, const Inspection& inspection) const {
        if (inspection.kind != "evaluate")
            throw InputError("inspection '" + inspection.kind + "': experiment " + names_.experiment +
                             " knows 'evaluate'");
        Snapshot answer = snapshot;
        answer.settings = inspection.settings;
        return answer;
    }

    Settings settings_;
    Config config_;
    MetricTable metrics_;
    std::vector<MetricPlot> metric_plots_;
    std::shared_ptr<const Shared> shared_;

  private:
    Snapshot begin(const std::vector<const Experiment*>& seeds) const {
        Snapshot snapshot;
        snapshot.experiment = names_.experiment;
        snapshot.settings = settings_;
        snapshot.step_unit = names_.step_unit;
        snapshot.emergence_rule = names_.emergence_rule;
        snapshot.emerged_words = names_.emerged_words;
        Seeds own;
        for (const Experiment* seed : seeds) {
            snapshot.seeds.push_back(seed->status());
            snapshot.step = larger(snapshot.step, seed->step());
            own.push_back(&dynamic_cast<const Seed&>(*seed));
        }
        show(own, snapshot);
        return snapshot;
    }

    StudyNames names_;
};

/// The registry's entry of `StudyType`, a StudyOf. Its settings are refused if a run would log nothing after the start;
/// a static check(const Config&) of the study may refuse more.
template <class StudyType>
ExperimentInfo experiment_of(const StudyNames& names, std::string title, std::string summary,
                             std::vector<FigureInfo> figures = {}) {
    using Config = typename StudyType::Config;
    ExperimentInfo info;
    info.name = names.experiment;
    info.title = std::move(title);
    info.summary = std::move(summary);
    info.emergence_rule = names.emergence_rule;
    info.fields = std::make_shared<const FieldTable>(fields_of<Config>());
    info.check = [names](const Settings& settings) {
        const int64_t steps = settings.integer(names.num_steps);
        if (steps > 0 && settings.has("log_interval") && settings.integer("log_interval") > steps)
            throw InputError("log_interval: " + std::to_string(settings.integer("log_interval")) + " is more than " +
                             names.num_steps + " = " + std::to_string(steps) +
                             ", so the run would log nothing. Lower it.");
        if constexpr (requires(const Config& config) { StudyType::check(config); })
            StudyType::check(config_from<Config>(settings));
    };
    info.make = [](const Settings& settings) { return std::make_unique<StudyType>(settings); };
    info.figures = std::move(figures);
    return info;
}

}  // namespace emergence

#include "core/experiments/in_context_td/basins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/in_context_td/td_line_up.h"
#include "core/training/state_arrays.h"

namespace emergence {

void BasinsConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L", "How many times the one trained attention layer is applied.")
        .range(1, 12);
    f.group("start");
    const std::string gain =
        "Xavier gain of the random weights, whose standard deviation is gain / sqrt(2d+1). "
        "The paper has 0.1; scales lie evenly between both ends on a log axis.";
    f(least_gain, "least_gain", "least gain", gain).log_range(1e-3, 3);
    f(largest_gain, "largest_gain", "largest gain", gain).log_range(1e-3, 3);
    f(num_gains, "num_gains", "scales", "How many scales of the initial weights each seed is trained from.")
        .range(2, 9);
    TdRunsConfig::fields(f);
}

namespace {

constexpr double kSecondCorner = 0.5, kSecondIws = 0.7;

size_t column_of(const MetricTable& table, const char* name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const MetricInfo& info) { return info.name == name; });
    return static_cast<size_t>(found - table.begin());
}

std::string prefix_of(size_t training) { return fmt::format("training{}.", training); }

class BasinsStudy final : public ConfiguredStudy<BasinsConfig> {
  public:
    explicit BasinsStudy(const Settings& settings) : ConfiguredStudy("basins", "MRPs", settings) {
        evaluator_ = std::make_shared<const NetworkEvaluator>(
            network_shape(config_), make_bank(config_, evaluation_size(config_), {config_.context_length}));
        metrics_ = basins_metrics(config_);
        metric_plots_ = basins_plots(config_);
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<BasinsSeed>(config_, evaluator_, seed_index);
    }
    int64_t target_step() const override { return config_.num_mrps; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin_snapshot(seeds);
        std::vector<const BasinsSeed*> own;
        for (const Experiment* seed : seeds) own.push_back(&dynamic_cast<const BasinsSeed&>(*seed));
        snapshot.matrices = basins_matrices(config_, own);
        snapshot.scalars = basins_scalars(config_, own);
        snapshot.headline = basins_headline(config_, own);
        return snapshot;
    }

  private:
    std::shared_ptr<const NetworkEvaluator> evaluator_;
};

}  // namespace

Basin basin_of(bool emerged, double p_corner, double iws) {
    if (emerged) return Basin::emerged;
    return std::abs(p_corner) < kSecondCorner && iws > kSecondIws ? Basin::second : Basin::neither;
}

std::vector<double> gains_of(const BasinsConfig& config) {
    std::vector<double> gains;
    const double ratio = std::log(config.largest_gain / config.least_gain) / (config.num_gains - 1);
    for (int i = 0; i < config.num_gains; ++i) gains.push_back(config.least_gain * std::exp(ratio * i));
    return gains;
}

// ---- one seed

BasinsSeed::BasinsSeed(const BasinsConfig& config, std::shared_ptr<const NetworkEvaluator> evaluator,
                       int seed_index)
    : seed_(static_cast<uint64_t>(config.seed + seed_index)),
      seed_index_(seed_index),
      log_interval_(config.log_interval) {
    const auto gains = gains_of(config);
    const auto measures = measures_with(std::move(evaluator));
    InContextTdConfig training = config;
    for (const double gain : gains) {
        training.initial_gain = gain;
        trainings_.push_back(std::make_unique<InContextTdSeed>(training, seed_, seed_index, measures));
    }
    const MetricTable table = in_context_td_metrics(config);
    p_corner_ = column_of(table, "p_corner");
    iws_ = column_of(table, "implicit_weight_similarity");
    states_.resize(gains.size());
}

void BasinsSeed::take(size_t training, const std::vector<MetricRow>& rows) {
    BasinState& state = states_[training];
    const SeedStatus status = trainings_[training]->status();
    state.failed = status.failed;
    state.emerged = status.emerged;
    state.emerged_at = status.emerged_at;
    if (rows.empty()) return;
    state.p_corner = rows.back().values[p_corner_];
    state.iws = rows.back().values[iws_];
}

void BasinsSeed::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    while ((!logged_ || step_ < target_step) && !failed()) {
        // Advance from one logged step to the next, so that one row holds all trainings.
        const int64_t next = logged_ ? std::min(target_step, (step_ / log_interval_ + 1) * log_interval_) : 0;
        for (size_t i = 0; i < trainings_.size(); ++i) {
            std::vector<MetricRow> own;
            if (!trainings_[i]->failed()) trainings_[i]->advance(next, own);
            take(i, own);
        }
        step_ = next;
        logged_ = true;
        if (step_ % log_interval_ != 0) continue;
        MetricRow row{seed_index_, step_, {}};
        for (const BasinState& state : states_) {  // in the order of basins_metrics()
            row.values.push_back(state.emerged_at < 0 ? 1.0 : 0.0);
            row.values.push_back(state.failed ? kMissing : state.iws);
        }
        rows.push_back(std::move(row));
    }
}

bool BasinsSeed::failed() const {
    return std::all_of(trainings_.begin(), trainings_.end(), [](const auto& t) { return t->failed(); });
}

SeedStatus BasinsSeed::status() const {
    SeedStatus status{seed_, step_, failed(), "", false, -1};
    if (failed()) status.reason = "the trainings of all scales have diverged";
    return status;
}

ArrayMap BasinsSeed::save() const {
    ArrayMap state;
    std::vector<double> last;
    for (size_t i = 0; i < trainings_.size(); ++i) {
        for (auto& [name, array] : trainings_[i]->save()) state[prefix_of(i) + name] = array;
        last.insert(last.end(), {states_[i].p_corner, states_[i].iws});
    }
    state["last"] = array_of(last);
    state["progress"] = array_of(std::vector<int64_t>{step_, logged_ ? 1 : 0});
    return state;
}

void BasinsSeed::load(const ArrayMap& state) {
    std::vector<double> last(2 * trainings_.size());
    std::vector<int64_t> progress(2);
    read_array(state, "last", last);
    read_array(state, "progress", progress);
    require_array(progress[0] >= 0, "progress", "begins with a negative step");
    for (size_t i = 0; i < trainings_.size(); ++i) {
        ArrayMap own;
        const std::string prefix = prefix_of(i);
        for (const auto& [name, array] : state)
            if (name.starts_with(prefix)) own[name.substr(prefix.size())] = array;
        trainings_[i]->load(own);
        take(i, {});
        states_[i].p_corner = last[2 * i];
        states_[i].iws = last[2 * i + 1];
    }
    step_ = progress[0];
    logged_ = progress[1] != 0;
}

// ---- the registry's entry

ExperimentInfo basins() {
    ExperimentInfo info;
    info.name = "basins";
    info.title = "Basins: seeds against initial scales";
    info.summary =
        "In-context TD trained from many seeds, each at several scales of its initial weights: which of them "
        "end in TD, which in the second basin, and how long it takes, as a grid that fills in while they "
        "train, and as curves of the fraction that has not emerged yet.";
    info.fields = std::make_shared<const FieldTable>(fields_of<BasinsConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<BasinsConfig>(settings);
        if (!(c.least_gain < c.largest_gain))
            throw InputError(fmt::format("least_gain: found {:g}, allowed is below largest_gain = {:g}",
                                         c.least_gain, c.largest_gain));
        if (c.log_interval > c.num_mrps)
            throw InputError(fmt::format(
                "log_interval: found {}, allowed is at most num_mrps = {}, else nothing is logged",
                c.log_interval, c.num_mrps));
    };
    info.make = [](const Settings& settings) { return std::make_unique<BasinsStudy>(settings); };
    info.figures = {figure_of_basins()};
    info.claims = basins_claims();
    return info;
}

}  // namespace emergence

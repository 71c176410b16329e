#include "core/experiments/in_context_td/basins/basins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_line_up.h"

namespace emergence {

void BasinsConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L", "How many times the one trained attention layer is applied.").range(1, 12);
    f.group("start");
    const std::string gain =
        "Xavier gain of the random weights, whose standard deviation is gain / sqrt(2d+1). "
        "Wang et al. 2025 have 0.1; scales lie evenly between both ends on a log axis.";
    f(least_gain, "least_gain", "least gain", gain).log_range(1e-3, 3);
    f(largest_gain, "largest_gain", "largest gain", gain).log_range(1e-3, 3);
    f(num_gains, "num_gains", "scales", "How many scales of the initial weights each seed is trained from.")
        .range(2, 9);
    TdRunsConfig::fields(f);
}

namespace {

constexpr StudyNames kBasinsStudy = {"basins", "MRPs", "num_mrps"};
constexpr double kSecondCorner = 0.5, kSecondIws = 0.7;

class BasinsStudy final : public StudyOf<BasinsConfig, BasinsSeed, SeedMeasures> {
  public:
    explicit BasinsStudy(const Settings& settings) : StudyOf(kBasinsStudy, settings) {
        shared_ = std::make_shared<const SeedMeasures>(seed_measures(config_));
        metrics_ = basins_metrics(config_).table();
        metric_plots_ = basins_plots(config_);
    }
    static void check(const BasinsConfig& c) {
        if (!(c.least_gain < c.largest_gain))
            throw InputError(fmt::format("least_gain: {:g} is not below largest_gain = {:g}. Lower it.", c.least_gain,
                                         c.largest_gain));
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        snapshot.matrices = basins_matrices(config_, seeds);
        snapshot.scalars = basins_scalars(config_, seeds);
        snapshot.headline = basins_headline(config_, seeds);
    }
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

BasinsSeed::BasinsSeed(const BasinsConfig& config, int seed_index, std::shared_ptr<const SeedMeasures> measures)
    : CountedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                  basins_metrics(config)) {
    InContextTdConfig training = config;
    for (const double gain : gains_of(config)) {
        training.initial_gain = gain;
        trainings_.push_back(std::make_unique<InContextTdSeed>(training, seed_index, measures));
    }
    states_.resize(trainings_.size());
}

void BasinsSeed::follow_trainings() {
    for (size_t i = 0; i < trainings_.size(); ++i) {
        const SeedStatus status = trainings_[i]->status();
        states_[i].failed = status.failed;
        states_[i].emerged = status.emerged;
        states_[i].emerged_at = status.emerged_at;
    }
}

void BasinsSeed::take_step() {
    ++step_;
    std::vector<MetricRow> unused;  // their measures are read from latest()
    for (const auto& training : trainings_)
        if (!training->failed()) training->advance(step_, unused);
    follow_trainings();
}

BasinsMeasured BasinsSeed::measure() {
    std::vector<MetricRow> unused;
    for (size_t i = 0; i < trainings_.size(); ++i) {
        trainings_[i]->advance(step_, unused);  // logs step 0
        if (trainings_[i]->failed()) continue;
        states_[i].p_corner = trainings_[i]->latest().elements.p_corner;
        states_[i].iws = trainings_[i]->latest().scores.implicit_weight_similarity;
    }
    follow_trainings();
    return states_;
}

bool BasinsSeed::failed() const {
    return std::all_of(trainings_.begin(), trainings_.end(), [](const auto& t) { return t->failed(); });
}

void BasinsSeed::state(Archive& archive) {
    std::vector<double> last;
    for (const BasinState& state : states_) last.insert(last.end(), {state.p_corner, state.iws});
    archive("last", last);
    progress(archive);
    for (size_t i = 0; i < trainings_.size(); ++i) archive(fmt::format("training{}", i), *trainings_[i]);
    if (!archive.loads()) return;
    for (size_t i = 0; i < trainings_.size(); ++i) {
        archive.require(trainings_[i]->failed() || trainings_[i]->step() == step_, fmt::format("training{}", i),
                        "is at another step than the others");
        states_[i].p_corner = last[2 * i];
        states_[i].iws = last[2 * i + 1];
    }
    follow_trainings();
}

// ---- the registry's entry

ExperimentInfo basins() {
    return experiment_of<BasinsStudy>(
        kBasinsStudy, "Basins: seeds against initial scales",
        "In-context TD trained from many seeds, each at several scales of its initial weights: which of them end in "
        "TD, which in the second basin, and how long it takes, as a grid that fills in while they train, and as curves "
        "of the fraction that has not emerged yet.",
        {figure_of_basins()});
}

}  // namespace emergence

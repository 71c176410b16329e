#include "core/experiments/regression/regression.h"

#include <fmt/format.h>

#include <cmath>

#include "core/algorithms/context_algorithms.h"
#include "core/base/ranges.h"
#include "core/base/rng.h"

namespace emergence {
namespace {

constexpr int kRacePrompts = 500;
// The work of a layer grows with the cube of d. With this bound the constants are fitted in about 0.2 s.
constexpr double kTuningWork = 3e9;

int tuning_prompts(const RegressionConfig& config) {
    const double rows = config.d + 1;
    return static_cast<int>(std::clamp(kTuningWork / (3000 * rows * rows * rows * config.layers), 256.0, 4000.0));
}

uint64_t world_seed(uint64_t number) { return derive_seed(number, Purpose::held_out); }

const char* const kNames[] = {"GD", "preconditioned GD", "GD++"};

double squared_error(const RegressionTask& task, const Vec& w) {
    const double error = w.dot(task.query) - task.target();
    return error * error;
}

}  // namespace

RaceLine race_line(std::string name, const std::vector<std::vector<double>>& squares) {
    std::vector<double> last = squares.back();
    const auto middle = last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2);
    std::nth_element(last.begin(), middle, last.end());
    return {std::move(name), mapped(squares, mean_of), *middle};
}

bool moves_points(const RegressionConfig& config) {
    return config.restriction != Restriction::steps && config.layers > 1;
}

Covariance covariance_of(const RegressionConfig& config, uint64_t seed) {
    return {eigenvalues_of(config.spectrum, config.d, config.condition), random_rotation(config.d, seed)};
}

RegressionWorld::RegressionWorld(const RegressionConfig& config)
    : config_(config),
      covariance_{eigenvalues_of(config.spectrum, config.d, config.condition), Mat::Identity(config.d, config.d)},
      bank_(draw_gram_sample<double>(covariance_, config.prior, config.n, config.bank_size, world_seed(0))) {
    for (uint32_t p = 0; p < kRacePrompts; ++p)
        tasks_.push_back(draw_regression_task(covariance_, config.prior, config.n, world_seed(0), p));
    const GramSample<double> tuning =
        draw_gram_sample<double>(covariance_, config.prior, config.n, tuning_prompts(config), world_seed(1));
    fit_floor(tuning.view());
    fit_race(tuning.view());
}

void RegressionWorld::fit_floor(const GramView<double>& tuning) {
    InContextWeights best(config_.d, 1);
    if (config_.layers == 1) {
        const Vec diagonal = one_layer_preconditioner(covariance_.eigenvalues, config_.prior, config_.n);
        best.set_layer(0, -(diagonal.asDiagonal() * Mat::Identity(config_.d, config_.d)),
                       Mat::Zero(config_.d, config_.d));
    } else {
        const WeightFamily family = layer_scalars(covariance_.power(-1), config_.layers, moves_points(config_));
        floor_numbers_ = minimise(family, tuning).theta;
        best = family.at(floor_numbers_);
    }
    const auto loss = make_in_context_loss<double>(best.shape());
    floor_ = held_out_loss(*loss, best);
    if (moves_points(config_)) floor_trimmed_ = trimmed_loss(*loss, best);
}

std::string RegressionWorld::floor_name() const {
    if (config_.layers == 1) return config_.prior == WeightPrior::identity ? "Theorem 1" : "closed form";
    return moves_points(config_) ? "floor, scalar A, B" : "floor, scalar A";
}

void RegressionWorld::fit_race(const GramView<double>& tuning) {
    const Mat identity = Mat::Identity(config_.d, config_.d), inverse = covariance_.power(-1);
    const WeightFamily families[] = {shared_scalars(identity, config_.layers, false),
                                     shared_scalars(inverse, config_.layers, false),
                                     shared_scalars(identity, config_.layers, config_.layers > 1)};
    const auto layers = static_cast<size_t>(config_.layers);
    for (size_t a = 0; a < std::size(families); ++a) {
        const Vec constants = minimise(families[a], tuning).theta;
        // A layer of GD++ moves x by (1/n) B X X' A x = -b a (1/n) X X' x.
        const double step = constants(0), move = constants.size() > 1 ? step * constants(1) : 0.0;
        const std::vector<Mat> preconditioners(layers, -step * (a == 0 ? identity : inverse));
        std::vector<std::vector<double>> squares(layers + 1);
        for (const RegressionTask& task : tasks_) {
            const auto iterates =
                a == 2 ? gd_plus_plus(task, step, move, config_.layers) : preconditioned_descent(task, preconditioners);
            for (size_t l = 0; l <= layers; ++l) squares[l].push_back(squared_error(task, iterates[l]));
        }
        race_.push_back(race_line(kNames[a], squares));
        race_.back().constants = fmt::format("step {:.3g}", step);
        if (constants.size() > 1) race_.back().constants += fmt::format(", move {:.3g}", move);
    }
}

RaceLine RegressionWorld::ridge_line(double lambda) const {
    std::vector<double> squares;
    for (const RegressionTask& task : tasks_) squares.push_back(squared_error(task, ridge(task, lambda)));
    RaceLine line = race_line("ridge", {squares});
    line.errors.assign(static_cast<size_t>(config_.layers) + 1, line.errors[0]);  // no steps: a constant
    line.constants = fmt::format("\u03bb {:g}", lambda);
    return line;
}

double RegressionWorld::held_out_loss(InContextLoss<double>& loss, const InContextWeights& weights) const {
    return loss.loss(bank_.view(), weights.P(), weights.Q(), nullptr, nullptr);
}

double RegressionWorld::trimmed_loss(InContextLoss<double>& loss, const InContextWeights& weights) const {
    const GramView<double> bank = bank_.view();
    std::vector<double> squares(bank.prompts);
    loss.predict(bank, weights.P(), weights.Q(), squares.data());
    for (int p = 0; p < bank.prompts; ++p) squares[p] = std::pow(squares[p] - gram_target(bank, p), 2);
    std::sort(squares.begin(), squares.end());
    const auto kept = squares.size() - static_cast<size_t>(kTrimmedShare * static_cast<double>(squares.size()));
    squares.resize(kept);
    return mean_of(squares);
}

std::vector<std::vector<double>> RegressionWorld::errors_by_layer(const InContextWeights& weights) const {
    GramView<double> race = bank_.view();
    race.prompts = smaller(race.prompts, kRacePrompts);
    std::vector<std::vector<double>> squares;
    std::vector<double> predictions(race.prompts, 0.0);
    for (int l = 0; l <= weights.layers; ++l) {
        if (l > 0)
            make_in_context_loss<double>({weights.d + 1, l})
                ->predict(race, weights.P(), weights.Q(), predictions.data());
        squares.emplace_back();
        for (size_t p = 0; p < predictions.size(); ++p) {
            const double error = predictions[p] - tasks_[p].target();
            squares.back().push_back(error * error);
        }
    }
    return squares;
}

}  // namespace emergence

#include "core/experiments/regression/regression.h"

#include <fmt/format.h>

#include "core/algorithms/regression_descent.h"
#include "core/experiments/regression/regression_figures.h"
#include "core/experiments/regression/regression_study.h"
#include "core/files/text.h"
#include "core/measures/identity_distance.h"

namespace emergence {

namespace {

constexpr StudyNames kRegressionStudy = {
    "regression", "iterations", "num_iterations",
    "A seed counts as emerged (this laboratory's rule) when its preconditioners are Sigma's inverse up to scale: every "
    "Dist(\u03a3^\u00bd A_i \u03a3^\u00bd, I) is below 0.1 and, where the x are moved, every Dist(B_i, I) that "
    "matters too. With one layer, when A is within 5 % of the closed form after the best scale."};

constexpr double kNearIdentity = 0.1, kNearClosedForm = 0.05;

}  // namespace

RegressionMeasures measure_weights(const RegressionConfig& config, const RegressionWorld& world,
                                   const Covariance& covariance, const InContextWeights& weights,
                                   InContextLoss<double>& loss) {
    RegressionMeasures m;
    const InContextWeights turned = weights.in_coordinates(covariance.U);
    m.held_out_loss = world.held_out_loss(loss, turned);
    if (moves_points(config)) m.held_out_trimmed = world.trimmed_loss(loss, turned);
    const Eigen::MatrixXd root = covariance.power(0.5);
    std::vector<Eigen::MatrixXd> all;
    for (int l = 0; l < weights.layers; ++l) {
        const Eigen::MatrixXd A = weights.A(l), whitened = root * A * root;
        m.plain.push_back(identity_distance(A));
        m.powers.push_back(preconditioner_power(turned.A(l), covariance.eigenvalues));
        m.whitened.push_back(identity_distance(whitened));
        m.steps.push_back(-whitened.trace() / config.d);
        all.push_back((whitened + whitened.transpose()) / 2);
        if (!moves_points(config) || l + 1 == weights.layers) continue;
        const Eigen::MatrixXd B = weights.B(l);
        m.moves.push_back(identity_distance(B));
        m.shifts.push_back(B.trace() / config.d);
    }
    if (weights.layers > 1) {
        m.off_diagonal_mass = diagonalise_jointly(std::move(all)).off_diagonal_mass;
        return m;
    }
    const Eigen::MatrixXd closed_form =
        -Eigen::MatrixXd(one_layer_preconditioner(covariance.eigenvalues, config.prior, config.n).asDiagonal());
    m.closed_form_error = error_after_scaling(turned.A(0), closed_form);
    m.closed_form_unscaled = (turned.A(0) - closed_form).norm() / closed_form.norm();
    return m;
}

bool has_emerged(const RegressionConfig& config, const RegressionMeasures& m) {
    if (config.d == 1) return false;  // with d = 1 every number is a multiple of every other
    if (config.layers == 1) return m.closed_form_error < kNearClosedForm;
    const auto near = [](double distance) { return distance < kNearIdentity; };
    return std::all_of(m.whitened.begin(), m.whitened.end(), near) && std::all_of(m.moves.begin(), m.moves.end(), near);
}

// ---- one seed

RegressionSeed::RegressionSeed(const RegressionConfig& config, int seed_index,
                               std::shared_ptr<const RegressionWorld> world)
    : TrainedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                  regression_metrics(config),
                  [&](uint64_t seed) { return InContextTraining(config, covariance_of(config, seed), seed); }),
      config_(config),
      world_(std::move(world)),
      loss_(make_in_context_loss<double>({config.d + 1, config.layers})) {}

RegressionMeasures RegressionSeed::measure() {
    if (settled_) return *settled_;
    const InContextTraining::Progress progress = own_training().progress();
    RegressionMeasures measures =
        measure_weights(config_, *world_, training().covariance(), training().weights(), *loss_);
    measures.loss = progress.loss;
    measures.gradient_norm = progress.gradient_norm;
    judge(has_emerged(config_, measures));
    if (training().converged()) settled_ = measures;
    return measures;
}

std::string RegressionSeed::why_diverged() const {
    return fmt::format("diverged in iteration {}, its loss or gradient not finite", step() + 1);
}

// ---- all seeds

RegressionStudy::RegressionStudy(const Settings& settings)
    : StudyOf(kRegressionStudy, settings), first_settings_(settings) {
    shared_ = std::make_shared<const RegressionWorld>(config_);
    metrics_ = regression_metrics(config_).table();
    metric_plots_ = regression_metric_plots(config_, shared_.get());
}

void RegressionStudy::check(const RegressionConfig& c) {
    const double bytes =
        c.adam ? 0.0 : static_cast<double>(gram_entries(c.d + 1)) * sizeof(float) * c.prompts * c.seeds;
    if (bytes > kMostRunBytes)
        throw InputError(fmt::format(
            "num_prompts: {} prompts with d = {} and seeds = {} take {:.1f} GB, more than {:.2f} GB. Lower one of them.",
            c.prompts, c.d, c.seeds, bytes / 1e9, kMostRunBytes / 1e9));
}

void RegressionStudy::show(const Seeds& seeds, Snapshot& snapshot) const {
    if (config_.d == 1) snapshot.emergence_rule.clear();
    std::vector<RegressionWeights> weights;
    for (const RegressionSeed* seed : seeds) {
        const InContextTraining& training = seed->training();
        weights.push_back({training.covariance(), training.weights(), training.initial_weights(), training.diverged()});
    }
    snapshot.matrices = regression_matrices(config_, weights);
    snapshot.formulas = regression_formulas(config_);
    snapshot.weights = regression_arrays(config_, weights);
}

void RegressionStudy::evaluate(const RegressionConfig& config, Snapshot& snapshot) const {
    if (same_but_for_live_fields(snapshot.settings, first_settings_))
        evaluate_regression(snapshot, config, *shared_);
    else
        evaluate_regression(snapshot, config, RegressionWorld(config));
}

// ---- the registry's entry

ExperimentInfo regression() {
    return experiment_of<RegressionStudy>(
        kRegressionStudy, "In-context linear regression",
        "A linear transformer is trained to predict y for a new x from a prompt of pairs (x, y). In its forward pass "
        "it comes to run gradient descent, preconditioned with the inverse covariance of the x (Ahn et al. 2023, "
        "Theorems 1, 3, 4 and 5).",
        regression_figures());
}

}  // namespace emergence

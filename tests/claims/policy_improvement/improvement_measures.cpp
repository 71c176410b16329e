#include "core/experiments/policy_improvement/policy_improvement.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/measures/improvement_measures.h"
#include "core/models/constructions.h"
#include "core/training/teacher_mimicking.h"
#include "tests/claims/measures.h"
#include "tests/claims/naive/improvement_naive.h"

namespace emergence {
namespace {

constexpr int kImprovementTrials = 30;

// The window of one trial, in double, at the paper's settings.
struct ImprovementTrial {
    ImprovementShape shape;
    Eigen::MatrixXd H;
    Vec parameters, target;

    ImprovementTrial(Improvement algorithm, uint32_t index)
        : shape{algorithm == Improvement::sarsa ? ImprovementSizes{algorithm, 9, 4, 36, 0}
                                                : ImprovementSizes{algorithm, 9, 4, 9, 36},
                20} {
        const ImprovementTask task = random_improvement_task(shape.sizes, 7, index);
        auto prompt = first_prompt<double>(shape, task, Stream(7, Purpose::testing, index));
        H = dense_prompt(shape, prompt);
        parameters = task.start;
        target = parameters + ConstMatView::column(prompt.teacher.data(), shape.outputs());
    }
};

enum class ImprovementFlaw { none, bootstrap, discount };

// Distance of the update that the constructed layer writes from the teacher's, over the norm of the teacher's.
double construction_error(Improvement algorithm, uint32_t index, ImprovementFlaw flaw) {
    const ImprovementTrial trial(algorithm, index);
    EffectiveBlocks blocks = constructed_blocks(trial.shape, 0.2, 0.8);
    const int d = trial.shape.sizes.d;
    auto next = blocks.P12.block(d, 0, d, blocks.P12.cols());
    if (flaw == ImprovementFlaw::bootstrap) next.setZero();
    if (flaw == ImprovementFlaw::discount) next *= 1.0 + 1e-6;
    const FullMatrices full = full_matrices(trial.shape, rescaled(blocks, 0.7));
    const Mat after = mat_of(naive_improvement(eigen(full.P), eigen(full.V), trial.H));
    const Vec written = after.rightCols(1).bottomRows(trial.shape.outputs());
    return (written - trial.target).norm() / (trial.target - trial.parameters).norm();
}

// Over the windows of all trials, the largest distance if the construction is whole, else the least.
Measurement extreme_error(Improvement algorithm, ImprovementFlaw flaw) {
    const auto error = [=](uint32_t i) { return construction_error(algorithm, i, flaw); };
    if (flaw != ImprovementFlaw::none) return {least_over(kImprovementTrials, error), ""};
    return {largest_over(kImprovementTrials, error),
            fmt::format("{} random MDPs at the paper's settings, c = 0.7", kImprovementTrials)};
}

// ---- Proposition 3.1

struct Movement {
    double unread = 0, zero_blocks = 0;  // largest change of an entry
};

// Runs gradient descent on all of P and V, from random values in every block, or only in P12 and V21's last rows.
Movement train_everything(Improvement algorithm, bool random_everywhere) {
    constexpr int kSteps = 40;
    constexpr double kStep = 1e-2;
    const ImprovementTrial first(algorithm, 0);
    const int r = first.shape.context(), c = first.shape.query(), o = first.shape.outputs();
    Stream stream(8, Purpose::testing);
    const auto draw = [&](Index rows, Index columns) {
        Mat block(rows, columns);
        for (Index i = 0; i < block.size(); ++i) block(i) = 0.1 * stream.normal();
        return block;
    };
    FullMatrices full = full_matrices(first.shape, {draw(r, c), draw(o, r)});
    if (random_everywhere) {
        full.P = draw(r + c, r + c);
        full.V = draw(r + c, r + c);
    }
    const FullMatrices start = full;
    for (uint32_t t = 0; t < kSteps; ++t) {
        const ImprovementTrial trial(algorithm, t);
        const auto gradient = naive_improvement_gradient(eigen(full.P), eigen(full.V), trial.H, eigen(trial.target));
        full.P -= kStep * mat_of(gradient.P);
        full.V -= kStep * mat_of(gradient.V);
    }
    const Mat P = full.P - start.P, V = full.V - start.V;
    return {
        larger(P.leftCols(r).cwiseAbs().maxCoeff(), V.topRows(r + 1).cwiseAbs().maxCoeff()),
        larger(P.bottomRows(c).rightCols(c).cwiseAbs().maxCoeff(), V.bottomRows(o).rightCols(c).cwiseAbs().maxCoeff())};
}

// ---- the loss while training, and of frozen weights

// SARSA at the paper's settings after so many MDPs, eight fresh seeds: loss of the frozen weights on held-out windows
// over another loss.
enum class Beside { logged_loss, no_update };
Measurement frozen_loss(int mdps, Beside beside) {
    constexpr uint64_t kFirstSeed = 100;
    constexpr int kSeeds = 8, kLogInterval = 10;
    const TeacherMimickingOptions options;
    std::vector<std::vector<double>> ratios;
    for (uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
        const HeldOutWindows held_out(options.shape, options.agent, options.frames,
                                      derive_seed(seed, Purpose::held_out));
        TeacherMimicking training(options, seed);
        for (int frame = 0; frame < mdps * options.frames; ++frame) {
            if (frame == (mdps - kLogInterval) * options.frames) training.take_mean_losses();
            training.update();
        }
        const double logged = training.take_mean_losses().loss;
        ratios.push_back({held_out.loss(training.weights().data()) /
                          (beside == Beside::logged_loss ? logged : held_out.loss(nullptr))});
    }
    return bootstrapped(ratios.size(), [&](const Places& seeds) { return summary_at(ratios, seeds).mean; });
}

}  // namespace

std::vector<NamedMeasure> improvement_measures(Improvement algorithm) {
    const bool sarsa = algorithm == Improvement::sarsa;
    const std::string theorem = sarsa ? "policy-theorem-3.1" : "policy-theorem-3.3",
                      proposition = sarsa ? "policy-proposition-3.1" : "policy-proposition-3.1-actor-critic";
    const auto error_with = [algorithm](ImprovementFlaw flaw) {
        return [algorithm, flaw] { return extreme_error(algorithm, flaw); };
    };
    const auto largest_change = [algorithm](bool random_everywhere, double (*of)(const Movement&)) {
        return [=] { return Measurement{of(train_everything(algorithm, random_everywhere))}; };
    };
    std::vector<NamedMeasure> measures = {
        {theorem, error_with(ImprovementFlaw::none)},
        {theorem + "-without-bootstrap", error_with(ImprovementFlaw::bootstrap)},
        {theorem + "-discount", error_with(ImprovementFlaw::discount)},
        {proposition, largest_change(false, [](const Movement& m) { return larger(m.unread, m.zero_blocks); })},
        {proposition + "-unread", largest_change(true, [](const Movement& m) { return m.unread; })},
        {proposition + "-from-random", largest_change(true, [](const Movement& m) { return m.zero_blocks; })}};
    if (!sarsa) return measures;
    measures.push_back({"policy-held-out", [] { return frozen_loss(300, Beside::logged_loss); }});
    measures.push_back({"policy-held-out-no-update", [] { return frozen_loss(10, Beside::no_update); }});
    return measures;
}

}  // namespace emergence

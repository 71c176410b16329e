#include "core/experiments/policy_improvement/improvement_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/algorithms/policy_agent.h"
#include "core/base/extremes.h"
#include "core/experiments/figure_parts.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/measures/held_out_windows.h"
#include "core/models/improvement_constructions.h"
#include "core/models/improvement_naive.h"
#include "core/training/teacher_mimicking.h"

namespace emergence {
namespace {

constexpr int kImprovementTrials = 30;
const char* const kLiang = "Liang and Lai";

// The window of one trial, in double, at the paper's settings.
struct ImprovementTrial {
    ImprovementShape shape;
    Eigen::MatrixXd H;
    Eigen::VectorXd parameters, target;

    ImprovementTrial(Improvement algorithm, uint32_t index)
        : shape{algorithm == Improvement::sarsa ? ImprovementSizes{algorithm, 9, 4, 36, 0}
                                                : ImprovementSizes{algorithm, 9, 4, 9, 36},
                20} {
        const ImprovementTask task = random_improvement_task(shape.sizes, 7, index);
        PolicyAgent<double> agent(shape, {});
        agent.begin(task);
        Stream stream(7, Purpose::testing, index);
        agent.draw_state(stream);
        ImprovementPrompt<double> prompt(shape);
        agent.collect(stream, prompt);
        H = dense_prompt(shape, prompt);
        parameters = task.start;
        target = parameters + Eigen::Map<Eigen::VectorXd>(prompt.teacher.data(), shape.outputs());
    }
};

enum class ImprovementFlaw { none, bootstrap, discount };

// Distance of the update that the constructed layer writes from the teacher's, over the norm of the
// teacher's.
double construction_error(Improvement algorithm, uint32_t index, ImprovementFlaw flaw) {
    const ImprovementTrial trial(algorithm, index);
    EffectiveBlocks blocks = constructed_blocks(trial.shape, 0.2, 0.8);
    auto next = blocks.P12.middleRows(trial.shape.sizes.d, trial.shape.sizes.d);
    if (flaw == ImprovementFlaw::bootstrap) next.setZero();
    if (flaw == ImprovementFlaw::discount) next *= 1.0 + 1e-6;
    const FullMatrices full = full_matrices(trial.shape, rescaled(blocks, 0.7));
    const Eigen::VectorXd written =
        naive_improvement(full.P, full.V, trial.H).rightCols(1).bottomRows(trial.shape.outputs());
    return (written - trial.target).norm() / (trial.target - trial.parameters).norm();
}

// Over the windows of all trials, the largest distance if the construction is whole, else the least.
Measurement extreme_error(Improvement algorithm, ImprovementFlaw flaw) {
    double least = std::numeric_limits<double>::infinity(), largest = 0;
    for (uint32_t i = 0; i < kImprovementTrials; ++i) {
        const double error = construction_error(algorithm, i, flaw);
        least = smaller(least, error);
        largest = larger(largest, error);
    }
    if (flaw != ImprovementFlaw::none) return {least, ""};
    return {largest, fmt::format("{} random MDPs at the paper's settings, c = 0.7", kImprovementTrials)};
}

std::vector<Claim> update_theorems(Improvement algorithm) {
    const bool sarsa = algorithm == Improvement::sarsa;
    const std::string theorem = sarsa ? "3.1" : "3.3", name = "policy-theorem-" + theorem;
    const auto control = [&](const char* suffix, const char* statement, ImprovementFlaw flaw) {
        return Claim{.name = name + suffix,
                     .statement = statement,
                     .source = kControl,
                     .quantity = "the same distance, in the window that shows the flaw least",
                     .agrees = at_least(1e-9),
                     .measure = [algorithm, flaw] { return extreme_error(algorithm, flaw); }};
    };
    return {{.name = name,
             .statement = fmt::format("A layer of linear attention writes the update of batch {}",
                                      sarsa ? "SARSA" : "actor-critic"),
             .source = fmt::format("Theorem {}, Liang and Lai", theorem),
             .quantity = "largest relative distance of the written update from the teacher's, in double",
             .agrees = at_most(1e-12),
             .measure = [algorithm] { return extreme_error(algorithm, ImprovementFlaw::none); }},
            control("-without-bootstrap", "Without the block of +I it fails", ImprovementFlaw::bootstrap),
            control("-discount", "With that block off by one part in a million it fails",
                    ImprovementFlaw::discount)};
}

// ---- Proposition 3.1

struct Movement {
    double unread = 0, zero_blocks = 0;  // largest change of an entry
};

// Runs gradient descent on all of P and V, from random values in every block, or only in P12 and V21's last
// rows.
Movement train_everything(Improvement algorithm, bool random_everywhere) {
    constexpr int kSteps = 40;
    constexpr double kStep = 1e-2;
    const ImprovementTrial first(algorithm, 0);
    const int r = first.shape.context(), c = first.shape.query(), o = first.shape.outputs();
    Stream stream(8, Purpose::testing);
    const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
        Eigen::MatrixXd block(rows, columns);
        for (Eigen::Index i = 0; i < block.size(); ++i) block(i) = 0.1 * stream.normal();
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
        const auto gradient = naive_improvement_gradient(full.P, full.V, trial.H, trial.target);
        full.P -= kStep * gradient.P;
        full.V -= kStep * gradient.V;
    }
    const Eigen::MatrixXd P = full.P - start.P, V = full.V - start.V;
    return {std::max(P.leftCols(r).cwiseAbs().maxCoeff(), V.topRows(r + 1).cwiseAbs().maxCoeff()),
            std::max(P.bottomRightCorner(c, c).cwiseAbs().maxCoeff(),
                     V.bottomRightCorner(o, c).cwiseAbs().maxCoeff())};
}

std::vector<Claim> proposition(Improvement algorithm) {
    const std::string name =
        algorithm == Improvement::sarsa ? "policy-proposition-3.1" : "policy-proposition-3.1-actor-critic";
    const char* const how = "largest change of an entry in 40 steps of gradient descent on all of P and V";
    return {{.name = name,
             .statement = "All but P12 and the last rows of V21 stay where they start, at zero",
             .source = "Proposition 3.1, Liang and Lai",
             .quantity = how,
             .agrees = at_most(0.0),
             .measure = [algorithm]() -> Measurement {
                 const Movement m = train_everything(algorithm, false);
                 return {std::max(m.unread, m.zero_blocks), ""};
             }},
            {.name = name + "-unread",
             .statement = "What the read-out never sees stays at random values too",
             .source = "Proposition 3.1 (i), Liang and Lai",
             .quantity = how,
             .agrees = at_most(0.0),
             .measure = [algorithm]() -> Measurement {
                 return {train_everything(algorithm, true).unread, ""};
             }},
            {.name = name + "-from-random",
             .statement = "From random values P22 and the last rows of V22 move",
             .source = kControl,
             .quantity = how,
             .agrees = at_least(1e-6),
             .measure = [algorithm]() -> Measurement {
                 return {train_everything(algorithm, true).zero_blocks, ""};
             }}};
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
        ratios.push_back({held_out.loss(training.weights()) /
                          (beside == Beside::logged_loss ? logged : held_out.loss_of_no_update())});
    }
    return bootstrapped(ratios.size(), [&](const Places& seeds) { return summary_at(ratios, seeds).mean; });
}

std::vector<Claim> held_out_claims() {
    const std::string ours = prediction("2026-11-24");
    return {{.name = "policy-held-out",
             .statement = "After 300 MDPs frozen weights lose more on unseen MDPs than the logged loss says",
             .source = ours,
             .quantity = "sarsa's loss of frozen weights over the logged one, mean of eight seeds",
             .agrees = between(1.5, 3.5),
             .reason = "2.2 in an independent check, one seed.",
             .measure = [] { return frozen_loss(300, Beside::logged_loss); }},
            {.name = "policy-held-out-no-update",
             .statement = "After ten MDPs they lose more than writing no update",
             .source = ours,
             .quantity = "sarsa's loss of frozen weights over that of no update, mean of eight seeds",
             .agrees = at_least(1.05),
             .reason = "1.31 in an independent check, one seed.",
             .measure = [] { return frozen_loss(10, Beside::no_update); }}};
}

// ---- figures

const char* const kSlowTeacher =
    "the paper says \"approaches the oracle\" and not after how many updates; the half is ours, and so is the range "
    "below it, set after a prototype had shown it. At the paper's step sizes the teacher itself, which the transformer "
    "follows, is slow: its greedy policy is 0.23 below the oracle after 1,000 updates, 0.09 after 10,000 (policy-gap).";

const char* const kSteadyRise =
    "actor-critic rises almost steadily over the 1,000 updates, as its teacher does: the step sizes are small. This known "
    "difference was written after the run.";

const char* const kAsMuchWithATable =
    "with orthogonal features, a table, about as much is left (0.057 against 0.049 after 10,000 updates), so that it "
    "is not function approximation's; it is the noise of a constant step, see policy-gap-cause.";

const char* const kDiscountOff =
    "An algorithm whose discount is 1 % off is farther away. Until 23 November 2026 0.05.";
const char* const kClosely =
    "A tenth of the band for \"closely tracks\", ours. Until 23 November 2026 the whole band, which a poor policy passes.";
const char* const kNearZero =
    "The paper gives no number. Until 23 November 2026 1e-3, after which it falls on.";

// The claims about Figures 2 to 4, of one of both algorithms.
std::vector<Claim> liang_figures(Improvement algorithm) {
    const std::string own = algorithm == Improvement::sarsa ? "sarsa" : "actor-critic";
    const bool slow = algorithm == Improvement::actor_critic;
    return joined(
        {claims_about(
             "policy-2", kLiang,
             {{"policy-2-" + own, own + ": the learned blocks are those of the theorem, up to the scale c",
               "Figure 2", "distance to the manifold over the nearest point's norm, mean over seeds",
               at_most(1e-3), kDiscountOff}}),
         claims_about(
             "policy-3", kLiang,
             {{"policy-3-" + own, own + ": in closed loop the transformer does as its teacher does",
               "Figure 3",
               "mean difference of the last returns, paired by MDP, over the width of the teacher's 25-75 % band",
               at_most(0.1), kClosely},
              {"policy-3-" + own + "-horizon", own + ": this consistency persists across the whole horizon",
               "Section 4.2, Figure 3",
               "the largest such difference after any update, over the band's width there", at_most(0.1),
               "As at the end. With drifting returns the largest of a hundred differences would exceed it."},
              {"policy-3-" + own + "-rapid", own + ": performance improves rapidly from near-random",
               "Section 4.2, Figure 3",
               "share of the rise of the mean return that a fifth of the updates reach", at_least(0.4),
               "The paper gives no number. A steady rise has 0.2; twice that is ours.",
               slow ? kSteadyRise : "", slow ? Range{0.1, 0.4} : Range{1.0, 0.0}},
              {"policy-3-" + own + "-gain", own + ": policies improve, towards the oracle", "Figure 3",
               "last mean return, from the random policy's (0) to the oracle's (1)", at_least(0.5), "",
               slow ? kSlowTeacher : "", slow ? Range{0.3, 0.5} : Range{1.0, 0.0}}}),
         claims_about(
             "policy-4",
             {{"policy-4-" + own, own + ": the loss falls to near zero", "Figure 4, Liang and Lai",
               "last loss over the first logged", at_most(1e-6), kNearZero},
              {"policy-4-" + own + "-exponential", own + ": it falls about exponentially",
               "Figure 4, Liang and Lai", "correlation of log loss with MDPs, mean over seeds",
               at_most(-0.9)},
              {"policy-4-" + own + "-constant", own + ": part of that is the learning rate's own decay",
               kOurs, "last loss with a constant rate over the last loss with the decaying one",
               at_least(10.0)}})});
}

std::vector<Claim> oracle_gap() {
    const std::string ours = prediction("2026-11-24");
    return claims_about(
        "policy-gap",
        {{"policy-gap",
          "With as many features as states x actions the gap to the oracle is not function approximation's: updates "
          "and no exploration close it",
          "ours: finding; Section 4.2 of Liang and Lai says otherwise",
          "gap of the greedy policy after 10,000 updates over the acting one's after 1,000", at_most(0.25),
          "", kAsMuchWithATable, between(0.3, 0.8)},
         {"policy-gap-cause",
          "What is left is the noise of a constant step: with one that falls as 1/t the gap closes", ours,
          "gap of a table's greedy policy after 10,000 updates over that of the constant step",
          between(0.04, 0.14),
          "0.081 of 50 known MDPs (0.045 to 0.125). As a finding of these at most 0.25."},
         {"policy-gap-cause-features", "With random features it closes too, more slowly", ours,
          "the same ratio with random features", between(0.12, 0.4),
          "0.25 of 50 known MDPs: 0.017 and 0.066, each with a standard error of a seventh."},
         {"policy-gap-features", "A table, which has nothing to approximate, leaves nearly as much", ours,
          "share of the gap of random features, greedy after 10,000 updates, that a table lacks",
          at_most(0.33), "0.15 of 50 known MDPs, paired difference 0.010 \u00b1 0.009. A third is ours."},
         {"policy-gap-conditioning", "Ill-conditioned features slow SARSA down", ours,
          "gap as it acts after 1,000 updates, random features over orthogonal ones", at_least(1.1),
          "1.16 of 50 known MDPs (0.99 to 1.36), which left the same range undecided as a finding."}});
}

}  // namespace

std::vector<Claim> improvement_claims(Improvement algorithm) {
    std::vector<Claim> claims =
        joined({update_theorems(algorithm), proposition(algorithm), liang_figures(algorithm)});
    if (algorithm == Improvement::sarsa)
        claims = joined({claims, held_out_claims(), oracle_gap(), loss_decay_claims()});
    return claims;
}

}  // namespace emergence

#include "core/experiments/policy_improvement/improvement_study.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/measures/improvement_measures.h"

namespace emergence {
namespace {

// The rows and columns of P and V, which are the prompt's: Eqs. (4) and (13).
struct Layout {
    std::vector<Block> blocks;
    int phi = 0, next = 1, reward = 2, score = -1, one = 3, actor = -1, w = 4;

    explicit Layout(const ImprovementSizes& sizes) {
        blocks = {{"phi", sizes.d}, {"phi'", sizes.d}, {"r", 1}};
        if (sizes.algorithm == Improvement::actor_critic) {
            blocks.push_back({"score", sizes.m});
            blocks.push_back({"1", 1});
            blocks.push_back({"lambda", sizes.m});
            score = 3;
            one = 4;
            actor = 5;
            w = 6;
        } else {
            blocks.push_back({"1", 1});
        }
        blocks.push_back({"w", sizes.d});
    }
    int count() const { return static_cast<int>(blocks.size()); }
    bool of_context(int block) const { return block < one; }
};

constexpr const char* kUnread = "Cannot move: the read-out never sees it (Proposition 3.1 i).";
constexpr const char* kStaysZero =
    "Cannot move: its gradient is zero as long as it and its partner are, and both start there (Proposition 3.1 ii).";

// The blocks that no gradient reaches (Proposition 3.1).
std::vector<BlockMeaning> inert_blocks(const Layout& layout, bool is_P) {
    std::vector<BlockMeaning> inert;
    for (int i = 0; i < layout.count(); ++i)
        for (int j = 0; j < layout.count(); ++j) {
            const bool moves =
                is_P ? layout.of_context(i) && !layout.of_context(j) : i > layout.one && layout.of_context(j);
            if (moves) continue;
            const bool read = is_P ? !layout.of_context(j) : i > layout.one;
            inert.push_back({i, j, read ? kStaysZero : kUnread, true});
        }
    return inert;
}

std::vector<BlockMeaning> meanings_of_P(const Layout& layout) {
    std::vector<BlockMeaning> meanings = inert_blocks(layout, true);
    meanings.push_back({layout.phi, layout.w, "-I: minus the current value.", false, "the current value"});
    meanings.push_back(
        {layout.next, layout.w, "+I: the bootstrapped value of what comes next.", false, "bootstrapping"});
    meanings.push_back({layout.reward, layout.one, "1: the reward.", false, "the reward"});
    return meanings;
}

std::vector<BlockMeaning> meanings_of_V(const Layout& layout) {
    std::vector<BlockMeaning> meanings = inert_blocks(layout, false);
    meanings.push_back(
        {layout.w, layout.phi, "+I times a step: w moves along the features.", false, "the critic's step"});
    if (layout.actor >= 0)
        meanings.push_back({layout.actor, layout.score, "+I times a step: the actor moves along the discounted score.",
                            false, "the actor's step"});
    return meanings;
}

std::string scales_text(std::vector<double> scales) {
    const bool more = scales.size() > 4;
    if (more) scales.resize(4);
    return listed(scales, [](double scale) { return fmt::format("{:.2f}", scale); }) + (more ? ", .." : "");
}

NamedMatrix improvement_matrix(const ImprovementShape& shape, const EffectiveBlocks& target,
                               const std::vector<SeedBlocks>& seeds, const std::vector<double>& scales, bool is_P) {
    const auto part = [&](const EffectiveBlocks& blocks) {
        const FullMatrices full = full_matrices(shape, blocks);
        return is_P ? full.P : full.V;
    };
    const Layout layout(shape.sizes);
    ShownMatrix matrix(is_P ? "P" : "V", "",
                       is_P ? "What attention compares: x_i' P q is transition i's score, the TD error in theory. Only "
                              "the block upper right can move."
                            : "What is written: the scored transitions, taken through V's last rows, are the update of "
                              "the agent's parameters. Only those rows' left part can move.");
    matrix.square(layout.blocks).meanings(is_P ? meanings_of_P(layout) : meanings_of_V(layout));
    for (size_t k = 0; k < seeds.size(); ++k) {
        matrix.seed(table_of(part(seeds[k].now)), table_of(part(seeds[k].initial)));
        matrix.spec().signs.push_back(scales[k] < 0 ? -1.0 : 1.0);
    }
    const Eigen::MatrixXd expected = part(target);
    matrix.target(
        table_of(expected / expected.cwiseAbs().maxCoeff<Eigen::PropagateNaN>()),
        shape.sizes.algorithm == Improvement::sarsa ? "Theorem 3.1, Liang and Lai" : "Theorem 3.3, Liang and Lai");
    return matrix.note_alignment(fmt::format("sign and scale by the nearest {}, c = {}; hatched: cannot move",
                                             is_P ? "c P*" : "V*/c", scales_text(scales)));
}

// One block of each seed: seeds x rows x columns.
Array stacked_blocks(const std::vector<SeedBlocks>& seeds, Eigen::MatrixXd EffectiveBlocks::*part) {
    const Eigen::MatrixXd& first = seeds.front().now.*part;
    return stacked(seeds, {static_cast<size_t>(first.rows()), static_cast<size_t>(first.cols())},
                   [part](const SeedBlocks& seed) { return floats_of(seed.now.*part); });
}

}  // namespace

std::vector<NamedMatrix> improvement_matrices(const ImprovementShape& shape, const EffectiveBlocks& target,
                                              const std::vector<SeedBlocks>& seeds) {
    std::vector<double> scales;
    for (const SeedBlocks& seed : seeds) scales.push_back(fit_manifold(seed.now, target).c);
    return {improvement_matrix(shape, target, seeds, scales, true),
            improvement_matrix(shape, target, seeds, scales, false)};
}

std::vector<Formula> improvement_formulas(Improvement algorithm) {
    const bool sarsa = algorithm == Improvement::sarsa;
    const Layout layout({algorithm, 1, 1, 1, sarsa ? 0 : 1});
    const BlockReference reward{"P", layout.reward, layout.one}, next{"P", layout.next, layout.w},
        current{"P", layout.phi, layout.w}, critic{"V", layout.w, layout.phi};
    const auto update = [&](const char* name, const char* what, const char* step, const FormulaTerm& along,
                            const BlockReference& written, const char* note) {
        return Formula{name,
                       {{what, "The parameters that the prompt's last column holds, and the updated ones.", {}},
                        {"<-", "", {}},
                        {what, "", {}},
                        {"+", "", {}},
                        {step, "A step, averaged over the window's transitions.", {written}},
                        {"(", "", {}},
                        {"r_{i+1}", "The reward.", {reward}},
                        {"+", "", {}},
                        {"gamma w^T phi'_i", "The value of what comes next: bootstrapping.", {next}},
                        {"-", "", {}},
                        {"w^T phi_i", "The current value.", {current}},
                        {")", "", {}},
                        along},
                       note};
    };
    const FormulaTerm features{"phi_i", "The features of what was visited.", {critic}};
    if (sarsa) return {update("batch SARSA", "w", "(alpha/n) sum_i", features, critic, "Eq. (2) of Liang and Lai.")};
    const BlockReference actor{"V", layout.actor, layout.score};
    return {update("critic", "w", "(beta/n) sum_i", features, critic, "Eq. (3) of Liang and Lai."),
            update("actor", "lambda", "(alpha/n) sum_i",
                   {"gamma^i g_i", "The discounted score, the gradient of log pi.", {actor}}, actor,
                   "Eq. (3) of Liang and Lai.")};
}

ArrayMap improvement_arrays(const std::vector<SeedBlocks>& seeds) {
    return {{"P12", stacked_blocks(seeds, &EffectiveBlocks::P12)},
            {"V21", stacked_blocks(seeds, &EffectiveBlocks::V21)}};
}

}  // namespace emergence

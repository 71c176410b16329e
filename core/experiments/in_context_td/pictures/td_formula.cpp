#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <fmt/format.h>

namespace emergence {
namespace {

constexpr const char* kNeverRead = "never read: no effect on the values";
constexpr const char* kTargetsGradient = "residual gradient: part of the target's gradient, which TD leaves out";
constexpr const char* kOwnErrors = "weigh transitions by their own TD errors";

std::vector<BlockReference> in_every_layer(const std::string& letter, int row_block, int column_block, int stored) {
    std::vector<BlockReference> blocks;
    for (int layer = 0; layer < stored; ++layer)
        blocks.push_back({letter + std::to_string(layer), row_block, column_block});
    return blocks;
}

}  // namespace

std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers, LossKind loss, int stored) {
    const bool one_layer = num_layers == 1;
    std::vector<BlockMeaning> meanings;
    const auto add = [&meanings](std::initializer_list<int> rows, std::initializer_list<int> columns, const char* text,
                                 const char* brief) {
        for (const int row : rows)
            for (const int column : columns) meanings.push_back({row, column, text, false, brief});
    };
    if (matrix[0] == 'P') {
        const bool last = one_layer || (stored > 1 && std::stoi(matrix.substr(1)) == stored - 1);
        add({kRewardBlock}, {kRewardBlock},
            "+1: reads the last row, which holds the TD errors, and writes there. All other entries are 0.",
            "writing the TD errors");
        add({kNowBlock, kNextBlock}, {kNowBlock, kNextBlock, kRewardBlock}, "",
            last ? kNeverRead : "change the features between layers");
        add({kRewardBlock}, {kNowBlock, kNextBlock}, "", "write features where the TD errors stand");
        return meanings;
    }
    add({kNowBlock}, {kNowBlock}, "-I times a step size: the current value, -phi", "the current value");
    if (!one_layer) add({kNowBlock}, {kNextBlock}, "+I times a step size: bootstrapping, +gamma phi'", "bootstrapping");
    const bool residual = loss == LossKind::residual_gradient;
    // Without it z_j^T Q z_q then holds (phi_j - c gamma phi'_j)^T phi_q: Corollary 2's direction for c = 1.
    add({kNextBlock}, {kNowBlock},
        residual ? "+I times a step size: the target's gradient, the current value against gamma phi'"
                 : "0. With a diagonal +c here the steps go along phi - c gamma phi' instead of phi, towards residual "
                   "gradient",
        residual ? "the target's gradient" : kTargetsGradient);
    if (!one_layer)
        add({kNextBlock}, {kNextBlock},
            residual ? "-I times a step size: the target's gradient, the bootstrapped value against gamma phi'"
                     : "0. A diagonal of the other sign belongs to that of the block on its left",
            residual ? "the target's gradient" : kTargetsGradient);
    // The first layer's query has zeros below its features, and with one layer nothing else is read.
    if (one_layer) add({kNowBlock, kNextBlock}, {kNextBlock}, "", kNeverRead);
    add({kRewardBlock}, {kNowBlock}, "", kOwnErrors);
    add({kRewardBlock}, {kNextBlock}, "", one_layer ? kNeverRead : kOwnErrors);
    add({kNowBlock, kNextBlock, kRewardBlock}, {kRewardBlock}, "",
        one_layer ? kNeverRead : "weigh in the value so far");
    return meanings;
}

namespace {

// The blocks of Q that carry the update: rows phi along phi, rows gamma phi' against them.
struct UpdatePlaces {
    std::vector<BlockReference> corner, current, next, current_2, next_2;

    UpdatePlaces(int num_layers, int stored, LossKind loss)
        : corner(in_every_layer("P", kRewardBlock, kRewardBlock, stored)),
          current(in_every_layer("Q", kNowBlock, kNowBlock, stored)) {
        if (num_layers > 1) next = in_every_layer("Q", kNowBlock, kNextBlock, stored);
        if (loss != LossKind::residual_gradient) return;
        current_2 = in_every_layer("Q", kNextBlock, kNowBlock, stored);
        if (num_layers > 1) next_2 = in_every_layer("Q", kNextBlock, kNextBlock, stored);
    }
};

// The direction of each transition's step as it is written, the term that names it, and that term's meaning.
struct Direction {
    const char *written, *term, *meaning;
};
Direction direction_of(LossKind loss, bool traces, bool one_step) {
    if (traces)
        return {
            "e_j", "e_j",
            "The trace of transition j, lambda e_{j-1} + phi_j, which the mask of Eq. (14) makes: the rows phi of Q."};
    if (loss == LossKind::residual_gradient)
        return {"( phi_j - gamma phi'_j )", "phi_j", "Along the features of transition j: the rows phi of Q."};
    if (one_step) return {"phi_j", "phi_j", "The features of transition j: the direction of its step."};
    if (loss == LossKind::td_lambda || loss == LossKind::monte_carlo)
        return {"e_j", "e_j",
                "The trace of transition j, which the mask of Eq. (14) makes. This network lacks that mask, so e_j is "
                "phi_j and the same weights run TD(0)."};
    return {"phi_j", "phi_j", "The features of transition j, the direction of its step: the rows phi of Q."};
}

// The meaning of every term of these updates. The direction comes first, because each update has its own.
std::vector<FormulaTerm> update_terms(const UpdatePlaces& at, FormulaTerm direction) {
    return {std::move(direction),
            {"w_1", "The weights after the only layer, from w_0 = 0.", {}},
            {"w_{l+1}", "The value function's weights after layer l + 1.", {}},
            {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.", {}},
            {"alpha/n", "The step size over n: P's bottom-right entry times the size of Q's diagonals.", at.corner},
            {"sum_j", "Sums over all transitions of the context.", {}},
            {"R_j", "The reward of transition j, in the prompt's last row.", at.corner},
            {"gamma w_l^T phi'_j", "The value of the next state: bootstrapping.", both_of(at.next, at.next_2)},
            {"w_l^T phi_j", "The value of the current state.", both_of(at.current, at.current_2)},
            {"gamma phi'_j",
             "Against the features of the next state: the rows gamma phi' of Q, which make this a true gradient.",
             both_of(at.current_2, at.next_2)}};
}

// The name of a loss's algorithm, and where theory gives its weights; in the order of LossKind.
struct LossAlgorithm {
    const char *name, *source;
};
constexpr const char* kWithoutMask =
    "Corollary 3 of Wang et al. 2025 with C = alpha I: the weights of Theorem 1 under the mask of Eq. (14), which this "
    "network does not have.";
constexpr LossAlgorithm kLossAlgorithms[] = {
    {"batch TD", "Theorem 1 of Wang et al. 2025 with C = alpha I: each layer is one step of batch TD on the prompt."},
    {"residual gradient",
     "Corollary 2 of Wang et al. 2025 with C = alpha I: each layer is one step of batch residual gradient on the "
     "prompt."},
    {"TD(lambda)", kWithoutMask},
    {"Monte Carlo: TD(1)", kWithoutMask},
    {"average-reward TD",
     "Theorem 3 of Wang et al. 2025 needs two heads and a row of memory. This network has neither, so theory has no "
     "weights to compare with."}};
const LossAlgorithm& algorithm_of(LossKind loss) { return kLossAlgorithms[static_cast<size_t>(loss)]; }

// The update without blocks, because this network cannot carry it out.
Formula average_reward_formula() {
    std::vector<FormulaTerm> terms =
        update_terms(UpdatePlaces(0, 0, LossKind::average_reward),
                     {"phi_j", "The features of transition j, the direction of its step.", {}});
    for (FormulaTerm& term : terms)
        if (term.text == "R_j") term.meaning = "The reward of transition j.";
    terms.push_back({"m_j", "The mean of the rewards so far.", {}});
    terms.push_back({"w_l^T phi'_j", "The value of the next state: bootstrapping.", {}});
    const LossAlgorithm& algorithm = algorithm_of(LossKind::average_reward);
    return {algorithm.name,
            written("w_{l+1} = w_l + alpha/n sum_j ( R_j - m_j + w_l^T phi'_j - w_l^T phi_j ) phi_j", terms),
            algorithm.source};
}

}  // namespace

std::vector<BlockMeaning> two_head_meanings(const std::string& matrix, bool learns_W) {
    if (matrix[0] == 'P') {
        const bool rewards = matrix == "P1";
        const int read = rewards ? kRewardBlock : kMemoryBlock;
        const std::string what = rewards ? "rewards" : "memory";
        std::vector<BlockMeaning> meanings = {
            {read, read, "+1: reads the " + what, false, rewards ? "reading rewards" : "reading the memory"}};
        // The W of Eq. (16) takes one row of each head.
        for (int row = kNowBlock; row <= kMemoryBlock && !learns_W; ++row)
            for (int column = kNowBlock; column <= kMemoryBlock && row != read; ++column)
                meanings.push_back({row, column, "", false, kNeverRead});
        return meanings;
    }
    if (matrix == "W")
        return {{kMemoryBlock, kRewardBlock, "1: the reward head's rewards are added to the memory", false, "rewards"},
                {kMemoryBlock, 4 + kMemoryBlock, "1: so is what the memory head passes on", false, "the memory"}};
    return {{kNowBlock, kNowBlock, "-I times a step size: the current value, -phi", false, "the current value"},
            {kNowBlock, kNextBlock, "+I times a step size: bootstrapping, +phi'", false, "bootstrapping"},
            {kNextBlock, kNowBlock, "", false, kTargetsGradient},
            {kNextBlock, kNextBlock, "", false, kTargetsGradient}};
}

Formula two_head_formula(bool one_Q) {
    const std::vector<BlockReference> rewards = {{"P1", kRewardBlock, kRewardBlock}},
                                      memory = {{"P2", kMemoryBlock, kMemoryBlock}};
    std::vector<BlockReference> now, next;
    for (const char* Q : one_Q ? std::vector{"Q12"} : std::vector{"Q1", "Q2"}) {
        now.push_back({Q, kNowBlock, kNowBlock});
        next.push_back({Q, kNowBlock, kNextBlock});
    }
    Formula formula = average_reward_formula();
    const auto point = [&formula](const std::string& text, const std::vector<BlockReference>& blocks) {
        for (FormulaTerm& term : formula.terms)
            if (term.text == text) term.blocks = blocks;
    };
    point("R_j", rewards);
    point("m_j", rewards);
    point("w_l^T phi'_j", both_of(next, memory));
    point("w_l^T phi_j", both_of(now, memory));
    point("phi_j", both_of(now, next));
    formula.note =
        "Theorem 3 of Wang et al. 2025 with C = alpha I: the first head's mask subtracts the mean reward; the second "
        "head reads the memory, which holds each transition's difference of values.";
    return formula;
}

Formula in_context_td_formula(int num_layers, int stored, LossKind loss, bool traces) {
    if (loss == LossKind::average_reward) return average_reward_formula();
    const UpdatePlaces at(num_layers, stored, loss);
    const bool one_step = num_layers == 1, residual = loss == LossKind::residual_gradient;
    const Direction direction = direction_of(loss, traces, one_step);
    const auto terms = update_terms(at, {direction.term, direction.meaning, both_of(at.current, at.next)});
    const std::string update = one_step ? "w_1 = alpha/n sum_j R_j "
                                        : "w_{l+1} = w_l + alpha/n sum_j ( R_j + gamma w_l^T phi'_j - w_l^T phi_j ) ";
    const std::vector<FormulaTerm> line = written(update + direction.written, terms);
    if (!one_step)
        return {
            algorithm_of(traces ? LossKind::td_lambda : loss).name, line,
            traces ? "Corollary 3 of Wang et al. 2025 with C = alpha I: the weights of Theorem 1 under the mask of Eq. "
                     "(14)."
                   : algorithm_of(loss).source};
    const auto [name, source] = residual ? std::pair("residual gradient", "Corollary 2")
                                : traces ? std::pair("TD(lambda)", "Corollary 3")
                                         : std::pair("batch TD", "Corollary 1");
    return {
        fmt::format("{}, one step from 0", name), line,
        fmt::format("{} of Wang et al. 2025 with C = alpha I{}. The first step starts from zero, so it has no value to "
                    "bootstrap on.",
                    source, residual || traces ? ", for one layer" : "")};
}

}  // namespace emergence

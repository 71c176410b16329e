#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include "core/experiments/in_context_td/settings/td_settings.h"

namespace emergence {
namespace {

constexpr const char* kNeverRead = "never read: no effect on the values";
constexpr const char* kTargetsGradient = "part of the target's gradient, which TD leaves out";
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
    if (matrix[0] == 'P') {
        const bool last = one_layer || (stored > 1 && std::stoi(matrix.substr(1)) == stored - 1);
        std::vector<BlockMeaning> meanings = {
            {kRewardBlock, kRewardBlock,
             "+1: reads the last row, which holds the TD errors, and writes there. All else is 0: the "
             "features stay as they are.",
             false, "writing the TD errors"}};
        for (const int row : {kNowBlock, kNextBlock})
            for (const int column : {kNowBlock, kNextBlock, kRewardBlock})
                meanings.push_back({row, column, "", false, last ? kNeverRead : "change the features between layers"});
        for (const int column : {kNowBlock, kNextBlock})
            meanings.push_back({kRewardBlock, column, "", false, "write features where the TD errors stand"});
        return meanings;
    }
    std::vector<BlockMeaning> meanings = {
        {kNowBlock, kNowBlock, "-I times a step size: the current value, -phi", false, "the current value"}};
    if (!one_layer)
        meanings.push_back(
            {kNowBlock, kNextBlock, "+I times a step size: bootstrapping, +gamma phi'", false, "bootstrapping"});
    if (loss != LossKind::residual_gradient) {
        // z_j^T Q z_q then holds (phi_j - c gamma phi'_j)^T phi_q: Corollary 2's direction for c = 1.
        meanings.push_back({kNextBlock, kNowBlock,
                            "0. With a diagonal +c here the steps go along phi - c gamma phi' instead of phi, towards "
                            "residual gradient",
                            false, kTargetsGradient});
        if (!one_layer)
            meanings.push_back({kNextBlock, kNextBlock,
                                "0. A diagonal of the other sign belongs to that of the block on its left", false,
                                kTargetsGradient});
    } else {
        meanings.push_back({kNextBlock, kNowBlock,
                            "+I times a step size: the target's gradient, the current value against gamma phi'", false,
                            "the target's gradient"});
        if (!one_layer)
            meanings.push_back(
                {kNextBlock, kNextBlock,
                 "-I times a step size: the target's gradient, the bootstrapped value against gamma phi'", false,
                 "the target's gradient"});
    }
    // The first layer's query has zeros below its features, and with one layer nothing else is read.
    if (one_layer)
        for (const int row : {kNowBlock, kNextBlock}) meanings.push_back({row, kNextBlock, "", false, kNeverRead});
    meanings.push_back({kRewardBlock, kNowBlock, "", false, kOwnErrors});
    meanings.push_back({kRewardBlock, kNextBlock, "", false, one_layer ? kNeverRead : kOwnErrors});
    for (const int row : {kNowBlock, kNextBlock, kRewardBlock})
        meanings.push_back({row, kRewardBlock, "", false, one_layer ? kNeverRead : "weigh in the value so far"});
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

std::vector<BlockReference> both_places(std::vector<BlockReference> first, const std::vector<BlockReference>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

std::vector<FormulaTerm> update_start(const UpdatePlaces& at) {
    return {{"w_{l+1}", "The value function's weights after layer l + 1.", {}},
            {"=", "", {}},
            {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.", {}},
            {"+", "", {}},
            {"alpha/n",
             "The step size over the number of transitions: P's corner times the size of Q's "
             "diagonals.",
             at.corner},
            {"sum_j", "Over all transitions of the context.", {}}};
}

// Along which each transition steps.
std::vector<FormulaTerm> direction(const UpdatePlaces& at, LossKind loss, bool traces) {
    const std::vector<BlockReference> along = both_places(at.current, at.next);
    if (traces)
        return {{"e_j",
                 "The trace of transition j, lambda e_{j-1} + phi_j, which the mask of Eq. (14) makes: the rows phi of "
                 "Q.",
                 along}};
    switch (loss) {
        case LossKind::residual_gradient:
            return {{"(", "", {}},
                    {"phi_j", "Along the features of transition j: the rows phi of Q.", along},
                    {"-", "", {}},
                    {"gamma phi'_j",
                     "And against those of the next state: the rows gamma phi' of Q, which make it a true gradient.",
                     both_places(at.current_2, at.next_2)},
                    {")", "", {}}};
        case LossKind::td_lambda:
        case LossKind::monte_carlo:
            return {{"e_j",
                     "The trace of transition j. The mask of Eq. (14) makes it; this network's attention has no such "
                     "mask, for which e_j is phi_j: the same weights run TD(0).",
                     along}};
        case LossKind::td:
        case LossKind::average_reward:
            break;
    }
    return {{"phi_j", "The features of transition j, the direction of its step: the rows phi of Q.", along}};
}

Formula one_step_formula(const UpdatePlaces& at, LossKind loss, bool traces) {
    std::vector<FormulaTerm> terms = update_start(at);
    terms.erase(terms.begin() + 2, terms.begin() + 4);  // w_0 = 0 +
    terms.front() = {"w_1", "The weights after the only layer, from w_0 = 0.", {}};
    terms.push_back({"R_j", "The reward of transition j, in the prompt's last row.", at.corner});
    if (loss == LossKind::residual_gradient) {
        for (FormulaTerm& term : direction(at, loss, traces)) terms.push_back(std::move(term));
        return {"residual gradient, one step from 0", std::move(terms),
                "Corollary 2 of Wang et al. 2025 with C = alpha I, for one layer: from zero there is no value to "
                "bootstrap on yet."};
    }
    if (traces) {
        for (FormulaTerm& term : direction(at, loss, traces)) terms.push_back(std::move(term));
        return {"TD(lambda), one step from 0", std::move(terms),
                "Corollary 3 of Wang et al. 2025 with C = alpha I, for one layer: from zero there is no value to "
                "bootstrap on yet."};
    }
    terms.push_back({"phi_j", "The features of transition j: the direction of its step.", at.current});
    return {"batch TD, one step from 0", std::move(terms),
            "Corollary 1 of Wang et al. 2025 with C = alpha I: from zero there is no value to bootstrap "
            "on yet."};
}

const char* algorithm_of(LossKind loss) {
    switch (loss) {
        case LossKind::td:
            return "batch TD";
        case LossKind::residual_gradient:
            return "residual gradient";
        case LossKind::td_lambda:
            return "TD(lambda)";
        case LossKind::monte_carlo:
            return "Monte Carlo: TD(1)";
        case LossKind::average_reward:
            return "average-reward TD";
    }
    return "";
}

const char* source_of(LossKind loss) {
    switch (loss) {
        case LossKind::td:
            return "Theorem 1 of Wang et al. 2025 with C = alpha I: each layer is one step of batch TD on the prompt.";
        case LossKind::residual_gradient:
            return "Corollary 2 of Wang et al. 2025 with C = alpha I: each layer is one step of batch residual "
                   "gradient on the prompt.";
        case LossKind::td_lambda:
        case LossKind::monte_carlo:
            return "Corollary 3 of Wang et al. 2025 with C = alpha I: the weights of Theorem 1 under the mask of "
                   "Eq. (14), which this network does not have.";
        case LossKind::average_reward:
            return "Theorem 3 of Wang et al. 2025 needs two heads and a row of memory, which this network does not "
                   "have: theory has no weights to compare it with.";
    }
    return "";
}

// Without blocks: this network cannot carry it out.
Formula average_reward_formula() {
    std::vector<FormulaTerm> terms = update_start(UpdatePlaces(0, 0, LossKind::average_reward));
    terms.insert(terms.end(), {{"(", "", {}},
                               {"R_j", "The reward of transition j.", {}},
                               {"-", "", {}},
                               {"m_j", "The mean of the rewards so far.", {}},
                               {"+", "", {}},
                               {"w_l^T phi'_j", "The value of the next state: bootstrapping.", {}},
                               {"-", "", {}},
                               {"w_l^T phi_j", "The value of the current state.", {}},
                               {")", "", {}},
                               {"phi_j", "The features of transition j, the direction of its step.", {}}});
    return {algorithm_of(LossKind::average_reward), std::move(terms), source_of(LossKind::average_reward)};
}

}  // namespace

std::vector<BlockMeaning> two_head_meanings(const std::string& matrix, bool learns_W) {
    if (matrix[0] == 'P') {
        const bool rewards = matrix == "P1";
        const int read = rewards ? kRewardBlock : kMemoryBlock;
        std::vector<BlockMeaning> meanings = {{read, read, rewards ? "+1: reads the rewards" : "+1: reads the memory",
                                               false, rewards ? "reading rewards" : "reading the memory"}};
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
    point("w_l^T phi'_j", both_places(next, memory));
    point("w_l^T phi_j", both_places(now, memory));
    point("phi_j", both_places(now, next));
    formula.note =
        "Theorem 3 of Wang et al. 2025 with C = alpha I: the first head's mask takes the mean off the rewards, the second "
        "head reads the memory, where each transition's difference of values stands.";
    return formula;
}

Formula in_context_td_formula(int num_layers, int stored, LossKind loss, bool traces) {
    if (loss == LossKind::average_reward) return average_reward_formula();
    const UpdatePlaces at(num_layers, stored, loss);
    if (num_layers == 1) return one_step_formula(at, loss, traces);
    std::vector<FormulaTerm> terms = update_start(at);
    terms.insert(
        terms.end(),
        {{"(", "", {}},
         {"R_j", "The reward of transition j, in the prompt's last row.", at.corner},
         {"+", "", {}},
         {"gamma w_l^T phi'_j", "The value of the next state: bootstrapping.", both_places(at.next, at.next_2)},
         {"-", "", {}},
         {"w_l^T phi_j", "The value of the current state.", both_places(at.current, at.current_2)},
         {")", "", {}}});
    for (FormulaTerm& term : direction(at, loss, traces)) terms.push_back(std::move(term));
    if (traces)
        return {
            algorithm_of(LossKind::td_lambda), std::move(terms),
            "Corollary 3 of Wang et al. 2025 with C = alpha I: the weights of Theorem 1 under the mask of Eq. (14)."};
    return {algorithm_of(loss), std::move(terms), source_of(loss)};
}

}  // namespace emergence

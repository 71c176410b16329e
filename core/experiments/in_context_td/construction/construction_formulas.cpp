// Writes the update of a constructed layer term by term; each term names the blocks that compute it.
#include "core/experiments/in_context_td/construction/construction_pictures.h"

namespace emergence {
namespace {

using Blocks = std::vector<BlockReference>;

Blocks both_of(Blocks first, const Blocks& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// The blocks that compute each part of the update, for all four algorithms.
struct FormulaPlaces {
    // The TD error's current and next value, along phi.
    Blocks current, next;
    // The same along -gamma phi'; residual gradient only.
    Blocks current_2, next_2;
    // The blocks that read the reward; the mask that selects the transitions.
    Blocks reward, context;
};

FormulaPlaces places_of(const ConstructionConfig& config) {
    if (config.algorithm == BatchAlgorithm::average_reward_td)
        return {{{"Q", 0, 0}}, {{"Q", 0, 1}}, {}, {}, {{"P_R", 2, 2}, {"W", 3, 2}}, {{"M_mem", 0, 0}}};
    FormulaPlaces places{{{"Q", 0, 0}}, {{"Q", 0, 1}}, {}, {}, {{"P", 2, 2}}, {{"M", 0, 0}}};
    if (config.algorithm == BatchAlgorithm::residual_gradient) {
        places.current_2 = {{"Q", 1, 0}};
        places.next_2 = {{"Q", 1, 1}};
    }
    return places;
}

// The direction of transition j's step.
std::vector<FormulaTerm> direction_terms(const ConstructionConfig& config, const FormulaPlaces& at) {
    const Blocks along_phi = both_of(at.current, at.next);
    if (config.algorithm == BatchAlgorithm::td_lambda)
        return {{"e_j", "The trace: features of the transitions before it, ever fainter.",
                 both_of(along_phi, at.context)}};
    std::vector<FormulaTerm> terms = {{"phi_j", "The features of transition j.", along_phi}};
    if (config.algorithm != BatchAlgorithm::residual_gradient) return terms;
    terms.front() = {"phi_j", "Along the features of transition j: the rows phi of Q.", along_phi};
    terms.insert(terms.begin(), {"(", "", {}});
    terms.push_back({"-", "", {}});
    terms.push_back({"gamma phi'_j",
                     "And against those of the next state: the rows gamma phi' of Q, what makes it a true "
                     "gradient.",
                     both_of(at.current_2, at.next_2)});
    terms.push_back({")", "", {}});
    return terms;
}

std::vector<FormulaTerm> reward_terms(const ConstructionConfig& config, const FormulaPlaces& at) {
    std::vector<FormulaTerm> terms = {{"R_j", "The reward of transition j.", at.reward}};
    if (config.algorithm != BatchAlgorithm::average_reward_td) return terms;
    terms.push_back({"-", "", {}});
    terms.push_back({"m_j", "The mean of the rewards so far: the reward head's mask.", {{"M_R", 0, 0}}});
    return terms;
}

const char* name_of(const ConstructionConfig& config) {
    return config.algorithm == BatchAlgorithm::residual_gradient   ? "residual gradient"
           : config.algorithm == BatchAlgorithm::td_lambda         ? "TD(lambda)"
           : config.algorithm == BatchAlgorithm::average_reward_td ? "average-reward TD"
                                                                   : "batch TD";
}

const char* theorem_of(const ConstructionConfig& config) {
    return config.algorithm == BatchAlgorithm::residual_gradient   ? "Corollary 2, Eqs. (12) and (13)"
           : config.algorithm == BatchAlgorithm::td_lambda         ? "Corollary 3, Eq. (14)"
           : config.algorithm == BatchAlgorithm::average_reward_td ? "Theorem 3, Eqs. (15) to (18)"
                                                                   : "Theorem 1, Eqs. (7) and (8)";
}

Formula step_formula(const ConstructionConfig& config) {
    const FormulaPlaces at = places_of(config);
    const bool average = config.algorithm == BatchAlgorithm::average_reward_td;
    const Blocks memory = average ? Blocks{{"P_mem", 3, 3}, {"W", 3, 7}} : at.reward;
    const Blocks all = both_of(both_of(at.current, at.next), both_of(at.current_2, at.next_2));
    Formula formula{name_of(config), {}, std::string(theorem_of(config)) + " of Wang et al. 2025."};
    auto& terms = formula.terms;
    terms = {{"w_{l+1}", "The value function's weights after layer l + 1.", {}},
             {"=", "", {}},
             {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.",
              memory},
             {"+", "", {}},
             {"1/n", "The layer divides by the number of transitions.", {}},
             {"C_l", "The preconditioner: its transpose stands in Q's blocks.", all},
             {"sum_j", "Over all transitions of the context, the query masked.", at.context},
             {"(", "", {}}};
    for (FormulaTerm& term : reward_terms(config, at)) terms.push_back(std::move(term));
    terms.insert(terms.end(),
                 {{"+", "", {}},
                  {average ? "w_l^T phi'_j" : "gamma w_l^T phi'_j",
                   "The value of the next state: bootstrapping.", both_of(at.next, at.next_2)},
                  {"-", "", {}},
                  {"w_l^T phi_j", "The value of the current state.", both_of(at.current, at.current_2)},
                  {")", "", {}}});
    for (FormulaTerm& term : direction_terms(config, at)) terms.push_back(std::move(term));
    return formula;
}

}  // namespace

std::vector<Formula> construction_formulas(const ConstructionConfig& config) {
    std::vector<Formula> formulas = {step_formula(config)};
    const Blocks traces = {{"M", 0, 0}};
    if (config.algorithm == BatchAlgorithm::td_lambda)
        formulas.push_back(
            {"trace",
             {{"e_j", "The trace of transition j.", traces},
              {"=", "", {}},
              {config.textbook_trace ? "gamma lambda" : "lambda",
               "How fast it fades: the mask has its powers.", traces},
              {"e_{j-1}", "The trace before.", traces},
              {"+", "", {}},
              {"phi_j", "The features of transition j: the mask's diagonal.", traces}},
             config.textbook_trace ? "Sutton and Barto's trace." : "As the paper has it, without gamma."});
    if (config.algorithm == BatchAlgorithm::average_reward_td)
        formulas.push_back({"mean reward",
                            {{"m_j", "The mean of the rewards up to R_j.", {{"M_R", 0, 0}}},
                             {"=", "", {}},
                             {"1/j", "", {}},
                             {"sum_{i\u2264j}", "Over the transitions so far.", {{"M_R", 0, 0}}},
                             {"R_i", "The rewards.", {{"P_R", 2, 2}}}},
                            "Eq. (17): the reward head's mask centres the rewards."});
    return formulas;
}

}  // namespace emergence

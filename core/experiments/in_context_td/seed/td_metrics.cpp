#include "core/experiments/in_context_td/seed/td_metrics.h"

#include <fmt/format.h>

#include "core/experiments/in_context_td/pictures/td_plots.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_verdict.h"
#include "core/experiments/in_context_td/settings/td_network.h"

namespace emergence {
namespace {

using Measured = TdMeasured;

// Of both heads: what each reads, and the traces of its Q.
void add_head_metrics(Metrics<Measured>& metrics) {
    for (const int head : {0, 1}) {
        const std::string name = head == 0 ? "reward" : "memory", number = std::to_string(head + 1);
        const auto add = [&](const std::string& metric, const std::string& label, const std::string& help, auto part) {
            metrics.add({metric, label, help,
                         [head, part](const Measured& m) { return m.heads[static_cast<size_t>(head)].*part; }, false,
                         true});
        };
        add("p_" + name, name + " head reads " + name,
            "How much the " + name + " head reads of the " + name + " row, sign aligned.", &ElementWise::p_corner);
        add("q" + number + "_trace_upper_left", "Q" + number + "'s upper-left diagonal",
            "Sum of the diagonal of its Q's upper-left block, sign aligned: in theory the current value, -\u03c6.",
            &ElementWise::q_trace_upper_left);
        add("q" + number + "_trace_upper_right", "Q" + number + "'s upper-right diagonal",
            "Sum of the diagonal of its Q's upper-right block, sign aligned: in theory bootstrapping, +\u03c6'.",
            &ElementWise::q_trace_upper_right);
    }
}

void add_element_metrics(const InContextTdConfig& config, Metrics<Measured>& metrics) {
    if (config.model == "two_heads") return add_head_metrics(metrics);
    if (config.model != "attention") return;
    const std::string aligned = may_flip_signs(network_shape(config)) ? ", sign aligned" : "";
    const bool scales = has_theory(config);
    const auto add = [&](const char* name, const char* label, const std::string& help, auto part) {
        metrics.add({name, label, help, of(&Measured::elements, part), false, scales});
    };
    add("p_corner", "P's corner", "P's bottom-right entry" + aligned + "; with sequential layers the mean over them.",
        &ElementWise::p_corner);
    add("p_others", "P's other entries, mean size", "Mean absolute value of P's other entries.",
        &ElementWise::p_others);
    add("q_trace_upper_left", "Q's upper-left diagonal",
        "Sum of the diagonal of Q's upper-left block" + aligned + ": in theory the current value, -\u03c6.",
        &ElementWise::q_trace_upper_left);
    add("q_trace_upper_right", "Q's upper-right diagonal",
        "Sum of the diagonal of Q's upper-right block" + aligned + ": in theory bootstrapping, +\u03b3\u03c6'.",
        &ElementWise::q_trace_upper_right);
    add("q_others", "Q's other entries, mean size", "Mean absolute value of Q's entries outside both traces.",
        &ElementWise::q_others);
}

void add_value_errors(const InContextTdConfig& config, Metrics<Measured>& metrics) {
    if (!has_values(config)) return;
    metrics.add(
        {{"msve", "MSVE",
          "Mean square value error on held-out MRPs: E sum_s d(s) (v_TF(s) - v(s))^2, d the stationary distribution.",
          of(&Measured::scores, &BankScores::msve)},
         {"msve_batch_td", "MSVE of batch TD", "The same error of batch TD with its \u03b1.",
          of(&Measured::scores, &BankScores::msve_batch_td)}});
    if (has_pool(config))
        metrics.add({{"msve_pool", "MSVE on the pool",
                      "Mean square value error on the pool that is trained on, with new trajectories.",
                      of(&Measured::pool, &BankScores::msve)},
                     {"msve_pool_batch_td", "MSVE of batch TD on the pool",
                      "The same error of batch TD with its \u03b1.", of(&Measured::pool, &BankScores::msve_batch_td)}});
    metrics.add(
        {"unexplained", "unexplained share",
         "VD over the network's mean square value, E sum_s d(s) v_TF(s)^2 (ours): what batch TD does not explain "
         "of it. Equals 1 if batch TD predicts zero.",
         [](const Measured& m) { return m.scores.value_difference / m.scores.mean_square_value; }});
}

}  // namespace

Metrics<TdMeasured> in_context_td_metrics(const InContextTdConfig& config) {
    Metrics<Measured> metrics = {};
    metrics.add({"loss", config.loss.kind == LossKind::td ? "TD loss" : "loss",
                 "Mean loss of the network over the updates since the last point; with TD the squared TD error.",
                 &Measured::loss});
    metrics.add({"alpha", "\u03b1",
                 config.weights.empty()
                     ? "Batch TD's step size, trained beside the network on the same prompts and loss."
                     : fmt::format("Batch TD's step size: {}.", batch_td_alpha(config)),
                 &Measured::alpha});
    add_element_metrics(config, metrics);
    if (has_values(config))
        metrics.add(
            {"value_difference", "VD",
             "Squared difference of the network's and batch TD's values on held-out MRPs, E sum_s d(s) (v_TF(s) - "
             "v_TD(s))^2; Appendix D.1.2, Wang et al. 2025.",
             of(&Measured::scores, &BankScores::value_difference)});
    metrics.add(
        {{"implicit_weight_similarity", "IWS",
          "Cosine of the network's implicit weight and batch TD's, E w_TF'w_TD / (|w_TF| |w_TD|); Appendix D.1.2, Wang "
          "et al. 2025.",
          of(&Measured::scores, &BankScores::implicit_weight_similarity)},
         {"sensitivity_similarity", "SS",
          "Cosine of both values' gradients by the query, averaged over d(s); equals IWS for linear attention. "
          "Appendix D.1.2, Wang et al. 2025.",
          of(&Measured::scores, &BankScores::sensitivity_similarity)}});
    add_value_errors(config, metrics);
    metrics.add({{"decoy_no_bootstrap", "decoy: no bootstrap",
                  "IWS of batch TD with \u03b3\u03c6' deleted from its prompt: what is not TD scores as much.",
                  of(&Measured::decoys, &DecoySimilarities::no_bootstrap)},
                 {"decoy_reward_correlation", "decoy: one reward step",
                  "IWS of \u03a3R\u03c6, one step from zero that does not bootstrap.",
                  of(&Measured::decoys, &DecoySimilarities::reward_correlation)}});
    add_verdict_metrics(config, metrics);
    return metrics;
}

}  // namespace emergence

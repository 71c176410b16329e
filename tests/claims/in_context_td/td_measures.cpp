// What `verify` measures for experiment "td": constructions against their algorithm, fast path against
// naive, identities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/algorithms/batch_td.h"
#include "core/base/statistics.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/stacked.h"
#include "core/measures/similarity.h"
#include "core/models/attention_naive.h"
#include "core/models/constructions.h"
#include "core/models/network_windows.h"
#include "core/pictures/figure_spec.h"
#include "core/tasks/mrp.h"
#include "core/tasks/task.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

Eigen::MatrixXd gaussian_matrix(Stream& stream, int rows, int columns, double scale) {
    Eigen::MatrixXd matrix(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) matrix(i, j) = scale * stream.normal();
    return matrix;
}

struct TdTrial {
    Mrp mrp;
    Transitions context;
    Eigen::VectorXd query;
};

TdTrial draw_trial(int d, int n, uint32_t number) {
    TdTrial trial;
    draw_mrp({.num_states = 10, .d = d}, derive_seed(1, Purpose::testing), number, trial.mrp);
    Stream stream(1, Purpose::testing, number);
    trial.context = draw_transitions(trial.mrp, 0.9, n, stream);
    trial.query = trial.mrp.features.col(static_cast<int>(stream.uniform() * 10));
    return trial;
}

// IWS and SS by their general definitions, from naive forward and backward passes.
Measurement iws_equals_ss() {
    double worst = 0;
    for (uint32_t number = 0; number < 10; ++number) {
        const TdTrial trial = draw_trial(4, 30, number);
        Stream stream(4, Purpose::testing, number);
        NaiveAttention<double> net({gaussian_matrix(stream, 9, 9, 0.3)}, {gaussian_matrix(stream, 9, 9, 0.3)}, 3);
        const int m = trial.mrp.num_states();
        Eigen::VectorXd v(m);
        Eigen::MatrixXd gradients(4, m);
        for (int s = 0; s < m; ++s) {
            net.forward(td_prompt(trial.context, trial.mrp.features.col(s)));
            v[s] = net.value();
            std::vector<Eigen::MatrixXd> dP(1, Eigen::MatrixXd::Zero(9, 9)), dQ = dP;
            net.backward(-1.0, dP, dQ);
            gradients.col(s) = net.prompt_gradient().col(30).head(4);
        }
        const Eigen::VectorXd stationary = stationary_distribution(trial.mrp);
        const Eigen::VectorXd td = batch_td(trial.context, {Eigen::MatrixXd::Identity(4, 4)}, 3).back();
        const double iws = cosine_similarity(implicit_weight(trial.mrp.features, v, stationary), td);
        const double ss = sensitivity_similarity(gradients, td.replicate(1, m), stationary);
        worst = larger(worst, std::abs(iws - ss));
    }
    return {worst, "random weights, L = 3, 10 contexts"};
}

// The value after one token and the query are exchanged, less what each exchange alone adds. A sum over tokens has 0.
Measurement mixed_difference() {
    std::vector<double> shares;
    for (uint32_t number = 0; number < 20; ++number) {
        const TdTrial trial = draw_trial(4, 30, number), other = draw_trial(4, 30, number + 100);
        Transitions changed = trial.context;
        changed.phi.col(0) = other.context.phi.col(0);
        changed.gamma_phi_next.col(0) = other.context.gamma_phi_next.col(0);
        changed.reward[0] = other.context.reward[0];
        const std::vector<Eigen::MatrixXd> C = {Eigen::MatrixXd::Identity(4, 4)};
        const Eigen::VectorXd w = batch_td(trial.context, C, 3).back(), w_changed = batch_td(changed, C, 3).back();
        shares.push_back(std::abs((w_changed - w).dot(other.query - trial.query)) /
                         std::abs((w_changed - w).dot(trial.query)));
    }
    const Summary summary = summarise(shares, true);
    return {summary.median, "20 contexts"};
}

// The same of recurrent networks with random weights, context against query: what changing both does beyond either change
// alone, over what the context's change does.
Measurement mixed_difference_of_rnn(Activation recurrent) {
    constexpr int kPairs = 20, kWide = 4, kContextLength = 30;
    const NetworkShape shape{.model = Model::rnn, .d = kWide, .context_length = kContextLength, .recurrent = recurrent};
    constexpr int kStates = kContextLength + 1, kRow = kWide + 1;
    std::vector<double> shares;
    for (uint32_t pair = 0; pair < kPairs; ++pair) {
        Stream stream(12, Purpose::testing, pair);
        const auto normal = [&](size_t count, double scale) {
            std::vector<float> numbers(count);
            for (float& number : numbers) number = static_cast<float>(scale * stream.normal());
            return numbers;
        };
        const std::vector<float> contexts = normal(2 * kStates * kRow, 1), queries = normal(2 * kWide, 1);
        const std::vector<float> weights = normal(shape.num_weights(), 0.5);
        // Both contexts with both queries.
        std::vector<float> asked = queries;
        asked.insert(asked.end(), queries.begin(), queries.end());
        const int context_of[] = {0, 0, 1, 1};
        float v[4];
        make_network_prompts(shape)->run({contexts.data(), kStates * kRow, context_of, asked.data(), 4, 0.9F},
                                         weights.data(), v, nullptr);
        shares.push_back(std::abs(v[3] - v[2] - v[1] + v[0]) / std::abs(v[2] - v[0]));
    }
    return {summarise(shares, true).median, fmt::format("{} networks", kPairs)};
}

// The least mean IWS of a decoy with batch TD of three steps, over sizes, discounts and tasks.
Measurement least_decoy(double DecoySimilarities::*decoy) {
    constexpr int kContexts = 256;
    double least = 1;
    std::string where;
    for (const TaskKind kind : {TaskKind::boyan, TaskKind::loop})
        for (const int d : {2, 4, 8})
            for (const int n : {10, 30, 100})
                for (const double gamma : {0.5, 0.9, 0.99}) {
                    const HeldOutBank bank({.tasks = {.num_states = 10, .d = d, .gamma = gamma, .kind = kind},
                                            .size = kContexts,
                                            .context_lengths = {n}});
                    const double mean = Decoys(bank, 0, kContexts).similarities(3, 1.5F).*decoy;
                    if (mean >= least) continue;
                    least = mean;
                    where = fmt::format("{}, d = {}, n = {}, gamma = {}", kind == TaskKind::boyan ? "chains" : "loops",
                                        d, n, gamma);
                }
    return {least, "at " + where};
}

// The constructed transformer and batch TD on the held-out bank, both through the fast path.
Measurement constructed_msve() {
    const InContextTdConfig config;
    const auto bank = make_bank(config, 500, {config.context_length});
    const ConstructedLayer layer = td_construction(Eigen::MatrixXd::Identity(config.tasks.d, config.tasks.d) * 1.5);
    const auto P = floats_of(layer.P), Q = floats_of(layer.Q);
    const BankScores scores = bank->compare(0, {config.num_layers, 1, P.data(), Q.data()}, 1.5F);
    return {std::abs(scores.msve / scores.msve_batch_td - 1),
            fmt::format("500 MRPs, alpha = 1.5: {:.6f} and {:.6f}", scores.msve, scores.msve_batch_td)};
}

// Implicit weights from the Gram form against naive forward passes, at several depths.
Measurement gram_form() {
    double worst = 0;
    for (const int layers : {1, 2, 3, 5}) {
        Stream stream(5, Purpose::testing, static_cast<uint32_t>(layers));
        const Eigen::MatrixXd P = gaussian_matrix(stream, 9, 9, 0.3), Q = gaussian_matrix(stream, 9, 9, 0.3);
        NaiveAttention<double> net({P}, {Q}, layers);
        const TdTrial trial = draw_trial(4, 30, static_cast<uint32_t>(layers));
        Eigen::MatrixXd Z = td_prompt(trial.context, trial.query);
        const Eigen::MatrixXd gram = Z.leftCols(30) * Z.leftCols(30).transpose();
        std::vector<float> lanes(81 * 16), weights(4 * 16);
        for (int i = 0; i < 81; ++i) std::fill_n(lanes.begin() + i * 16, 16, static_cast<float>(gram(i / 9, i % 9)));
        const auto p = floats_of(P), q = floats_of(Q);
        network_implicit_weights({lanes.data(), 1, 4, 30}, {layers, 1, p.data(), q.data()}, weights.data());
        double fast = 0;
        for (int i = 0; i < 4; ++i) fast += static_cast<double>(weights[static_cast<size_t>(i * 16)]) * trial.query[i];
        net.forward(Z);
        worst = larger(worst, std::abs(fast - net.value()) / larger(0.1, std::abs(net.value())));
    }
    return {worst, "random weights, L = 1, 2, 3, 5"};
}

}  // namespace

std::vector<NamedMeasure> in_context_td_measures() {
    return {{"iws-equals-ss", iws_equals_ss},
            {"constructed-msve", constructed_msve},
            {"linear-rnn", mixed_difference},
            {"linear-rnn-network", [] { return mixed_difference_of_rnn(Activation::identity); }},
            {"linear-rnn-network-tanh", [] { return mixed_difference_of_rnn(Activation::tanh); }},
            {"decoys-no-bootstrap", [] { return least_decoy(&DecoySimilarities::no_bootstrap); }},
            {"decoys-reward-correlation", [] { return least_decoy(&DecoySimilarities::reward_correlation); }},
            {"gram-form", gram_form}};
}

}  // namespace emergence

#include "core/measures/network_evaluator.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/algorithms/context_algorithms.h"
#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/models/attention_naive.h"
#include "core/models/constructions.h"
#include "core/tasks/task.h"

using namespace emergence;

namespace {

constexpr int kTraceLayers = 6, kFeatures = 3, kContext = 25;
constexpr double kGamma = 0.9;

struct TracedPrompt {
    Mrp mrp;
    Transitions context;
    TracedStates states;
    Mat C;
};

TracedPrompt boyan_prompt(uint32_t index) {
    TracedPrompt p;
    draw_mrp({.num_states = 7, .d = kFeatures}, 5, index, p.mrp);
    Stream stream(5, Purpose::testing, index);
    p.context = transitions_along(p.mrp, kGamma, draw_path(p.mrp, kContext, stream));
    p.states = {p.mrp.features, stationary_distribution(p.mrp)};
    p.C.resize(kFeatures, kFeatures);
    for (double& entry : p.C) entry = 0.3 * stream.normal();
    return p;
}

Mat noise(uint32_t index, double scale) {
    Stream stream(6, Purpose::testing, index);
    Mat matrix(2 * kFeatures + 1, 2 * kFeatures + 1);
    for (double& entry : matrix) entry = scale * stream.normal();
    return matrix;
}

TdTrace trace_of(const TracedPrompt& p, const TracedNetwork& network, int state = 2) {
    return td_trace(p.context, p.mrp.features.col(state), network, p.C, p.states);
}

// The value after `layers` layers, from the paper's n by n form alone.
double forward_value(const TracedPrompt& p, const TracedNetwork& network, int layers, const Vec& query) {
    if (layers == 0) return 0.0;
    std::vector<Eigen::MatrixXd> P, Q;
    for (size_t l = 0; l < (network.P.size() > 1 ? static_cast<size_t>(layers) : 1); ++l)
        P.emplace_back(eigen(network.P[l])), Q.emplace_back(eigen(network.Q[l]));
    NaiveAttention<double> attention(P, Q, layers, network.activation);
    attention.forward(eigen(td_prompt(p.context, query)));
    return attention.value();
}

}  // namespace

TEST_CASE("the constructed network's implicit weights are batch TD's iterates, to rounding") {
    for (uint32_t index = 0; index < 4; ++index) {
        const TracedPrompt p = boyan_prompt(index);
        const ConstructedLayer layer = td_construction(p.C);
        const TdTrace trace = trace_of(p, {{layer.P}, {layer.Q}, kTraceLayers, Activation::identity});
        CHECK((trace.network - trace.batch_td).cwiseAbs().maxCoeff() < 1e-13);
        CHECK((trace.value - trace.batch_td_value).cwiseAbs().maxCoeff() < 1e-13);
        CHECK((trace.network_errors - trace.batch_td_errors).cwiseAbs().maxCoeff() < 1e-13);
        // A weight that is off by one part in a million is seen.
        ConstructedLayer flawed = layer;
        flawed.Q(0, kFeatures) *= 1.0 + 1e-6;
        const TdTrace off = trace_of(p, {{flawed.P}, {flawed.Q}, kTraceLayers, Activation::identity});
        CHECK((off.network - off.batch_td).cwiseAbs().maxCoeff() > 1e-10);
    }
}

TEST_CASE("with any linear attention w_l times the query is the forward pass's value, in every layer and state") {
    const TracedPrompt p = boyan_prompt(7);
    const TracedNetwork shared{{noise(0, 0.4)}, {noise(1, 0.4)}, kTraceLayers, Activation::identity};
    TracedNetwork own{{}, {}, 3, Activation::identity};
    for (uint32_t l = 0; l < 3; ++l) own.P.push_back(noise(2 + 2 * l, 0.4)), own.Q.push_back(noise(3 + 2 * l, 0.4));
    for (const TracedNetwork& network : {shared, own})
        for (int state = 0; state < p.mrp.num_states(); ++state) {
            const TdTrace trace = trace_of(p, network, state);
            const Vec query = p.mrp.features.col(state);
            for (int l = 0; l <= network.layers; ++l) {
                const double value = forward_value(p, network, l, query);
                CHECK(trace.value[l] == value);
                CHECK(trace.network.row(l).dot(query) == doctest::Approx(value).epsilon(1e-11));
            }
        }
}

TEST_CASE("Z, attention, Gram matrix and TD errors are what their names say") {
    const TracedPrompt p = boyan_prompt(3);
    const TracedNetwork network{{noise(0, 0.4)}, {noise(1, 0.4)}, 2, Activation::identity};
    const TdTrace trace = trace_of(p, network);
    REQUIRE(trace.Z.size() == 3);
    REQUIRE(trace.attention.size() == 3);  // the last is that of one layer more
    CHECK(trace.Z[0] == td_prompt(p.context, p.mrp.features.col(2)));
    Mat M = Mat::Identity(kContext + 1, kContext + 1);
    M(kContext, kContext) = 0;
    for (size_t l = 0; l < 3; ++l) {
        CHECK((trace.attention[l] - trace.Z[l].transpose() * network.Q[0] * trace.Z[l]).norm() < 1e-10);
        CHECK((trace.gram[l] - trace.Z[l] * M * trace.Z[l].transpose()).norm() < 1e-10);
        if (l == 2) break;
        const Mat next = trace.Z[l] + network.P[0] * trace.Z[l] * M * trace.attention[l] / kContext;
        CHECK((trace.Z[l + 1] - next).norm() < 1e-10);
    }
    // Before any step each TD error is the reward; the iterates' are written out.
    CHECK((trace.batch_td_errors.row(0).transpose() - p.context.reward).norm() == 0.0);
    const Vec w = batch_td(p.context, {p.C}, 2).back();
    const double error = p.context.reward[4] + w.dot(p.context.gamma_phi_next.col(4)) - w.dot(p.context.phi.col(4));
    CHECK(trace.batch_td_errors(2, 4) == doctest::Approx(error).epsilon(1e-12));
    // Layers with weights of their own know of no further one.
    const TracedNetwork own{{noise(0, 0.4), noise(2, 0.4)}, {noise(1, 0.4), noise(3, 0.4)}, 2, Activation::identity};
    CHECK(trace_of(p, own).attention.size() == 2);
    CHECK(trace_of(p, own).Z.size() == 3);
}

TEST_CASE("a network that is not linear has the regression's implicit weight") {
    const TracedPrompt p = boyan_prompt(4);
    for (const Activation activation : {Activation::softmax, Activation::tanh}) {
        const TracedNetwork network{{noise(0, 0.4)}, {noise(1, 0.4)}, 2, activation};
        const TdTrace trace = trace_of(p, network);
        Vec v(p.mrp.num_states());
        for (int s = 0; s < p.mrp.num_states(); ++s) v[s] = forward_value(p, network, 2, p.mrp.features.col(s));
        const Vec w = implicit_weight(p.mrp.features, v, p.states.stationary);
        CHECK((trace.network.row(2).transpose() - w).norm() < 1e-12);
        CHECK(trace.value[2] == doctest::Approx(v[2]).epsilon(1e-12));
    }
}

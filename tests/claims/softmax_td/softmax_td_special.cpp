#include "tests/claims/softmax_td/softmax_td_special.h"

#include <algorithm>
#include <cmath>

#include "core/algorithms/context_algorithms.h"
#include "core/base/statistics.h"
#include "core/models/softmax_td_layer.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kCaseContext = 40, kCaseLayers = 40, kCaseStates = 8;
constexpr double kCaseDiscount = 0.9, kKernelWidth = 0.2, kSharp = 1000.0, kBlurred = 8.0;

// One chain and a context whose query's state is among its sources.
struct CaseTrial {
    Mrp mrp;
    std::vector<int> path;
    VectorXd rewards;
    MatrixXd phi;  // d x states, centred over the sources

    explicit CaseTrial(uint32_t trial) : rewards(kCaseContext) {
        draw_mrp({.num_states = kCaseStates, .d = 4, .gamma = kCaseDiscount, .representable = true}, 8, trial, mrp);
        Stream stream(8, Purpose::trajectory, trial);
        do {
            path = draw_path(mrp, kCaseContext, stream);
        } while (std::find(path.begin(), path.end() - 1, path.back()) == path.end() - 1);
        VectorXd mean = VectorXd::Zero(mrp.d());
        for (int k = 0; k < kCaseContext; ++k) {
            rewards[k] = mrp.reward[path[k]];
            mean += mrp.features.col(path[k]) / kCaseContext;
        }
        phi = mrp.features.colwise() - mean;
    }
    // One column per state of the path.
    MatrixXd along(const MatrixXd& by_state) const {
        MatrixXd columns(by_state.rows(), kCaseContext + 1);
        for (int k = 0; k <= kCaseContext; ++k) columns.col(k) = by_state.col(path[k]);
        return columns;
    }
};

// The values after every layer, (n+1) x (layers+1).
using Values = MatrixXd;

Values transformer_values(const CaseTrial& trial, const MatrixXd& x, const MatrixXd& scores) {
    SoftmaxTdWeights weights = softmax_td_construction(static_cast<int>(x.rows()));
    weights.Q.topLeftCorner(x.rows(), x.rows()) = scores;
    MatrixXd Z = softmax_td_prompt(trial.along(x), trial.rewards);
    Values values = Values::Zero(kCaseContext + 1, kCaseLayers + 1);
    for (int l = 1; l <= kCaseLayers; ++l) {
        Z = temporal_shift_layer(Z, weights, kCaseDiscount, {});
        values.col(l) = Z.bottomRows(1).transpose();
    }
    return values;
}

Values linear_td_values(const CaseTrial& trial, const MatrixXd& psi) {
    Mrp mrp = trial.mrp;
    mrp.features = psi;
    const auto w = batch_td(transitions_along(mrp, kCaseDiscount, trial.path),
                            {MatrixXd::Identity(psi.rows(), psi.rows())}, kCaseLayers);
    Values values(kCaseContext + 1, kCaseLayers + 1);
    for (int l = 0; l <= kCaseLayers; ++l) values.col(l) = trial.along(psi).transpose() * w[static_cast<size_t>(l)];
    return values;
}

Values tabular_td_values(const CaseTrial& trial) {
    VectorXd v = VectorXd::Zero(kCaseStates);
    Values values = Values::Zero(kCaseContext + 1, kCaseLayers + 1);
    for (int l = 1; l <= kCaseLayers; ++l) {
        VectorXd sum = VectorXd::Zero(kCaseStates), visits = sum;
        for (int k = 0; k < kCaseContext; ++k) {
            const int from = trial.path[k], to = trial.path[k + 1];
            sum[from] += trial.rewards[k] + kCaseDiscount * v[to] - v[from];
            visits[from] += 1;
        }
        v += sum.cwiseQuotient(visits.cwiseMax(1.0));
        values.col(l) = trial.along(v.transpose()).transpose();
    }
    return values;
}

MatrixXd with_constant(const MatrixXd& phi, double width) {
    MatrixXd psi(phi.rows() + 1, phi.cols());
    psi << MatrixXd::Ones(1, phi.cols()), std::sqrt(width) * phi;
    return psi;
}

std::vector<double> distance_by_layer(const Values& ours, const Values& theirs) {
    std::vector<double> distances = {0.0};
    double size = 0;
    for (Eigen::Index l = 1; l < ours.cols(); ++l) {
        size = larger(size, theirs.col(l).cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
        distances.push_back((ours - theirs).col(l).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() / size);
    }
    return distances;
}

}  // namespace

std::vector<double> special_case_difference(SpecialCase special, uint32_t trial) {
    const CaseTrial drawn(trial);
    const MatrixXd one_hot = MatrixXd::Identity(kCaseStates, kCaseStates);
    const auto against = [&](const MatrixXd& scores, const Values& algorithm) {
        return distance_by_layer(transformer_values(drawn, one_hot, scores), algorithm);
    };
    if (special == SpecialCase::tabular || special == SpecialCase::tabular_blurred)
        return against((special == SpecialCase::tabular ? kSharp : kBlurred) * one_hot, tabular_td_values(drawn));
    const MatrixXd& phi = special == SpecialCase::linear ? drawn.phi : drawn.mrp.features;
    const MatrixXd kernel = MatrixXd::Ones(kCaseStates, kCaseStates) + kKernelWidth * phi.transpose() * phi;
    return against(kernel.array().log().matrix(), linear_td_values(drawn, with_constant(phi, kKernelWidth)));
}

std::vector<double> flat_scores_difference(const std::vector<double>& widths, bool constant_alone, uint32_t trial) {
    const CaseTrial drawn(trial);
    const auto d = drawn.phi.rows();
    std::vector<double> distances;
    for (const double width : widths)
        distances.push_back(
            distance_by_layer(transformer_values(drawn, drawn.phi, width * MatrixXd::Identity(d, d)),
                              linear_td_values(drawn, with_constant(drawn.phi, constant_alone ? 0.0 : width)))
                .back());
    return distances;
}

}  // namespace emergence

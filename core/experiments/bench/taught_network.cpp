// Networks that learn the values of an algorithm, by L-BFGS on prompts.
//
// With G_0 the context, T_l = I + P G_l Q, G_{l+1} = T_l G_l T_l', X_0 = I, X_{l+1} = T_l X_l, the weight vector is
// w = -X_L[D, :d], and the loss sum (w - t)' W (w - t) over prompts, W the form that weighs values, t the teacher's.
#include "core/base/rng.h"
#include "core/experiments/bench/known_network.h"
#include "core/optim/descent.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostLessons = 400;
constexpr double kTaught = 1e-3;

struct Pupil {
    const LineUpPrompts& prompts;
    std::vector<VectorXd> wanted;
    double mean_square = 0;
    int d, layers;

    // x: P, then Q, column by column.
    MatrixXd part(const VectorXd& x, int number) const {
        const auto rows = 2 * d + 1;
        return Eigen::Map<const MatrixXd>(x.data() + number * rows * rows, rows, rows);
    }
    // The share of the teacher's mean square value that is wrong.
    double share(const VectorXd& x, VectorXd& gradient) const {
        const MatrixXd P = part(x, 0), Q = part(x, 1);
        MatrixXd dP = MatrixXd::Zero(P.rows(), P.cols()), dQ = dP;
        double loss = 0;
        for (int i = 0; i < prompts.size(); ++i) loss += add_prompt(i, P, Q, dP, dQ);
        gradient.resize(x.size());
        gradient << Eigen::Map<const VectorXd>(dP.data(), dP.size()), Eigen::Map<const VectorXd>(dQ.data(), dQ.size());
        gradient /= mean_square;
        return loss / mean_square;
    }
    double add_prompt(int i, const MatrixXd& P, const MatrixXd& Q, MatrixXd& dP, MatrixXd& dQ) const {
        const auto rows = P.rows();
        const MatrixXd I = MatrixXd::Identity(rows, rows);
        std::vector<MatrixXd> G = {prompts.context(i)}, X = {I}, T;
        for (int l = 0; l < layers; ++l) {
            T.push_back(I + P * G.back() * Q);
            X.push_back(T.back() * X.back());
            G.push_back(T.back() * G.back() * T.back().transpose());
        }
        const VectorXd off = -X.back().row(rows - 1).head(d).transpose() - wanted[static_cast<size_t>(i)];
        const VectorXd weighted = prompts.moments(i) * off;
        MatrixXd dX = MatrixXd::Zero(rows, rows), dG = dX;
        dX.row(rows - 1).head(d) = -2 * weighted.transpose();
        for (int l = layers - 1; l >= 0; --l) {
            const auto at = static_cast<size_t>(l);
            // X_{l+1} = T X, G_{l+1} = T G T'
            const MatrixXd dT = dX * X[at].transpose() + (dG + dG.transpose()) * T[at] * G[at];
            dX = (T[at].transpose() * dX).eval();
            // T = I + P G Q
            dG = (T[at].transpose() * dG * T[at] + P.transpose() * dT * Q.transpose()).eval();
            dP += dT * (G[at] * Q).transpose();
            dQ += (P * G[at]).transpose() * dT;
        }
        return off.dot(weighted);
    }
};

}  // namespace

BenchNetwork taught_network(const MapPoint& teacher, int d, const LineUpPrompts& prompts, uint64_t seed,
                            uint32_t number) {
    Pupil pupil{prompts, {}, 0, d, static_cast<int>(teacher.alphas.size())};
    for (int i = 0; i < prompts.size(); ++i) {
        pupil.wanted.push_back(map_weights(prompts.context(i), teacher));
        pupil.mean_square += pupil.wanted.back().dot(prompts.moments(i) * pupil.wanted.back());
    }
    const int rows = 2 * d + 1;
    Stream stream(seed, Purpose::initial_weights, number, 3);
    VectorXd start(2 * rows * rows);
    for (double& entry : start) entry = 0.1 * stream.normal();
    Lbfgs lbfgs({.memory = 20}, start);
    const Objective objective = [&pupil](const VectorXd& x, VectorXd& gradient) { return pupil.share(x, gradient); };
    lbfgs.evaluate(objective);
    for (int i = 0; i < kMostLessons && lbfgs.loss() >= kTaught && !lbfgs.converged() && !lbfgs.diverged(); ++i)
        lbfgs.iterate(objective);
    if (!(lbfgs.loss() < kTaught)) return {};
    const auto layers = static_cast<size_t>(pupil.layers);
    return {std::vector<MatrixXd>(layers, pupil.part(lbfgs.x(), 0)),
            std::vector<MatrixXd>(layers, pupil.part(lbfgs.x(), 1))};
}

}  // namespace emergence

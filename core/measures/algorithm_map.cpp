#include "core/measures/algorithm_map.h"

#include <fmt/format.h>

#include <cmath>

namespace emergence {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The averages over one context, and M and b of a point.
struct Moments {
    MatrixXd A, B, D;
    VectorXd r, q;

    explicit Moments(const MatrixXd& context) {
        const Index d = (context.rows() - 1) / 2;
        A = context.topLeftCorner(d, d);
        B = context.block(0, d, d, d);
        D = context.block(d, d, d, d);
        r = context.col(2 * d).head(d);
        q = context.col(2 * d).segment(d, d);
    }
    MatrixXd M(double beta, double c) const { return A - beta * B - c * B.transpose() + beta * c * D; }
    VectorXd b(double c) const { return r - c * q; }
};

}  // namespace

VectorXd map_weights(const MatrixXd& context, const MapPoint& point) {
    const Moments moments(context);
    const MatrixXd M = moments.M(point.beta, point.c);
    const VectorXd b = moments.b(point.c);
    VectorXd w = VectorXd::Zero(b.size());
    for (const double alpha : point.alphas) w += alpha * (b - M * w);
    return w;
}

// w_{l+1} = w_l + alpha_l e_l, e_l = b - M w_l, so
//
//     dw_{l+1} = dw_l - alpha_l M dw_l + dalpha_l e_l + alpha_l (B - c D) w_l dbeta
//                + alpha_l (-q + (B' - beta D) w_l) dc
MatrixXd map_derivatives(const MatrixXd& context, const MapPoint& point) {
    const Moments moments(context);
    const MatrixXd M = moments.M(point.beta, point.c);
    const VectorXd b = moments.b(point.c);
    VectorXd w = VectorXd::Zero(b.size());
    MatrixXd J = MatrixXd::Zero(b.size(), point.alphas.size() + 2);
    for (Index l = 0; l < point.alphas.size(); ++l) {
        const double alpha = point.alphas[l];
        const VectorXd e = b - M * w;
        J -= (alpha * (M * J)).eval();
        J.col(0) += alpha * (moments.B * w - point.c * (moments.D * w));
        J.col(1) += alpha * (moments.B.transpose() * w - point.beta * (moments.D * w) - moments.q);
        J.col(2 + l) += e;
        w += alpha * e;
    }
    return J;
}

// With G_0 the context, T_l = I + P_l G_l Q_l and G_{l+1} = T_l G_l T_l', the value of a query (phi, 0, 0) is minus the
// last row of T_{L-1} ... T_0 times it.
VectorXd network_weights(const MatrixXd& context, const std::vector<MatrixXd>& P,
                         const std::vector<MatrixXd>& Q) {
    const Index rows = context.rows();
    MatrixXd G = context, product = MatrixXd::Identity(rows, rows);
    for (size_t l = 0; l < P.size(); ++l) {
        const MatrixXd T = MatrixXd::Identity(rows, rows) + P[l] * G * Q[l];
        product = (T * product).eval();
        G = (T * G * T.transpose()).eval();
    }
    return -product.row(rows - 1).head((rows - 1) / 2).transpose();
}

const char* name_of(Landmark landmark) { return name_of(static_cast<MapVerdict>(landmark)); }

const char* label_of(Landmark landmark) {
    constexpr const char* labels[] = {"one reward step", "TD without bootstrapping", "TD",
                                      "residual gradient"};
    return labels[static_cast<size_t>(landmark)];
}

const char* name_of(MapVerdict verdict) {
    constexpr const char* names[] = {"reward_correlation", "no_bootstrap", "td",
                                     "residual_gradient",  "between",      "none"};
    return names[static_cast<size_t>(verdict)];
}

std::string sentence_of(const MapReading& reading) {
    if (!std::isfinite(reading.unexplained)) return "predicts zero, or values that are not finite";
    const std::string left = fmt::format("{:.3g} % unexplained", 100 * reading.unexplained);
    if (reading.verdict == MapVerdict::none) return "none of these: the nearest point leaves " + left;
    if (!reading.matrices.empty())
        return fmt::format("TD with a matrix for each step; {:.3g} % unexplained",
                           100 * reading.matrices_unexplained);
    if (reading.verdict == MapVerdict::reward_correlation)
        return "one reward step explains it as well as the nearest point; " + left;
    constexpr double kSmall = 0.05, kHardlyAny = 0.15;
    const double beta = reading.beta.value, c = reading.c.value;
    std::string words;
    if (!std::isfinite(reading.beta.high))
        words = "its values do not show how much it bootstraps";
    else if (std::abs(beta) <= kSmall)
        words = "does not bootstrap";
    else if (std::abs(beta - 1) <= kSmall)
        words = "bootstraps fully";
    else if (beta < 0)
        words = fmt::format("bootstraps with the wrong sign ({:.2f})", beta);
    else
        words = fmt::format("bootstraps {:.2f} {}", beta, beta < 1 ? "of the way" : "times");
    if (!std::isfinite(reading.c.high))
        words += ", nor the target's gradient";
    else if (std::abs(c) <= kHardlyAny)
        words += ", takes none of the target's gradient";
    else if (std::abs(c - 1) <= kSmall)
        words += ", takes the target's gradient";
    else if (c < 0)
        words += fmt::format(", takes the target's gradient with the opposite sign ({:.2f})", c);
    else
        words += fmt::format(", takes {:.2f} of the target's gradient", c);
    return words + "; " + left;
}

}  // namespace emergence

#include "core/measures/algorithm_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/measures/map_fit.h"
#include "core/measures/map_sums.h"

namespace emergence {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> map_moments(const MatrixXd& context) {
    const Index d = (context.rows() - 1) / 2;
    std::vector<double> moments;
    for (const auto& [row, column] : {std::pair{Index{0}, Index{0}}, {Index{0}, d}, {d, d}})  // A, B, D
        for (Index i = 0; i < d; ++i)
            for (Index j = 0; j < d; ++j) moments.push_back(context(row + i, column + j));
    for (Index i = 0; i < 2 * d; ++i) moments.push_back(context(i, 2 * d));  // r, q
    return moments;
}

namespace {

template <bool kDerivatives>
MapRun<double> run_at(const MatrixXd& context, const MapPoint& point) {
    const Index d = (context.rows() - 1) / 2;
    const std::vector<double> moments = map_moments(context);
    MapRun<double> run(static_cast<int>(d), static_cast<int>(point.alphas.size()));
    run.run<kDerivatives>(moments.data(), point.beta, point.c, point.alphas.data());
    return run;
}

}  // namespace

VectorXd map_weights(const MatrixXd& context, const MapPoint& point) {
    const MapRun<double> run = run_at<false>(context, point);
    return Eigen::Map<const VectorXd>(run.weights(), (context.rows() - 1) / 2);
}

MatrixXd map_derivatives(const MatrixXd& context, const MapPoint& point) {
    const MapRun<double> run = run_at<true>(context, point);
    return Eigen::Map<const MatrixXd>(run.derivatives(), (context.rows() - 1) / 2, point.alphas.size() + 2);
}

// With G_0 the context, T_l = I + P_l G_l Q_l and G_{l+1} = T_l G_l T_l', the value of a query (phi, 0, 0) is minus the
// last row of T_{L-1} ... T_0 times it.
VectorXd network_weights(const MatrixXd& context, const std::vector<MatrixXd>& P, const std::vector<MatrixXd>& Q) {
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
    constexpr const char* labels[] = {"one reward step", "TD without bootstrapping", "TD", "residual gradient"};
    return labels[static_cast<size_t>(landmark)];
}

const char* name_of(MapVerdict verdict) {
    constexpr const char* names[] = {"reward_correlation", "no_bootstrap", "td",
                                     "residual_gradient",  "between",      "none"};
    return names[static_cast<size_t>(verdict)];
}

MapVerdict region_of(double beta, double c, const MapRegions& regions) {
    const auto within = [&](double beta_0, double c_0, double beta_size, double c_size) {
        return std::abs(beta - beta_0) <= beta_size && std::abs(c - c_0) <= c_size;
    };
    if (within(0, 0, regions.no_bootstrap, regions.no_bootstrap)) return MapVerdict::no_bootstrap;
    if (within(1, 0, regions.beta, regions.td_c)) return MapVerdict::td;
    if (within(1, 1, regions.beta, regions.residual_c)) return MapVerdict::residual_gradient;
    return MapVerdict::between;
}

std::string count_word_of(MapVerdict verdict) {
    if (verdict == MapVerdict::between) return "between them";
    return verdict == MapVerdict::none ? "none of these" : label_of(static_cast<Landmark>(verdict));
}

namespace {

constexpr double kWithoutNumber = 0.05;

enum class Known { no, hardly, well };

Known known(const MapInterval& number) {
    if (!std::isfinite(number.value) || std::isinf(number.low) || std::isinf(number.high)) return Known::no;
    return number.high - number.low > 1 ? Known::hardly : Known::well;  // of a missing interval nothing is doubted
}

}  // namespace

bool is_known(const MapInterval& number) { return known(number) == Known::well; }

namespace {

std::string words_of_beta(const MapInterval& number) {
    const double beta = number.value;
    if (known(number) == Known::no) return "its values do not show how much it bootstraps";
    if (known(number) == Known::hardly)
        return fmt::format("its values hardly show how much it bootstraps ({:.2f} to {:.2f})", number.low, number.high);
    if (std::abs(beta) <= kWithoutNumber) return "does not bootstrap";
    if (std::abs(beta - 1) <= kWithoutNumber) return "bootstraps fully";
    if (beta < 0) return fmt::format("bootstraps with the wrong sign ({:.2f})", beta);
    return fmt::format("bootstraps {:.2f} {}", beta, beta < 1 ? "of the way" : "times");
}

std::string words_of_c(const MapInterval& number, bool beta_is_known) {
    constexpr double kHardlyAny = 0.15;
    const double c = number.value;
    if (known(number) == Known::no)
        return beta_is_known ? "and does not show how much of the target's gradient it takes"
                             : "nor the target's gradient";
    if (known(number) == Known::hardly)
        return fmt::format("takes {:.2f} to {:.2f} of the target's gradient", number.low, number.high);
    if (std::abs(c) <= kHardlyAny) return "takes none of the target's gradient";
    if (std::abs(c - 1) <= kWithoutNumber) return "takes the target's gradient";
    if (c < 0) return fmt::format("takes the target's gradient with the opposite sign ({:.2f})", c);
    return fmt::format("takes {:.2f} of the target's gradient", c);
}

}  // namespace

std::string words_of_place(const MapInterval& beta, const MapInterval& c, double unexplained) {
    if (!std::isfinite(unexplained)) return "predicts zero, or values that are not finite";
    const std::string left = percent_of(unexplained) + " unexplained";
    constexpr double kHalf = 0.5;
    if (!(unexplained <= kHalf)) return "none of these: the nearest point leaves " + left;
    return fmt::format("{}{}, {}; {}",
                       unexplained <= kMapExplained ? "" : "none of these; nearest: ", words_of_beta(beta),
                       words_of_c(c, known(beta) != Known::no), left);
}

bool holds_place_of(const MapInterval& beta, const MapInterval& c, Landmark landmark) {
    if (landmark == Landmark::reward_correlation) return false;  // it has no place
    const auto [x, y] = kMapPlaces[static_cast<size_t>(landmark) - 1];
    return beta.low <= x && x <= beta.high && c.low - 0.2 <= y && y <= c.high + 0.2;
}

std::string open_between(const MapInterval& beta, const MapInterval& c) {
    std::vector<std::string> open;
    for (int k = 0; k < kLandmarks; ++k)
        if (const auto landmark = static_cast<Landmark>(k); holds_place_of(beta, c, landmark))
            open.push_back(label_of(landmark));
    return open.size() < 2 ? "" : fmt::format("cannot be told apart: {}", fmt::join(open, ", "));
}

std::string sentence_of(const MapReading& reading) {
    if (!reading.matrices.empty())
        return fmt::format("TD with a matrix for each step; {} unexplained", percent_of(reading.matrices_unexplained));
    if (reading.verdict == MapVerdict::reward_correlation)
        return fmt::format("one reward step explains it as well as the nearest point; {} unexplained",
                           percent_of(reading.unexplained));
    return words_of_place(reading.beta, reading.c, reading.unexplained);
}

}  // namespace emergence

// The iterates' paths on the contours of one prompt's loss.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/algorithms/regression_descent.h"
#include "core/experiments/regression/regression_study.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kContourPoints = 96;

void add_contours(const RegressionTask& task, PlotSpec& plot) {
    // The loss and its contours, with H = L L' (Cholesky):
    //     R(w) = (w - w*)' H (w - w*) / 2
    //     w = w* + sqrt(2 R) L'^-1 (cos, sin)
    const double n = static_cast<double>(task.X.cols());
    const double scale = std::sqrt(std::max(task.X.row(0).squaredNorm() / n, 1e-12));
    const double along = task.X.row(0).dot(task.X.row(1)) / n / scale;
    const double across = std::sqrt(std::max(task.X.row(1).squaredNorm() / n - along * along, 1e-12));
    const double start = task.loss(Eigen::Vector2d::Zero());
    for (int k = 0; k < 6; ++k) {
        const double level = start * std::pow(4.0, -k);
        Series ring{k == 0 ? "contours: R(0), R(0)/4, .." : "", {}, {{}}, kLimitColor};
        for (int i = 0; i <= kContourPoints; ++i) {
            const double angle = 2 * std::numbers::pi * i / kContourPoints;
            const double second = std::sqrt(2 * level) * std::sin(angle) / across;
            const double first = (std::sqrt(2 * level) * std::cos(angle) - along * second) / scale;
            ring.x.push_back(task.w_star(0) + first);
            ring.rows[0].push_back(task.w_star(1) + second);
        }
        plot.series.push_back(std::move(ring));
    }
}

void add_path(const std::string& name, const std::vector<Eigen::VectorXd>& path, int color, bool dashed,
              PlotSpec& plot) {
    Series line{name, {}, {{}}, color, dashed}, dots{"", {}, {{}}, color};
    for (const Eigen::VectorXd& w : path) {
        line.x.push_back(w(0));
        line.rows[0].push_back(w(1));
    }
    dots.x = line.x;
    dots.rows = line.rows;
    dots.points = true;
    plot.series.push_back(std::move(line));
    plot.series.push_back(std::move(dots));
}

}  // namespace

PlotSpec paths_plot(const RegressionConfig& config, const RegressionWorld& world,
                    const std::vector<RegressionWeights>& seeds) {
    const RegressionTask& task = world.task(config.shown_prompt);
    Plot plot("paths", fmt::format("Iterates on fresh prompt {}", config.shown_prompt));
    plot.x("w along \u03a3's larger axis");
    plot.y("w along its smaller axis");
    plot.no_markers();
    add_contours(task, plot.spec());
    const auto algorithms = world.race_iterates(config.shown_prompt);
    const int colors[] = {1, 2, 4};
    for (size_t a = 0; a < algorithms.size(); ++a)
        add_path(world.race()[a].name, algorithms[a], colors[a], true, plot.spec());
    bool first = true;
    for (const RegressionWeights& seed : seeds) {
        if (seed.failed) continue;
        add_path(first ? "transformer, every seed" : "",
                 world.iterates(seed.weights.in_coordinates(seed.covariance.U), config.shown_prompt), kTrainedColor,
                 false, plot.spec());
        first = false;
    }
    const auto mark = [&plot](const char* name, const Eigen::VectorXd& w, int color) {
        plot.points(name, {w(0)}, {w(1)}).color(color);
    };
    mark("ridge", ridge(task, config.ridge_lambda), 6);
    mark("w*", task.w_star, 3);
    plot.note(
        "The weights w of which each layer's prediction is <w, query>, from w = 0, on the contours of this prompt's "
        "least-squares loss, Eq. (10), in the coordinates of \u03a3's eigenvectors. Algorithms have the constants of "
        "the race. Drag 'prompt shown' for another prompt.");
    return plot;
}

}  // namespace emergence

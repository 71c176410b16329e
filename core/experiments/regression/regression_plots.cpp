// Pictures of experiment "regression" beside its matrices: the race of algorithms, the layers' steps,
// preconditioners by eigenvalue.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algorithms/regression_descent.h"
#include "core/experiments/regression/regression_study.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"
#include "core/pictures/plot.h"

namespace emergence {

namespace {

std::vector<double> counting(int last) {
    std::vector<double> x;
    for (int l = 0; l <= last; ++l) x.push_back(l);
    return x;
}

// ---- errors after each layer

PlotSpec race_plot(const RegressionConfig& config, const RegressionWorld& world,
                   const std::vector<RegressionWeights>& seeds) {
    Plot plot("race", "Error after each layer, fresh prompts");
    plot.x("layers, or steps").from(0.0).to(static_cast<double>(config.layers)).whole();
    plot.y("mean squared error").logarithmic();
    const std::vector<double> x = counting(config.layers);
    Series transformer{"transformer", x, {}, kTrainedColor};
    double median = 0;
    int live = 0;
    for (const RegressionWeights& seed : seeds) {
        std::vector<double> row(x.size(), std::numeric_limits<double>::quiet_NaN());
        if (!seed.failed) {
            const auto squares = world.errors_by_layer(seed.weights.in_coordinates(seed.covariance.U));
            for (size_t l = 0; l < squares.size(); ++l) {
                double sum = 0;
                for (const double e : squares[l]) sum += e;
                row[l] = sum / static_cast<double>(squares[l].size());
            }
            std::vector<double> last = squares.back();
            const auto middle = last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2);
            std::nth_element(last.begin(), middle, last.end());
            median += *middle;
            ++live;
        }
        transformer.rows.push_back(std::move(row));
    }
    plot.add(std::move(transformer));
    std::vector<RaceLine> lines = world.race();
    lines.push_back(world.ridge_line(config.ridge_lambda));
    const int colors[] = {1, 2, 4, 7};
    plot.readout(live == 0 ? "no seed is left" : fmt::format("medians: transformer {}", readout(median / live)));
    std::string constants;
    for (size_t a = 0; a < lines.size(); ++a) {
        const bool is_ridge = a + 1 == lines.size();
        plot.add({is_ridge ? lines[a].name + ", " + lines[a].constants : lines[a].name,
                  x,
                  {lines[a].errors},
                  colors[a],
                  true});
        plot.spec().readout += fmt::format(", {} {}", lines[a].name, readout(lines[a].medians.back()));
        constants += fmt::format("{}{} {}", a == 0 ? "" : "; ", lines[a].name, lines[a].constants);
    }
    plot.note(
        "Mean squared error of the prediction after each layer on the same fresh prompts as the algorithms after as "
        "many steps. Gradient descent, preconditioned gradient descent (A = -step \u03a3\u207b\u00b9) and GD++ have "
        "the constants, the same in every step, that are best after the last one, fitted on prompts of their own: " +
        constants +
        ". A transformer is trained for its last layer alone. Errors are heavy-tailed over prompts: medians "
        "stand above.");
    return plot;
}

// ---- steps of the layers

PlotSpec steps_plot(const RegressionConfig& config, const RegressionWorld& world,
                    const std::vector<RegressionWeights>& seeds) {
    Plot plot("layer_steps", "Step sizes of the layers");
    plot.x(moves_points(config) ? "layer" : "layers, smallest step first")
        .from(1.0)
        .to(static_cast<double>(config.layers))
        .whole();
    plot.y("step a, move b");
    const bool moved = moves_points(config);
    const auto layers = static_cast<size_t>(config.layers);
    std::vector<double> x = counting(config.layers);
    x.erase(x.begin());
    const double missing = std::numeric_limits<double>::quiet_NaN();
    // Without moves the order of the layers is not identifiable (Lemma 8): sort the steps, so that seeds compare.
    const auto ordered = [moved](std::vector<double> values) {
        if (!moved) std::sort(values.begin(), values.end());
        return values;
    };
    Series step{"step a of A = -a \u03a3\u207b\u00b9", x, {}, kTrainedColor}, move{"move b of B = b I", x, {}, 1};
    for (const RegressionWeights& seed : seeds) {
        const Eigen::MatrixXd root = seed.covariance.power(0.5);
        std::vector<double> a(layers, missing), b(layers, missing);
        for (int l = 0; l < config.layers && !seed.failed; ++l) {
            a[l] = -(root * seed.weights.A(l) * root).trace() / config.d;
            if (l + 1 < config.layers) b[l] = seed.weights.B(l).trace() / config.d;
        }
        step.rows.push_back(seed.failed ? a : ordered(a));
        move.rows.push_back(std::move(b));
    }
    plot.add(std::move(step));
    if (moved) plot.add(std::move(move));
    const Eigen::VectorXd& best = world.floor_numbers();
    if (best.size() > 0) {
        std::vector<double> a(best.data(), best.data() + layers), b(layers, missing);
        plot.add({"best scalars, a", x, {ordered(a)}, kTrainedColor, true});
        for (size_t l = 0; moved && l + 1 < layers; ++l) b[l] = best(static_cast<Eigen::Index>(layers + l));
        if (moved) plot.add({"best scalars, b", x, {b}, 1, true});
    }
    plot.note(moved ? "a = -tr(\u03a3^\u00bd A \u03a3^\u00bd)/d and b = tr(B)/d of each layer. Theorem 5 of Ahn et "
                      "al. 2023 and Figure 4: later layers, whose x are better conditioned, take larger steps."
                    : "a = -tr(\u03a3^\u00bd A \u03a3^\u00bd)/d, sorted within each seed: under Eq. (9) the order of "
                      "the layers does not change the network (Lemma 8).");
    return plot;
}

// ---- preconditioners by eigenvalue

// Groups of equal eigenvalues, ascending, with means over each group.
struct ByEigenvalue {
    std::vector<double> eigenvalues;
    std::vector<std::vector<Eigen::Index>> places;
    explicit ByEigenvalue(const Eigen::VectorXd& all) {
        std::vector<double> sorted(all.data(), all.data() + all.size());
        std::sort(sorted.begin(), sorted.end());
        for (const double value : sorted)
            if (eigenvalues.empty() || value > eigenvalues.back() * (1 + 1e-9)) eigenvalues.push_back(value);
        for (const double value : eigenvalues) {
            places.emplace_back();
            for (Eigen::Index i = 0; i < all.size(); ++i)
                if (std::abs(all(i) - value) <= 1e-9 * value) places.back().push_back(i);
        }
    }
    std::vector<double> means(const Eigen::VectorXd& values) const {
        std::vector<double> result;
        for (const auto& group : places) {
            double sum = 0;
            for (const Eigen::Index i : group) sum += values(i);
            result.push_back(sum / static_cast<double>(group.size()));
        }
        return result;
    }
};

PlotSpec preconditioner_plot(const RegressionConfig& config, const RegressionWorld& world,
                             const std::vector<RegressionWeights>& seeds) {
    Plot plot("preconditioner", "Preconditioner against \u03a3's eigenvalues");
    plot.x("eigenvalue \u03bb of \u03a3").logarithmic();
    plot.y("-u'Au").logarithmic();
    const Eigen::VectorXd& eigenvalues = world.covariance().eigenvalues;
    const ByEigenvalue groups(eigenvalues);
    const auto& x = groups.eigenvalues;
    for (int l = 0; l < config.layers; ++l) {
        const int color = ordinal_color(Course::blues, l, config.layers);
        Series trained{config.layers == 1 ? "transformer" : fmt::format("A{}", l), x, {}, color};
        for (const RegressionWeights& seed : seeds)
            trained.rows.push_back(seed.failed
                                       ? std::vector<double>(x.size(), std::numeric_limits<double>::quiet_NaN())
                                       : groups.means(-seed.weights.in_coordinates(seed.covariance.U).A(l).diagonal()));
        plot.add(std::move(trained));
    }
    if (config.layers == 1) {
        const bool theorem_1 = config.prior == WeightPrior::identity;
        plot.add({theorem_1 ? "Theorem 1" : "closed form",
                  x,
                  {groups.means(one_layer_preconditioner(eigenvalues, config.prior, config.n))},
                  kTheoryColor,
                  true});
        plot.add(
            {"n \u2192 \u221e: \u03a3\u207b\u00b9", x, {groups.means(eigenvalues.cwiseInverse())}, kLimitColor, true});
        if (theorem_1)
            plot.add(
                {"small n: n/tr \u03a3", x, {std::vector<double>(x.size(), config.n / eigenvalues.sum())}, 1, true});
        plot.note(
            "What the one layer multiplies the gradient by in the direction of each eigenvector u of \u03a3, mean "
            "over equal eigenvalues, beside Theorem 1 of Ahn et al. 2023, 1/((n+1)/n \u03bb + tr \u03a3/n). With "
            "many pairs this is \u03a3\u207b\u00b9; with few the regulariser tr \u03a3/n rules and leaves a plain "
            "gradient step, n/tr \u03a3.");
    } else {
        for (int l = 0; l < config.layers; ++l) {
            const double a = world.floor_numbers()(l);
            plot.add({l == 0 ? "best a \u03a3\u207b\u00b9" : "",
                      x,
                      {groups.means(a * eigenvalues.cwiseInverse())},
                      kLimitColor,
                      true});
        }
        plot.note(
            "What each layer multiplies the gradient by in the direction of each eigenvector u of \u03a3, mean over "
            "equal eigenvalues. Parallel to the dashed lines, a multiple of \u03a3\u207b\u00b9: Theorems 4 and 5 of "
            "Ahn et al. 2023. A level line would be plain gradient descent.");
    }
    return plot;
}

}  // namespace

void evaluate_regression(Snapshot& snapshot, const RegressionConfig& config, const RegressionWorld& world) {
    const std::vector<RegressionWeights> seeds = regression_weights(config, snapshot);
    snapshot.evaluated = true;
    snapshot.plots = {race_plot(config, world, seeds), preconditioner_plot(config, world, seeds)};
    if (config.layers > 1) snapshot.plots.push_back(steps_plot(config, world, seeds));
    snapshot.scalars = {
        {"floor", world.floor_name(), world.floor(), "", "The held-out loss of theory's form with its best numbers."}};
    if (moves_points(config))
        snapshot.scalars.push_back({"floor_trimmed", world.floor_name() + ", without the largest",
                                    world.floor_trimmed(), "",
                                    "The same without the largest 0.1 % of the errors, which rule the mean."});
}

}  // namespace emergence

// The pictures of experiment "regression" beside its matrices: training curves, the race of algorithms, the
// layers' steps, preconditioners by eigenvalue, the iterates' paths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/algorithms/regression_descent.h"
#include "core/experiments/regression/regression_study.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

// Blues for what theory says falls to 0, reds for what stays.
constexpr int kWhitenedColors[] = {0, 5, 6}, kPlainColors[] = {3, 1, 4};
constexpr int kColors = 3;
constexpr int kTransformer = 0, kTheory = 2, kLimit = 7;

std::vector<double> counting(int last) {
    std::vector<double> x;
    for (int l = 0; l <= last; ++l) x.push_back(l);
    return x;
}

// ---- errors after each layer

PlotSpec race_plot(const RegressionConfig& config, const RegressionWorld& world,
                   const std::vector<RegressionWeights>& seeds) {
    PlotSpec plot;
    plot.id = "race";
    plot.title = "Error after each layer, fresh prompts";
    plot.x = {"layers, or steps", "", Scale::linear, 0.0, static_cast<double>(config.num_layers)};
    plot.y = {"mean squared error", "", Scale::logarithmic};
    const std::vector<double> x = counting(config.num_layers);
    Series transformer{"transformer", x, {}, kTransformer};
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
    plot.series.push_back(std::move(transformer));
    std::vector<RaceLine> lines = world.race();
    lines.push_back(world.ridge_line(config.ridge_lambda));
    const int colors[] = {1, 2, 4, 7};
    plot.readout =
        live == 0 ? "no seed is left" : fmt::format("medians: transformer {}", readout(median / live));
    std::string constants;
    for (size_t a = 0; a < lines.size(); ++a) {
        plot.series.push_back({lines[a].name, x, {lines[a].errors}, colors[a], true});
        plot.readout += fmt::format(", {} {}", lines[a].name, readout(lines[a].medians.back()));
        constants += fmt::format("{}{} {}", a == 0 ? "" : "; ", lines[a].name, lines[a].constants);
    }
    plot.note =
        "Mean squared error of the prediction after each layer on the same fresh prompts as the algorithms "
        "after "
        "as many steps. Gradient descent, preconditioned gradient descent (A = -step \u03a3\u207b\u00b9) and "
        "GD++ have "
        "the constants, the same in every step, that are best after the last one, fitted on prompts of their "
        "own: " +
        constants +
        ". A transformer is trained for its last layer alone. Errors are heavy-tailed over prompts: medians "
        "stand above.";
    return plot;
}

// ---- steps of the layers

PlotSpec steps_plot(const RegressionConfig& config, const RegressionWorld& world,
                    const std::vector<RegressionWeights>& seeds) {
    PlotSpec plot;
    plot.id = "layer_steps";
    plot.title = "Step sizes of the layers";
    plot.x = {"layer", "", Scale::linear, 1.0, static_cast<double>(config.num_layers)};
    plot.y.label = "step a, move b";
    const bool moved = moves_points(config);
    const auto layers = static_cast<size_t>(config.num_layers);
    std::vector<double> x = counting(config.num_layers);
    x.erase(x.begin());
    const double missing = std::numeric_limits<double>::quiet_NaN();
    // Without moves the layers' order is not identifiable (Lemma 8): sorted, so that seeds compare.
    const auto ordered = [moved](std::vector<double> values) {
        if (!moved) std::sort(values.begin(), values.end());
        return values;
    };
    Series step{"step a of A = -a \u03a3\u207b\u00b9", x, {}, kTransformer},
        move{"move b of B = b I", x, {}, 1};
    for (const RegressionWeights& seed : seeds) {
        const Eigen::MatrixXd root = seed.covariance.power(0.5);
        std::vector<double> a(layers, missing), b(layers, missing);
        for (int l = 0; l < config.num_layers && !seed.failed; ++l) {
            a[static_cast<size_t>(l)] = -(root * seed.weights.A(l) * root).trace() / config.d;
            if (l + 1 < config.num_layers) b[static_cast<size_t>(l)] = seed.weights.B(l).trace() / config.d;
        }
        step.rows.push_back(seed.failed ? a : ordered(a));
        move.rows.push_back(std::move(b));
    }
    plot.series.push_back(std::move(step));
    if (moved) plot.series.push_back(std::move(move));
    const Eigen::VectorXd& best = world.floor_numbers();
    if (best.size() > 0) {
        std::vector<double> a(best.data(), best.data() + layers), b(layers, missing);
        plot.series.push_back({"best scalars, a", x, {ordered(a)}, kTransformer, true});
        for (size_t l = 0; moved && l + 1 < layers; ++l) b[l] = best(static_cast<Eigen::Index>(layers + l));
        if (moved) plot.series.push_back({"best scalars, b", x, {b}, 1, true});
    }
    plot.note = moved ? "a = -tr(\u03a3^\u00bd A \u03a3^\u00bd)/d and b = tr(B)/d of each layer. Theorem 5 "
                        "of Ahn et al. "
                        "2023 and Figure 4: later layers, whose x are better conditioned, take larger steps."
                      : "a = -tr(\u03a3^\u00bd A \u03a3^\u00bd)/d, sorted within each seed: under Eq. (9) "
                        "the order of the "
                        "layers does not change the network (Lemma 8).";
    return plot;
}

// ---- preconditioners by eigenvalue

// The mean over equal eigenvalues, ascending.
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
    PlotSpec plot;
    plot.id = "preconditioner";
    plot.title = "Preconditioner against \u03a3's eigenvalues";
    plot.x = {"eigenvalue \u03bb of \u03a3", "", Scale::logarithmic};
    plot.y = {"-u'Au", "", Scale::logarithmic};
    const Eigen::VectorXd& eigenvalues = world.covariance().eigenvalues;
    const ByEigenvalue groups(eigenvalues);
    const auto& x = groups.eigenvalues;
    for (int l = 0; l < config.num_layers; ++l) {
        const int color = kWhitenedColors[l % kColors];
        Series trained{config.num_layers == 1 ? "transformer" : fmt::format("A{}", l), x, {}, color};
        for (const RegressionWeights& seed : seeds)
            trained.rows.push_back(
                seed.failed ? std::vector<double>(x.size(), std::numeric_limits<double>::quiet_NaN())
                            : groups.means(-seed.weights.in_coordinates(seed.covariance.U).A(l).diagonal()));
        plot.series.push_back(std::move(trained));
    }
    if (config.num_layers == 1) {
        const bool theorem_1 = prior_of(config) == WeightPrior::identity;
        plot.series.push_back(
            {theorem_1 ? "Theorem 1" : "closed form",
             x,
             {groups.means(one_layer_preconditioner(eigenvalues, prior_of(config), config.n))},
             kTheory,
             true});
        plot.series.push_back({"n \u2192 \u221e: \u03a3\u207b\u00b9",
                               x,
                               {groups.means(eigenvalues.cwiseInverse())},
                               kLimit,
                               true});
        if (theorem_1)
            plot.series.push_back({"small n: n/tr \u03a3",
                                   x,
                                   {std::vector<double>(x.size(), config.n / eigenvalues.sum())},
                                   1,
                                   true});
        plot.note =
            "What the one layer multiplies the gradient by in the direction of each eigenvector u of \u03a3, "
            "mean "
            "over equal eigenvalues, beside Theorem 1 of Ahn et al. 2023, 1/((n+1)/n \u03bb + tr \u03a3/n). "
            "With many "
            "pairs this is \u03a3\u207b\u00b9; with few the regulariser tr \u03a3/n rules and leaves a plain "
            "gradient step, "
            "n/tr \u03a3.";
    } else {
        for (int l = 0; l < config.num_layers; ++l) {
            const double a = world.floor_numbers()(l);
            plot.series.push_back({l == 0 ? "best a \u03a3\u207b\u00b9" : "",
                                   x,
                                   {groups.means(a * eigenvalues.cwiseInverse())},
                                   kLimit,
                                   true});
        }
        plot.note =
            "What each layer multiplies the gradient by in the direction of each eigenvector u of \u03a3, "
            "mean over "
            "equal eigenvalues. Parallel to the dashed lines, a multiple of \u03a3\u207b\u00b9: Theorems 4 "
            "and 5 of Ahn "
            "et al. 2023. A level line would be plain gradient descent.";
    }
    return plot;
}

// ---- paths on the contours

constexpr int kContourPoints = 96;

void add_contours(const RegressionTask& task, PlotSpec& plot) {
    // R(w) = (w - w*)' H (w - w*) / 2 is level on w* + sqrt(2 R) H^-1/2 (cos, sin).
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> H(task.X * task.X.transpose() /
                                                           static_cast<double>(task.X.cols()));
    const Eigen::Matrix2d inverse_root =
        H.eigenvectors() * H.eigenvalues().cwiseMax(1e-12).cwiseSqrt().cwiseInverse().asDiagonal() *
        H.eigenvectors().transpose();
    const double start = task.loss(Eigen::Vector2d::Zero());
    for (int k = 0; k < 6; ++k) {
        const double level = start * std::pow(4.0, -k);
        Series ring{k == 0 ? "contours: R(0), R(0)/4, .." : "", {}, {{}}, kLimit};
        for (int i = 0; i <= kContourPoints; ++i) {
            const double angle = 2 * std::numbers::pi * i / kContourPoints;
            const Eigen::Vector2d w = task.w_star + std::sqrt(2 * level) * inverse_root *
                                                        Eigen::Vector2d(std::cos(angle), std::sin(angle));
            ring.x.push_back(w(0));
            ring.rows[0].push_back(w(1));
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

PlotSpec paths_plot(const RegressionConfig& config, const RegressionWorld& world,
                    const std::vector<RegressionWeights>& seeds) {
    const RegressionTask& task = world.task(config.prompt);
    PlotSpec plot;
    plot.id = "paths";
    plot.title = fmt::format("Iterates on fresh prompt {}", config.prompt);
    plot.x.label = "w along \u03a3's larger axis";
    plot.y.label = "w along its smaller axis";
    plot.markers = false;
    add_contours(task, plot);
    const auto algorithms = world.race_iterates(config.prompt);
    const int colors[] = {1, 2, 4};
    for (size_t a = 0; a < algorithms.size(); ++a)
        add_path(world.race()[a].name, algorithms[a], colors[a], true, plot);
    bool first = true;
    for (const RegressionWeights& seed : seeds) {
        if (seed.failed) continue;
        add_path(first ? "transformer, every seed" : "",
                 world.iterates(seed.weights.in_coordinates(seed.covariance.U), config.prompt), kTransformer,
                 false, plot);
        first = false;
    }
    const auto mark = [&plot](const char* name, const Eigen::VectorXd& w, int color) {
        Series series{name, {w(0)}, {{w(1)}}, color};
        series.points = true;
        plot.series.push_back(std::move(series));
    };
    mark("ridge", ridge(task, config.ridge_lambda), 6);
    mark("w*", task.w_star, 3);
    plot.note =
        "The weights w of which each layer's prediction is <w, query>, from w = 0, on the contours of this "
        "prompt's least-squares loss, Eq. (10), in the coordinates of \u03a3's eigenvectors. Algorithms have "
        "the "
        "constants of the race. Drag 'prompt shown' for another prompt.";
    return plot;
}

}  // namespace

void evaluate_regression(Snapshot& snapshot, const RegressionConfig& config, const RegressionWorld& world) {
    const std::vector<RegressionWeights> seeds = regression_weights(config, snapshot);
    snapshot.evaluated = true;
    snapshot.plots = {race_plot(config, world, seeds), preconditioner_plot(config, world, seeds)};
    if (config.num_layers > 1) snapshot.plots.push_back(steps_plot(config, world, seeds));
    if (config.d == 2) snapshot.plots.insert(snapshot.plots.begin(), paths_plot(config, world, seeds));
    snapshot.scalars = {{"floor", world.floor_name(), world.floor(), "",
                         "The held-out loss of theory's form with its best numbers."}};
}

MetricTable regression_metrics(const RegressionConfig& config) {
    MetricTable table = {
        {"loss", "training", "The in-context loss, Eq. (5), on the sample that is trained on."},
        {"gradient_norm", "|gradient|", "Norm of its gradient by what is trained."},
        {"held_out_loss", "held out", "The in-context loss on prompts that are never trained on."}};
    const auto each = [&](const char* name, const char* label, int count, const char* help) {
        for (int l = 0; l < count; ++l)
            table.push_back({fmt::format("{}_{}", name, l), fmt::format("{}{}", label, l), help});
    };
    const int layers = config.num_layers, moves = moves_points(config) ? layers - 1 : 0;
    each("dist_whitened", "whitened A", layers,
         "Dist(\u03a3^\u00bd A \u03a3^\u00bd, I), Section 5.3 of Ahn et al. 2023: 0 where A is a multiple of "
         "\u03a3\u207b\u00b9.");
    each("dist_plain", "plain A", layers,
         "Dist(A, I): 0 where A is a multiple of I, plain gradient descent.");
    each("step", "a", layers, "-tr(\u03a3^\u00bd A \u03a3^\u00bd)/d: the layer's step.");
    each("dist_move", "B", moves, "Dist(B, I): 0 where B is a multiple of I.");
    each("move", "b", moves, "tr(B)/d: how far the layer moves the x.");
    if (layers == 1)
        table.push_back({"closed_form_error", "from closed form",
                         "Relative Frobenius distance of A from the closed form after the best scale."});
    else
        table.push_back(
            {"off_diagonal_mass", "off-diagonal mass",
             "Share of the whitened A's squares off the diagonals, in the basis that diagonalises "
             "them jointly best."});
    return table;
}

std::vector<MetricPlot> regression_metric_plots(const RegressionConfig& config,
                                                const RegressionWorld* world) {
    MetricPlot distance;
    distance.id = "distance";
    distance.title = "Distance from a multiple of I";
    distance.y = {"Dist(., I)", "", Scale::linear, 0.0, 1.0};
    const int layers = config.num_layers;
    for (int l = 0; l < layers; ++l)
        distance.lines.push_back({fmt::format("dist_whitened_{}", l), "", kWhitenedColors[l % kColors]});
    for (int l = 0; l < layers; ++l)
        distance.lines.push_back({fmt::format("dist_plain_{}", l), "", kPlainColors[l % kColors], true});
    distance.note =
        "Figures 1 and 3 of Ahn et al. 2023. Whitened, \u03a3^\u00bd A \u03a3^\u00bd: falls to 0 where the "
        "layer is a "
        "gradient step preconditioned with \u03a3\u207b\u00b9. Plain, A: stays away from 0, it is no plain "
        "gradient step.";
    MetricPlot moves;
    moves.id = "move_distance";
    moves.title = "Moves: distance from a multiple of I";
    moves.y = distance.y;
    for (int l = 0; l + 1 < layers; ++l)
        moves.lines.push_back({fmt::format("dist_move_{}", l), "", kWhitenedColors[l % kColors]});
    moves.note = "Figure 3 of Ahn et al. 2023: Dist(B_i, I). The last layer's B is never read.";
    MetricPlot loss;
    loss.id = "loss";
    loss.title = "In-context loss";
    loss.lines = {{"loss", "", 0}, {"held_out_loss", "", 1}};
    loss.y = {"mean squared error", "", Scale::logarithmic};
    if (world) loss.references = {{world->floor_name(), world->floor(), false}};
    loss.note =
        "Mean squared error of the prediction, Eq. (5), on the sample trained on and on held-out prompts. "
        "Floor: "
        "the held-out loss of theory's form, every A a multiple of \u03a3\u207b\u00b9 (and B of I), with the "
        "best "
        "numbers found.";
    std::vector<MetricPlot> plots = {distance, loss};
    if (moves_points(config)) plots.insert(plots.begin() + 1, moves);
    // Theorem 3 is about isotropic data; elsewhere the distances say more.
    if (layers > 1 && config.spectrum != "identity") return plots;
    MetricPlot extra;
    extra.id = layers == 1 ? "closed_form" : "joint_diagonal";
    extra.title = layers == 1 ? "Error against the closed form" : "Mass off the diagonal";
    extra.lines = {{layers == 1 ? "closed_form_error" : "off_diagonal_mass", "", 2}};
    extra.y = {layers == 1 ? "relative error" : "share", "", Scale::logarithmic};
    extra.note =
        layers == 1
            ? "Relative Frobenius distance of the trained A from the closed form, after the best scale "
              "(a transformer's P and Q share one)."
            : "Theorem 3 of Ahn et al. 2023: some minimisers are diagonal, and a rotation of all layers "
              "together is as good. Share of the squares of the whitened A off the diagonal, in the basis "
              "in which all are as diagonal as can be.";
    plots.push_back(extra);
    return plots;
}

}  // namespace emergence

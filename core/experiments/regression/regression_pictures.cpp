#include "core/experiments/regression/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/algorithms/context_algorithms.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/measures/emergence.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kTrainedColor = 0, kConstructedColor = 2, kLimitColor = 7;

// Sigma^1/2 A Sigma^1/2 of one layer.
Mat whitened(const RegressionWeights& seed, const InContextWeights& weights, int layer) {
    const Mat root = seed.covariance.power(0.5);
    return root * weights.A(layer) * root;
}

// `scale` times the identity.
Table diagonal(int d, double scale) {
    Table table(d, d);
    for (int i = 0; i < d; ++i) table(i, i) = scale;
    return table;
}

// Layer `layer` in the basis that makes all layers as diagonal as possible.
Mat in_joint_basis(const InContextWeights& weights, int layer) {
    std::vector<Mat> all;
    for (int l = 0; l < weights.layers; ++l) all.push_back((weights.A(l) + weights.A(l).transpose()) / 2);
    return diagonalise_jointly(std::move(all)).matrices[layer];
}

std::vector<NamedMatrix> regression_matrices(const RegressionConfig& config,
                                             const std::vector<RegressionWeights>& seeds) {
    std::vector<NamedMatrix> matrices;
    const bool moved = moves_points(config), free = config.restriction == Restriction::none;
    // Adds a matrix for each layer, with one table per seed of its weights and of its initial weights.
    const auto add = [&](const char* form, int layers, const char* help, const auto& part, const auto& describe) {
        for (int l = 0; l < layers; ++l) {
            ShownMatrix matrix(fmt::format(fmt::runtime(form), l), "", help);
            matrix.square({{"x", config.d}});
            for (const RegressionWeights& seed : seeds)
                matrix.seed(table_of(part(seed, seed.weights, l)), table_of(part(seed, seed.initial, l)));
            describe(matrix);
            matrices.push_back(matrix);
        }
    };
    add("A{} whitened", config.layers,
        "\u03a3^\u00bd A \u03a3^\u00bd: the preconditioner on whitened x. A negative multiple of I: a gradient step "
        "preconditioned with \u03a3\u207b\u00b9.",
        whitened, [&](ShownMatrix& matrix) {
            // With one layer and w* ~ N(0, I) theory's matrix has other eigenvectors in every seed.
            if (config.layers > 1 || config.prior != WeightPrior::identity)
                matrix.target(diagonal(config.d, -1.0),
                              moved ? "Theorem 5, Ahn et al. 2023" : "Theorem 4, Ahn et al. 2023");
            matrix.meanings({{0, 0,
                              "A step downhill on the least-squares loss, Eq. (11). With whitened x nothing remains "
                              "off the diagonal.",
                              false, "the gradient step"}});
            matrix.note_alignment(free ? "times P's bottom-right entry, which sets its scale" : "as trained");
        });
    add(
        "B{}", moved ? config.layers - 1 : 0,
        "Moves the x before the next gradient step; a multiple of I evens out their curvature (GD++).",
        [](const RegressionWeights&, const InContextWeights& w, int l) { return w.B(l); },
        [&](ShownMatrix& matrix) {
            matrix.target(diagonal(config.d, 1.0), "Theorem 5, Ahn et al. 2023");
            matrix.meanings({{0, 0, "Moves each x by a multiple of X X' A x.", false, "the move of x"}});
            matrix.note_alignment(free ? "over P's bottom-right entry, which sets its scale" : "as trained");
        });
    add(
        "A{}", config.layers,
        "The preconditioner in the coordinates of the prompt. Each network has its own \u03a3: look at one.",
        [](const RegressionWeights&, const InContextWeights& w, int l) { return w.A(l); },
        [](ShownMatrix& matrix) { matrix.note_alignment("as trained; each network has its own \u03a3"); });
    add(
        "A{} joint basis", config.spectrum == Spectrum::identity && config.layers > 1 ? config.layers : 0,
        "In the basis that makes all layers as diagonal as possible. Theorem 3: some minimisers are diagonal, and on "
        "isotropic data rotating all layers is as good.",
        [](const RegressionWeights&, const InContextWeights& w, int l) { return in_joint_basis(w, l); },
        [](ShownMatrix& matrix) {
            matrix.note_alignment("each network in its own basis, found by joint diagonalisation");
        });
    return matrices;
}

std::vector<Formula> regression_formulas(const RegressionConfig& config) {
    std::vector<BlockReference> preconditioners, moves;
    for (int l = 0; l < config.layers; ++l)
        for (const char* form : {" whitened", ""}) preconditioners.push_back({fmt::format("A{}{}", l, form), 0, 0});
    for (int l = 0; l + 1 < config.layers; ++l) moves.push_back({fmt::format("B{}", l), 0, 0});
    std::vector<Formula> formulas = {
        {"preconditioned gradient descent",
         written("w_{l+1} = w_l + A_l (1/n) sum_j ( w_l^T x_j - y_j ) x_j",
                 {{"w_{l+1}", "The weights after layer l + 1: the prediction is their product with the query.", {}},
                  {"w_l", "What the earlier layers have found, starting from w_0 = 0.", {}},
                  {"A_l", "The preconditioner of the layer, negative definite.", preconditioners},
                  {"(1/n) sum_j", "The gradient of the least-squares loss over the prompt's pairs.", {}},
                  {"w_l^T x_j", "What is predicted for x_j so far.", {}},
                  {"y_j", "Its y.", {}},
                  {"x_j", "The direction of the gradient.", preconditioners}}),
         "Lemma 2 of Ahn et al. 2023: under Eq. (9) a layer is exactly this."}};
    if (moves_points(config))
        formulas.push_back({"moved x",
                            written("x <- x + B_l (1/n) X X^T A_l x",
                                    {{"x", "Each x, the query included.", {}},
                                     {"B_l", "Direction and length of the move.", moves},
                                     {"(1/n) X X^T", "The prompt's second moments.", {}},
                                     {"A_l x", "The same product as in the gradient step.", preconditioners}}),
                            "Eq. (13) of Ahn et al. 2023: with multiples of I (whitened) this is GD++."});
    return formulas;
}

ArrayMap regression_arrays(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds) {
    const auto rows = static_cast<size_t>(config.d + 1), d = static_cast<size_t>(config.d);
    const std::vector<size_t> shape = {static_cast<size_t>(config.layers), rows, rows};
    const auto half = [](const RegressionWeights& seed, const double* start) {
        return std::span(start, seed.weights.flat.size() / 2);
    };
    ArrayMap map;
    map["P"] = stacked(seeds, shape, [&](const auto& seed) { return half(seed, seed.weights.P()); });
    map["Q"] = stacked(seeds, shape, [&](const auto& seed) { return half(seed, seed.weights.Q()); });
    map["Sigma"] = stacked(seeds, {d, d}, [](const auto& seed) { return table_of(seed.covariance.matrix()).values; });
    return map;
}

// ---- errors after each layer

PlotSpec race_plot(const RegressionConfig& config, const RegressionWorld& world,
                   const std::vector<RegressionWeights>& seeds) {
    Plot plot("race", "Error after each layer, fresh prompts");
    plot.x("layers, or steps").from(0.0).to(static_cast<double>(config.layers)).whole();
    plot.y("mean squared error").logarithmic();
    const std::vector<double> x = numbered_points(static_cast<size_t>(config.layers) + 1);
    std::vector<std::vector<double>> rows;
    double median = 0;
    int live = 0;
    for (const RegressionWeights& seed : seeds) {
        rows.emplace_back(x.size(), kMissing);
        if (seed.failed) continue;
        const RaceLine own = race_line("", world.errors_by_layer(seed.weights.in_coordinates(seed.covariance.U)));
        rows.back() = own.errors;
        median += own.median;
        ++live;
    }
    plot.line("transformer", x, std::move(rows)).color(kTrainedColor);
    std::vector<RaceLine> lines = world.race();
    lines.push_back(world.ridge_line(config.ridge_lambda));
    const int colors[] = {1, 2, 4, 7};
    plot.readout(live == 0 ? "no network is left" : fmt::format("medians: transformer {}", readout(median / live)));
    std::string constants;
    for (size_t a = 0; a < lines.size(); ++a) {
        const bool is_ridge = a + 1 == lines.size();
        plot.path(is_ridge ? lines[a].name + ", " + lines[a].constants : lines[a].name, x, lines[a].errors)
            .color(colors[a])
            .dashed();
        plot.spec().readout += fmt::format(", {} {}", lines[a].name, readout(lines[a].median));
        constants += fmt::format("{}{} {}", a == 0 ? "" : "; ", lines[a].name, lines[a].constants);
    }
    plot.note(
        "The transformer is trained only for its last layer. Gradient descent, preconditioned gradient descent (A = "
        "-step \u03a3\u207b\u00b9) and GD++ have the constants that are best after the last step, fitted on other "
        "prompts: " +
        constants + ".");
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
    const std::vector<double> x = numbered_points(layers, 1.0);
    // Without moves the order of the layers is not identifiable (Lemma 8): sort the steps, so that seeds compare.
    const auto ordered = [moved](std::vector<double> values) {
        if (!moved) std::sort(values.begin(), values.end());
        return values;
    };
    std::vector<std::vector<double>> steps, moves;
    for (const RegressionWeights& seed : seeds) {
        const Mat root = seed.covariance.power(0.5);
        std::vector<double> a(layers, kMissing), b(layers, kMissing);
        for (int l = 0; l < config.layers && !seed.failed; ++l) {
            a[l] = -(root * seed.weights.A(l) * root).trace() / config.d;
            if (l + 1 < config.layers) b[l] = seed.weights.B(l).trace() / config.d;
        }
        steps.push_back(seed.failed ? a : ordered(a));
        moves.push_back(std::move(b));
    }
    plot.line("step a of A = -a \u03a3\u207b\u00b9", x, std::move(steps)).color(kTrainedColor);
    if (moved) plot.line("move b of B = b I", x, std::move(moves)).color(1);
    const Vec& best = world.floor_numbers();
    if (best.size() > 0) {
        std::vector<double> b(layers, kMissing);
        plot.path("best scalars, a", x, ordered({best.data(), best.data() + layers})).color(kTrainedColor).dashed();
        for (size_t l = 0; moved && l + 1 < layers; ++l) b[l] = best(static_cast<Index>(layers + l));
        if (moved) plot.path("best scalars, b", x, b).color(1).dashed();
    }
    plot.note(moved ? "a = -tr(\u03a3^\u00bd A \u03a3^\u00bd)/d and b = tr(B)/d. Figure 4 of Ahn et al. 2023: later "
                      "layers, whose x are better conditioned, take larger steps."
                    : "a = -tr(\u03a3^\u00bd A \u03a3^\u00bd)/d, sorted within each network: the order of the layers "
                      "does not matter (Lemma 8).");
    return plot;
}

// ---- preconditioners by eigenvalue

PlotSpec preconditioner_plot(const RegressionConfig& config, const RegressionWorld& world,
                             const std::vector<RegressionWeights>& seeds) {
    Plot plot("preconditioner", "Preconditioner against \u03a3's eigenvalues");
    plot.x("eigenvalue \u03bb of \u03a3").logarithmic();
    plot.y("-u'Au").logarithmic();
    const Vec& eigenvalues = world.covariance().eigenvalues;
    std::map<double, std::vector<Index>> groups;  // the places of equal eigenvalues, ascending
    for (Index i = 0; i < eigenvalues.size(); ++i) groups[eigenvalues(i)].push_back(i);
    std::vector<double> x;
    for (const auto& [eigenvalue, places] : groups) x.push_back(eigenvalue);
    const auto means = [&](const Vec& values) {
        std::vector<double> result;
        for (const auto& [eigenvalue, places] : groups) {
            std::vector<double> group;
            for (const Index i : places) group.push_back(values(i));
            result.push_back(mean_of(group));
        }
        return result;
    };
    for (int l = 0; l < config.layers; ++l) {
        const int color = ordinal_color(Course::blues, l, config.layers);
        std::vector<std::vector<double>> rows;
        for (const RegressionWeights& seed : seeds)
            rows.push_back(seed.failed ? std::vector<double>(x.size(), kMissing)
                                       : means(-seed.weights.in_coordinates(seed.covariance.U).A(l).diagonal()));
        plot.line(config.layers == 1 ? "transformer" : fmt::format("A{}", l), x, std::move(rows)).color(color);
    }
    const auto reference = [&](const char* name, const Vec& values, int of_color) {
        plot.path(name, x, means(values)).color(of_color).dashed();
    };
    if (config.layers == 1) {
        const bool theorem_1 = config.prior == WeightPrior::identity;
        reference(theorem_1 ? "Theorem 1" : "closed form",
                  one_layer_preconditioner(eigenvalues, config.prior, config.n), kConstructedColor);
        reference("n \u2192 \u221e: \u03a3\u207b\u00b9", eigenvalues.cwiseInverse(), kLimitColor);
        if (theorem_1)
            plot.path("small n: n/tr \u03a3", x, std::vector<double>(x.size(), config.n / eigenvalues.sum()))
                .color(1)
                .dashed();
        plot.note(
            "The factor on the gradient along each eigenvector u of \u03a3, beside Theorem 1 of Ahn et al. 2023, "
            "1/((n+1)/n \u03bb + tr \u03a3/n): with many pairs \u03a3\u207b\u00b9, with few a plain gradient step, "
            "n/tr \u03a3.");
    } else {
        for (int l = 0; l < config.layers; ++l)
            reference(l == 0 ? "best a \u03a3\u207b\u00b9" : "", world.floor_numbers()(l) * eigenvalues.cwiseInverse(),
                      kLimitColor);
        plot.note(
            "Each layer's factor on the gradient along each eigenvector u of \u03a3. Parallel to the dashed lines: a "
            "multiple of \u03a3\u207b\u00b9 (Theorems 4 and 5 of Ahn et al. 2023). Level: plain gradient descent.");
    }
    return plot;
}

}  // namespace

void show_weights(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds, Snapshot& snapshot) {
    snapshot.matrices = regression_matrices(config, seeds);
    snapshot.formulas = regression_formulas(config);
    snapshot.weights = regression_arrays(config, seeds);
}

std::vector<RegressionWeights> regression_weights(const RegressionConfig& config, const Snapshot& snapshot) {
    std::vector<RegressionWeights> seeds;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        RegressionWeights& seed = seeds.emplace_back(RegressionWeights{covariance_of(config, snapshot.seeds[k].seed),
                                                                       InContextWeights(config.d, config.layers),
                                                                       {},
                                                                       snapshot.seeds[k].failed});
        std::vector<double> flat = part_of_seed(snapshot.weights.at("P"), k);
        const std::vector<double> Q = part_of_seed(snapshot.weights.at("Q"), k);
        flat.insert(flat.end(), Q.begin(), Q.end());
        check(static_cast<Index>(flat.size()) == seed.weights.flat.size(), "an inspection keeps the trained sizes");
        std::copy(flat.begin(), flat.end(), seed.weights.flat.begin());
    }
    return seeds;
}

void evaluate_regression(Snapshot& snapshot, const RegressionConfig& config, const RegressionWorld& world) {
    const std::vector<RegressionWeights> seeds = regression_weights(config, snapshot);
    snapshot.evaluated = true;
    snapshot.plots = {race_plot(config, world, seeds), preconditioner_plot(config, world, seeds)};
    if (config.layers > 1) snapshot.plots.push_back(steps_plot(config, world, seeds));
    snapshot.scalars = {{"floor", world.floor_name(), world.floor(), "",
                         "The held-out loss of theory's form with the best multiples."}};
    if (moves_points(config))
        snapshot.scalars.push_back({"floor_trimmed", world.floor_name() + ", without the largest",
                                    world.floor_trimmed(), "",
                                    "The same without the largest 0.1 % of the errors, which dominate the mean."});
}

}  // namespace emergence

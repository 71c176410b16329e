#include "core/experiments/in_context_td/seed/td_line_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/experiments/figure_parts.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_map.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/lab/views/measured.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

constexpr int kDecoyContexts = 512;
// Few enough for the fits to keep up with training, and far more equations than TD(C_l) has parameters.
constexpr int kFittedPrompts = 160, kJudgedPrompts = 256;
// Steps of least squares per logged point; each fit starts where the last one ended.
constexpr int kStepsAPoint = 2;

// A family that errs more than ten times the network's mean square on prompts that it was not fitted to has diverged: no
// number of it means anything, and one would flatten the picture.
constexpr double kDiverged = 10;

double unless_diverged(const TdMeasured& m, Family family, double value) {
    return m.line_up->unexplained(family) <= kDiverged ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string alpha_name(int layer) { return fmt::format("line_up_alpha_{}", layer); }
std::string kappa_name(int layer) { return fmt::format("line_up_kappa_{}", layer); }

// Which family is theory's, if the loss names another algorithm than TD.
std::string family_note(LossKind loss) {
    switch (loss) {
        case LossKind::td:
            return "";
        case LossKind::residual_gradient:
            return fmt::format(" Theory's family for this loss is {}.",
                               family_texts()[static_cast<size_t>(Family::residual_gradient)].label);
        case LossKind::td_lambda:
        case LossKind::monte_carlo:
            return " This loss names TD(\u03bb), which needs a mask that this network does not have: no family is it.";
        case LossKind::average_reward:
            return " This loss names average-reward TD, which needs a second head: no family is it.";
    }
    return "";
}

}  // namespace

LinearAttentionView view_of(const InContextTdConfig& config, const std::vector<float>& weights) {
    return view_of(network_shape(config), weights);
}

SeedMeasures seed_measures(const InContextTdConfig& config) {
    const auto bank = make_bank(config, evaluation_size(config), {config.context_length});
    SeedMeasures measures;
    measures.worlds = training_worlds(config);
    measures.evaluator = std::make_shared<const NetworkEvaluator>(network_shape(config), bank);
    measures.decoys = std::make_shared<const Decoys>(*bank, 0, kDecoyContexts);
    if (!has_theory(config)) return measures;
    const int fitted = std::min(kFittedPrompts, bank->options().size / 2);
    const int judged = std::min(kJudgedPrompts, bank->options().size - fitted);
    measures.map = std::make_shared<const MapBench>(std::make_shared<const LineUpPrompts>(*bank, 0, 0, fitted),
                                                    std::make_shared<const LineUpPrompts>(*bank, 0, fitted, judged),
                                                    map_axis(config));
    return measures;
}

bool has_line_up(const InContextTdConfig& config) { return config.line_up && has_theory(config) && !has_masks(config); }

std::unique_ptr<LineUp> make_line_up(const InContextTdConfig& config, const SeedMeasures& measures) {
    if (!has_line_up(config)) return nullptr;
    return std::make_unique<LineUp>(measures.map, config.num_layers);
}

void follow_line_up(const InContextTdConfig& config, const std::vector<float>& weights, LineUp& line_up) {
    if (stands_still(config))
        line_up.settle(view_of(config, weights));
    else
        line_up.follow(view_of(config, weights), kStepsAPoint);
}

void add_line_up_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics) {
    if (!has_line_up(config)) return;
    const auto parameter = [](Family family, int i) {
        return
            [family, i](const TdMeasured& m) { return unless_diverged(m, family, m.line_up->parameters(family)[i]); };
    };
    for (int f = 0; f < kFamilies; ++f) {
        const FamilyText& text = family_texts()[static_cast<size_t>(f)];
        metrics.add({fmt::format("unexplained_{}", text.name), text.label,
                     fmt::format("Share of the network's mean square value that the fitted family leaves unexplained. "
                                 "{}",
                                 text.help),
                     [f](const TdMeasured& m) {
                         const auto family = static_cast<Family>(f);
                         return unless_diverged(m, family, m.line_up->unexplained(family));
                     }});
    }
    metrics.add({"line_up_alpha", "TD(\u03b1): \u03b1", "The step size of TD(\u03b1) that fits best.",
                 parameter(Family::td, 0)});
    for (const auto& [family, prefix] : {std::pair{Family::td_steps, "line_up_alpha"},
                                         {Family::no_bootstrap, "line_up_no_bootstrap"},
                                         {Family::residual_gradient, "line_up_residual_gradient"}})
        for (int l = 0; l < config.num_layers; ++l)
            metrics.add({fmt::format("{}_{}", prefix, l),
                         fmt::format("{}: \u03b1 no. {}", family_texts()[static_cast<size_t>(family)].label, l + 1),
                         "A step size of the family as fitted, by size: its steps commute, in which layer each is "
                         "taken says nothing.",
                         [family = family, l](const TdMeasured& m) {
                             Eigen::VectorXd steps = m.line_up->parameters(family);
                             std::nth_element(steps.begin(), steps.begin() + l, steps.end());
                             return unless_diverged(m, family, steps[l]);
                         }});
    for (int l = 0; l + 1 < config.num_layers; ++l)
        metrics.add({kappa_name(l), fmt::format("\u03ba, layer {}", l),
                     "How much of S(\u03c6 - \u03b3\u03c6') the features lose in this layer, as fitted.",
                     parameter(Family::td_features, 3 * l + 1)});
}

void add_line_up_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots) {
    if (!has_line_up(config)) return;
    HistoryPlot shares("line_up", "Which algorithm is it?");
    shares.y("unexplained share of the network's values").logarithmic();
    for (int f = 0; f < kFamilies; ++f)
        shares.line(fmt::format("unexplained_{}", family_texts()[static_cast<size_t>(f)].name)).color(f).dashed(f < 2);
    shares.line("map_unexplained").color(8);
    shares.level("predict zero", 1.0);
    shares.note(
        fmt::format(
            "Ours: families of algorithms, each with parameters of its own, fitted to the network's values on "
            "held-out prompts and judged on others: mean squared difference over the network's mean square "
            "value. "
            "Low: it computes that. The point is the best of all (\u03b2, c) on the map of algorithms, of which TD(\u03b1_l), "
            "TD, no bootstrap and residual gradient are three. A gap: the family diverged, it errs more than ten times the "
            "values' mean square. {}",
            stands_still(config)
                ? std::string("The weights stand still, so that each fit runs until no step of least squares lowers "
                              "its loss, 400 at most: the read-outs have its steps and its gradient.")
                : fmt::format("{} steps of least squares a logged point, from the fit before on.", kStepsAPoint)) +
        family_note(config.loss.kind));
    HistoryPlot parameters("line_up_parameters", "What the fits found");
    parameters.y("step sizes \u03b1, feature maps \u03ba");
    parameters.line("line_up_alpha").color(2).dashed();
    for (int l = 0; l < config.num_layers; ++l) parameters.line(alpha_name(l)).color(3 + l);
    for (int l = 0; l + 1 < config.num_layers; ++l) parameters.line(kappa_name(l)).color(3 + l).dashed();
    parameters.note("Parameters of TD(\u03b1), TD(\u03b1_l) and of the feature map of TD(\u03b1_l) + feature map.");
    plots.insert(plots.begin(), {shares, parameters});
}

void add_fitted_matrices(const InContextTdConfig& config, const std::vector<const LineUp*>& fits, Snapshot& snapshot) {
    if (!has_line_up(config)) return;
    std::vector<double> values;
    for (const LineUp* fit : fits) {
        const Eigen::VectorXd& parameters = fit->parameters(Family::td_matrices);
        values.insert(values.end(), parameters.begin(), parameters.end());
    }
    std::vector<double> steps, gradients;
    for (const LineUp* fit : fits)
        for (const LineUp::Settled& settled : fit->settled()) {
            steps.push_back(settled.steps);
            gradients.push_back(settled.gradient);
        }
    if (steps.size() == fits.size() * size_t{kFamilies}) {
        snapshot.weights["line_up_steps"] = {{fits.size(), size_t{kFamilies}}, std::move(steps)};
        snapshot.weights["line_up_gradients"] = {{fits.size(), size_t{kFamilies}}, std::move(gradients)};
    }
    const auto d = static_cast<size_t>(config.tasks.d);
    snapshot.weights["C"] = {{fits.size(), static_cast<size_t>(config.num_layers), d, d}, std::move(values)};
}

void add_line_up_scalars(Snapshot& snapshot) {
    const auto add = [&](const char* array, const char* name, const char* label, const std::string& help) {
        const auto found = snapshot.weights.find(array);
        if (found == snapshot.weights.end()) return;
        snapshot.scalars.push_back({name, label, largest_of(as_doubles(found->second)), "",
                                    help + " The largest of all families and seeds; weights.npz has each."});
    };
    std::erase_if(snapshot.scalars, [](const Scalar& scalar) { return scalar.name.starts_with("line_up_"); });
    add("line_up_steps", "line_up_most_steps", "line-up's steps",
        "Steps of least squares until none lowered the loss, 400 at most, because the weights stand still.");
    add("line_up_gradients", "line_up_gradient", "its gradient",
        "Norm of the gradient of a fit's unexplained share by its parameters: 0 at a minimum.");
}

void add_line_up_matrices(const InContextTdConfig& config, Snapshot& snapshot) {
    if (!has_line_up(config)) return;
    const std::vector<double> values = as_doubles(snapshot.weights.at("C"));
    const int d = config.tasks.d;
    for (int l = 0; l < config.num_layers; ++l) {
        ShownMatrix matrix(fmt::format("C{}", l), fmt::format("C{} of the fitted TD(C_l)", l),
                           "The matrix step size of this layer in the TD(C_l) that fits the network's values best "
                           "(Theorem 1 allows any).");
        matrix.square({{"\u03c6", d}}).as_is("fitted to the values: neither aligned nor scaled");
        for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
            Table table(d, d);
            const auto start = (static_cast<int>(k) * config.num_layers + l) * d * d;
            std::copy_n(values.begin() + start, d * d, table.values.begin());
            matrix.seed(std::move(table));
        }
        snapshot.matrices.push_back(matrix);
    }
}

}  // namespace emergence

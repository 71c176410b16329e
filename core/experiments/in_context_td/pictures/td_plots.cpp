#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/models/constructions.h"
#include "core/optim/descent.h"

namespace emergence {
namespace {

double mean_in_column(const Series& series, size_t column) { return summarise(series.rows, column).mean; }

double median(std::vector<double> errors) {
    std::vector<double> values = bounded_errors(std::move(errors));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The error as a number, or "diverges": networks leave every range on contexts unlike those of training.
std::string error_readout(double error) { return std::isfinite(error) && error < 1e6 ? readout(error) : "diverges"; }

// Errors are heavy-tailed over MRPs, so the read-out has the median MRP beside the mean.
std::string value_error_readout(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                                const LearnedSeeds& seeds, const PlotSpec& plot) {
    const HeldOutBank& bank = evaluator.bank();
    const size_t column = marked_place(config, bank);
    std::vector<double> network, batch_td;
    for (const LearnedWeights& seed : seeds) {
        if (seed.failed) continue;
        network.push_back(median(evaluator.errors(column, seed.weights)));
        batch_td.push_back(median(bank.errors(column, config.num_layers, seed.alpha)));
    }
    const std::string at = fmt::format("at n = {}: ", config.eval_context_length);
    if (network.empty()) return at + "no network is left";
    const auto both = [&](const Series& series, std::vector<double>& medians, const char* which) {
        return fmt::format("{} ({}{})", error_readout(mean_in_column(series, column)), which,
                           error_readout(summarise(medians, false).mean));
    };
    return at + network_name(config) + " " + both(plot.series[0], network, "median MRP ") + ", " +
           batch_td_name(config, seeds) + " " + both(plot.series[1], batch_td, "");
}

std::string error_label(const InContextTdConfig& config, int size) {
    return fmt::format("{}, {} held-out MRPs", averages_rewards(config) ? "MSVE of differential values" : "MSVE", size);
}

// Figure 2b of Wang et al. 2025.
HistoryPlot element_wise_plot(const InContextTdConfig& config) {
    HistoryPlot elements("element_wise", "Entries of P and Q");
    elements.line("p_corner");
    elements.line("p_others").dashed();
    elements.line("q_trace_upper_left").color(1);
    elements.line("q_trace_upper_right").color(2);
    elements.line("q_others").color(1).dashed();
    const bool aligned = may_flip_signs(network_shape(config));
    elements.y(aligned ? "entries, sign aligned" : "entries");
    elements.note(std::string("Figure 2b of Wang et al. 2025, ") +
                  (aligned ? "with signs flipped so that P's corner is positive, not scaled. " : "as trained. ") +
                  (has_theory(config) ? "In theory P's corner and Q's upper-right diagonal grow, Q's upper-left "
                                        "diagonal falls, and all other entries stay near 0."
                                      : "Theory covers only linear attention."));
    return elements;
}

HistoryPlot similarity_plot(const InContextTdConfig& config) {
    HistoryPlot similarity("similarity", "How close to batch TD");
    if (config.tasks.has_values()) similarity.line("unexplained");
    similarity.line("implicit_weight_similarity").label("IWS").color(2);
    similarity.line("sensitivity_similarity").label("SS").color(3).dashed();
    similarity.line("decoy_no_bootstrap").color(6).dashed();
    similarity.line("decoy_reward_correlation").color(7).dashed();
    // The VD of a diverging network has no bound, so the axis is cut where cosines end.
    similarity.y(config.tasks.has_values() ? "IWS, SS (cosines), VD" : "IWS, SS (cosines)").cut(1.05);
    if (config.tasks.has_values()) similarity.line("value_difference").label("VD").color(1);
    similarity.note(fmt::format(
        "Appendix D.1.2 of Wang et al. 2025, on {} held-out MRPs, against batch TD with {}. IWS and SS flatter: decoys, "
        "which do not bootstrap, also score high. The unexplained share (ours) does not.",
        evaluation_size(config), batch_td_alpha(config)));
    return similarity;
}

HistoryPlot loss_history(const InContextTdConfig& config) {
    HistoryPlot loss("loss", "Training loss");
    const std::vector<MetricPlane::Group> groups = loss_groups(config);
    loss.line("loss");
    loss.y(groups.size() > 1                  ? "mean of each loss"
           : config.loss.kind == LossKind::td ? "mean squared TD error"
                                              : "mean squared error")
        .logarithmic(groups.size() > 1);  // a Monte Carlo loss is many times a TD loss
    if (groups.size() > 1) {              // losses of different meaning have no common mean
        loss.spec().metrics.clear();
        for (size_t i = 0; i < groups.size(); ++i)
            loss.spec().metrics.push_back({"loss", groups[i].name, groups[i].color, false, i, groups.size()});
    }
    loss.note("Mean over the minibatches since the last logged point. It is noisy because each point sees other MRPs.");
    return loss;
}

HistoryPlot td_error_history(const InContextTdConfig& config, const HeldOutBank& bank) {
    HistoryPlot error("value_error", "Value error while training");
    const bool pool = has_pool(config);
    error.line("msve").label(network_name(config) + (pool ? ", fresh tasks" : ""));
    error.line("msve_batch_td").label(pool ? "batch TD, fresh tasks" : "batch TD").color(1).dashed();
    if (pool) {
        error.line("msve_pool").label(network_name(config) + ", its pool").color(3);
        error.line("msve_pool_batch_td").label("batch TD, its pool").color(4).dashed();
    }
    error.y(error_label(config, evaluation_size(config))).cut(kErrorCut * bank.msve_of_zero());
    error.level("best linear", bank.msve_of_best_linear()).level("predict zero", bank.msve_of_zero());
    error.note(fmt::format(
        "Mean squared value error on {} held-out MRPs at context length {}. The axis ends at {} times predict-zero.",
        evaluation_size(config), config.context_length, kErrorCut));
    if (pool)
        error.spec().note +=
            fmt::format(" The pool is the {}tasks of training, on new trajectories.",
                        config.tasks.kind == TaskKind::files ? "" : fmt::format("{} ", config.pool_size));
    if (averages_rewards(config))
        error.spec().note += " Values are differential, so errors ignore a constant. Batch TD is average-reward TD.";
    return error;
}

// The errors of TD(lambda) as Corollary 3 constructs it. lambda is the mask's, or the mean of those that seeds have
// learned; the step size has the least error at the marked length.
Series constructed_errors(const InContextTdConfig& config, const HeldOutBank& bank, const LearnedSeeds& seeds,
                          std::vector<double> x) {
    NetworkShape shape = network_shape(config);
    if (std::exchange(shape.learns_lambda, false)) {
        double sum = 0, count = 0;
        for (const LearnedWeights& seed : seeds)
            if (!seed.failed) sum += static_cast<double>(seed.weights.back()), ++count;
        shape.mask_lambda = count > 0 ? sum / count : shape.mask_lambda;
    }
    shape.stored = 1;
    const auto weights = [&](double power) {
        const ConstructedLayer layer = td_construction(std::exp2(power) * Mat::Identity(shape.d, shape.d));
        return both_of(floats_of(layer.P), floats_of(layer.Q));
    };
    const size_t marked = marked_place(config, bank);
    const auto error = [&](double power) {
        const std::vector<float> flat = weights(power);
        return mean_of(bank.errors(marked, view_of(shape, flat)));
    };
    const std::vector<float> best = weights(line_minimum(error, -8, 3, 0.5, 12));
    const double shown = std::abs(shape.mask_lambda) < 0.005 ? 0.0 : shape.mask_lambda;  // not -0.00
    return {fmt::format("TD(\u03bb), \u03bb = {:.2f}, best \u03b1", shown),
            std::move(x),
            {bounded_errors(bank.msve_by_length(view_of(shape, best)))},
            6,
            true};
}

// How strongly each head reads its row, and the traces of its Q.
HistoryPlot head_plot() {
    HistoryPlot heads("element_wise", "Entries of both heads");
    for (const bool memory : {false, true}) {
        heads.line(memory ? "p_memory" : "p_reward").dashed(memory);
        heads.line(memory ? "q2_trace_upper_left" : "q1_trace_upper_left").color(1).dashed(memory);
        heads.line(memory ? "q2_trace_upper_right" : "q1_trace_upper_right").color(2).dashed(memory);
    }
    heads.y("entries, sign aligned");
    heads.note(
        "Ours, after Figure 2b of Wang et al. 2025, sign aligned. By Theorem 3 both entries of P and both upper-right "
        "traces grow, and the upper-left traces fall.");
    return heads;
}

// ---- the sketch of the prompt

// Places in the drawing of the prompt, in widths of a column.
constexpr int kColumns = 7;  // they stand for n columns
constexpr double kQuery = 8.2;
constexpr double kInset = 0.05;

struct PromptRow {
    const char* label;  // null: that of the next state's features
    double lower, upper;
    int color;
};
constexpr PromptRow kPromptRows[] = {{"φ", 2.6, 4.4, 0}, {nullptr, 0.8, 2.6, 2}, {"R", 0.0, 0.8, 1}};

DrawnShape cell(double left, const PromptRow& row, int color) {
    return drawn_box({left + kInset, row.lower + kInset}, {left + 1.0 - kInset, row.upper - kInset}, color);
}

DrawingSpec prompt_drawing(const InContextTdConfig& config) {
    DrawingSpec drawing;
    drawing.id = "prompt";
    drawing.title = "The prompt Z";
    std::tie(drawing.left, drawing.right, drawing.bottom, drawing.top) = std::tuple(-1.3, 11.4, -1.1, 5.3);
    const auto label = [&drawing](double x, double y, std::string text) {
        drawing.shapes.push_back(drawn_label({x, y}, std::move(text)));
    };
    const char* const next = next_label(!averages_rewards(config));
    for (const PromptRow& row : kPromptRows) {
        const double middle = (row.lower + row.upper) / 2;
        label(-0.6, middle, row.label != nullptr ? row.label : next);
        for (int column = 0; column < kColumns; ++column)
            if (column == kColumns - 2)
                label(column + 0.5, middle, "…");
            else
                drawing.shapes.push_back(cell(column, row, row.color));
        drawing.shapes.push_back(cell(kQuery, row, row.lower > 1.0 ? row.color : kFaintColor));
    }
    label(kColumns / 2.0, 4.9, "context");
    const int trained = config.context_length, evaluated = config.eval_context_length;
    label(kColumns / 2.0, -0.6,
          trained == evaluated ? fmt::format("n = {} transitions", trained)
                               : fmt::format("n = {}, evaluated at {}", trained, evaluated));
    label(kQuery + 0.5, 4.9, "query");
    drawing.shapes.push_back(drawn_arrow({10.6, -0.3}, {kQuery + 1.05, 0.35}, kInkColor));
    label(10.3, -0.7, "value");
    drawing.readout = fmt::format("{0} rows: {1} φ, {1} {2}, 1 R", 2 * config.tasks.d + 1, config.tasks.d,
                                  averages_rewards(config) ? "φ′" : "γφ′");
    return drawing;
}

}  // namespace

PlotSpec value_error_plot(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                          const LearnedSeeds& seeds) {
    const HeldOutBank& bank = evaluator.bank();
    const auto& lengths = bank.options().context_lengths;
    Plot plot("msve_by_context_length", "Value error against context length");
    plot.x("n").from(0.0).to(static_cast<double>(lengths.back()));
    // Networks trained at n = 30 have errors orders of magnitude larger at n = 1, so the axis is cut.
    plot.y(error_label(config, bank.options().size)).cut(kErrorCut * bank.msve_of_zero());
    const std::vector<double> x(lengths.begin(), lengths.end());
    plot.line(network_name(config), x, rows_of(seeds, x.size(), [&](const LearnedWeights& seed) {
                  return bounded_errors(evaluator.msve_by_length(seed.weights));
              }));
    plot.add({batch_td_name(config, seeds), x, batch_td_errors(bank, config.num_layers, seeds), 1, true});
    if (network_shape(config).mask == Mask::td_lambda) plot.add(constructed_errors(config, bank, seeds, x));
    plot.add({"best linear", x, {std::vector<double>(x.size(), bank.msve_of_best_linear())}, 2, true});
    plot.add({"predict zero", x, {std::vector<double>(x.size(), bank.msve_of_zero())}, 7, true});
    if (!averages_rewards(config)) plot.add({"context mean reward", x, {bank.msve_of_mean_reward()}, 5, true});
    // Two marks that are too close for two labels share one label.
    const bool apart = std::abs(config.context_length - config.eval_context_length) > lengths.back() / 5;
    const bool trained_elsewhere = config.context_length != config.eval_context_length;
    const std::string trained = fmt::format("trained at {}", config.context_length);
    plot.mark(fmt::format("n = {}", config.eval_context_length) + (trained_elsewhere && !apart ? ", " + trained : ""),
              config.eval_context_length);
    if (trained_elsewhere) plot.mark(apart ? trained : "", config.context_length);
    plot.note(fmt::format(
        "Mean squared value error of the network as it is now, over {} held-out MRPs. Batch TD takes as many steps as "
        "the network has layers, with {}. Context mean reward (ours) gives all states one value, the mean of the "
        "context's rewards times the best factor; a network below best linear may do this.",
        bank.options().size, batch_td_alpha(config)));
    plot.readout(value_error_readout(config, evaluator, seeds, plot));
    return plot;
}

std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank,
                                        const PlotSpec& plot) {
    const size_t column = marked_place(config, bank);
    // Beside a user's own world, which has an error of its own, the label says which error this is.
    const char* const where = config.inside.world_file.empty() ? "" : "on held-out MRPs ";
    const std::string at = fmt::format("{}at n = {}", where, config.eval_context_length);
    std::vector<double> of_seeds;
    for (const std::vector<double>& row : plot.series[0].rows) of_seeds.push_back(row[column]);
    return {{"msve", "MSVE " + at, mean_in_column(plot.series[0], column), "",
             "Mean squared value error: how far the transformer's values are from the true ones in unseen worlds. Mean "
             "over networks.",
             false, "value error", fmt::format("MSVE at n = {}", config.eval_context_length), std::move(of_seeds),
             bank.msve_of_zero()},
            {"msve_batch_td", "batch TD " + at, mean_in_column(plot.series[1], column), "",
             fmt::format("Batch TD's, with {}.", batch_td_alpha(config))},
            {"msve_best_linear", "best linear", bank.msve_of_best_linear(), "",
             "The least error of any linear function w'\u03c6(s)."},
            {"msve_zero", "predict zero", bank.msve_of_zero(), "", "The error of predicting 0 everywhere."}};
}

std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank* bank) {
    std::vector<MetricPlot> plots;
    if (config.model == "attention") plots.push_back(element_wise_plot(config));
    plots.push_back(similarity_plot(config));
    if (bank != nullptr && config.tasks.has_values()) plots.push_back(td_error_history(config, *bank));
    plots.push_back(loss_history(config));
    if (config.model == "two_heads") plots.insert(plots.begin(), head_plot());
    add_verdict_plots(config, plots);
    return plots;
}

Scene prompt_scene(const InContextTdConfig& config) {
    Scene scene;
    scene.id = "prompt";
    scene.title = "The prompt Z";
    scene.note =
        "What the network sees: a column per transition, with a state's features, the next state's and the reward. The "
        "last column is the query. Each layer adds to Z; the value is minus the last entry of the query's column.";
    scene.moments = std::make_shared<const std::vector<DrawingSpec>>(1, prompt_drawing(config));
    return scene;
}

}  // namespace emergence

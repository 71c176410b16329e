// Value error against layers, and the layer at which more layers stop helping.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/experiments/in_context_td/construction/construction_pictures.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr double kCutOverZero = 1.25;  // as in other plots of value errors

// A horizontal line, one row per prompt. A diverged error that is not finite is not drawn; it would be beyond
// the axis.
Series reference(const char* name, const std::vector<LayerErrors>& prompts, double LayerErrors::*member,
                 const std::vector<double>& x, int color) {
    Series series{name, x, {}, color, true};
    for (const LayerErrors& prompt : prompts) series.rows.emplace_back(x.size(), prompt.*member);
    return series;
}

struct Settled {
    std::vector<double> layers;  // of the prompts that have settled
    Summary summary;
};

Settled settled_of(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    Settled settled;
    for (const LayerErrors& prompt : prompts)
        if (const auto layer = settled_layer(prompt.transformer, prompt.fixed_point, config.tolerance))
            settled.layers.push_back(*layer);
    std::vector<double> sorted = settled.layers;
    std::sort(sorted.begin(), sorted.end());
    settled.summary = summarise(sorted, true);
    return settled;
}

Summary over_prompts(const std::vector<LayerErrors>& prompts, double LayerErrors::*member) {
    std::vector<std::vector<double>> rows;
    for (const LayerErrors& prompt : prompts) rows.push_back({prompt.*member});
    return summarise(rows, 0);
}

// The layer with the least median error over prompts.
double best_layer(const std::vector<LayerErrors>& prompts) {
    std::vector<std::vector<double>> rows;
    for (const LayerErrors& prompt : prompts) rows.push_back(prompt.transformer);
    double best = kMissing, least = 0.0;
    for (size_t l = 0; l < rows.front().size(); ++l) {
        const double median = summarise(rows, l).median;
        if (std::isfinite(median) && (!std::isfinite(best) || median < least)) {
            best = static_cast<double>(l);
            least = median;
        }
    }
    return best;
}

bool settles_for_most(const Settled& settled, const std::vector<LayerErrors>& prompts) {
    return 2 * settled.layers.size() > prompts.size();
}

}  // namespace

PlotSpec construction_error_curve(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    Plot plot("value_error_by_layer", "Value error against layers");
    plot.leads();
    plot.x("layers").whole();
    plot.y("MSVE").from(0.0).cut(kCutOverZero * over_prompts(prompts, &LayerErrors::zero).mean);
    plot.row_word("prompt");
    plot.no_markers();
    for (int64_t k = config.seed; k < config.seed + config.seeds; ++k)
        plot.spec().seeds.push_back(static_cast<uint64_t>(k));
    std::vector<double> x;
    for (size_t l = 0; l < prompts.front().transformer.size(); ++l) x.push_back(static_cast<double>(l));
    if (x.empty()) return plot;
    Series transformer{"transformer", x, {}, 0}, algorithm{"algorithm", x, {}, 1, true};
    for (const LayerErrors& prompt : prompts) {
        transformer.rows.push_back(prompt.transformer);
        algorithm.rows.push_back(prompt.algorithm);
    }
    plot.add(std::move(transformer));
    plot.add(std::move(algorithm));
    plot.add(reference("algorithm's fixed point", prompts, &LayerErrors::fixed_point, x, 2));
    plot.add(reference("best linear", prompts, &LayerErrors::best_linear, x, 3));
    plot.add(reference("predict zero", prompts, &LayerErrors::zero, x, 4));
    const Settled settled = settled_of(config, prompts);
    if (settles_for_most(settled, prompts)) {
        plot.mark("more layers stop helping", settled.summary.median);
        plot.readout(fmt::format("within {:g} % of its limit from layer {:g} on (median prompt; {} of {})",
                                 100 * config.tolerance, settled.summary.median, settled.layers.size(),
                                 prompts.size()));
    } else {
        plot.readout(fmt::format("after {} layers {} of {} prompts are at their limit", x.size() - 1,
                                 settled.layers.size(), prompts.size()));
        const Summary contraction = over_prompts(prompts, &LayerErrors::contraction);
        if (contraction.count > 0 && contraction.median > 1.0)
            plot.spec().readout += fmt::format(": it diverges, by a factor of {:.3g} a layer", contraction.median);
    }
    plot.note(
        "Mean square value error over the states of each prompt's chain, weighted by its stationary "
        "distribution, after each layer; for average reward up to a constant. Dashed: the algorithm after as "
        "many steps, the weights at which its steps come to rest (for TD(0) LSTD's), the best linear "
        "prediction, zero. The axis ends at 1.25 times predict-zero; a prompt with a large error rules the "
        "mean: look at medians too. The vertical line is ours: from that layer on the median prompt's error "
        "stays as near its limit as the tolerance says.");
    return plot;
}

std::vector<Scalar> construction_scalars(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    if (prompts.front().transformer.empty()) return {};
    const Settled settled = settled_of(config, prompts);
    std::vector<Scalar> scalars;
    if (settles_for_most(settled, prompts))
        scalars.push_back({"settled_layer", "more layers stop helping at", settled.summary.median, "layers",
                           "The first layer from which on the value error stays within the tolerance of its "
                           "limit, the error "
                           "at the algorithm's fixed point, as a share of the distance from predict-zero's; "
                           "median over the "
                           "prompts that got there, if they are the most (ours)."});
    const Fraction at_limit = fraction(static_cast<int>(settled.layers.size()), static_cast<int>(prompts.size()));
    scalars.push_back(
        {"settled_prompts", "share of prompts at their limit", at_limit.value,
         fmt::format("({:.2f} to {:.2f})", at_limit.low, at_limit.high),
         "The share of prompts whose value error is as near its limit, the error at the algorithm's fixed "
         "point, as the tolerance says (ours). In brackets its 95 % interval."});
    scalars.push_back(
        {"best_layer", "least error at", best_layer(prompts), "layers",
         "The layer after which the median prompt's value error is least: contexts are short, and the fixed "
         "point of few transitions can be worse than the way there."});
    const Summary contraction = over_prompts(prompts, &LayerErrors::contraction);
    if (contraction.count > 0)
        scalars.push_back({"contraction", "contraction a layer", contraction.median, "",
                           "The largest absolute eigenvalue of I - C A, where a step is w + C (b - A w), median "
                           "over prompts: below 1 the layers converge, in the end by this factor each."});
    return scalars;
}

Metrics<ConstructionMeasured> construction_metrics() {
    using M = ConstructionMeasured;
    return {{"absolute_difference", "absolute", "|y_l + <\u03c6, w_l>|: transformer against algorithm.", &M::absolute},
            {"relative_difference", "relative", "The same over |\u03c6| |w_l|.", &M::relative},
            {"transformer", "transformer", "The value that the transformer predicts after this layer, -y_l.",
             &M::transformer},
            {"algorithm", "algorithm", "The algorithm's value after as many steps, <\u03c6, w_l>.", &M::algorithm},
            {"msve", "transformer",
             "Mean square value error of the transformer after this layer, every state a query, weighted by the "
             "stationary distribution; average reward's up to a constant.",
             &M::msve},
            {"msve_algorithm", "algorithm", "The same of the algorithm after as many steps.", &M::msve_algorithm}};
}

std::vector<MetricPlot> construction_plots() {
    const char* const note =
        "|y + <\u03c6, w>|, and relative to |\u03c6| |w|. Double precision: what is left is rounding, which grows where "
        "the iterates grow. Where both agree to the last bit there is no point.";
    HistoryPlot absolute("absolute_difference", "Transformer and algorithm: difference"),
        relative("relative_difference", "The same, relative"), values("values", "Predicted values");
    absolute.y("difference").logarithmic();
    absolute.line("absolute_difference");
    absolute.note(note);
    relative.y("relative difference").logarithmic();
    relative.line("relative_difference").color(2);
    relative.note(note);
    values.y("value of the query");
    values.line("transformer");
    values.line("algorithm").color(1).dashed();
    values.note("Both lines lie on each other where the construction is right.");
    return {absolute, relative, values};
}

}  // namespace emergence

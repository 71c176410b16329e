// The pictures of experiment "td": theory's matrices, value error against context length, training curves,
// Figure 2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/experiments/in_context_td_study.h"
#include "core/models/constructions.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

Table table_of(const Eigen::MatrixXd& matrix) {
    Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) table(i, j) = matrix(i, j);
    return table;
}

double mean_at(const Series& series, size_t column) { return summarise(series.rows, column).mean; }

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Value errors are drawn up to this many times that of predicting zero.
constexpr double kErrorCut = 1.25;

size_t marked_column(const InContextTdConfig& config, const HeldOutBank& bank) {
    const auto& lengths = bank.options().context_lengths;
    return static_cast<size_t>(std::find(lengths.begin(), lengths.end(), config.eval_context_length) -
                               lengths.begin());
}

// Errors are heavy-tailed over MRPs, so that the median MRP stands beside the mean.
std::string value_error_readout(const InContextTdConfig& config, const HeldOutBank& bank,
                                const std::vector<TrainedSeed>& seeds, const PlotSpec& plot) {
    const size_t column = marked_column(config, bank);
    const int layers = config.num_layers + config.eval_extra_layers;
    std::vector<std::vector<double>> network, batch_td;
    for (const TrainedSeed& seed : seeds) {
        if (seed.failed) continue;
        network.push_back({median(bank.errors(column, {layers, 1, seed.P.data(), seed.Q.data()}))});
        batch_td.push_back({median(bank.errors(column, layers, seed.alpha))});
    }
    const std::string at = fmt::format("at n = {}: ", config.eval_context_length);
    if (network.empty()) return at + "no seed is left";
    return at + fmt::format("transformer {} (median MRP {}), batch TD {} ({})",
                            readout(mean_at(plot.series[0], column)), readout(summarise(network, 0).mean),
                            readout(mean_at(plot.series[1], column)), readout(summarise(batch_td, 0).mean));
}

}  // namespace

TheoryMatrices in_context_td_theory(int d, int num_layers) {
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(d, d);
    const ConstructedLayer layer =
        num_layers == 1 ? single_layer_td_construction(identity) : td_construction(identity);
    return {table_of(layer.P), table_of(layer.Q),
            num_layers == 1 ? "Corollary 1, Eq. (9)" : "Theorem 1, Eq. (7)"};
}

TaskOptions task_options(const InContextTdConfig& config) {
    return {.num_states = config.num_states,
            .d = config.d,
            .gamma = config.gamma,
            .representable = config.representable,
            .normal_true_weights = config.true_weights == "normal"};
}

std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size,
                                             std::vector<int> lengths) {
    BankOptions options;
    options.tasks = task_options(config);
    options.size = size;
    options.context_lengths = std::move(lengths);
    options.seed = derive_seed(0, Purpose::held_out);  // one world for all runs: scores can be compared
    return std::make_shared<const HeldOutBank>(options);
}

std::vector<int> context_length_grid(int marked, int trained) {
    std::vector<int> lengths;
    const int longest = std::max(marked, trained);
    const int end = std::max(40, longest + longest / 4);
    for (int n = 1; n <= end; n += std::max(1, n / 12)) lengths.push_back(n);
    if (end <= 40) {
        lengths.clear();
        for (int n = 1; n <= end; ++n) lengths.push_back(n);
    }
    lengths.insert(lengths.end(), {marked, end});
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

PlotSpec value_error_plot(const InContextTdConfig& config, const HeldOutBank& bank,
                          const std::vector<TrainedSeed>& seeds) {
    const auto& lengths = bank.options().context_lengths;
    const int layers = config.num_layers + config.eval_extra_layers;
    PlotSpec plot;
    plot.id = "msve_by_context_length";
    plot.title = "Value error against context length";
    plot.x = {"n", "", Scale::linear, 0.0, static_cast<double>(lengths.back()), std::nullopt};
    // Networks trained at n = 30 err by orders of magnitude at n = 1: fitted to that, nothing else could be
    // read. The label says that the axis is cut.
    plot.y = {fmt::format("MSVE, {} held-out MRPs", bank.options().size),
              "",
              Scale::linear,
              std::nullopt,
              std::nullopt,
              kErrorCut * bank.msve_of_zero()};
    const std::vector<double> x(lengths.begin(), lengths.end());
    Series network{
        layers == config.num_layers ? "transformer" : fmt::format("transformer, {} layers", layers),
        x,
        {},
        0,
        false};
    Series batch_td{"batch TD", x, {}, 1, true};
    const std::vector<double> missing(x.size(), std::numeric_limits<double>::quiet_NaN());
    for (const TrainedSeed& seed : seeds) {
        network.rows.push_back(seed.failed ? missing
                                           : bank.msve_by_length({layers, 1, seed.P.data(), seed.Q.data()}));
        batch_td.rows.push_back(seed.failed ? missing : bank.msve_by_length(layers, seed.alpha));
    }
    const auto constant = [&x](double value) {
        return std::vector<std::vector<double>>{std::vector<double>(x.size(), value)};
    };
    plot.series = {std::move(network),
                   std::move(batch_td),
                   {"best linear", x, constant(bank.msve_of_best_linear()), 2, true},
                   {"predict zero", x, constant(bank.msve_of_zero()), 7, true}};
    // Marks too close for two labels share one.
    const bool apart = std::abs(config.n - config.eval_context_length) > lengths.back() / 5;
    const bool trained_elsewhere = config.n != config.eval_context_length;
    const std::string trained = fmt::format("trained at {}", config.n);
    plot.lines.push_back({fmt::format("n = {}", config.eval_context_length) +
                              (trained_elsewhere && !apart ? ", " + trained : ""),
                          static_cast<double>(config.eval_context_length), true});
    if (trained_elsewhere) plot.lines.push_back({apart ? trained : "", static_cast<double>(config.n), true});
    plot.note = fmt::format(
        "Mean square value error, weighted by the stationary distribution, over the states of {} held-out "
        "MRPs, "
        "with the network as it is now. Batch TD takes as many steps as the network has layers, with its "
        "trained "
        "\u03b1. The axis ends at 1.25 times predict-zero; with very short contexts the network can err by "
        "orders of magnitude: point "
        "at the "
        "curve to read the value.",
        bank.options().size);
    plot.readout = value_error_readout(config, bank, seeds, plot);
    return plot;
}

std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank,
                                        const PlotSpec& plot) {
    const size_t column = marked_column(config, bank);
    const std::string at = fmt::format("at n = {}", config.eval_context_length);
    return {{"msve", "MSVE " + at, mean_at(plot.series[0], column), "",
             "The transformer's value error, mean over seeds."},
            {"msve_batch_td", "batch TD " + at, mean_at(plot.series[1], column), "",
             "Batch TD's, with its trained step size."},
            {"msve_best_linear", "best linear", bank.msve_of_best_linear(), "",
             "The least error that any w'\u03c6(s) can have."},
            {"msve_zero", "predict zero", bank.msve_of_zero(), "", "The error of predicting 0 everywhere."}};
}

std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank& bank) {
    MetricPlot elements;
    elements.id = "element_wise";
    elements.title = "Entries of P and Q while training";
    elements.lines = {{"p_corner", "P[-1,-1]", 0, false},
                      {"p_others", "mean |P|, others", 0, true},
                      {"q_trace_upper_left", "tr Q[:d,:d]", 1, false},
                      {"q_trace_upper_right", "tr Q[:d,d:2d]", 2, false},
                      {"q_others", "mean |Q|, others", 1, true}};
    elements.y.label = "entries, sign aligned";
    elements.note =
        "Figure 2b of Wang et al. 2025: aligned by the sign of P[-1,-1], not scaled. Theory: the corner and "
        "the "
        "upper-right trace grow, the upper-left trace falls, all else stays near 0.";
    MetricPlot similarity;
    similarity.id = "similarity";
    similarity.title = "How close to batch TD";
    similarity.lines = {{"implicit_weight_similarity", "IWS", 2, false},
                        {"sensitivity_similarity", "SS", 3, true},
                        {"value_difference", "VD", 1, false}};
    similarity.y.label = "IWS, SS (cosines), VD";
    similarity.y.cut = 1.05;  // VD of a diverging network has no bound, cosines have
    similarity.note = fmt::format(
        "Appendix D.1.2 of Wang et al. 2025, on {} held-out MRPs, against batch TD whose step size "
        "is trained too. For linear attention SS equals IWS. The axis ends at 1.05: the VD of a diverging "
        "network leaves it.",
        config.bank_size);
    MetricPlot error;
    error.id = "value_error";
    error.title = "Value error while training";
    error.lines = {{"msve", "transformer", 0, false}, {"msve_batch_td", "batch TD", 1, true}};
    error.y.label = fmt::format("MSVE, {} held-out MRPs", config.bank_size);
    error.y.cut = kErrorCut * bank.msve_of_zero();
    error.references = {{"best linear", bank.msve_of_best_linear(), false},
                        {"predict zero", bank.msve_of_zero(), false}};
    error.note = fmt::format(
        "Mean square value error on {} held-out MRPs at context length {}. The axis ends at {} times "
        "predict-zero: the "
        "error of a diverging network leaves it.",
        config.bank_size, config.n, kErrorCut);
    MetricPlot loss;
    loss.id = "loss";
    loss.title = "Training loss";
    loss.lines = {{"loss", "TD loss", 0, false}};
    loss.y.label = "mean squared TD error";
    loss.note =
        "Mean over the minibatches since the last logged point; each point sees other MRPs, hence the noise.";
    return {elements, similarity, error, loss};
}

FigureSpec figure_wang_2(const Snapshot& snapshot, const MetricHistory& history) {
    const auto config = config_from<InContextTdConfig>(snapshot.settings);
    FigureSpec figure;
    figure.name = "wang-2";
    figure.title = "P and Q after training on random Boyan chains, and on the way";
    figure.column_weights = {1, 1, 1.7};
    figure.row_weights = {1, 1};
    figure.width_inches = 12;
    figure.height_inches = 7;
    for (int row = 0; row < 2; ++row) {
        const NamedMatrix& matrix = snapshot.matrices[static_cast<size_t>(row)];
        figure.cells.push_back({heatmap_of(snapshot, matrix, {MatrixView::Mode::scaled}), row, 0});
        figure.cells.push_back({heatmap_of(snapshot, matrix, {MatrixView::Mode::theory}), row, 1});
    }
    const HeldOutBank unused_bank({.tasks = {.num_states = 3, .d = 1}, .size = 1, .context_lengths = {1}});
    const auto plots = in_context_td_plots(config, unused_bank);
    const AxisSpec x{"MRPs", "", Scale::linear, 0.0, std::nullopt, std::nullopt};
    figure.cells.push_back({history.plot(plots[0], x, snapshot.step), 0, 2});
    figure.cells.push_back({history.plot(plots[1], x, snapshot.step), 1, 2});
    int emerged = 0, failed = 0;
    for (const SeedStatus& seed : snapshot.seeds) {
        emerged += seed.emerged ? 1 : 0;
        failed += seed.failed ? 1 : 0;
    }
    figure.caption = fmt::format(
        "After Figure 2 of Wang et al. 2025: L = {}, d = {}, n = {}, m = {}, gamma = {}, {} MRPs. All {} "
        "seeds ({}..{}) are "
        "pooled, {} of {} emerged{}. Matrices: signs aligned by P[-1,-1], mean over seeds, divided by the "
        "largest entry. "
        "Curves: mean and standard error. Emergence {}.",
        config.num_layers, config.d, config.n, config.num_states, config.gamma, snapshot.step,
        snapshot.seeds.size(), config.seed, config.seed + config.seeds - 1, emerged, snapshot.seeds.size(),
        failed > 0 ? fmt::format(", {} diverged and left out", failed) : "", EMERGENCE_VERSION);
    return figure;
}

}  // namespace emergence

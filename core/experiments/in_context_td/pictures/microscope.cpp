// The microscope: one prompt of the watched world through a network, layer by layer, beside batch TD.
#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

Mat side_by_side(const Mat& left, const Mat& right) {
    Mat both(left.rows(), left.cols() + right.cols());
    both.leftCols(left.cols()) = left;
    both.rightCols(right.cols()) = right;
    return both;
}

class Microscope {
  public:
    Microscope(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds)
        : config_(config),
          world_(world),
          layers_(config.num_layers),
          layer_(smaller(config.inside.layer, layers_)),
          batch_td_(batch_td_name(config, seeds)) {
        for (const LearnedWeights& seed : seeds) {
            traces_.emplace_back();
            if (!seed.failed) traces_.back() = microscope_trace(config, world, seed);
        }
    }

    // Puts the microscope before the weights and the other curves, because the user asked for it.
    void show(Snapshot& snapshot) const {
        const std::vector<NamedMatrix> weights = std::exchange(snapshot.matrices, {});
        add_layer(snapshot);
        add_all_layers(snapshot);
        snapshot.matrices.insert(snapshot.matrices.end(), weights.begin(), weights.end());
        snapshot.plots.insert(snapshot.plots.begin(), {weights_plot(), values_plot()});
        snapshot.stepping = {"layer", 0, layers_};
    }

  private:
    int n() const { return config_.eval_context_length; }
    std::string after() const {
        return layer_ == 0 ? "the prompt" : fmt::format("after layer {} of {}", layer_, layers_);
    }
    const std::string& query() const { return world_.states[world_.chosen]; }

    // A matrix with one table per seed; the numbers of a failed seed are missing.
    ShownMatrix shown(const char* name, std::string title, std::string help, const char* unit,
                      const std::vector<Block>& rows, const std::vector<Block>& columns, const char* note,
                      const auto& part) const {
        const auto size_of = [](const std::vector<Block>& blocks) {
            return std::accumulate(blocks.begin(), blocks.end(), 0,
                                   [](int sum, const Block& b) { return sum + b.size; });
        };
        ShownMatrix matrix(name, std::move(title), std::move(help));
        matrix.rows(rows).columns(columns).unit(unit).as_is(note);
        for (const auto& trace : traces_)
            matrix.seed(trace ? table_of(part(*trace)) : Table(size_of(rows), size_of(columns), kMissing));
        return matrix;
    }

    // Adds Z_l, the attention that reads it, and its Gram matrix.
    void add_layer(Snapshot& snapshot) const {
        const int d = config_.tasks.d;
        const auto l = static_cast<size_t>(layer_);
        const std::vector<Block> parts = prompt_blocks(d, !averages_rewards(config_));
        const std::vector<Block> columns = {{"context", n()}, {"query", 1}};
        snapshot.matrices.push_back(
            shown("Z", fmt::format("Z, {}", after()),
                  fmt::format("The residual stream of the learned network. The last column is the query, state {}; the "
                              "value is minus its last entry.",
                              query()),
                  "entry", parts, columns, "rows: parts of a transition, columns: time",
                  [&](const TdTrace& trace) { return trace.Z[l]; })
                .free_aspect());
        const bool further = layer_ == layers_;
        if (!further || network_shape(config_).stored == 1)
            snapshot.matrices.push_back(
                shown("A", fmt::format("Attention of {} layer {}", further ? "a further" : "the next", layer_ + 1),
                      "act(Z'QZ): how much of transition i (row) flows into column j, before P and 1/n. The query is "
                      "never a source.",
                      "weight", columns, columns, "rows: sources, columns: receivers",
                      [&](const TdTrace& trace) { return trace.attention[l]; }));
        snapshot.matrices.push_back(
            shown("G", fmt::format("Gram matrix, {}", after()),
                  "G = Z M Z', a sum over the context's columns. Linear attention sees the context only through G.",
                  "sum", parts, parts, "rows and columns: parts of a transition",
                  [&](const TdTrace& trace) { return trace.gram[l]; }));
    }

    void add_all_layers(Snapshot& snapshot) const {
        const int d = config_.tasks.d;
        snapshot.matrices.push_back(
            shown("w", "Weights w by layer",
                  is_linear(network_shape(config_))
                      ? fmt::format("Left: the w whose w'\u03c6 is the network's value. Right: batch TD's, with {}.",
                                    batch_td_alpha(config_))
                      : "Left: the states' values regressed on their features (Appendix D.1.2 of Wang et al. 2025). "
                        "Right: batch TD's weights.",
                  "weight w", numbered_blocks(0, layers_), {{"learned", d}, {"batch TD", d}},
                  "rows: layers, columns: features",
                  [](const TdTrace& trace) { return side_by_side(trace.network, trace.batch_td); })
                .free_aspect());
        snapshot.matrices.push_back(
            shown("delta", "TD errors by layer",
                  "R + \u03b3 w'\u03c6' - w'\u03c6 of each transition: above the network's, below batch TD's.",
                  "TD error", {{"learned", layers_ + 1}, {"batch TD", layers_ + 1}}, {{"context", n()}},
                  "rows: layers from 0, columns: time",
                  [](const TdTrace& trace) -> Mat {  // not a view of what ends here
                      return side_by_side(trace.network_errors.transpose(), trace.batch_td_errors.transpose())
                          .transpose();
                  })
                .free_aspect());
    }

    // Adds the lines of the network and of batch TD, of(trace, td), with a row for each seed.
    void add_lines(Plot& plot, const std::vector<double>& x, const auto& of) const {
        for (const bool td : {false, true}) {
            std::vector<std::vector<double>> rows;
            for (const auto& trace : traces_) {
                rows.emplace_back(x.size(), kMissing);
                if (!trace) continue;
                const Vec values = of(*trace, td);
                rows.back().assign(values.begin(), values.end());
            }
            plot.line(td ? batch_td_ : "learned", x, std::move(rows))
                .color(td ? kBatchTdColor : kNetworkColor)
                .dashed(td);
        }
    }

    PlotSpec weights_plot() const {
        Plot plot("microscope_weights", fmt::format("Implicit weight after layer {}", layer_));
        plot.leads();
        plot.x("feature").whole();
        plot.y("w");
        add_lines(plot, numbered_points(static_cast<size_t>(config_.tasks.d), 1.0), [&](const TdTrace& trace, bool td) {
            return (td ? trace.batch_td : trace.network).row(layer_).transpose();
        });
        plot.note("The network's implicit weights for this prompt, beside batch TD's after as many steps.");
        return plot;
    }

    PlotSpec values_plot() const {
        Plot plot("microscope_values", fmt::format("Value of state {} by layer", query()));
        plot.leads();
        plot.x("layers").from(0.0).to(layers_).whole();
        plot.y("value");
        add_lines(plot, numbered_points(static_cast<size_t>(layers_) + 1),
                  [](const TdTrace& trace, bool td) { return td ? trace.batch_td_value : trace.value; });
        plot.level("true value", world_.v[world_.chosen]);
        plot.mark(fmt::format("layer {}", layer_), layer_);
        plot.note("What the network would answer after each layer, batch TD after as many steps, and the true value.");
        return plot;
    }

    const InContextTdConfig& config_;
    const TdWorld& world_;
    int layers_, layer_;
    std::string batch_td_;                        // its name
    std::vector<std::optional<TdTrace>> traces_;  // none for a seed that failed
};

}  // namespace

TdTrace microscope_trace(const InContextTdConfig& config, const TdWorld& world, const LearnedWeights& seed) {
    const Mat C = static_cast<double>(seed.alpha) * Mat::Identity(config.tasks.d, config.tasks.d);
    const NetworkShape shape = network_shape(config);
    const double lambda = shape.learns_lambda ? static_cast<double>(seed.weights.back()) : shape.mask_lambda;
    TracedNetwork network{{}, {}, config.num_layers, shape.activation, lambda};
    for (const NamedBlock& block : network_blocks(shape))
        if (block.name != "lambda")
            (block.name[0] == 'P' ? network.P : network.Q).push_back(matrix_of(matrix_in(seed.weights, block)));
    return td_trace(world.context, world.mrp.features.col(world.chosen), network, C,
                    {world.mrp.features, world.weights});
}

void add_microscope(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds,
                    Snapshot& snapshot) {
    if (config.inside.microscope() && config.model == "attention") Microscope(config, world, seeds).show(snapshot);
}

}  // namespace emergence

#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/algorithms/context_algorithms.h"
#include "core/base/error.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// The place that an edit names. "p2,3": kind p, numbers 2 and 3; "r1": kind r, number 1.
struct EditPlace {
    std::string kind;
    int first = 0, second = 0;  // from 0; second is -1 if absent
};

int edit_number(const std::string& name, std::string_view text, int most) {
    const auto number = parsed<int>(text);
    if (!number || *number < 1 || *number > most)
        throw InputError("world_edits: '{}': '{}' is not from 1 to {}", name, text, most);
    return *number - 1;
}

EditPlace edit_place(const std::string& name, const Mrp& mrp) {
    const size_t digits = smaller(name.find_first_of("0123456789"), name.size());
    const size_t comma = name.find(',', digits);
    EditPlace place{name.substr(0, digits), 0, -1};
    const bool pair = place.kind == "p" || place.kind == "phi";
    if ((!pair && place.kind != "r") || pair != (comma != std::string::npos))
        throw InputError("world_edits: '{}' is not one of p1,2 (a probability), r1 (a reward) and phi1,2 (a feature)",
                         name);
    const std::string_view text = name;
    place.first = edit_number(name, text.substr(digits, comma - digits), mrp.num_states());
    if (pair) place.second = edit_number(name, text.substr(comma + 1), place.kind == "p" ? mrp.num_states() : mrp.d());
    return place;
}

// Sets the probabilities of row s that are not NaN in `fixed`, and rescales the others so that the row sums
// to 1.
void edit_row(Mrp& mrp, Index s, const Vec& fixed) {
    constexpr double kSlack = 1e-9;
    double sum = 0.0, others = 0.0;
    Index open = 0;
    for (Index t = 0; t < fixed.size(); ++t)
        if (std::isfinite(fixed[t]))
            sum += fixed[t];
        else
            ++open, others += mrp.transition(s, t);
    if (sum > 1.0 + kSlack || (open == 0 && sum < 1.0 - kSlack))
        throw InputError("world_edits: the probabilities set from state {} sum to {} instead of {}1", s + 1, sum,
                         open == 0 ? "" : "at most ");
    const double left = larger(0.0, 1.0 - sum);
    for (Index t = 0; t < fixed.size(); ++t) {
        double& p = mrp.transition(s, t);
        p = std::isfinite(fixed[t]) ? fixed[t] : others > 0.0 ? left * p / others : left / static_cast<double>(open);
    }
}

// ---- the microscope

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
    ShownMatrix seen(const char* name, std::string title, std::string help, const char* unit,
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
            seen("Z", fmt::format("Z, {}", after()),
                 fmt::format("The residual stream of the learned network. The last column is the query, state {}; the "
                             "value is minus its last entry.",
                             query()),
                 "entry", parts, columns, "rows: parts of a transition, columns: time",
                 [&](const TdTrace& trace) { return trace.Z[l]; })
                .free_aspect());
        const bool further = layer_ == layers_;
        if (!further || network_shape(config_).stored == 1)
            snapshot.matrices.push_back(
                seen("A", fmt::format("Attention of {} layer {}", further ? "a further" : "the next", layer_ + 1),
                     "act(Z'QZ): how much of transition i (row) flows into column j, before P and 1/n. The query is "
                     "never a source.",
                     "weight", columns, columns, "rows: sources, columns: receivers",
                     [&](const TdTrace& trace) { return trace.attention[l]; }));
        snapshot.matrices.push_back(
            seen("G", fmt::format("Gram matrix, {}", after()),
                 "G = Z M Z', a sum over the context's columns. Linear attention sees the context only through G.",
                 "sum", parts, parts, "rows and columns: parts of a transition",
                 [&](const TdTrace& trace) { return trace.gram[l]; }));
    }

    void add_all_layers(Snapshot& snapshot) const {
        const int d = config_.tasks.d;
        snapshot.matrices.push_back(
            seen("w", "Weights w by layer",
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
            seen("delta", "TD errors by layer",
                 "R + \u03b3 w'\u03c6' - w'\u03c6 of each transition: above the network's, below batch TD's.",
                 "TD error", {{"learned", layers_ + 1}, {"batch TD", layers_ + 1}}, {{"context", n()}},
                 "rows: layers from 0, columns: time",
                 [](const TdTrace& trace) -> Mat {
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

bool looks_inside(const InContextTdConfig& config) {
    return config.inside.look_inside != "nothing" && config.tasks.has_values() && !averages_rewards(config);
}

std::shared_ptr<const WorldFile> own_world(const InContextTdConfig& config) {
    if (!looks_inside(config) || config.inside.world_file.empty()) return nullptr;
    auto file = std::make_shared<WorldFile>(read_world(config.inside.world_file));
    if (file->mrp.d() != config.tasks.d)
        throw InputError("world_file: '{}' has {} features per state, but the network has d = {}",
                         config.inside.world_file, file->mrp.d(), config.tasks.d);
    return file;
}

Mrp edited(const Mrp& mrp, const NamedNumbers& edits) {
    Mrp result = mrp;
    const auto m = static_cast<Index>(mrp.num_states());
    const Vec open = Vec::Constant(m, std::numeric_limits<double>::quiet_NaN());
    std::map<Index, Vec> rows;
    for (const auto& [name, value] : edits) {
        const EditPlace place = edit_place(name, mrp);
        if (place.kind == "r") {
            result.reward[place.first] = value;
        } else if (place.kind == "phi") {
            result.features(place.second, place.first) = value;
        } else {
            if (!(value >= 0.0 && value <= 1.0))
                throw InputError("world_edits: '{}': {} is not a probability, from 0 to 1", name, value);
            rows.try_emplace(place.first, open).first->second[place.second] = value;
        }
    }
    for (const auto& [s, fixed] : rows) edit_row(result, s, fixed);
    return result;
}

TdWorld td_world(const InContextTdConfig& config, const WorldFile* file) {
    TdWorld world;
    world.gamma = config.tasks.gamma;
    if (file != nullptr) {
        world.gamma = file->gamma.value_or(config.tasks.gamma);
        std::tie(world.title, world.states, world.original) = std::tie(file->title, file->states, file->mrp);
    } else {
        world.title = fmt::format("Held-out MRP {}", config.inside.watched_task);
        draw_mrp(held_out_tasks(config), derive_seed(0, Purpose::held_out),
                 static_cast<uint32_t>(config.inside.watched_task), world.original);
        for (int s = 1; s <= world.original.num_states(); ++s) world.states.push_back(fmt::format("{}", s));
    }
    try {
        world.edits = parse_named_numbers(config.inside.world_edits);
    } catch (const InputError& error) {
        throw InputError("world_edits: {}", error.what());
    }
    world.mrp = edited(world.original, world.edits);
    try {
        world.stationary = stationary_distribution(world.mrp);
    } catch (const InputError&) {
        throw InputError(
            "world_edits: the chain can get trapped in several separate sets of states, so its stationary "
            "distribution depends on the start. Connect them");
    }
    world.weights = error_weights(world.mrp, world.stationary);
    world.leaves_states = world.weights != world.stationary;
    world.v = true_value(world.mrp, world.gamma);
    world.chosen = smaller(config.inside.world_state, world.num_states()) - 1;
    Stream stream(derive_seed(0, Purpose::held_out), Purpose::trajectory,
                  static_cast<uint32_t>(config.inside.watched_task));
    world.path = draw_path(world.mrp, config.eval_context_length, stream);
    world.context = transitions_along(world.mrp, world.gamma, world.path);
    return world;
}

std::vector<TdWorldValues> td_world_values(const InContextTdConfig& config, const TdWorld& world,
                                           const LearnedSeeds& seeds) {
    const auto m = static_cast<Index>(world.num_states());
    NetworkShape shape = network_shape(config);
    shape.context_length = config.eval_context_length;
    std::vector<float> rows;
    for (const int s : world.path) {
        for (Index k = 0; k < world.mrp.d(); ++k) rows.push_back(static_cast<float>(world.mrp.features(k, s)));
        rows.push_back(static_cast<float>(world.mrp.reward[s]));
    }
    std::vector<float> queries;  // m x d
    for (const double feature : world.mrp.features) queries.push_back(static_cast<float>(feature));
    const std::vector<int> context_of(m, 0);
    const auto prompts = shape.is_masked() ? nullptr : make_network_prompts(shape);
    const auto gamma = static_cast<float>(world.gamma);
    const Vec missing = Vec::Constant(m, kMissing);
    const Mat one = Mat::Identity(config.tasks.d, config.tasks.d);
    std::vector<TdWorldValues> all(seeds.size(), {missing, missing});
    for (size_t k = 0; k < seeds.size(); ++k) {
        if (seeds[k].failed) continue;
        std::vector<float> network(static_cast<size_t>(m), 0.0f);
        if (prompts) {
            prompts->run({rows.data(), static_cast<int>(rows.size()), context_of.data(), queries.data(),
                          static_cast<int>(m), gamma},
                         seeds[k].weights.data(), network.data(), nullptr);
        } else {
            const std::vector<float> w = masked_weight(shape, rows, gamma, seeds[k].weights);
            for (size_t s = 0; s < network.size(); ++s)
                for (size_t i = 0; i < w.size(); ++i)
                    network[s] = std::fma(w[i], queries[s * w.size() + i], network[s]);
        }
        all[k].network = Mat::by_rows(network.data(), m, 1);
        const Mat C = static_cast<double>(seeds[k].alpha) * one;
        all[k].batch_td = world.mrp.features.transpose() * batch_td(world.context, {C}, config.num_layers).back();
    }
    return all;
}

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

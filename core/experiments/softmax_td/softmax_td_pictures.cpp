// Pictures of experiment "softmax-td": matrices beside theory, lamps, read-outs, training curves.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/ranges.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/models/softmax_td_layer.h"
#include "core/pictures/pen.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

const char* const kBestCheckpoint =
    "A network's best checkpoint is the logged point with the largest product of V and A.";

// Z's rows: features, reward, target memory (used for bootstrapping) and current memory. Short labels for
// narrow columns.
std::vector<Block> column_blocks(int d) { return {{"x", d}, {"R", 1}, {"v\u2032", 1}, {"v", 1}}; }
std::vector<Block> row_blocks(int d) { return {{"x", d}, {"R", 1}, {"target v\u2032", 1}, {"current v", 1}}; }
const char* const kLetters = "x features, R reward, v\u2032 bootstrap, v current value";

std::vector<ShownSeed> seeds_to_show(const Snapshot& snapshot, const std::string& show) {
    const std::string prefix = show == "best" ? "best_" : "";
    const auto mixing = as_doubles(snapshot.weights.at("mixing"));
    std::vector<ShownSeed> seeds;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        ShownSeed& seed = seeds.emplace_back(ShownSeed{{}, mixing[k]});
        for (const char* matrix : {"P", "Q"})
            for (const double weight : part_of_seed(snapshot.weights.at(prefix + matrix), k))
                seed.weights.push_back(static_cast<float>(weight));
    }
    return seeds;
}

// Rows `first` .. D-1 of P or Q.
Table rows_from(const ShownSeed& seed, int matrix, int D, int first) {
    Table table(D - first, D);
    for (int i = first; i < D; ++i)
        for (int j = 0; j < D; ++j) table(i - first, j) = static_cast<double>(seed.weights[(matrix * D + i) * D + j]);
    return table;
}

// Adds one table per seed, and the products from which norms at the start follow. `first` is the first row shown of
// matrix `half`: 0 is P, 1 is Q.
void add_seeds(const Snapshot& snapshot, const std::vector<ShownSeed>& seeds, int half, int D, int first,
               ShownMatrix& matrix) {
    for (const ShownSeed& seed : seeds) matrix.seed(rows_from(seed, half, D, first));
    const Array& products = snapshot.weights.at(half == 0 ? "initial_products_P" : "initial_products_Q");
    const int count = static_cast<int>(seeds.size());
    matrix.spec().initial_products = Table(count, count);
    matrix.spec().initial_products.values = as_doubles(products);
}

NamedMatrix matrix_P(const Snapshot& snapshot, const SoftmaxTdConfig& c, const std::vector<ShownSeed>& seeds) {
    const int d = c.tasks.d, D = d + 3;
    Table theory(2, D);
    theory(1, d) = theory(1, d + 1) = 1.0;
    theory(1, d + 2) = -1.0;
    ShownMatrix P("P", "",
                  "What a layer writes from each source: only the last two rows; all others are masked. The temporal "
                  "shift overwrites the first of the two, so it has no gradient.");
    P.rows({{"target v\u2032", 1}, {"current v", 1}}).columns(column_blocks(d));
    P.as_is(kLetters).free_aspect();  // two rows of squares would be a line
    add_seeds(snapshot, seeds, 0, D, D - 2, P);
    P.target(std::move(theory), "Theorem 1, Eq. (15)");
    P.meanings({{1, 1, "+1 times a step size: the reward", false, "the reward"},
                {1, 2, "+1 times a step size: bootstrapping; the target memory holds \u03b3 v of the next state", false,
                 "bootstrapping"},
                {1, 3, "-1 times a step size: the current value", false, "the current value"},
                {1, 0, "0: features do not enter a TD error", false, "add features to the TD error"}});
    return P;
}

NamedMatrix matrix_Q(const Snapshot& snapshot, const SoftmaxTdConfig& c, const std::vector<ShownSeed>& seeds) {
    const int d = c.tasks.d, D = d + 3;
    Table theory(D, D);
    for (int i = 0; i < d; ++i) theory(i, i) = 1.0;
    ShownMatrix Q(
        "Q", "",
        "What a layer compares: a source and a column score z' Q z; the softmax over the sources is the kernel.");
    Q.rows(row_blocks(d)).columns(column_blocks(d)).as_is(kLetters);
    add_seeds(snapshot, seeds, 1, D, 0, Q);
    Q.target(std::move(theory), "Theorem 1, Eq. (15)");
    Q.meanings({{0, 0, "+I times a sharpness: states are compared by their features", false, "comparing features"}});
    return Q;
}

Formula update_formula() {
    const std::vector<BlockReference> kernel = {{"Q", 0, 0}};
    return {
        "weighted softmax TD",
        written(
            "v_{l+1}(s) = v_l(s) + sum_k K(S_k, s) ( R_k + gamma v_l(S'_k) - v_l(S_k) )",
            {{"v_{l+1}(s)", "The value of state s after layer l + 1, in the current memory.", {}},
             {"v_l(s)", "What the layers before have learned from this prompt; the residual stream keeps it.", {}},
             {"sum_k", "Sums over all transitions of the context.", {}},
             {"K(S_k, s)", "How much s learns from transition k: the softmax of Q's scores.", kernel},
             {"R_k", "The reward of transition k.", {{"P", 1, 1}}},
             {"gamma v_l(S'_k)", "The value of the next state, from the target memory: bootstrapping.", {{"P", 1, 2}}},
             {"v_l(S_k)", "The value of the current state, from the current memory.", {{"P", 1, 3}}}}),
        "Theorem 1: each layer is one step on the prompt. P's entries carry the step size."};
}

// The mean of a score over the seeds that have not failed.
double mean_score(const Snapshot& snapshot, const std::vector<SoftmaxEmergence>& scores,
                  double SoftmaxEmergence::*score) {
    double sum = 0, count = 0;
    for (size_t k = 0; k < scores.size(); ++k)
        if (!snapshot.seeds[k].failed) sum += scores[k].*score, ++count;
    return sum / count;
}

std::vector<SoftmaxEmergence> scores_of(const std::vector<ShownSeed>& seeds, int d) {
    return mapped(seeds, [d](const ShownSeed& seed) { return softmax_emergence(seed.weights.data(), d); });
}

// Read-outs of the present weights and of the best checkpoints, whatever the matrices show.
std::vector<Scalar> scalars_of(const Snapshot& snapshot, const SoftmaxTdConfig& c) {
    const auto now = scores_of(seeds_to_show(snapshot, "final"), c.tasks.d),
               best = scores_of(seeds_to_show(snapshot, "best"), c.tasks.d);
    const auto V = &SoftmaxEmergence::v_emergence, A = &SoftmaxEmergence::a_emergence;
    std::vector<Scalar> scalars = {
        {"v_emergence", "V-emergence now", mean_score(snapshot, now, V), "",
         "V-emergence of the current weights, mean over networks.", false, "V-emergence", "mean over networks"},
        {"a_emergence", "A-emergence now", mean_score(snapshot, now, A), "",
         "A-emergence of the current weights, mean over networks."},
        {"v_best", "V at best", mean_score(snapshot, best, V), "",
         std::string("V-emergence, mean over networks. ") + kBestCheckpoint},
        {"a_best", "A at best", mean_score(snapshot, best, A), "",
         std::string("A-emergence, mean over networks. ") + kBestCheckpoint}};
    if (c.flip && c.clamp == Clamp::none) {
        const auto flipped = as_doubles(snapshot.weights.at("flipped"));
        scalars.push_back(
            {"flipped", "flipped", static_cast<double>(std::count(flipped.begin(), flipped.end(), 1.0)),
             fmt::format("of {} networks", now.size()),
             fmt::format("Networks that had both signs wrong at update {}, where they were flipped.", c.flip_at),
             true});
    }
    return scalars;
}

SoftmaxTdTrace trace_of(const SoftmaxTdConfig& c, const SoftmaxTdBank& bank, const ShownSeed& seed) {
    return softmax_td_trace(bank.prompt(c.prompt), {seed.weights, c.temperature, seed.mixing}, c.num_layers,
                            c.tasks.gamma);
}

// One block per visited state, in the order of columns_by_state().
std::vector<Block> state_blocks(const std::vector<int>& states, const std::vector<int>& order) {
    std::vector<Block> blocks;
    for (const int column : order) {
        const std::string label = std::to_string(states[column] + 1);
        if (blocks.empty() || blocks.back().label != label) blocks.push_back({label, 0});
        ++blocks.back().size;
    }
    return blocks;
}

// The columns in the given order, and the rows too if asked; a query column stays last.
Table in_order(const Mat& matrix, const std::vector<int>& order, bool rows = false) {
    Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
    for (int j = 0; j < table.columns; ++j)
        for (int i = 0; i < table.rows; ++i)
            table(i, j) = matrix(rows ? order[i] : i, j < static_cast<int>(order.size()) ? order[j] : j);
    return table;
}

}  // namespace

void show_softmax_snapshot(Snapshot& snapshot, const SoftmaxTdConfig& config, const SoftmaxTdBank& bank) {
    const std::vector<ShownSeed> seeds = seeds_to_show(snapshot, config.show);
    snapshot.matrices = {matrix_P(snapshot, config, seeds), matrix_Q(snapshot, config, seeds)};
    for (NamedMatrix& matrix : snapshot.matrices) {
        if (matrix.name == (config.clamp == Clamp::P ? "P" : config.clamp == Clamp::Q ? "Q" : "")) {
            matrix.title = matrix.name + ", held";
            matrix.unit = "held";  // a colour scale of its own: its large entries would leave the other matrix pale
            matrix.alignment_note += "; held here, not trained";
        } else if (config.show == "best") {
            const auto updates = as_doubles(snapshot.weights.at("best_update"));
            const auto [first, last] = std::minmax_element(updates.begin(), updates.end());
            matrix.title = matrix.name + " at the best checkpoint";
            matrix.alignment_note += fmt::format(", best checkpoints at updates {:.0f} to {:.0f}", *first, *last);
        }
    }
    for (NamedMatrix& matrix : softmax_microscope(config, bank, seeds)) snapshot.matrices.push_back(std::move(matrix));
    snapshot.formulas = {update_formula()};
    const std::vector<SoftmaxEmergence> scores = scores_of(seeds, config.tasks.d);
    snapshot.lamps = mapped(kSoftmaxLamps, [&](const SoftmaxLamp& lamp) {
        return Lamp{lamp.name, lamp.label, lamp.help, mapped(scores, lamp.lit)};
    });
    snapshot.scalars = scalars_of(snapshot, config);
    snapshot.plots.resize(1);  // keep the plot of V and A against kappa
    snapshot.plots.push_back(softmax_values_plot(config, bank, seeds));
}

PlotSpec emergence_against_kappa(const std::vector<const SoftmaxTdSeed*>& seeds) {
    Plot plot("emergence_against_kappa", "Emergence against the kernel's diagonality");
    plot.x("\u03ba").from(0.0);
    plot.y("V-emergence, A-emergence").from(0.0).to(1.0);
    std::vector<double> kappa, v, a, best_kappa, best_v;
    for (const SoftmaxTdSeed* seed : seeds) {
        for (const auto& point : seed->trace().rows()) {  // kappa, V, A
            kappa.push_back(point[0]);
            v.push_back(point[1]);
            a.push_back(point[2]);
        }
        const SoftmaxTdTraining& training = seed->training();
        if (training.best().score <= 0) continue;
        best_kappa.push_back(seed->best_kappa());
        best_v.push_back(softmax_emergence(training.best().weights.data(), training.rows() - 3).v_emergence);
    }
    plot.points("A-emergence", kappa, std::move(a)).color(1);
    plot.points("V-emergence", kappa, std::move(v)).color(0);
    if (!best_kappa.empty())
        plot.points("V-emergence at best checkpoint", std::move(best_kappa), std::move(best_v)).color(2);
    plot.note(
        "After Figure 3b: one point per network and logged step. \u03ba is the mean diagonal of the first layer's "
        "kernel (Eq. 34). Scores and \u03ba both rise with time, which does not prove that one needs the other; clamp "
        "one of them to test it.");
    return plot;
}

void SoftmaxTdMeasured::say(Row& row) const {
    HistoryPlot& scores = row.plot("emergence", "Emergence");
    scores.y("V-emergence, A-emergence").from(0.0).to(1.0);
    scores.spec().best_by = {"v_emergence", "a_emergence"};
    scores.note(std::string("1 is the construction of Theorem 1; \u03b5 = 1e-8 is our choice. ") + kBestCheckpoint);
    HistoryPlot& diagonality = row.plot("kappa", "How diagonal the kernel is");
    diagonality.y("\u03ba").from(0.0).to(1.0);
    diagonality.note(
        "First layer, held-out chains. \u03ba cannot exceed its ceiling, the number of distinct states over n.");
    HistoryPlot& coefficients = row.plot("coefficients", "P's last row and Q's diagonal");
    coefficients.y("entries");
    coefficients.level("", 0.0);
    coefficients.note(
        "In TD reward = bootstrap = -current and Q's diagonal is positive; in the mirrored basin reward and Q's "
        "diagonal are negative.");
    HistoryPlot& errors = row.plot("value_error", "Value error while training");
    errors.y("MSVE").from(0.0);
    HistoryPlot& margins = row.plot("margin", "Assumption 5.1");
    margins.y("margin, share");
    margins.level("", 0.0);
    margins.note(std::string("With the stationary distribution instead of a context. ") + kMarginHelp);
    HistoryPlot& losses = row.plot("loss", "Training loss");
    losses.y("mean squared TD error");
    losses.note("Mean over the updates since the last logged point.");

    row("loss", "TD loss", "Mean squared TD error over the updates since the last point.", loss)
        .line(losses)
        .label("loss");
    row("v_emergence", "V-emergence",
        "Are the three coefficients in P's last row of the right sign and of similar size? 1 is TD. Appendix F.4.1.",
        emergence.v_emergence)
        .line(scores);
    row("a_emergence", "A-emergence",
        "Is Q's feature block diagonal, with similar entries? It ignores the sign. Appendix F.4.2.",
        emergence.a_emergence)
        .line(scores, 1);
    row("p_reward", "reward", "P's last row under R, the reward.", emergence.reward).line(coefficients, 2);
    row("p_bootstrap", "bootstrap", "P's last row under v', the target memory.", emergence.bootstrap)
        .line(coefficients);
    row("p_current", "current", "P's last row under v, the current memory.", emergence.current).line(coefficients, 1);
    row("p_others", "mean |P| on x", "Mean size of P's last row under the features; 0 in theory.", emergence.others)
        .line(coefficients, 7)
        .dashed();
    row("q_mean", "Q's diagonal", "Mean of the diagonal of Q's feature block.", emergence.q_mean).line(coefficients, 3);
    row("q_others", "mean |Q| off it", "Mean absolute value of that block off its diagonal.", emergence.q_others)
        .line(coefficients, 3)
        .dashed();
    row("kappa", "\u03ba", "Mean of the diagonal of the first layer's kernel over the context, on held-out chains.",
        kernel.kappa)
        .line(diagonality, 2);
    const Row::Said by_state =
        row("kappa_state", "\u03ba by state",
            "The weight that a state gives to itself, mean over the context's states. Ours.", kernel.kappa_state);
    diagonality.line("kappa_ceiling").label("its ceiling").color(2).dashed();
    by_state.line(diagonality, 3);
    row("kappa_ceiling", "\u03ba's ceiling",
        "The largest possible \u03ba: distinct states in the context over n. Ours.", kernel.ceiling);
    row("margin", "margin C",
        "Margin of Assumption 5.1 for the current kernel, mean over chains. If positive, the iteration contracts.",
        kernel.margin)
        .line(margins, 2);
    row("margin_holds", "margin > 0", "Share of held-out chains with a positive margin.", kernel.holds)
        .line(margins)
        .label("share with C > 0")
        .dashed();
    row("msve", "MSVE", "Mean squared value error of the visited queries on held-out chains.", msve)
        .line(errors)
        .label("transformer");
}

std::vector<NamedMatrix> softmax_microscope(const SoftmaxTdConfig& c, const SoftmaxTdBank& bank,
                                            const std::vector<ShownSeed>& seeds) {
    const int layer = smaller(c.layer, c.num_layers);
    ShownMatrix A(
        "A", fmt::format("Kernel A, layer {}, prompt {}", layer, c.prompt),
        "The weight that a column gives to each source, both sorted by state. Sharp blocks tell states apart."),
        values("v", fmt::format("Values by layer, prompt {}", c.prompt),
               "The current memory after each layer, from 0; columns sorted by state, the query last."),
        errors("TD error", fmt::format("TD errors by layer, prompt {}", c.prompt),
               "R + target memory - current memory of each transition, before each layer."),
        written("written", fmt::format("What P writes, prompt {}", c.prompt),
                "P's last row times each source. Once TD has emerged, this is the TD error times the step size.");
    A.nonnegative().unit("weight").as_is("rows: sources, columns: receivers, both sorted by state");
    for (ShownMatrix* matrix : {&values, &errors, &written})
        matrix->unit("value").free_aspect().as_is("rows: layers, columns: states");
    std::vector<int> order;
    for (const ShownSeed& seed : seeds) {
        const SoftmaxTdTrace trace = trace_of(c, bank, seed);
        if (order.empty()) {
            order = columns_by_state(trace.states);
            const std::vector<Block> sources = state_blocks(trace.states, order);
            std::vector<Block> all = sources;
            all.push_back({"query", 1});
            A.rows(sources).columns(all);
            values.rows(numbered_blocks(0, c.num_layers)).columns(all);
            errors.rows(numbered_blocks(1, c.num_layers)).columns(sources);
            written.rows(numbered_blocks(1, c.num_layers)).columns(sources);
        }
        A.seed(in_order(trace.kernels[layer - 1], order, true));
        values.seed(in_order(trace.values, order));
        errors.seed(in_order(trace.td_errors, order));
        written.seed(in_order(trace.written, order));
    }
    return {A, values, errors, written};
}

PlotSpec softmax_values_plot(const SoftmaxTdConfig& c, const SoftmaxTdBank& bank, const std::vector<ShownSeed>& seeds) {
    const SoftmaxTdBank::Prompt prompt = bank.prompt(c.prompt);
    Plot plot("prompt_values", fmt::format("Values of prompt {}'s states, layer by layer", c.prompt));
    plot.x("state");
    plot.y("value");
    const std::vector<double> x = numbered_points(static_cast<size_t>(c.tasks.num_states), 1.0);
    std::vector<std::vector<std::vector<double>>> by_layer(static_cast<size_t>(c.num_layers));
    for (const ShownSeed& seed : seeds) {
        const SoftmaxTdTrace trace = trace_of(c, bank, seed);
        for (int l = 1; l <= c.num_layers; ++l) {
            std::vector<double>& row = by_layer[l - 1].emplace_back(x.size(), kMissing);
            for (size_t k = 0; k < trace.states.size(); ++k)  // the last visit of a state counts
                row[trace.states[k]] = trace.values(l, static_cast<Index>(k));
        }
    }
    for (int l = 1; l <= c.num_layers; ++l)
        plot.line(fmt::format("layer {}", l), x, std::move(by_layer[l - 1]))
            .color(ordinal_color(Course::blues, l - 1, c.num_layers));
    plot.path("true value", x, prompt.values).color(7).dashed();
    plot.note("The current memory at each state's last visit in the prompt, after each layer, beside the true value.");
    return plot;
}

}  // namespace emergence

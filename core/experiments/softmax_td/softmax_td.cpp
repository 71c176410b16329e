#include "core/experiments/softmax_td/softmax_td.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>

#include "core/base/ranges.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/models/softmax_td_layer.h"
#include "core/pictures/plot.h"

namespace emergence {

std::vector<float> constructed_softmax_weights(int d, double step, double sharpness) {
    const SoftmaxTdWeights weights = softmax_td_construction(d, step, sharpness);
    std::vector<float> values = floats_of(weights.P);
    const std::vector<float> Q = floats_of(weights.Q);
    values.insert(values.end(), Q.begin(), Q.end());
    return values;
}

std::shared_ptr<const SoftmaxTdBank> softmax_bank(const SoftmaxTdConfig& config, uint64_t world) {
    return std::make_shared<const SoftmaxTdBank>(SoftmaxTdBankOptions{
        config.tasks, config.context_length, config.bank_size, derive_seed(world, Purpose::held_out)});
}

namespace {

constexpr StudyNames kSoftmaxTdStudy = {
    "softmax-td", "updates", "num_updates",
    "A network counts as emerged (our rule) when all four lamps are lit and V-emergence and A-emergence are both at "
    "least 0.7, with the current weights."};

// A seed counts as emerged if both scores are at least this and all four lamps are lit (ours).
constexpr double kSoftmaxEmerged = 0.7;

std::vector<Lack> lacks_to_emerge(const SoftmaxEmergence& e) {
    for (const SoftmaxLamp& lamp : kSoftmaxLamps)
        if (!(e.*lamp.lit)()) return {{fmt::format("{} is not lit", lamp.label)}};
    for (const auto& [name, value] : {std::pair("V-emergence", e.v_emergence), std::pair("A-emergence", e.a_emergence)})
        if (!(value >= kSoftmaxEmerged)) return {{name, value, kSoftmaxEmerged}};
    return {};
}

SoftmaxTdTrainingOptions training_options(const SoftmaxTdConfig& c) {
    SoftmaxTdTrainingOptions options = c;
    if (c.mixing_updates == 0) options.final_mixing = c.mixing;
    if (!c.flip) options.flip_at = 0;
    return options;
}

// Draws the errors of classical algorithms on `bank` in the plot of value errors. Their step sizes and sharpness are the
// best of a few on other chains.
void add_references(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank, MetricPlot& plot) {
    SoftmaxTdConfig other = config;
    other.bank_size = 32;
    const auto validation = softmax_bank(other, 1);
    double least = std::numeric_limits<double>::infinity(), best_step = 0, best_sharpness = 0, best_alpha = 0;
    for (const double step : {0.5, 0.75, 1.0, 1.25, 1.5})
        for (const double sharpness : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
            const double error =
                validation->msve({constructed_softmax_weights(config.tasks.d, step, sharpness)}, config.num_layers);
            if (error < least) least = error, best_step = step, best_sharpness = sharpness;
        }
    least = std::numeric_limits<double>::infinity();
    for (const double alpha : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0}) {
        const double error = validation->msve_of_batch_td(config.num_layers, alpha);
        if (error < least) least = error, best_alpha = alpha;
    }
    const double zero = bank.msve_of_zero();
    plot.y.cut = 1.25 * zero;
    plot.lines = {
        {"predict zero", zero, false},
        {"batch TD", bank.msve_of_batch_td(config.num_layers, best_alpha), false},
        {"weighted softmax TD",
         bank.msve({constructed_softmax_weights(config.tasks.d, best_step, best_sharpness)}, config.num_layers),
         false}};
    plot.note = fmt::format(
        "Mean squared error of the query's value on {} held-out chains, 16 prompts each. With as many steps as layers, "
        "and constants fitted on other chains: batch TD with step size {:.3g}, weighted softmax TD with step size "
        "{:.3g} and sharpness {:.3g}.",
        config.bank_size, best_alpha, best_step, best_sharpness);
}

void add_weights(Snapshot& snapshot, const std::vector<const SoftmaxTdSeed*>& seeds) {
    ArrayMap& weights = snapshot.weights;
    const auto D = static_cast<size_t>(seeds.front()->training().rows());
    for (const size_t half : {size_t{0}, size_t{1}}) {
        const std::string name = half == 0 ? "P" : "Q";
        const auto part = [&](const std::vector<float>& all) { return std::span(all).subspan(half * D * D, D * D); };
        weights[name] = stacked(seeds, {1, D, D}, [&](const auto* seed) { return part(seed->training().weights()); });
        weights["best_" + name] =
            stacked(seeds, {1, D, D}, [&](const auto* seed) { return part(seed->training().best().weights); });
        std::vector<Table> initial(seeds.size());
        for (size_t k = 0; k < seeds.size(); ++k) {
            const auto values = part(seeds[k]->training().initial_weights());
            initial[k].values.assign(values.begin(), values.end());
        }
        weights["initial_products_" + name] = {{seeds.size(), seeds.size()}, products_of(initial).values};
    }
    weights["best_update"] =
        one_a_seed<int64_t>(seeds, [](const auto* seed) { return seed->training().best().update; });
    weights["flipped"] = one_a_seed<int64_t>(seeds, [](const auto* seed) { return seed->training().flipped(); });
    weights["mixing"] = one_a_seed<double>(seeds, [](const auto* seed) { return seed->training().mixing(); });
    weights["seed"] = seed_numbers(seeds);
}

}  // namespace

SoftmaxTdSeed::SoftmaxTdSeed(const SoftmaxTdConfig& config, int seed_index, std::shared_ptr<const SoftmaxTdBank> bank)
    : TrainedSeed(config.seed, seed_index, config.log_interval, "update",
                  [&](uint64_t seed) { return SoftmaxTdTraining(training_options(config), seed); }),
      temperature_(config.temperature),
      layers_(config.num_layers),
      bank_(std::move(bank)) {}

void SoftmaxTdSeed::state(Archive& archive) {
    TrainedSeed::state(archive);
    trace_.state(archive);
    archive("best_kappa", best_kappa_);
}

SoftmaxTdMeasured SoftmaxTdSeed::measure() {
    SoftmaxTdTraining& training = own_training();
    training.consider_checkpoint();
    const SoftmaxTdView view{training.weights(), temperature_, training.mixing()};
    SoftmaxTdMeasured measured;
    measured.emergence = training.emergence();
    measured.kernel = bank_->diagonality(view);
    measured.loss = training.take_mean_loss();
    measured.msve = bank_->msve(view, layers_);
    const SoftmaxEmergence& e = measured.emergence;
    trace_.add({measured.kernel.kappa, e.v_emergence, e.a_emergence});
    if (training.best().update == last_logged()) best_kappa_ = measured.kernel.kappa;
    const std::vector<Lack> lacks = lacks_to_emerge(e);
    judge(lacks.empty(), lacks);
    return measured;
}

namespace {

class SoftmaxTdStudy final : public StudyOf<SoftmaxTdConfig, SoftmaxTdSeed, SoftmaxTdBank> {
  public:
    explicit SoftmaxTdStudy(const Settings& settings) : StudyOf(kSoftmaxTdStudy, settings) {
        shared_ = softmax_bank(config_);
        declare(SoftmaxTdMeasured());
        add_references(config_, *shared_, *find_by(metric_plots_, &MetricPlot::id, "value_error"));
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        add_weights(snapshot, seeds);
        snapshot.plots = {emergence_against_kappa(seeds)};
    }
    void evaluate(const SoftmaxTdConfig& config, Snapshot& snapshot) const override {
        show_softmax_snapshot(snapshot, config, *shared_);
    }
};

// ---- Figures 3 and 6 of the softmax paper, and our figure of a held kernel

constexpr int kBins = 20;

// The places of the live seeds whose Q ends positive. In the basin with both signs wrong A is high at a small kappa,
// which means nothing, because A cannot see Q's sign.
std::vector<size_t> upright_seeds(const FinishedRun& run) {
    std::vector<size_t> seeds = live_seeds(run.snapshot);
    std::erase_if(seeds, [&](size_t k) {
        const auto& q = run.history.column("q_mean", static_cast<int>(k));
        return q.empty() || !(q.back() > 0.0);
    });
    return seeds;
}

// Each upright seed's mean of a metric in equal bins of kappa, from the least to the largest kappa of these seeds.
Series binned_by_kappa(const FinishedRun& run, const char* metric, const char* name, int color) {
    double low = 1.0, high = 0.0;
    for (const size_t k : upright_seeds(run))
        for (const double kappa : run.history.column("kappa", static_cast<int>(k)))
            if (std::isfinite(kappa)) low = smaller(low, kappa), high = larger(high, kappa);
    const double width = larger(1e-9, (high - low) / kBins);
    Series series{.name = name, .x = {}, .rows = {}, .color = color};
    for (int bin = 0; bin < kBins; ++bin) series.x.push_back(low + (bin + 0.5) * width);
    for (const size_t k : upright_seeds(run)) {
        const auto& kappa = run.history.column("kappa", static_cast<int>(k));
        const auto& values = run.history.column(metric, static_cast<int>(k));
        std::vector<double> sum(kBins, 0.0), count(kBins, 0.0);
        for (size_t i = 0; i < kappa.size(); ++i) {
            if (!std::isfinite(kappa[i])) continue;
            const auto bin = static_cast<size_t>(std::clamp((kappa[i] - low) / width, 0.0, kBins - 1.0));
            sum[bin] += values[i];
            count[bin] += 1;
        }
        for (size_t bin = 0; bin < kBins; ++bin) sum[bin] = count[bin] > 0 ? sum[bin] / count[bin] : kMissing;
        series.rows.push_back(std::move(sum));
    }
    return series;
}

// V and A in those bins: median over seeds and quartiles, as Figure 3b.
PlotSpec binned_plot(const FinishedRun& run, const std::string& id, const std::string& title) {
    Plot plot(id, title);
    plot.x("\u03ba");
    plot.y("V, A").from(0.0).to(1.0);
    plot.spread(Spread::median);
    plot.add(binned_by_kappa(run, "a_emergence", "A-emergence", 1));
    plot.add(binned_by_kappa(run, "v_emergence", "V-emergence", 0));
    return plot;
}

// Adds P and Q of run number `number` as trained: their mean over upright seeds, because a mean over both basins would
// be the weights of no network.
void add_matrices(Draft& draft, const FinishedRun& run, size_t number) {
    const std::vector<size_t> upright = upright_seeds(run);
    const auto kept = [&](const auto& all) { return mapped(upright, [&](size_t k) { return all[k]; }); };
    Snapshot snapshot = run.snapshot;
    snapshot.seeds = kept(run.snapshot.seeds);
    for (NamedMatrix& matrix : snapshot.matrices) {
        if (matrix.name != "P" && matrix.name != "Q") continue;
        matrix.seeds = kept(matrix.seeds);
        matrix.initial_products = {};
        HeatmapSpec heatmap = heatmap_of(snapshot, matrix, {MatrixView::Mode::raw});
        heatmap.id += fmt::format("_{}", number);
        heatmap.title =
            fmt::format("{}, {}: {} of {} seeds", matrix.name, run.label, upright.size(), run.snapshot.seeds.size());
        draft.add(std::move(heatmap));
    }
}

// The least x at which the mean over these seeds reaches half of its largest value.
double half_height(const Series& series, const Places& places) {
    std::vector<double> means;
    double largest = 0.0;
    for (size_t i = 0; i < series.x.size(); ++i) {
        means.push_back(summary_at(series.rows, places, i).mean);
        if (std::isfinite(means[i])) largest = larger(largest, means[i]);
    }
    for (size_t i = 0; i < series.x.size(); ++i)
        if (means[i] >= 0.5 * largest) return series.x[i];
    return kMissing;
}

std::vector<GridConfig> demonstration_and_defaults(const ExperimentInfo& info, const Settings& settings) {
    Settings plain(info.fields);
    for (const char* field : {"seed", "seeds", "num_updates", "log_interval", "bank_size"})
        plain.set(field, settings.value(field));
    return {config_with("demonstration", settings, {{"show", "best"}}),
            config_with("defaults, signs changed", plain, {{"show", "best"}, {"flip", true}}),
            config_with("defaults", plain, {{"show", "best"}})};
}

void draw_softmax_3(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        add_matrices(draft, draft.run(i), i);
        draft.add(binned_plot(draft.run(i), fmt::format("against_kappa_{}", i), draft.run(i).label));
    }
    const FinishedRun& demo = draft.run(0);
    const Series v = binned_by_kappa(demo, "v_emergence", "", 0), a = binned_by_kappa(demo, "a_emergence", "", 0);
    const Places all = all_places(v.rows.size());
    draft.measure("softmax-3-v-later",
                  bootstrapped(
                      all.size(), [&](const Places& places) { return half_height(v, places) - half_height(a, places); },
                      fmt::format("V at {:.3f}, A at {:.3f}", half_height(v, all), half_height(a, all))));
}

// One row per run of Figure 6: while training, against kappa, P and Q.
void draw_masks(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        const FinishedRun& run = draft.run(i);
        draft.add(plot_of_run(run, "emergence", run.label, fmt::format("scores_{}", i)));
        draft.add(binned_plot(run, fmt::format("against_kappa_{}", i), run.label));
        add_matrices(draft, run, i);
    }
}

// Adds the free runs, while they train, behind the runs whose Q is held.
void draw_free_runs(Draft& draft) {
    Series free = plot_of_run(draft.run(), "emergence_against_kappa", "").series[1];  // V's
    free.name = "V of free runs, while they train";
    free.color = 7;
    auto& series = std::get<PlotSpec>(draft.made.figure.cells.front().content).series;
    series.insert(series.begin(), std::move(free));
}

}  // namespace

ExperimentInfo softmax_td() {
    return experiment_of<SoftmaxTdStudy>(
        kSoftmaxTdStudy, "Softmax in-context TD",
        "A transformer with softmax attention learns to predict the values of random Boyan chains. In its forward "
        "pass it learns to run weighted softmax TD: P learns reward + bootstrap - current value, and Q learns a "
        "kernel that matches states with themselves (Beyond Linear Attention: Softmax Transformers Implement "
        "In-Context Reinforcement Learning).",
        {shipped_figure(
             "softmax-3",
             {.plan = demonstration_and_defaults, .measures = {"softmax-3-v-later"}, .draw = draw_softmax_3}),
         shipped_figure("softmax-5"), shipped_figure("softmax-6", {.draw = draw_masks}),
         shipped_figure("softmax-clamp", {.draw = draw_free_runs})});
}

void SoftmaxTdConfig::fields(Fields& f) {
    model_fields(f);
    training_fields(f);
    train_for_field(f, num_updates, "num_updates", "updates", "The run stops after this many Adam steps.");
    first_seed_field(f, seed, "Each network draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many networks are trained.");
    f.group("evaluation");
    live(f, show, "show", "show",
         "final: the current weights. best: each network's logged point with the largest V times A.")
        .choices({"final", "best"});
    live(f, prompt, "prompt", "prompt", "Which held-out prompt the microscope shows: its kernel, values and TD errors.")
        .range(0, 63);
    live(f, layer, "layer", "layer", "The layer whose kernel A is shown, from 1; at most L.").range(1, 8);
    bank_size_field(f, bank_size, "MRPs", "Value errors and \u03ba are measured on these chains, with 16 prompts each.",
                    8, 4000);
    log_interval_field(f, log_interval, "updates");
}

void SoftmaxTdConfig::model_fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How often the one trained attention layer is applied. Weighted softmax TD takes as many steps.")
        .range(1, 8);
    f(temperature, "temperature", "temperature T",
      "Divides the scores before the softmax. A lower temperature makes a sharper kernel.")
        .log_range(0.05, 10);
    f.choice(mask_scores, {{"full", true}, {"relaxed", false}}, "masks", "masks",
             "full: only P's last two rows are trained, and Q's block of scalars stays 0 (Eqs. 106 and 108). "
             "relaxed: only P's mask, as in Figure 6.");
    f(mixing, "mixing", "mixing \u03be",
      "Makes the kernel (1 - \u03be) softmax + \u03be I in the context's columns (Eq. 104). The main result has 0.")
        .range(0, 0.95);
    advanced(f, mixing_updates, "mixing_updates", "\u03be annealed over",
             "Updates over which \u03be moves linearly to its last value. 0: \u03be stays constant.")
        .unit("updates")
        .range(0, 1e6);
    advanced(f, final_mixing, "mixing_end", "\u03be in the end", "The final \u03be, if it is annealed.")
        .range(0, 0.95)
        .idle_while("mixing_updates", {"0"});
    context_length_field(f, context_length, 128);
    features_field(f, tasks.d, "Features of a state. Z, P and Q have d+3 rows.");
    states_field(f, tasks.num_states, "States of each random Boyan chain.", 32);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted, and of the temporal shift.");
    true_weights_field(f, tasks.normal_true_weights);
}

void SoftmaxTdConfig::training_fields(Fields& f) {
    learning_rate_field(f, adam.learning_rate, "Adam's step size.");
    f.group("training");
    advanced(f, final_rate_share, "rate_end", "falls to",
             "The learning rate falls linearly to this share of itself. 1: it stays constant.")
        .log_range(0.001, 1);
    advanced(f, rate_updates, "rate_updates", "falls over",
             "Updates over which the learning rate falls; then it stays.")
        .unit("updates")
        .log_range(1, 1e6)
        .idle_while("rate_end", {"1"});
    weight_decay_field(f, adam.weight_decay);
    initial_gain_field(f, initial_gain, "d+3");
    minibatch_field(f, minibatch_size, 512);
    minibatches_per_mrp_field(f, minibatches_per_mrp);
    f(flip, "flip", "flip wrong signs",
      "Near zero half of the networks have both signs wrong. On (ours): if the trace of Q's feature block is "
      "negative, P and Q flip their signs once.")
        .acts_while("clamp", {"nothing"});
    advanced(f, flip_at, "flip_at", "flip at", "The signs are checked after this update.")
        .unit("updates")
        .log_range(1, 1e6)
        .acts_while("clamp", {"nothing"})
        .acts_while("flip", {"true"});
    f.choice(clamp, {{"nothing", Clamp::none}, {"Q", Clamp::Q}, {"P", Clamp::P}}, "clamp", "clamp",
             "Q: holds Q at sharpness times diag(I, 0), which fixes \u03ba, and trains only P. P: holds P at step "
             "times [0, 1, 1, -1] and trains only Q. Ours: tests what Figure 3b of “Beyond Linear Attention” "
             "suggests.");
    f(clamp_sharpness, "clamp_sharpness", "sharpness of Q", "The diagonal of the held Q.")
        .range(0, 64)
        .acts_while("clamp", {"Q"});
    advanced(f, clamp_step, "clamp_step", "step of P", "The step size of the held P.")
        .log_range(0.01, 4)
        .acts_while("clamp", {"P"});
}

}  // namespace emergence

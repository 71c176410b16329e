#include "core/experiments/regression/regression.h"

#include <fmt/format.h>

#include "core/algorithms/context_algorithms.h"
#include "core/base/ranges.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/measures/emergence.h"
#include "core/pictures/pen.h"

namespace emergence {

void RegressionConfig::fields(Fields& f) {
    model_fields(f);
    training_fields(f);
    train_for_field(f, num_iterations, "num_iterations", "iterations", "The run stops after this many iterations.");
    first_seed_field(f, seed, "Each network draws its own \u03a3, weights and prompts.");
    num_seeds_field(f, seeds,
                    "How many networks are trained, each with a new rotation of \u03a3. Ahn et al. 2023 train 5.");
    f.group("evaluation");
    live(f, ridge_lambda, "ridge_lambda", "ridge \u03bb",
         "Penalty of the ridge regression that is compared. Without noise, \u03bb = 0 is exact once n is at least d.")
        .range(0, 10)
        .former("prompt", int64_t{0});
    bank_size_field(f, bank_size, "prompts",
                    "Prompts for the loss and its floors, in the coordinates of \u03a3's eigenvectors.", 500, 100000);
    log_interval_field(f, log_interval, "iterations");
}

void RegressionConfig::model_fields(Fields& f) {
    f.group("model");
    f(layers, "num_layers", "layers L",
      "Attention layers, each with its own P and Q. Each can run one step of the algorithm to be discovered.")
        .range(1, 6);
    f.choice(restriction, {{"9", Restriction::steps}, {"13", Restriction::moved_points}, {"none", Restriction::none}},
             "restriction", "restriction",
             "9: only symmetric A_i in Q_i (Eq. 9), so each layer is a preconditioned gradient step. 13: also B_i in "
             "P_i (Eq. 13), which move the x. none: all.");
    f.group("task");
    f(n, "n", "context length n", "Pairs (x, y) in a prompt, before the query.").log_range(1, 200);
    f(d, "d", "dimension d", "Entries of x.").range(1, 12);
    f.choice(spectrum, words_of<Spectrum>({"paper", "geometric", "two_levels", "identity"}), "spectrum",
             "spectrum of \u03a3",
             "Eigenvalues of the covariance of x. paper: 1, 1, 1/4, 1/16, 1, repeated. geometric: in equal ratios to "
             "1/condition. two levels: 1 and 1/condition.");
    f(condition, "condition", "condition number",
      "Largest eigenvalue of \u03a3 over the smallest, geometric or two levels. Ahn et al. 2023 have 16.")
        .log_range(1, 1000)
        .acts_while("spectrum", {"geometric", "two_levels"});
    f.choice(prior, {{"sigma_inverse", WeightPrior::inverse_covariance}, {"identity", WeightPrior::identity}}, "prior",
             "w* drawn from", "N(0, \u03a3\u207b\u00b9) as in Theorems 4 and 5, or N(0, I) as in Theorems 1 and 3.")
        .called({{"sigma_inverse", "N(0, \u03a3\u207b\u00b9)"}, {"identity", "N(0, I)"}});
}

void RegressionConfig::training_fields(Fields& f) {
    f.group("training");
    f.choice(adam, {{"lbfgs", false}, {"adam", true}}, "optimizer", "optimizer",
             "lbfgs: L-BFGS on one fixed sample of prompts, as in Ahn et al. 2023. adam: updates on fresh prompts.")
        .called({{"lbfgs", "L-BFGS"}, {"adam", "Adam"}});
    f.choice(whitened, {{"plain", false}, {"whitened", true}}, "metric", "steps measured in",
             "plain: the entries of P and Q. whitened (ours): those in coordinates where x has covariance I, where the "
             "path is shorter.")
        .advanced();
    f(prompts, "num_prompts", "prompts",
      "Prompts in L-BFGS's sample. Theorem 1 at n = 5 needs 500,000 for an error of 2 %.")
        .log_range(500, 1e6)
        .acts_while("optimizer", {"lbfgs"});
    advanced(f, lbfgs.memory, "lbfgs_memory", "L-BFGS memory", "How many steps L-BFGS remembers to estimate curvature.")
        .log_range(1, 200)
        .acts_while("optimizer", {"lbfgs"});
    advanced(f, minibatch, "minibatch_size", "minibatch size", "Fresh prompts in each of Adam's updates.")
        .log_range(16, 8192)
        .acts_while("optimizer", {"adam"});
    advanced(f, adam_options.learning_rate, "learning_rate", "learning rate", "Adam's step size.")
        .log_range(0, 0.3)
        .acts_while("optimizer", {"adam"});
    advanced(f, initial_scale, "initial_scale", "initial scale",
             "Standard deviation of the random entries at the start; A_i = (S + S')/2.")
        .log_range(1e-3, 1);
}

RegressionMeasures::RegressionMeasures(const RegressionConfig& config)
    : isotropic(config.spectrum == Spectrum::identity), moved(moves_points(config)) {
    const auto layers = static_cast<size_t>(config.layers);
    for (std::vector<double>* each : {&whitened, &plain, &powers, &steps}) each->resize(layers);
    for (std::vector<double>* each : {&moves, &shifts}) each->resize(moved ? layers - 1 : 0);
}

void RegressionMeasures::say(Row& row) const {
    const int layers = static_cast<int>(whitened.size());
    HistoryPlot& distance = row.plot("distance", "Distance from a multiple of I");
    distance.y("Dist(., I)").from(0.0).to(1.0);
    distance.note(
        "Figures 1 and 3 of Ahn et al. 2023. Whitened, \u03a3^\u00bd A \u03a3^\u00bd: 0 where the layer is a gradient "
        "step preconditioned with \u03a3\u207b\u00b9. Plain, A: 0 where it is a plain gradient step.");
    HistoryPlot* move_distance = moved ? &row.plot("move_distance", "Moves: distance from a multiple of I") : nullptr;
    if (moved) {
        move_distance->y("Dist(., I)").from(0.0).to(1.0);
        move_distance->note("Figure 3 of Ahn et al. 2023: Dist(B_i, I). The last layer's B has no effect.");
    }
    HistoryPlot& losses = row.plot("loss", "In-context loss");
    losses.y("mean squared error").logarithmic();
    losses.note(
        "Mean squared error, Eq. (5), on the training sample and on held-out prompts. Floor: the held-out loss of "
        "theory's form, every A a multiple of \u03a3\u207b\u00b9 (and B of I), with the best multiples.");

    row("loss", "training", "The in-context loss, Eq. (5), on the training sample.", loss).line(losses);
    row("gradient_norm", "|gradient|", "Norm of its gradient with respect to the trained entries.", gradient_norm);
    row("held_out_loss", "held out",
        "Mean in-context loss on held-out prompts. With moved points (Eq. 13) a few prompts in 10,000 dominate it.",
        held_out_loss)
        .line(losses, 1);
    if (moved)
        row("held_out_trimmed", "without the largest",
            "The held-out loss without the 0.1 % of prompts that have the largest errors.", held_out_trimmed)
            .line(losses, 1)
            .dashed();
    // Blue curves fall to 0 in theory, red ones stay; deeper layers have deeper colours.
    const auto each = [&](const char* name, const char* label, const std::vector<double>& values, const char* help,
                          HistoryPlot* plot = nullptr, Course course = Course::blues) {
        for (int l = 0; l < static_cast<int>(values.size()); ++l) {
            const Row::Said said = row(fmt::format("{}_{}", name, l), fmt::format("{}{}", label, l), help, values[l]);
            if (plot == nullptr) continue;
            said.line(*plot, ordinal_color(course, l, layers)).dashed(course == Course::reds);
        }
    };
    each("dist_whitened", "whitened A", whitened,
         "Dist(\u03a3^\u00bd A \u03a3^\u00bd, I): 0 where A is a multiple of \u03a3\u207b\u00b9.", &distance);
    each("dist_plain", "plain A", plain, "Dist(A, I): 0 where A is a multiple of I, plain gradient descent.", &distance,
         Course::reds);
    each("power", "power of \u03a3\u207b\u00b9 in A", powers,
         "The p for which A is nearest to a multiple of \u03a3^-p (ours): 0 plain gradient descent, 1 Newton's step.");
    each("step", "a", steps, "-tr(\u03a3^\u00bd A \u03a3^\u00bd)/d: the layer's step.");
    each("dist_move", "B", moves, "Dist(B, I): 0 where B is a multiple of I.", move_distance);
    each("move", "b", shifts, "tr(B)/d: how far the layer moves the x.");
    layers == 1 ? say_closed_form(row) : say_joint_diagonal(row);
}

void RegressionMeasures::say_closed_form(Row& row) const {
    HistoryPlot& error = row.plot("closed_form", "Error against the closed form");
    error.y("relative error").logarithmic();
    error.note("Relative distance of A from the closed form, after the best scale and, dashed, without rescaling.");
    row("closed_form_error", "after the best scale",
        "Relative Frobenius distance of A from the closed form, after the best scale.", closed_form_error)
        .line(error, 2);
    row("closed_form_unscaled", "as it is", "The same distance without rescaling; restriction 9 fixes the scale.",
        closed_form_unscaled)
        .line(error, 2)
        .dashed();
}

void RegressionMeasures::say_joint_diagonal(Row& row) const {
    const Row::Said said =
        row("off_diagonal_mass", "off-diagonal mass",
            "Share of the whitened A's squares off the diagonal, in the basis that makes it least.", off_diagonal_mass);
    if (!isotropic) return;  // Theorem 3 is about isotropic data; elsewhere the distances say more
    HistoryPlot& mass = row.plot("joint_diagonal", "Mass off the diagonal");
    mass.y("share").logarithmic();
    mass.note(
        "Theorem 3 of Ahn et al. 2023: some minimisers are diagonal, and rotating all layers together is as good. So "
        "the share is taken in the basis that makes it least.");
    said.line(mass, 2);
}

RegressionMeasures measure_weights(const RegressionConfig& config, const RegressionWorld& world,
                                   const Covariance& covariance, const InContextWeights& weights,
                                   InContextLoss<double>& loss) {
    RegressionMeasures m(config);
    const InContextWeights turned = weights.in_coordinates(covariance.U);
    m.held_out_loss = world.held_out_loss(loss, turned);
    if (m.moved) m.held_out_trimmed = world.trimmed_loss(loss, turned);
    const Mat root = covariance.power(0.5);
    std::vector<Mat> all;
    for (int l = 0; l < weights.layers; ++l) {
        const Mat A = weights.A(l), whitened = root * A * root;
        m.plain[l] = identity_distance(A);
        m.powers[l] = preconditioner_power(turned.A(l), covariance.eigenvalues);
        m.whitened[l] = identity_distance(whitened);
        m.steps[l] = -whitened.trace() / config.d;
        all.push_back((whitened + whitened.transpose()) / 2);
        if (!m.moved || l + 1 == weights.layers) continue;
        const Mat B = weights.B(l);
        m.moves[l] = identity_distance(B);
        m.shifts[l] = B.trace() / config.d;
    }
    if (weights.layers > 1) {
        m.off_diagonal_mass = diagonalise_jointly(std::move(all)).off_diagonal_mass;
        return m;
    }
    const Mat closed_form = -(one_layer_preconditioner(covariance.eigenvalues, config.prior, config.n).asDiagonal() *
                              Mat::Identity(config.d, config.d));
    m.closed_form_error = error_after_scaling(turned.A(0), closed_form);
    m.closed_form_unscaled = (turned.A(0) - closed_form).norm() / closed_form.norm();
    return m;
}

namespace {

constexpr StudyNames kRegressionStudy = {
    "regression", "iterations", "num_iterations",
    "A network counts as emerged (our rule) when its preconditioners are Sigma's inverse up to scale: every "
    "Dist(\u03a3^\u00bd A_i \u03a3^\u00bd, I) is below 0.1 and, where layers move the x, so is every Dist(B_i, I) "
    "that has an effect. With one layer: when A is within 5 % of the closed form after the best scale."};

constexpr double kNearIdentity = 0.1, kNearClosedForm = 0.05;

bool has_emerged(const RegressionConfig& config, const RegressionMeasures& m) {
    if (config.d == 1) return false;  // with d = 1 every number is a multiple of every other
    if (config.layers == 1) return m.closed_form_error < kNearClosedForm;
    const auto near = [](double distance) { return distance < kNearIdentity; };
    return all_of(m.whitened, near) && all_of(m.moves, near);
}

class RegressionSeed final : public TrainedSeed<InContextTraining, RegressionMeasures> {
  public:
    RegressionSeed(const RegressionConfig& config, int seed_index, std::shared_ptr<const RegressionWorld> world)
        : TrainedSeed(config.seed, seed_index, config.log_interval, "iteration",
                      [&](uint64_t seed) { return InContextTraining(config, covariance_of(config, seed), seed); }),
          config_(config),
          world_(std::move(world)),
          loss_(make_in_context_loss<double>({config.d + 1, config.layers})) {}

    int64_t step() const override { return training().steps(); }
    void state(Archive& archive) override {
        settled_.reset();
        TrainedSeed::state(archive);
    }

  protected:
    void take_step() override { own_training().step(); }
    RegressionMeasures measure() override {
        if (settled_) return *settled_;
        const InContextTraining::Progress progress = own_training().progress();
        RegressionMeasures measures =
            measure_weights(config_, *world_, training().covariance(), training().weights(), *loss_);
        measures.loss = progress.loss;
        measures.gradient_norm = progress.gradient_norm;
        judge(has_emerged(config_, measures));
        if (training().converged()) settled_ = measures;
        return measures;
    }

  private:
    RegressionConfig config_;
    std::shared_ptr<const RegressionWorld> world_;
    std::unique_ptr<InContextLoss<double>> loss_;
    std::optional<RegressionMeasures> settled_;  // the last measures, once L-BFGS has converged
};

class RegressionStudy final : public StudyOf<RegressionConfig, RegressionSeed, RegressionWorld> {
  public:
    explicit RegressionStudy(const Settings& settings)
        : StudyOf(kRegressionStudy, settings), first_settings_(settings) {
        shared_ = std::make_shared<const RegressionWorld>(config_);
        declare(RegressionMeasures(config_));
        find_by(metric_plots_, &MetricPlot::id, "loss")->lines = {{shared_->floor_name(), shared_->floor(), false}};
    }
    static void check(const RegressionConfig& c) {
        const double bytes =
            c.adam ? 0.0 : static_cast<double>(gram_entries(c.d + 1)) * sizeof(float) * c.prompts * c.seeds;
        if (bytes > kMostRunBytes)
            throw InputError(
                "num_prompts: {} prompts with d = {} and seeds = {} take {:.1f} GB, more than {:.2f} GB. Lower one of them.",
                c.prompts, c.d, c.seeds, bytes / 1e9, kMostRunBytes / 1e9);
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        if (config_.d == 1) snapshot.emergence_rule.clear();
        std::vector<RegressionWeights> weights;
        for (const RegressionSeed* seed : seeds) {
            const InContextTraining& training = seed->training();
            weights.push_back(
                {training.covariance(), training.weights(), training.initial_weights(), training.diverged()});
        }
        show_weights(config_, weights, snapshot);
    }
    void evaluate(const RegressionConfig& config, Snapshot& snapshot) const override {
        if (same_but_for_live_fields(snapshot.settings, first_settings_))
            evaluate_regression(snapshot, config, *shared_);
        else
            evaluate_regression(snapshot, config, RegressionWorld(config));
    }
    bool evaluates_on_request() const override { return true; }

  private:
    const Settings first_settings_;  // never replaced: inspections read it on any thread
};

// ---- the figures

// How far the trained A is from Sigma^-1 after the best scale, as the least over seeds that did not diverge.
double error_against_inverse(const FinishedRun& run) {
    const auto config = config_from<RegressionConfig>(run.snapshot.settings);
    const std::vector<RegressionWeights> seeds = regression_weights(config, run.snapshot);
    std::vector<double> errors;
    for (const size_t k : live_seeds(run.snapshot))
        errors.push_back(error_after_scaling(seeds[k].weights.A(0), -seeds[k].covariance.power(-1)));
    return least_of(errors);
}

void measure_theorem_1(Draft& draft) {
    std::vector<double> from_inverse;
    for (size_t i = 0; i < draft.runs().size(); i += 3) from_inverse.push_back(error_against_inverse(draft.run(i)));
    draft.measure("regression-theorem-1-inverse", least_of(from_inverse), "the least of the three spectra at n = 5");
}

// One row per run: both matrices as trained, then in the joint basis.
void draw_theorem_3(Draft& draft) {
    const FinishedRun& run = draft.run();
    const std::vector<size_t> live = live_seeds(run.snapshot);
    if (live.empty()) throw InputError("Theorem 3's picture needs a network, but all diverged");
    draft.page.rows.assign(live.size(), 1.0);
    draft.page.width = 13.0;
    draft.page.height = 3.1 * static_cast<double>(live.size()) + 0.5;
    for (const size_t k : live)
        for (const char* name : {"A0", "A1", "A0 joint basis", "A1 joint basis"}) {
            HeatmapSpec map = heatmap_of_run(run, name, {MatrixView::Mode::raw, static_cast<int>(k)});
            map.id = fmt::format("{} {}", name, k);
            map.title = fmt::format("{}, run {}", name, k);
            draft.add(std::move(map));
        }
}

}  // namespace

ExperimentInfo regression() {
    std::vector<FigureInfo> figures;
    for (const char* name : {"regression-1", "regression-2", "regression-3", "regression-4", "regression-trend"})
        figures.push_back(shipped_figure(name));
    figures.push_back(shipped_figure("regression-theorem-1",
                                     {.measures = {"regression-theorem-1-inverse"}, .draw = measure_theorem_1}));
    figures.push_back(shipped_figure("regression-theorem-3", {.draw = draw_theorem_3}));
    return experiment_of<RegressionStudy>(
        kRegressionStudy, "In-context linear regression",
        "A linear transformer learns to predict y for a new x from a prompt of pairs (x, y). In its forward pass it "
        "learns to run gradient descent, preconditioned with the inverse covariance of x (Ahn et al. 2023, Theorems "
        "1, 3, 4 and 5).",
        std::move(figures));
}

}  // namespace emergence

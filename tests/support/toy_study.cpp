#include "tests/support/toy_study.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace emergence::testing {

std::function<void()> before_toy_advance;

void ToyConfig::fields(Fields& f) {
    const auto number = [&f](auto& member, const char* name, double minimum, double maximum) {
        return f(member, name, name, "").range(minimum, maximum);
    };
    number(num_steps, "num_steps", 0, 1e9).live();
    number(probe, "probe", -10, 10).live();
    number(learning_rate, "learning_rate", 0, 1);
    number(size, "size", 1, 16);
    number(seed, "seed", 0, 1e9).role(FieldRole::first_seed);
    number(num_seeds, "num_seeds", 1, 32);
    number(log_interval, "log_interval", 1, 1000);
    number(diverge_seed, "diverge_seed", -1, 31);
    number(diverge_step, "diverge_step", 1, 1e9);
    number(throw_seed, "throw_seed", -1, 31);
    number(throw_step, "throw_step", 1, 1e9);
    f(all_diverge, "all_diverge", "all_diverge", "");
    number(matrices, "matrices", 0, 1);
    number(describe_fails_from, "describe_fails_from", 0, 1e9);
    number(work, "work", 0, 1e9);
    number(watched, "watched", 0, 9).live();
    f(edits, "edits", "edits", "").path({{".npz", ".json"}, "seed_1"}).live();
    number(scene_moments, "scene_moments", 0, 1000);
}

namespace {

constexpr const char* kRule = "loss below 0.5";

double target_entry(int row, int column) { return row == column ? 1.0 : 0.0; }

class ToySeed final : public Experiment {
  public:
    ToySeed(const ToyConfig& config, int seed_index)
        : config_(config), index_(seed_index), matrix_(config.size, config.size), velocity_(config.size, config.size) {
        Stream stream(seed_number(), Purpose::initial_weights);
        for (double& value : matrix_.values) value = 0.1 * stream.normal();
        for (const double value : matrix_.values) initial_norm_ += value * value;
        initial_norm_ = std::sqrt(initial_norm_);
    }

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        if (before_toy_advance) before_toy_advance();
        if (!started_) {
            started_ = true;
            rows.push_back(row());
        }
        while (step_ < target_step && !failed_) take_step(rows);
    }

    int64_t step() const override { return step_; }
    bool failed() const override { return failed_; }

    SeedStatus status() const override {
        SeedStatus status;
        status.seed = seed_number();
        status.step = step_;
        status.failed = failed_;
        if (failed_) status.reason = "the loss is not finite at step " + std::to_string(step_ + 1);
        status.emerged = emerged_at_ >= 0;
        status.emerged_at = emerged_at_;
        return status;
    }

    ArrayMap save() const override {
        const auto n = static_cast<size_t>(config_.size);
        return {
            {"matrix", {.shape = {n, n}, .values = matrix_.values}},
            {"velocity", {.shape = {n, n}, .values = velocity_.values}},
            {"progress",
             {.shape = {4}, .values = std::vector<int64_t>{step_, started_ ? 1 : 0, failed_ ? 1 : 0, emerged_at_}}}};
    }

    void load(const ArrayMap& state) override {
        const auto n = static_cast<size_t>(config_.size);
        const auto has = [&state](const char* name, const std::vector<size_t>& shape) {
            const auto found = state.find(name);
            return found != state.end() && found->second.shape == shape;
        };
        if (state.size() != 3 || !has("matrix", {n, n}) || !has("velocity", {n, n}) || !has("progress", {4}))
            throw InputError("toy state: its shape is not size x size");
        const auto* numbers = std::get_if<std::vector<int64_t>>(&state.at("progress").values);
        if (numbers == nullptr || (*numbers)[0] < 0) throw InputError("toy state: its step is none");
        matrix_.values = as_doubles(state.at("matrix"));
        velocity_.values = as_doubles(state.at("velocity"));
        const auto& progress = *numbers;
        step_ = progress[0];
        started_ = progress[1] != 0;
        failed_ = progress[2] != 0;
        emerged_at_ = progress[3];
    }

    void set_live(const Settings& settings) override { config_.probe = settings.number("probe"); }

    const Table& matrix() const { return matrix_; }
    double initial_norm() const { return initial_norm_; }
    double sign() const { return matrix_.values.back() < 0.0 ? -1.0 : 1.0; }

  private:
    uint64_t seed_number() const { return static_cast<uint64_t>(config_.seed) + static_cast<uint64_t>(index_); }

    double loss() const {
        double sum = 0.0;
        for (int i = 0; i < config_.size; ++i)
            for (int j = 0; j < config_.size; ++j) sum += std::pow(sign() * matrix_(i, j) - target_entry(i, j), 2);
        return sum;
    }

    MetricRow row() const {
        return {.seed_index = index_, .step = step_, .values = {loss(), sign() * matrix_.values.back()}};
    }

    void take_step(std::vector<MetricRow>& rows) {
        const int64_t next = step_ + 1;
        if (index_ == config_.throw_seed && next == config_.throw_step)
            throw std::runtime_error("the toy was told to throw");
        const bool told = config_.all_diverge || index_ == config_.diverge_seed;
        const double now = told && next == config_.diverge_step ? std::numeric_limits<double>::quiet_NaN() : loss();
        if (!std::isfinite(now)) {
            failed_ = true;
            return;
        }
        Stream noise(seed_number(), Purpose::testing, static_cast<uint32_t>(next));
        const double sign_now = sign();
        for (int i = 0; i < config_.size; ++i)
            for (int j = 0; j < config_.size; ++j) {
                const double gradient = matrix_(i, j) - sign_now * target_entry(i, j) + 0.1 * noise.normal();
                velocity_(i, j) = 0.5 * velocity_(i, j) - config_.learning_rate * gradient;
                matrix_(i, j) += velocity_(i, j);
            }
        for (int i = 0; i < config_.work; ++i) idle_ = std::fma(idle_, 0.5, 1.0);
        step_ = next;
        if (step_ % config_.log_interval != 0) return;
        rows.push_back(row());
        if (emerged_at_ < 0 && loss() < 0.5) emerged_at_ = step_;
    }

    ToyConfig config_;
    int index_;
    Table matrix_;
    Table velocity_;
    double initial_norm_ = 0.0;
    double idle_ = 0.0;
    int64_t step_ = 0;
    bool started_ = false;
    bool failed_ = false;
    int64_t emerged_at_ = -1;
};

class ToyStudy final : public Study {
  public:
    explicit ToyStudy(const Settings& settings) : settings_(settings), config_(config_from<ToyConfig>(settings)) {}

    const Settings& settings() const override { return settings_; }
    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<ToySeed>(config_, seed_index);
    }
    int num_seeds() const override { return config_.num_seeds; }
    int64_t target_step() const override { return config_.num_steps; }
    std::string step_unit() const override { return "steps"; }
    int64_t log_interval() const override { return config_.log_interval; }

    const MetricTable& metrics() const override {
        static const MetricTable table = {{"loss", "loss", "squared distance from the target"},
                                          {"corner", "corner", "the last entry, aligned"}};
        return table;
    }
    const std::vector<MetricPlot>& metric_plots() const override {
        static const std::vector<MetricPlot> plots = [] {
            MetricPlot plot;
            plot.id = plot.title = "loss";
            plot.metrics = {{.metric = "loss", .label = "", .color = 0, .dashed = false}};
            MetricPlot corner = plot;
            corner.id = corner.title = "corner";
            corner.metrics[0].metric = "corner";
            return std::vector<MetricPlot>{plot, corner};
        }();
        return plots;
    }

    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = outline(seeds);
        add_scalar(snapshot);
        if (config_.probe < 0) add_plot(snapshot);
        if (config_.matrices == 0) snapshot.matrices.clear();
        if (scene_.moments) snapshot.scenes = {scene_};
        snapshot.evaluated = true;
        snapshot.stepping = {"watched", 0, 3};
        return snapshot;
    }

    Snapshot outline(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot;
        snapshot.evaluated = false;
        snapshot.experiment = "toy";
        snapshot.settings = settings_;
        snapshot.step_unit = step_unit();
        snapshot.emergence_rule = kRule;
        NamedMatrix matrix;
        matrix.name = "A";
        matrix.row_blocks = matrix.column_blocks = {{"a", config_.size}};
        matrix.alignment_note = "signs aligned by A[-1,-1]";
        matrix.target = Table(config_.size, config_.size);
        matrix.target_name = "theory: the identity";
        matrix.initial_products = Table(config_.num_seeds, config_.num_seeds);
        for (int i = 0; i < config_.size; ++i) (*matrix.target)(i, i) = 1.0;
        for (size_t i = 0; i < seeds.size(); ++i) {
            const auto& seed = static_cast<const ToySeed&>(*seeds[i]);
            if (seed.step() >= config_.describe_fails_from) throw std::runtime_error("the toy cannot be described");
            snapshot.seeds.push_back(seed.status());
            snapshot.step = std::max(snapshot.step, seed.step());
            matrix.seeds.push_back(seed.matrix());
            matrix.signs.push_back(seed.sign());
            matrix.initial_products(static_cast<int>(i), static_cast<int>(i)) =
                seed.initial_norm() * seed.initial_norm();
        }
        matrix.meanings = {{0, 0, "the identity"}};
        snapshot.matrices.push_back(std::move(matrix));
        snapshot.formulas = {{"the pull",
                              {{"A_{t+1}", "the matrix after a step", {{"A", 0, 0}}},
                               {"=", "", {}},
                               {"A_t - alpha g", "the matrix before it, less its gradient", {}}},
                              ""}};
        return snapshot;
    }

    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override {
        Snapshot answer = snapshot;
        answer.settings = inspection.settings;
        answer.scalars.clear();
        add_scalar(answer);
        if (scene_.moments) answer.scenes = {scene_};
        answer.evaluated = true;
        return answer;
    }

    void set_live(const Settings& settings) override {
        settings_ = settings;
        config_ = config_from<ToyConfig>(settings);
    }

  private:
    // A disc that moves to the right.
    static Scene make_scene(int moments) {
        Scene scene;
        if (moments == 0) return scene;
        scene.id = "disc";
        scene.title = "A disc";
        scene.moments_per_second = 10;
        auto drawings = std::make_shared<std::vector<DrawingSpec>>();
        Series place{"place", {}, {{}}};
        for (int i = 0; i < moments; ++i) {
            DrawingSpec drawing;
            drawing.id = scene.id;
            drawing.title = scene.title;
            drawing.shapes = {drawn_disc({(i + 0.5) / moments, 0.5}, 0.1, 0)};
            drawing.handles = {{"weight", "drag", "edits", {0.1, 0.2}, {0.2, 0.8}, 0.5, 0.0, 1.0, 0.01},
                               {"seven", "click", "watched", {0.8, 0.2}, {0.9, 0.4}, 7.0}};
            drawings->push_back(std::move(drawing));
            place.x.push_back(i);
            place.rows[0].push_back((i + 0.5) / moments);
        }
        scene.moments = std::move(drawings);
        PlotSpec plot;
        plot.id = "disc_place";
        plot.title = "Where the disc is";
        plot.x.label = "t";
        plot.series = {std::move(place)};
        scene.plots = {std::move(plot)};
        scene.chosen_by = "watched";
        return scene;
    }
    // The matrix of the moment: the plot's range changes while it trains.
    static void add_plot(Snapshot& snapshot) {
        Series entries{"entries", {}, {snapshot.matrices[0].seeds[0].values}};
        for (size_t i = 0; i < entries.rows[0].size(); ++i) entries.x.push_back(static_cast<double>(i));
        PlotSpec plot;
        plot.id = plot.title = "entries";
        plot.x.label = "entry";
        plot.series = {std::move(entries)};
        snapshot.plots = {std::move(plot)};
    }
    static void add_scalar(Snapshot& snapshot) {
        if (snapshot.matrices.empty()) return;
        Scalar probe;
        probe.name = probe.label = "probe";
        probe.headline = "probe";
        probe.headline_at = "of the toy";
        probe.value = snapshot.settings.number("probe") * snapshot.matrices[0].seeds[0].values.back();
        snapshot.scalars.push_back(probe);
    }

    Settings settings_;
    ToyConfig config_;
    Scene scene_ = make_scene(config_.scene_moments);
};

ExperimentInfo make_toy_info() {
    ExperimentInfo info;
    info.name = "toy";
    info.title = "Toy";
    info.summary = "A matrix is pulled towards a target.";
    info.emergence_rule = kRule;
    info.fields = std::make_shared<const FieldTable>(fields_of<ToyConfig>());
    info.check = [](const Settings& settings) {
        if (settings.integer("size") * settings.integer("num_seeds") > 64)
            throw InputError("size: size * num_seeds is above 64");
    };
    info.make = [](const Settings& settings) { return std::make_unique<ToyStudy>(settings); };
    return info;
}

}  // namespace

const ExperimentInfo& toy_info() {
    static const ExperimentInfo info = make_toy_info();
    return info;
}

const ExperimentInfo& find_toy(const std::string& name) {
    if (name != "toy") throw InputError("unknown experiment '" + name + "'. Known: toy");
    return toy_info();
}

Settings toy_settings(const std::vector<std::string>& changes) {
    Settings settings(toy_info().fields);
    for (const std::string& change : changes) {
        const size_t equals = change.find('=');
        settings.set_from_text(change.substr(0, equals), change.substr(equals + 1));
    }
    return settings;
}

std::vector<MetricRow> toy_rows_without_a_window(const std::vector<std::string>& changes) {
    ThreadPool pool(1);
    Run run(toy_info().make(toy_settings(changes)), pool);
    return run.advance_to(1'000'000);
}

}  // namespace emergence::testing

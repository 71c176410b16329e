#include "core/lab/sweeps/sweep_run.h"

#include <chrono>
#include <mutex>

#include "core/lab/store/weights_file.h"

namespace emergence {
namespace {

using SweepClock = std::chrono::steady_clock;

// Approximate seconds between progress reports per seed, least and most.
constexpr double kShortPart = 0.05;
constexpr double kLongPart = 0.3;

double seconds_from(SweepClock::time_point start) {
    return std::chrono::duration<double>(SweepClock::now() - start).count();
}

// A seed in training, with what it has logged.
struct LoggedScores {
    LoggedScores(const Sweep& of, const Study& from, int index)
        : sweep(of), study(from), seed(study.make_seed(index)), history(study.metrics(), 1) {
        advance(0);
    }
    void advance(int64_t target) {
        std::vector<MetricRow> rows;
        seed->advance(target, rows);
        for (MetricRow& row : rows) {
            row.seed_index = 0;
            history.append(row);
        }
    }
    // As SeedScores says.
    SeedScores scores() const {
        const Snapshot snapshot = study.describe({seed.get()});
        SeedScores found;
        const SeedStatus& status = snapshot.seeds.front();
        const auto add = [&](const std::string& name, const Quantity& quantity) {
            found.emplace_back(name, values({snapshot, history}, quantity).front().value);
        };
        const double missing = std::numeric_limits<double>::quiet_NaN();
        if (!sweep.experiment->emergence_rule.empty()) {
            found.emplace_back(kEmergedScore, status.failed ? missing : status.emerged ? 1.0 : 0.0);
            if (status.emerged)
                found.emplace_back(kEmergedAtColumn, status.failed ? missing : static_cast<double>(status.emerged_at));
        }
        for (const MetricInfo& metric : study.metrics()) add(metric.name, metric_quantity(metric.name));
        for (const Scalar& scalar : snapshot.scalars)
            if (find_score(found, scalar.name) == nullptr)
                add(scalar.name, {.kind = QuantityKind::scalar, .name = scalar.name});
        if (find_score(found, sweep.score) == nullptr) add(sweep.score, score_quantity(sweep.score));
        if (find_score(found, kFailedScore) == nullptr) found.emplace_back(kFailedScore, status.failed ? 1.0 : 0.0);
        return found;
    }

    const Sweep& sweep;
    const Study& study;
    std::unique_ptr<Experiment> seed;
    MetricHistory history;
};

// As a run of these seeds leaves them.
ArrayMap weights_of_trained(const Study& study, const std::vector<std::unique_ptr<Experiment>>& trained) {
    std::vector<const Experiment*> seeds;
    int64_t step = 0;
    for (const auto& seed : trained) {
        seeds.push_back(seed.get());
        step = std::max(step, seed->step());
    }
    Snapshot snapshot = study.outline(seeds);
    snapshot.step = step;
    return weights_file(snapshot);
}

// Advances a seed in parts of about equal time, whose length does not affect the result.
class Stride {
  public:
    // One part, at most to `target`. Returns its seconds.
    double advance(LoggedScores& trained, int64_t target) {
        const auto start = SweepClock::now();
        const int64_t left = target - trained.seed->step();
        trained.advance(trained.seed->step() + std::min(left, steps_));
        const double taken = seconds_from(start);
        // A shorter last part says nothing, and a cell can have any number of them.
        if (steps_ <= left && taken < kShortPart) steps_ *= 2;
        if (taken > kLongPart) steps_ = std::max<int64_t>(1, steps_ / 2);
        return taken;
    }

  private:
    int64_t steps_ = 1;
};

// Seconds of a cell with its first seed trained for `budget` seconds.
double seconds_of_cell(const Sweep& sweep, const SweepCell& cell, double budget) {
    const auto start = SweepClock::now();
    const std::unique_ptr<Study> study = sweep.experiment->make(settings_of(sweep, cell));
    const double making = seconds_from(start);
    const auto begin = SweepClock::now();
    LoggedScores trained(sweep, *study, 0);
    const Experiment* seed = trained.seed.get();
    study->describe({seed});
    const double describing = seconds_from(begin);
    Stride stride;
    double training = 0.0;
    while (training < budget && seed->step() < study->target_step() && !seed->failed())
        training += stride.advance(trained, study->target_step());
    if (const int64_t steps = seed->step(); steps > 0 && !seed->failed())
        training *= static_cast<double>(study->target_step()) / static_cast<double>(steps);
    return making + study->num_seeds() * (describing + training);
}

}  // namespace

CellResult compute_cell(const Sweep& sweep, const SweepCell& cell, JobHandle& handle) {
    const std::unique_ptr<Study> study = sweep.experiment->make(settings_of(sweep, cell));
    const int64_t target = study->target_step();
    Stride stride;
    CellResult result;
    std::vector<std::unique_ptr<Experiment>> trained;
    for (int k = 0; k < study->num_seeds(); ++k) {
        LoggedScores one(sweep, *study, k);
        const Experiment* seed = one.seed.get();
        if (k == 0) check_score_of(sweep, study->describe({seed}), one.history);
        while (seed->step() < target && !seed->failed()) {
            stride.advance(one, target);
            handle.reached((k + static_cast<double>(seed->step()) / static_cast<double>(target)) / study->num_seeds());
        }
        result.scores.push_back(one.scores());
        if (sweep.weights) trained.push_back(std::move(one.seed));
    }
    if (sweep.weights) result.weights = weights_of_trained(*study, trained);
    return result;
}

SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepScores&)>& save,
                      const std::function<void(const SweepCell&, const ArrayMap&)>& save_weights) {
    SweepResult result;
    result.scores = known;
    std::mutex lock;
    SweepScores computed;
    std::vector<GridJob<void>> jobs;
    for (const SweepCell& cell : cells_coarse_first(sweep)) {
        if (const auto found = known.find(cell); found != known.end() && is_whole(sweep, found->second)) continue;
        jobs.push_back({cell_label(sweep, cell), [&, cell](JobHandle& handle) {
                            CellResult of_cell = compute_cell(sweep, cell, handle);
                            if (sweep.weights && save_weights) save_weights(cell, of_cell.weights);
                            const std::lock_guard guard(lock);
                            computed[cell] = std::move(of_cell.scores);
                            save(computed);
                        }});
    }
    const auto grid = detail::run_jobs(jobs, options);
    for (auto& [cell, scores] : computed) result.scores[cell] = std::move(scores);
    result.failures = grid.failures;
    result.stopped = grid.stopped;
    return result;
}

double estimate_seconds(const Sweep& sweep, const SweepScores& known, double budget) {
    std::vector<SweepCell> missing;
    for (const SweepCell& cell : cells_coarse_first(sweep)) {
        const auto found = known.find(cell);
        if (found == known.end() || !is_whole(sweep, found->second)) missing.push_back(cell);
    }
    if (missing.empty()) return 0.0;
    const size_t samples = std::min<size_t>(missing.size(), 5);
    std::sort(missing.begin(), missing.end());
    double seconds = 0.0;
    try {
        for (size_t i = 0; i < samples; ++i) {
            const size_t at = samples > 1 ? i * (missing.size() - 1) / (samples - 1) : 0;
            seconds += seconds_of_cell(sweep, missing[at], budget / static_cast<double>(samples));
        }
    } catch (const std::exception&) {  // computing the cells says what is wrong
        return std::numeric_limits<double>::quiet_NaN();
    }
    return seconds / static_cast<double>(samples) * static_cast<double>(missing.size());
}

}  // namespace emergence

#include <fmt/format.h>
#include <time.h>

#include <cstring>

#include "core/base/error.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace emergence {
namespace {

constexpr const char* kSeedStatePrefix = "state.";

// A trained seed as its state, which is small compared with the memory that training needs.
struct FinishedSeed {
    int seed_index = 0;
    int64_t step = 0;
    ArrayMap state;
    std::vector<MetricRow> rows;

    ArrayMap arrays() const {
        ArrayMap arrays;
        for (const auto& [name, array] : state) arrays[kSeedStatePrefix + name] = array;
        std::vector<int64_t> steps = {seed_index, step};
        std::vector<double> values;
        for (const MetricRow& row : rows) {
            steps.push_back(row.step);
            values.insert(values.end(), row.values.begin(), row.values.end());
        }
        arrays["steps"] = {{steps.size()}, steps};
        arrays["metrics"] = {{rows.size(), rows.empty() ? 0 : rows.front().values.size()}, values};
        return arrays;
    }
    static FinishedSeed of_arrays(const ArrayMap& arrays) {
        FinishedSeed seed;
        for (const auto& [name, array] : arrays)
            if (name.starts_with(kSeedStatePrefix)) seed.state[name.substr(std::strlen(kSeedStatePrefix))] = array;
        if (!arrays.contains("steps") || !arrays.contains("metrics")) throw InputError("has no training of a seed");
        const auto* steps = std::get_if<std::vector<int64_t>>(&arrays.at("steps").values);
        const Array& metrics = arrays.at("metrics");
        const auto* values = std::get_if<std::vector<double>>(&metrics.values);
        if (steps == nullptr || values == nullptr || steps->size() < 2 || metrics.shape.size() != 2 ||
            metrics.shape[0] + 2 != steps->size())
            throw InputError("has no training of a seed");
        seed.seed_index = static_cast<int>((*steps)[0]);
        seed.step = (*steps)[1];
        const size_t columns = metrics.shape[1];
        for (size_t i = 0; i < metrics.shape[0]; ++i) {
            const auto begin = values->begin() + i * columns;
            seed.rows.push_back({seed.seed_index, (*steps)[i + 2], {begin, begin + columns}});
        }
        return seed;
    }
};

// The processor time of this thread.
double thread_cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

FinishedSeed train(const Study& study, int seed_index, const Reached& reached) {
    const std::unique_ptr<Experiment> seed = study.make_seed(seed_index);
    FinishedSeed result;
    result.seed_index = seed_index;
    seed->advance(0, result.rows);
    train_to(study.target_step(), *seed, result.rows, reached);
    result.step = seed->step();
    result.state = seed->save();
    return result;
}

int64_t first_seed(const Study& study) { return study.settings().has("seed") ? study.settings().integer("seed") : 0; }

// Throws InputError unless the study could have trained the seed, because its file may be damaged or a stranger's.
void check_finished(const Study& study, int seed_index, const FinishedSeed& seed) {
    const size_t metrics = study.metrics().size();
    int64_t last = -1;
    for (const MetricRow& row : seed.rows) {
        if (row.values.size() != metrics || row.step <= last) throw InputError("has rows of another training");
        last = row.step;
    }
    const std::unique_ptr<Experiment> trained = study.make_seed(seed_index);
    trained->load(seed.state);
    if (seed.seed_index != seed_index || trained->step() != seed.step || last > seed.step)
        throw InputError("is another seed, or at another step");
}

const ExperimentInfo& experiment_of(const GridConfig& config, const ExperimentInfo& figures) {
    return config.experiment ? *config.experiment : figures;
}

// Whether the part has a job of the configuration, or may have one.
bool has_job_of(const GridConfig& config, const GridPart& part) {
    if (part.labels.empty() || config.label.empty() || !config.settings.has("seeds")) return true;
    const auto first = part.labels.lower_bound(config.label + ", ");
    return first != part.labels.end() && first->starts_with(config.label + ", ");
}

// Makes the studies in parallel, because held-out banks take time. Studies whose jobs another process does stay null.
std::vector<std::shared_ptr<const Study>> make_studies(const ExperimentInfo& experiment,
                                                       const std::vector<GridConfig>& configs,
                                                       const GridOptions& options) {
    std::vector<std::shared_ptr<const Study>> studies(configs.size());
    ThreadPool pool(options.threads);
    pool.for_each(static_cast<int>(configs.size()), [&](int i) {
        if (options.part != nullptr && !has_job_of(configs[i], *options.part)) return;
        const ExperimentInfo& own = experiment_of(configs[i], experiment);
        if (own.check) own.check(configs[i].settings);
        studies[i] = own.make(configs[i].settings);
        check_rows_fit(*studies[i], 1, studies[i]->target_step(), kMostWeightBytes);
    });
    return studies;
}

FinishedRun finish(const Study& study, const std::string& experiment, const GridConfig& config,
                   const std::vector<const FinishedSeed*>& trained) {
    FinishedRun run{config.label,
                    {},
                    MetricHistory(study.metrics(), static_cast<int>(trained.size())),
                    study.metric_plots(),
                    config.own};
    if (trained.empty()) {
        run.snapshot.experiment = experiment;
        run.snapshot.settings = study.settings();
        run.snapshot.step_unit = study.step_unit();
        return run;
    }
    std::vector<std::unique_ptr<Experiment>> restored;
    std::vector<const Experiment*> seeds;
    int64_t step = 0;
    for (const FinishedSeed* seed : trained) {
        restored.push_back(study.make_seed(seed->seed_index));
        restored.back()->load(seed->state);
        seeds.push_back(restored.back().get());
        step = std::max(step, seed->step);
        for (MetricRow row : seed->rows) {
            row.seed_index = static_cast<int>(seeds.size()) - 1;  // its place among the seeds that did not throw
            run.history.append(row);
        }
    }
    run.snapshot = study.describe(seeds);
    run.snapshot.step = step;
    return run;
}

}  // namespace

void train_to(int64_t target, Experiment& seed, std::vector<MetricRow>& rows, const Reached& reached) {
    constexpr int64_t kParts = 100;
    const int64_t part = std::max<int64_t>(1, target / kParts);
    while (seed.step() < target && !seed.failed()) {
        seed.advance(std::min(target, seed.step() + part), rows);
        reached(static_cast<double>(seed.step()) / static_cast<double>(target));
    }
}

StudyGrid run_studies(const ExperimentInfo& experiment, const std::vector<GridConfig>& configs,
                      const GridOptions& options) {
    const auto studies = make_studies(experiment, configs, options);
    struct Job {
        const Study& study;
        int seed_index;
        std::string name;
    };
    std::vector<Job> jobs;
    std::vector<std::string> labels;
    size_t others = 0;  // jobs of studies that were not made
    for (size_t c = 0; c < configs.size(); ++c) {
        if (!studies[c]) others += static_cast<size_t>(configs[c].settings.integer("seeds"));
        for (int k = 0; studies[c] && k < studies[c]->num_seeds(); ++k) {
            const std::string& of = configs[c].label;
            labels.push_back(fmt::format("{}{}seed {}", of, of.empty() ? "" : ", ", first_seed(*studies[c]) + k));
            jobs.push_back({*studies[c], k, fmt::format("1 {} {}", others + jobs.size(), labels.back())});
        }
    }
    std::vector<std::optional<FinishedSeed>> results(jobs.size());
    const auto work = [&](size_t i, const Reached& reached) {
        const double start = thread_cpu_seconds();
        results[i] = train(jobs[i].study, jobs[i].seed_index, reached);
        if (options.folder != nullptr)
            options.folder->save(jobs[i].name, results[i]->arrays(), thread_cpu_seconds() - start);
    };
    const auto load = [&](size_t i) {
        const auto arrays = options.folder != nullptr ? options.folder->load(jobs[i].name) : std::nullopt;
        if (!arrays) return false;
        try {
            FinishedSeed seed = FinishedSeed::of_arrays(*arrays);
            check_finished(jobs[i].study, jobs[i].seed_index, seed);
            results[i] = std::move(seed);
            return true;
        } catch (const InputError&) {  // damaged: computed again
            return false;
        }
    };
    StudyGrid grid{run_jobs(labels, options, work, load), {}};
    if (grid.stopped) return grid;
    size_t job = 0;
    for (size_t c = 0; c < configs.size(); ++c) {
        std::vector<const FinishedSeed*> trained;
        for (int k = 0; k < studies[c]->num_seeds(); ++k, ++job)
            if (results[job]) trained.push_back(&*results[job]);
        grid.runs.push_back(finish(*studies[c], experiment_of(configs[c], experiment).name, configs[c], trained));
    }
    return grid;
}

}  // namespace emergence

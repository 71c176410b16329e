#include "app/gui/runs/watched_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/files/csv.h"
#include "core/files/folders.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr auto kListAgain = std::chrono::milliseconds(1000);
constexpr int kDeepest = 2;  // levels of folders
constexpr size_t kMostRuns = 2000;

constexpr const char* kConfigFile = "config.toml";
constexpr const char* kMetricsFile = "metrics.csv";

// The time at which any of a run's files was last written; nullopt if the folder has none.
std::optional<fs::file_time_type> written_at(const fs::path& folder) {
    std::optional<fs::file_time_type> last;
    for (const char* name : {kCheckpointFile, kOlderCheckpointFile, kConfigFile, kMetricsFile}) {
        std::error_code missing;
        const auto at = fs::last_write_time(folder / name, missing);
        if (!missing && (!last || at > *last)) last = at;
    }
    return last;
}

void settings_from(const SettingsFile& file, const FindExperiment& find, ListedRun& run) {
    run.experiment = file.experiment;
    const ExperimentInfo& info = find(file.experiment);
    Settings settings(info.fields);
    apply(file, settings);
    run.settings = std::move(settings);
}

// The last logged row of a seed.
struct LastRow {
    int64_t step = 0;
    std::vector<double> values;
};

// A seed that stopped before the others has failed and does not count.
void add_scores(const std::vector<std::string>& metrics, const std::map<int64_t, LastRow>& last_of_seed,
                ListedRun& run) {
    int64_t last = 0;
    for (const auto& [seed, row] : last_of_seed) last = std::max(last, row.step);
    for (size_t m = 0; m < metrics.size(); ++m) {
        std::vector<double> finite;
        for (const auto& [seed, row] : last_of_seed)
            if (row.step == last && m < row.values.size() && std::isfinite(row.values[m]))
                finite.push_back(row.values[m]);
        if (!finite.empty()) run.scores[metrics[m]] = summarise(finite, false);
    }
}

// Reads the last rows of metrics.csv.
void read_table(ListedRun& run) {
    const NumericTable table = read_csv(run.folder / kMetricsFile);
    if (table.columns.size() < 2) return;
    std::map<int64_t, LastRow> last_of_seed;
    for (size_t i = 0; i < table.rows(); ++i) {
        std::vector<double> values;
        for (size_t m = 2; m < table.columns.size(); ++m) values.push_back(table.columns[m][i]);
        last_of_seed[static_cast<int64_t>(table.columns[0][i])] = {static_cast<int64_t>(table.columns[1][i]),
                                                                   std::move(values)};
        run.step = std::max(run.step, static_cast<int64_t>(table.columns[1][i]));
    }
    run.seeds = static_cast<int>(last_of_seed.size());
    add_scores({table.header.begin() + 2, table.header.end()}, last_of_seed, run);
}

void read_state(const FindExperiment& find, ListedRun& run) {
    const FoundCheckpoint found = find_checkpoint(run.folder);
    run.has_checkpoint = true;
    run.trouble = found.notice;
    run.step = found.checkpoint.settings.step.value_or(0);
    run.seeds = static_cast<int>(found.checkpoint.seeds.size());
    settings_from(found.checkpoint.settings, find, run);
    const std::vector<int64_t>& emerged = found.checkpoint.emerged;
    if (!emerged.empty() && !find(run.experiment).emergence_rule.empty())
        run.emerged = static_cast<int>(std::count(emerged.begin(), emerged.end(), 1));
    std::map<int64_t, LastRow> last_of_seed;
    for (const MetricRow& row : found.checkpoint.rows) {
        const bool logged = any_of(row.values, [](double v) { return !std::isnan(v); });
        if (logged) last_of_seed[row.seed_index] = {row.step, row.values};
    }
    add_scores(found.checkpoint.metrics, last_of_seed, run);
}

void read_files(const FindExperiment& find, ListedRun& run) {
    settings_from(emergence::read_settings(run.folder / kConfigFile), find, run);
    read_table(run);
}

}  // namespace

std::optional<ListedRun> read_run(const fs::path& folder, const FindExperiment& find) {
    const auto at = written_at(folder);
    if (!at) return std::nullopt;
    ListedRun run;
    run.folder = folder;
    run.saved_at = *at;
    try {
        refuse_links_out(folder);
        run.mark = run_mark_in(folder);
        if (is_file(folder / kCheckpointFile) || is_file(folder / kOlderCheckpointFile))
            read_state(find, run);
        else if (is_file(folder / kConfigFile) && is_file(folder / kMetricsFile))
            read_files(find, run);
        else
            return std::nullopt;
    } catch (const std::exception& error) {
        run.trouble = error.what();
    }
    return run;
}

std::vector<std::string> differences_of(const std::vector<const ListedRun*>& runs) {
    std::map<std::string, std::map<std::string, std::set<std::string>>> values;  // by experiment and field
    for (const ListedRun* run : runs)
        if (run->settings)
            for (const FieldInfo& field : run->settings->fields())
                values[run->experiment][field.name].insert(to_text(run->settings->value(field.name)));
    std::vector<std::string> texts;
    for (const ListedRun* run : runs) {
        std::string& text = texts.emplace_back();
        if (!run->settings) continue;
        for (const FieldInfo& field : run->settings->fields())
            if (values[run->experiment][field.name].size() > 1)
                text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.label.empty() ? field.name : field.label,
                                    value_in_words(field, run->settings->value(field.name)));
    }
    return texts;
}

// What is known of a folder's runs.
class WatchedRuns::Reader {
  public:
    Reader(fs::path folder, FindExperiment find) : folder_(std::move(folder)), find_(std::move(find)) {}

    bool look(const Jobs::Task& task);
    std::shared_ptr<const Runs> runs() const {
        auto runs = std::make_shared<Runs>();
        for (const auto& [path, known] : known_)
            if (known.run) runs->push_back(*known.run);
        return runs;
    }

  private:
    struct Known {
        fs::file_time_type at;
        std::optional<ListedRun> run;
    };
    void add_labels(ListedRun& run);

    fs::path folder_;
    FindExperiment find_;
    std::map<fs::path, Known> known_;
    std::map<std::string, std::map<std::string, MetricInfo>> metrics_;  // by experiment and metric
};

// Labels need a study, which is made once per experiment, and again if settings add metrics.
void WatchedRuns::Reader::add_labels(ListedRun& run) {
    if (!run.settings) return;
    auto& metrics = metrics_[run.experiment];
    const bool known = all_of(run.scores, [&](const auto& score) { return metrics.count(score.first) != 0; });
    if (!known) try {
            const std::unique_ptr<Study> study = find_(run.experiment).make(*run.settings);
            for (const MetricInfo& metric : study->metrics()) metrics[metric.name] = metric;
        } catch (const std::exception&) {
            // The settings are of another version, or a file is missing. The metrics' names serve instead.
        }
    for (const auto& [name, summary] : run.scores) {
        const MetricInfo& metric = metrics.try_emplace(name, MetricInfo{name, name, ""}).first->second;
        run.score_labels[name] = metric.label.empty() ? name : metric.label;
        if (metric.share) run.shares.insert(name);
    }
}

// Reads new files. Returns true if there were any.
bool WatchedRuns::Reader::look(const Jobs::Task& task) {
    std::map<fs::path, Known> seen;
    bool changed = false;
    const auto visit = [&](const fs::path& path) {
        const auto at = written_at(path);
        if (!at || task.stopping() || seen.size() >= kMostRuns) return;
        const auto before = known_.find(path);
        if (before != known_.end() && before->second.at == *at) {
            std::optional<ListedRun>& run = seen.insert(*before).first->second.run;
            const RunMark mark = run_mark_in(path);
            if (!run || run->mark == mark) return;
            run->mark = mark;
            changed = true;
            return;
        }
        std::optional<ListedRun> run = read_run(path, find_);
        if (run) add_labels(*run);
        // Another program may be writing the file, so the previous reading stays.
        const bool worse = run && !run->settings && before != known_.end() && before->second.run;
        seen[path] = {*at, worse ? before->second.run : std::move(run)};
        changed = true;
    };
    // If a folder cannot be listed now, its known runs stay.
    const auto keep_known = [&](const fs::path& folder) {
        for (const auto& one : known_)
            if (one.first != folder && lies_in(one.first, folder)) seen.insert(one);
    };
    const std::function<void(const fs::path&, int)> visit_all = [&](const fs::path& folder, int depth) {
        visit(folder);
        if (depth == kDeepest) return;
        try {
            for (const fs::path& entry : entries_in(folder)) {
                std::error_code ignored;
                if (!is_folder(entry)) continue;
                if (fs::is_symlink(entry, ignored))
                    visit(entry);  // a link may lead back, so do not descend
                else
                    visit_all(entry, depth + 1);
            }
        } catch (const IoError&) {
            keep_known(folder);
        }
    };
    visit_all(folder_, 0);
    changed = changed || seen.size() != known_.size();
    known_ = std::move(seen);
    return changed;
}

void WatchedRuns::follow(fs::path folder, FindExperiment find) {
    stop();
    if (!reader_ || folder != folder_) {  // otherwise what is known stays
        runs_.reset();
        reader_ = std::make_shared<Reader>(folder, std::move(find));
        folder_ = std::move(folder);
    }
    const auto look = [this, reader = reader_, first = true](const Jobs::Task& task) mutable {
        if (reader->look(task) || first) task.tell([this, runs = reader->runs()] { runs_ = runs; });
        first = false;
    };
    watching_ = jobs_.watch(Lane::run_list, kListAgain, look);
}

}  // namespace emergence

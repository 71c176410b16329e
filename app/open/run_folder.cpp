#include "app/open/run_folder.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/export/run_files.h"
#include "app/open/opening.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOpenFile = "open";  // a window writes here, or did when it ended

// The folders with the file, the last written first.
std::vector<fs::path> folders_with(const fs::path& runs, const char* file) {
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    for (const fs::path& folder : entries_in(runs)) {
        if (!is_there(folder / file)) continue;
        std::error_code ignored;
        found.emplace_back(fs::last_write_time(folder, ignored), folder);
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<fs::path> folders;
    for (auto& [time, folder] : found) folders.push_back(std::move(folder));
    return folders;
}

// A folder that cannot be opened is passed over too, because it is one among other runs.
std::optional<FolderLock> lock_of(const fs::path& folder, std::chrono::milliseconds patience = {}) {
    try {
        return FolderLock::take(folder, patience);
    } catch (const IoError&) {
        return std::nullopt;
    }
}

void make_room(const fs::path& runs) {
    const std::vector<fs::path> autosaved = folders_with(runs, kAutosavedFile);
    for (size_t i = kMostAutosaved; i < autosaved.size(); ++i) {
        // A folder without the lock may belong to another program, because the command line resumes autosaved runs too.
        const auto lock = lock_of(autosaved[i]);
        std::error_code ignored;
        if (lock && !is_there(autosaved[i] / kOpenFile)) fs::remove_all(autosaved[i], ignored);
    }
}

[[noreturn]] void fail(const fs::path& path, const std::error_code& why) {
    throw IoError("{}: cannot be made: {}", path.string(), error_text(why));
}

}  // namespace

std::optional<fs::path> default_runs_folder() {
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && fs::path(data).is_absolute())
        return fs::path(data) / "emergence" / "runs";
    if (const auto home = home_folder()) return *home / ".local" / "share" / "emergence" / "runs";
    return std::nullopt;
}

fs::path default_sweeps_folder() {
    const auto runs = default_runs_folder();
    return runs ? runs->parent_path() / "sweeps" : fs::path("out");
}

std::optional<fs::path> run_folder_at(const fs::path& path) {
    const auto holds = [&path](const char* file) { return kind_of_file(path / file) != fs::file_type::not_found; };
    if (kind_of_file(path) == fs::file_type::directory && (holds(kCheckpointFile) || holds(kOlderCheckpointFile)))
        return path;
    if (path.filename() == kCheckpointFile || path.filename() == kOlderCheckpointFile)
        return path.has_parent_path() ? path.parent_path() : fs::path(".");
    return std::nullopt;
}

fs::path run_given_once(const fs::path& path, std::map<fs::path, fs::path>& given) {
    const auto folder = run_folder_at(path);
    if (!folder) throw InputError("{}: is not the folder of a run", path.string());
    std::error_code ignored;
    if (const auto [before, first] = given.emplace(fs::weakly_canonical(*folder, ignored), path); !first)
        throw InputError("{}: is the same run as {}. Name each run once", path.string(), before->second.string());
    return *folder;
}

std::shared_ptr<RunFolder> RunFolder::claim(const fs::path& folder, const std::string& figure) {
    auto claimed = std::make_shared<RunFolder>(folder.parent_path());
    claimed->path_ = folder;
    claimed->figure_ = figure;
    return claimed->lock() ? claimed : nullptr;
}

bool RunFolder::lock() {
    if (lock_) return true;
    lock_ = FolderLock::take(path_);
    if (!lock_) return false;
    remove_unfinished_files(path_);
    set_damaged_aside(path_);  // opening the run has reported the damage
    try {
        write_file(path_ / kOpenFile, std::string_view());
    } catch (const IoError&) {
        lock_.reset();  // nothing can be written here
    }
    return lock_.has_value();
}

void RunFolder::make(const SavedRun& saved) {
    std::error_code failed;
    make_folder(runs_);
    make_room(runs_);
    const std::string name = fmt::format("{}-{}", saved.state.experiment, time_stamp());
    for (int i = 1;; ++i) {
        const fs::path folder = runs_ / (i == 1 ? name : fmt::format("{}-{}", name, i));
        if (!fs::create_directory(folder, failed)) {
            if (failed) fail(folder, failed);
            continue;  // another window was faster
        }
        path_ = folder;
        write_file(path_ / kAutosavedFile, std::string_view());
        copy_inputs(inputs_of(saved.state.settings, path_), path_);
        return;
    }
}

// The folder may have been renamed. If it was deleted, make it again, because the run still exists.
void RunFolder::follow() {
    if (!lock_ || lock_->holds(path_)) return;
    const auto now = lock_->place();
    path_ = now.value_or(fs::path());
    if (!now) lock_.reset();
}

std::vector<fs::path> RunFolder::write(const SavedRun& saved, const MetricHistory& history, bool keep) {
    follow();
    if (path_.empty()) make(saved);
    lock();
    // Moments are written first, because resuming drops those after the checkpoint.
    if (!saved.moments.empty())
        write_npz(path_ / kMomentsFile, moments_file(saved.state.experiment, saved.state.settings, saved.moments));
    write_checkpoint(path_, saved.state, history, figure_);
    const std::string config = run_config(saved.moment);
    write_file(path_ / "config.toml", std::string_view(config));
    write_file(path_ / "metrics.csv", std::string_view(metrics_csv({saved.moment, history})));
    write_npz(path_ / "weights.npz", weights_file(saved.moment));
    std::error_code ignored;
    if (keep) fs::remove(path_ / kAutosavedFile, ignored);
    return {path_ / "config.toml", path_ / "metrics.csv", path_ / "weights.npz", path_ / kCheckpointFile};
}

void RunFolder::close() {
    if (!lock_) return;
    std::error_code ignored;
    fs::remove(path_ / kOpenFile, ignored);
    lock_.reset();
}

std::vector<fs::path> interrupted_runs(const fs::path& runs) {
    std::vector<fs::path> interrupted;
    bool patient = true;
    for (const fs::path& folder : folders_with(runs, kOpenFile)) {
        bool is_free = lock_of(folder).has_value();
        if (!is_free && std::exchange(patient, false)) is_free = lock_of(folder, FolderLock::kLastBreath).has_value();
        if (is_free) interrupted.push_back(folder);
    }
    return interrupted;
}

void decline_run(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(folder / kOpenFile, ignored);
}

namespace {

void add_notice(RunToOpen& run, const std::string& notice) { run.notice += (run.notice.empty() ? "" : " ") + notice; }

}  // namespace

RunToOpen run_in(const fs::path& folder, const FindExperiment& find) {
    FoundCheckpoint found = find_checkpoint(folder);
    RunToOpen run;
    run.notice = std::move(found.notice);
    const std::string source = found.file.string();
    try {
        run.experiment = &find(found.checkpoint.settings.experiment);
        run.settings = Settings(run.experiment->fields);
        apply(found.checkpoint.settings, run.settings);
        for (const std::string& notice : use_copied_inputs(folder, run.settings)) add_notice(run, notice);
        for (SettingsFile::Entry& entry : found.checkpoint.settings.entries)
            if (run.settings.has(entry.name)) entry.value = run.settings.value(entry.name);  // else of earlier versions
        if (run.experiment->check) run.experiment->check(run.settings);
        ThreadPool pool(1);
        Run trial(run.experiment->make(run.settings), pool);
        restore(found.checkpoint, trial);
        run.finished = trial.finished();
    } catch (const InputError& error) {
        const std::string sentence = error.what();
        throw InputError(sentence.starts_with(source) ? sentence : fmt::format("{}: {}", source, sentence));
    }
    try {
        found.checkpoint.moments = moments_in(folder);
    } catch (const InputError& error) {
        add_notice(run, fmt::format("{}. The moments before step {} cannot be shown.", error.what(),
                                    found.checkpoint.settings.step.value_or(0)));
    }
    run.checkpoint = std::make_shared<const Checkpoint>(std::move(found.checkpoint));
    run.folder = folder;
    std::error_code ignored;
    run.saved_at = fs::last_write_time(found.file, ignored);
    return run;
}

RestoredRun::RestoredRun(const RunToOpen& opened, int threads)
    : pool(threads),
      run(opened.experiment->make(opened.settings), pool),
      history(run.study().metrics(), run.num_seeds()) {
    restore(*opened.checkpoint, run, history);
}

FinishedRun finished_run_in(const fs::path& folder, const FindExperiment& find, std::string& notice) {
    const RunToOpen opened = run_in(folder, find);
    notice = opened.notice;
    RestoredRun restored(opened);
    const fs::path named = folder.has_filename() ? folder : folder.parent_path();
    return {named.filename().string(), restored.run.snapshot(), std::move(restored.history),
            restored.run.study().metric_plots()};
}

RunMark run_mark_in(const fs::path& folder) {
    constexpr size_t kLargest = 4096;
    const fs::path file = folder / kRunMarkFile;
    if (!is_file(file)) return {};
    try {
        const toml::table table = read_toml(file, kLargest);
        return {shown_text(table["name"].value_or(std::string())), table["starred"].value_or(false)};
    } catch (const std::runtime_error&) {
        return {};
    }
}

void write_run_mark(const fs::path& folder, const RunMark& mark) {
    std::error_code failed;
    if (mark == RunMark()) {
        fs::remove(folder / kRunMarkFile, failed);
        if (failed) throw IoError("{}: {}", (folder / kRunMarkFile).string(), error_text(failed));
        return;
    }
    const std::string text = fmt::format("name = {}\nstarred = {}\n", quoted_toml(mark.name), mark.starred);
    write_file(folder / kRunMarkFile, std::string_view(text));
    fs::remove(folder / kAutosavedFile, failed);
}

}  // namespace emergence

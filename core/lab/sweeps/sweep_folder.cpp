#include "core/lab/sweeps/sweep_folder.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <cctype>
#include <chrono>
#include <mutex>
#include <system_error>

#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folder_lock.h"
#include "core/files/folders.h"
#include "core/files/limits.h"
#include "core/files/text.h"
#include "core/lab/jobs/job_folder.h"
#include "core/lab/store/run_inputs.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

std::string whole_text(const fs::path& path) { return std::string(as_text(read_file(path, kMostTableBytes))); }

// Of a sweep's picture, the sweep that it holds.
std::string sweep_text(const fs::path& path) {
    const std::vector<std::byte> bytes = read_file(path, kMostFigureBytes);
    const std::optional<std::string> embedded = embedded_text(bytes, path.string());
    return plain_text(embedded ? *embedded : as_text(bytes), path.string());
}

bool has_axis(const fs::path& file) {
    try {
        return parse_toml(sweep_text(file), file.string())["x"].is_table();
    } catch (const std::exception&) {  // unreadable or not TOML
        return false;
    }
}

}  // namespace

std::optional<fs::path> sweep_file_at(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        if (fs::exists(path / kSweepFile, ignored)) return path / kSweepFile;
        // A folder of results beside the file of its sweep, as for the shipped sweeps.
        fs::path beside = path.has_filename() ? path : path.parent_path();
        beside += ".toml";
        return has_axis(beside) ? std::optional(beside) : std::nullopt;
    }
    if (path.filename() == kComputedFile) {  // a sweep too, but without its results
        const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
        if (const auto file = sweep_file_at(folder)) return file;
    }
    const std::string kind = path.extension().string();
    const bool may_hold = kind == ".toml" || kind == ".pdf" || kind == ".svg" || kind == ".png" || kind == ".npz";
    return may_hold && has_axis(path) ? std::optional(path) : std::nullopt;
}

std::optional<fs::path> results_beside(const fs::path& file, const Sweep& sweep, const FindExperiment& find) {
    const fs::path folder = file.parent_path() / file.stem();
    std::error_code ignored;
    if (!fs::exists(folder / kComputedFile, ignored)) return std::nullopt;
    try {
        if (same_but_for_places(read_sweep(folder / kComputedFile, find).sweep, sweep)) return folder;
    } catch (const InputError&) {
        // Another folder that has the same name by chance.
    }
    return std::nullopt;
}

SweepText read_sweep(const fs::path& file, const FindExperiment& find) {
    std::string text = sweep_text(file);
    try {
        const fs::path folder = file.parent_path();
        Sweep sweep =
            parse_sweep(text, file.string(), find, [&](Settings& settings) { use_copied_inputs(folder, settings); });
        return {std::move(sweep), std::move(text)};
    } catch (const InputError& error) {
        const std::string sentence = error.what(), name = file.string();
        throw InputError(sentence.starts_with(name) ? sentence : fmt::format("{}: {}", name, sentence));
    }
}

namespace {

// The files of cells in the folder, from all processes, with the time and size of each.
using CellFiles = std::map<fs::path, std::pair<fs::file_time_type, uintmax_t>>;

CellFiles cells_files_in(const fs::path& folder) {
    CellFiles files;
    std::error_code ignored;
    for (const fs::path& file : entries_in(folder))
        if (file.filename().string().starts_with("cells") && file.extension() == ".csv")
            files[file] = {fs::last_write_time(file, ignored), fs::file_size(file, ignored)};
    return files;
}

// The files as they are at one moment: a process that ends moves its cells to another of them meanwhile.
std::vector<std::pair<fs::path, std::string>> texts_of_files_in(const fs::path& folder) {
    constexpr int kMostAttempts = 100;
    for (int attempt = 1;; ++attempt) {
        std::vector<std::pair<fs::path, std::string>> texts;
        try {
            for (const auto& [file, stamp] : cells_files_in(folder)) texts.emplace_back(file, whole_text(file));
            return texts;
        } catch (const InputError&) {
            if (attempt == kMostAttempts) throw;
        }
    }
}

// The cells of one process until it ends.
std::string own_cells_file() {
    std::string name = this_process();
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
    return fmt::format("cells-{}.csv", name);
}

std::vector<std::string> sorted_parts(const Sweep& sweep, const SweepCell& cell) {
    std::vector<std::string> parts;
    for (size_t i = 0; i < cell.size(); ++i)
        parts.push_back(fmt::format("{}={}", sweep.axes[i].field, to_text(sweep.axes[i].values[cell[i]])));
    std::sort(parts.begin(), parts.end());
    return parts;
}

bool is_file_name(const std::string& text) {
    constexpr size_t kLongest = 200;
    return text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("=,.+-_").find(c) != std::string_view::npos;
           });
}

// The same name for a cell in every process, whichever axes it shows.
std::string name_of_cell(const Sweep& sweep, const SweepCell& cell) {
    return fmt::format("{}", fmt::join(sorted_parts(sweep, cell), " "));
}

// The cells of a folder that several processes compute.
class FolderCells final : public SharedJobs {
  public:
    FolderCells(fs::path folder, const Sweep& sweep, std::vector<SweepCell> cells, SweepScores& loaded)
        : folder_(std::move(folder)),
          sweep_(sweep),
          jobs_(std::move(cells)),
          loaded_(loaded),
          owners_(folder_ / kOwnersFolder) {}
    // Looks at the folder if the cell is ours, otherwise at most every second.
    bool load(size_t job) override {
        const SweepCell& cell = jobs_[job];
        const std::lock_guard guard(mutex_);
        const auto now = std::chrono::steady_clock::now();
        if (ours_.contains(cell) || now - looked_ >= kNextLook) {
            looked_ = now;
            if (CellFiles files = cells_files_in(folder_); files != seen_) {
                cells_ = cells_in(folder_, sweep_);
                seen_ = std::move(files);
            }
        }
        const auto found = cells_.find(cell);
        if (found == cells_.end() || !is_whole(sweep_, found->second) || !has_its_weights(folder_, sweep_, cell))
            return false;
        loaded_[cell] = found->second;
        return true;
    }
    bool take(size_t job) override {
        if (!owners_.take(name_of_cell(sweep_, jobs_[job]))) return false;
        const std::lock_guard guard(mutex_);
        ours_.insert(jobs_[job]);
        return true;
    }
    void release(size_t job) override {
        owners_.release(name_of_cell(sweep_, jobs_[job]));
        const std::lock_guard guard(mutex_);
        ours_.erase(jobs_[job]);
    }

  private:
    static constexpr std::chrono::seconds kNextLook{1};

    fs::path folder_;
    const Sweep& sweep_;
    std::vector<SweepCell> jobs_;
    SweepScores& loaded_;
    JobOwners owners_;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point looked_ = {};
    CellFiles seen_;
    SweepScores cells_;
    std::set<SweepCell> ours_;
};

// All cells in one file and as arrays. One process at a time; files of living ones stay until these end too.
void collect_cells(const fs::path& folder, const Sweep& sweep, const fs::path& own, const SweepScores& mine) {
    constexpr std::chrono::milliseconds kPatience{10'000};
    const auto lock = FolderLock::take(folder, kPatience);
    if (!lock) return;  // the cells of this process stay in its own file
    const CellFiles files = cells_files_in(folder);
    SweepScores all = cells_in(folder, sweep);
    merge(all, mine);
    if (all.empty()) return;
    write_file(folder / kCellsFile, std::string_view(sweep_csv(sweep, all)));
    write_npz(folder / kCellArraysFile, sweep_arrays(sweep, all));
    std::error_code ignored;
    fs::remove(own, ignored);
    if (cells_at_work(folder) > 0) return;
    // Those of lost processes are in the file of all now.
    const CellFiles now = cells_files_in(folder);
    for (const auto& [file, stamp] : files)
        if (const auto found = now.find(file);
            found != now.end() && found->second == stamp && file.filename() != kCellsFile)
            fs::remove(file, ignored);
    fs::remove_all(folder / kOwnersFolder, ignored);
}

}  // namespace

fs::path cell_weights_path(const fs::path& folder, const Sweep& sweep, const SweepCell& cell) {
    const std::string name = fmt::format("{}", fmt::join(sorted_parts(sweep, cell), ","));
    return folder / kCellWeightsFolder / ((is_file_name(name) ? name : name_of_text(name)) + ".npz");
}

bool has_its_weights(const fs::path& folder, const Sweep& sweep, const SweepCell& cell) {
    std::error_code ignored;
    return !sweep.weights || fs::exists(cell_weights_path(folder, sweep, cell), ignored);
}

SweepScores with_weights(const fs::path& folder, const Sweep& sweep, SweepScores scores) {
    std::erase_if(scores, [&](const auto& cell) { return !has_its_weights(folder, sweep, cell.first); });
    return scores;
}

SweepScores cells_in(const fs::path& folder, const Sweep& sweep) {
    SweepScores all;
    for (const auto& [file, text] : texts_of_files_in(folder)) merge(all, scores_in(sweep, text, file.string()));
    return all;
}

size_t lines_outside_in(const fs::path& folder, const Sweep& sweep) {
    size_t lines = 0;
    for (const auto& [file, text] : texts_of_files_in(folder)) lines += lines_outside(sweep, text, file.string());
    return lines;
}

int cells_at_work(const fs::path& folder) { return JobOwners(folder / kOwnersFolder).count_living(); }

SweepScores known_in(const fs::path& folder, const Sweep& sweep, const FindExperiment& find) {
    std::error_code ignored;
    const fs::path computed = folder / kComputedFile;
    const fs::path before = fs::exists(computed, ignored) ? computed : folder / kSweepFile;
    if (!fs::exists(before, ignored)) return {};
    // A start that ended before it had copied its inputs cannot be read.
    if (whole_text(before) != sweep_to_toml(sweep) && !same_but_for_places(read_sweep(before, find).sweep, sweep))
        throw InputError(fmt::format(
            "{}: its cells are of another experiment, of other [settings] or other axes, see {}. Use another folder",
            folder.string(), before.filename().string()));
    return with_weights(folder, sweep, cells_in(folder, sweep));
}

void begin_sweep_in(const fs::path& folder, const SweepText& of) {
    const Settings& settings = of.sweep.settings;
    const bool names_places = sweep_to_toml(of.sweep) != sweep_to_toml(of.sweep, WholePaths::all);
    const std::string text = names_places ? sweep_to_toml(of.sweep) : of.text;
    for (const char* file : {kSweepFile, kComputedFile}) write_file(folder / file, std::string_view(text));
    const std::vector<RunInput> inputs = inputs_of(settings, folder);
    std::vector<RunInput> held = read_inputs(folder);
    if (held.empty()) return copy_inputs(inputs, folder);
    // Its own copies are what they were.
    std::erase_if(held, [&](const RunInput& input) { return lies_in(settings.text(input.field), folder); });
    if (inputs_to_toml(held) != inputs_to_toml(inputs))
        throw InputError(fmt::format(
            "{}: {} has changed since its cells were computed, or is gone. Put its copy back, which lies in {}, or "
            "choose another folder",
            folder.string(), (held.empty() ? inputs : held).front().path, (folder / kInputsFolder).string()));
}

SweepResult run_sweep_in(const fs::path& folder, const SweepText& of, const SweepScores& known,
                         const GridOptions& options, const std::function<void(const SweepScores&)>& on_cells) {
    const Sweep& sweep = of.sweep;
    begin_sweep_in(folder, of);
    const fs::path own = folder / own_cells_file();
    // What is known from elsewhere is to be in the folder too.
    SweepScores mine = known;
    for (const auto& [cell, scores] : cells_in(folder, sweep))
        if (mine.contains(cell) && scores.size() >= mine[cell].size()) mine.erase(cell);
    // What this process has left there before, for a window computes a sweep again after a full disk.
    if (std::error_code ignored; fs::exists(own, ignored)) merge(mine, scores_in(sweep, whole_text(own), own.string()));
    const auto save = [&](const SweepScores& computed) {
        for (const auto& [cell, scores] : computed) mine[cell] = scores;
        write_file(own, std::string_view(sweep_csv(sweep, mine)));
        if (!on_cells) return;
        SweepScores all = known;
        for (const auto& [cell, scores] : computed) all[cell] = scores;
        on_cells(all);
    };
    if (!mine.empty()) save({});
    const auto divides = [&](const std::vector<SweepCell>& cells, SweepScores& loaded) {
        return std::make_unique<FolderCells>(folder, sweep, cells, loaded);
    };
    const auto save_weights = [&](const SweepCell& cell, const ArrayMap& weights) {
        write_npz(cell_weights_path(folder, sweep, cell), weights);
    };
    if (sweep.weights) make_folder(folder / kCellWeightsFolder);
    SweepResult result = run_sweep(sweep, with_weights(folder, sweep, known), options, save, divides, save_weights);
    collect_cells(folder, sweep, own, mine);
    merge(result.scores, cells_in(folder, sweep));
    return result;
}

}  // namespace emergence

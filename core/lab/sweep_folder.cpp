#include "core/lab/sweep_folder.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{64} << 20;

std::string whole_text(const fs::path& path) { return std::string(as_text(read_file(path, kMostBytes))); }

bool has_axis(const fs::path& file) {
    try {
        return toml::parse(whole_text(file))["x"].is_table();
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
    return path.extension() == ".toml" && has_axis(path) ? std::optional(path) : std::nullopt;
}

bool same_but_for_places(const Sweep& a, const Sweep& b) {
    return a.experiment == b.experiment && a.score == b.score && a.settings == b.settings;
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
    std::string text = whole_text(file);
    try {
        Sweep sweep = parse_sweep(text, file.string(), find);
        return {std::move(sweep), std::move(text)};
    } catch (const InputError& error) {
        const std::string sentence = error.what(), name = file.string();
        throw InputError(sentence.starts_with(name) ? sentence : fmt::format("{}: {}", name, sentence));
    }
}

std::string cells_file(const SweepShare& share) {
    return share.size == 1 ? kCellsFile : fmt::format("cells-{}-of-{}.csv", share.rank, share.size);
}

namespace {

// The files of cells in the folder, from all processes.
std::vector<fs::path> cells_files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with("cells") && entry.path().extension() == ".csv")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

SweepScores cells_in(const fs::path& folder, const Sweep& sweep) {
    SweepScores all;
    for (const fs::path& file : cells_files_in(folder))
        merge(all, scores_in(sweep, whole_text(file), file.string()));
    return all;
}

size_t lines_outside_in(const fs::path& folder, const Sweep& sweep) {
    size_t lines = 0;
    for (const fs::path& file : cells_files_in(folder))
        lines += lines_outside(sweep, whole_text(file), file.string());
    return lines;
}

SweepScores known_in(const fs::path& folder, const Sweep& sweep, const FindExperiment& find) {
    std::error_code ignored;
    const fs::path computed = folder / kComputedFile;
    const fs::path before = fs::exists(computed, ignored) ? computed : folder / kSweepFile;
    if (!fs::exists(before, ignored)) return {};
    if (!same_but_for_places(read_sweep(before, find).sweep, sweep))
        throw InputError(fmt::format(
            "{}: its cells are of another experiment, score or other [settings], see {}; needed is another "
            "folder",
            folder.string(), before.filename().string()));
    return cells_in(folder, sweep);
}

SweepResult run_sweep_in(const fs::path& folder, const SweepText& of, const SweepScores& known,
                         const GridOptions& options, const SweepShare& share,
                         const std::function<void(const SweepScores&)>& on_cells) {
    const Sweep& sweep = of.sweep;
    for (const char* file : {kSweepFile, kComputedFile}) write_file(folder / file, std::string_view(of.text));
    const fs::path own = folder / cells_file(share);
    const auto keep = [&](const SweepScores& scores) {
        write_file(own, std::string_view(sweep_csv(sweep, scores)));
        if (on_cells) on_cells(scores);
    };
    SweepResult result = run_sweep(sweep, known, options, keep, share);
    // The process that ends last collects the cells of all.
    if (result.stopped) return result;
    const SweepScores all = cells_in(folder, sweep);
    if (count_whole(sweep, all) == sweep.columns() * sweep.rows())
        write_file(folder / kCellsFile, std::string_view(sweep_csv(sweep, all)));
    return result;
}

}  // namespace emergence

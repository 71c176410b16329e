#include "core/lab/sweeps/sweep_folder.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <cctype>
#include <system_error>

#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
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
    } catch (const InputError&) {  // not TOML
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
    const fs::path file = folder / kCellsFile;
    std::error_code ignored;
    return fs::exists(file, ignored) ? scores_in(sweep, whole_text(file), file.string()) : SweepScores();
}

size_t lines_outside_in(const fs::path& folder, const Sweep& sweep) {
    const fs::path file = folder / kCellsFile;
    std::error_code ignored;
    return fs::exists(file, ignored) ? lines_outside(sweep, whole_text(file), file.string()) : 0;
}

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
    // What is known from elsewhere is to be in the folder too.
    SweepScores all = known;
    merge(all, cells_in(folder, sweep));
    const auto write = [&] { write_file(folder / kCellsFile, std::string_view(sweep_csv(sweep, all))); };
    const auto save = [&](const SweepScores& computed) {
        for (const auto& [cell, scores] : computed) all[cell] = scores;
        write();
        if (on_cells) on_cells(all);
    };
    if (!all.empty()) write();
    const auto save_weights = [&](const SweepCell& cell, const ArrayMap& weights) {
        write_npz(cell_weights_path(folder, sweep, cell), weights);
    };
    if (sweep.weights) make_folder(folder / kCellWeightsFolder);
    SweepResult result = run_sweep(sweep, with_weights(folder, sweep, known), options, save, save_weights);
    if (!all.empty()) write_npz(folder / kCellArraysFile, sweep_arrays(sweep, all));
    merge(result.scores, all);
    return result;
}

}  // namespace emergence

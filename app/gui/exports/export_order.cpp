#include "app/gui/exports/export_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <system_error>

#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/toml.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// Says which share of a file's work is done and how many seconds are left; false: stop.
using Tell = std::function<bool(double share, double seconds_left)>;
using Bytes = std::optional<std::string>;

// A file and how its bytes are made; nothing if there is nothing to write.
struct File {
    std::string name;
    std::function<Bytes(const Tell&)> bytes;
};

// The user has cancelled the export.
struct Cancelled {};

std::string npz_text(const ArrayMap& arrays) { return std::string(as_text(npz_bytes(arrays))); }

// A run's file besides its pictures: of the run that is shown, and of a figure's runs, which may have trained nothing.
struct RunFile {
    const char* name;
    std::string (*of_shown)(const ExportOrder& order);
    Bytes (*of_figure)(const MadeFigure& made);
};
constexpr RunFile kRunFiles[] = {
    {"config.toml",
     [](const ExportOrder& order) {
         return run_config(*order.snapshot, {"", order.snapshot->step});
     },
     [](const MadeFigure& made) { return Bytes(made.figure.config); }},
    {"metrics.csv",
     [](const ExportOrder& order) {
         return metrics_csv({*order.snapshot, order.history});
     },
     [](const MadeFigure& made) { return made.runs.empty() ? Bytes() : metrics_csv(made.runs); }},
    {"weights.npz", [](const ExportOrder& order) { return npz_text(weights_file(*order.snapshot)); },
     [](const MadeFigure& made) { return made.runs.empty() ? Bytes() : npz_text(weights_of(made.runs)); }},
};

MadeFigure made_figure(const ExportOrder& order, const FigureInfo& figure, const Tell& tell) {
    std::atomic<bool> stop = false;
    GridOptions options;
    options.threads = order.threads;
    options.name = figure.name;
    options.stop = &stop;
    options.on_progress = [&](const GridProgress& progress) {
        if (!tell(progress.share, progress.seconds_left)) stop = true;
    };
    const ExperimentInfo& info = *order.experiment;
    MadeFigure made = figure.build(info, figure_settings(info, figure, assets_folder()), options);
    if (made.stopped) throw Cancelled();
    return made;
}

std::string stem_of(const ExportOrder& order, const FigureChoice& choice) {
    // A paper's figure that is drawn of a preset's run is no longer the paper's.
    const bool own = choice.kind == FigureChoice::Kind::figure && !order.shown.preset.empty();
    if (order.name.empty()) return own ? file_stem(order.shown.preset + "-" + choice.name) : choice.name;
    return file_stem(order.choices.size() == 1 ? order.name : order.name + "-" + choice.name);
}

// The first file that is asked for makes and draws the figure, for all of them.
void add_files(const ExportOrder& order, const FigureChoice& choice, std::vector<File>& files) {
    const bool grid = choice.kind == FigureChoice::Kind::grid;
    const auto done = std::make_shared<std::optional<MadeFigure>>();
    const auto made = [&order, &choice, grid, done](const Tell& tell) -> const MadeFigure& {
        const ExperimentInfo& info = *order.experiment;
        if (!*done && grid) *done = made_figure(order, info.figures.at(choice.index), tell);
        if (!*done) *done = MadeFigure{build_figure(choice, info, *order.snapshot, order.history, order.shown)};
        return **done;
    };
    const auto drawn = std::make_shared<std::optional<DrawnFigure>>();
    const std::string stem = stem_of(order, choice);
    for (const FileFormat format : order.formats)
        files.push_back(
            {fmt::format("{}.{}", stem, file_extension(format)), [&order, made, drawn, format](const Tell& tell) {
                 if (!*drawn) drawn->emplace(made(tell).figure, order.page);
                 return (*drawn)->bytes(format);
             }});
    if (!grid || !order.run_files) return;
    for (const RunFile& file : kRunFiles)
        files.push_back(
            {stem + "-" + file.name, [made, &file](const Tell& tell) { return file.of_figure(made(tell)); }});
}

std::vector<File> files_of(const ExportOrder& order) {
    std::vector<File> files;
    for (const FigureChoice& choice : order.choices) add_files(order, choice, files);
    if (!order.run_files) return files;
    const std::string before = (order.name.empty() ? order.snapshot->experiment : file_stem(order.name)) + "-";
    for (const RunFile& file : kRunFiles)
        files.push_back({before + file.name, [&order, &file](const Tell&) { return file.of_shown(order); }});
    return files;
}

std::vector<fs::path> existing(const std::vector<File>& files, const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const File& file : files)
        if (fs::exists(fs::symlink_status(folder / file.name, ignored))) found.push_back(folder / file.name);
    return found;
}

}  // namespace

std::vector<std::string> run_file_names() {
    std::vector<std::string> names;
    for (const RunFile& file : kRunFiles) names.emplace_back(file.name);
    return names;
}

std::vector<std::string> file_names(const ExportOrder& order) {
    std::vector<std::string> names;
    for (const File& file : files_of(order)) names.push_back(file.name);
    return names;
}

FileReport write_export(const ExportOrder& order, const std::function<bool(const FileProgress&)>& on_progress) {
    FileReport report;
    const std::vector<File> files = files_of(order);
    try {
        make_folder(order.folder);
    } catch (const IoError& error) {
        report.failures.emplace_back(error.what());
        return report;
    }
    if (!order.replace) report.in_the_way = existing(files, order.folder);
    if (!report.in_the_way.empty()) return report;
    for (size_t i = 0; i < files.size(); ++i) {
        if (!on_progress({i, files.size(), files[i].name})) break;
        const Tell tell = [&](double share, double seconds_left) {
            return on_progress({i, files.size(), files[i].name, share, seconds_left});
        };
        try {
            const std::optional<std::string> bytes = files[i].bytes(tell);
            if (!bytes) continue;
            write_file(order.folder / files[i].name, std::string_view(*bytes));
            report.written.push_back(order.folder / files[i].name);
        } catch (const Cancelled&) {
            report.failures.push_back(fmt::format("{}: cancelled", files[i].name));
            break;
        } catch (const std::exception& error) {
            report.failures.emplace_back(error.what());
        }
    }
    return report;
}

std::string effort_of(const FigureInfo& figure, int threads) {
    try {
        for (const ClaimResults& results : read_all_claim_results(assets_folder() / "results")) {
            if (results.figure != figure.name) continue;
            const double seconds = std::max(1.0, results.cpu_seconds / std::max(1, threads));
            return fmt::format(
                "Takes runs of its own, with the figure's own settings: about {} on {}.",
                seconds < 90.0 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60.0),
                counted(threads, "core"));
        }
    } catch (const std::runtime_error&) {
        // The results cannot be read: the time is not known.
    }
    return "Takes runs of its own.";
}

std::string sentence_of(const FileReport& report) {
    if (!report.in_the_way.empty())
        return fmt::format("{} of these files {} there already: nothing was written", report.in_the_way.size(),
                           report.in_the_way.size() == 1 ? "is" : "are");
    std::string text;
    if (report.written.size() == 1) text = fmt::format("Saved {}", report.written.front().string());
    if (report.written.size() > 1)
        text =
            fmt::format("Saved {} files in {}", report.written.size(), report.written.front().parent_path().string());
    if (report.failures.empty()) return text.empty() ? "Nothing was written" : text;
    const std::string more =
        report.failures.size() == 1 ? std::string() : fmt::format(" (and {} more)", report.failures.size() - 1);
    return fmt::format("{}{}{}", text, text.empty() ? "" : ". Not saved: ", report.failures.front() + more);
}

fs::path default_export_folder() {
    const std::optional<fs::path> home = home_folder();
    std::error_code ignored;
    return home.value_or(fs::current_path(ignored)) / "emergence-figures";
}

fs::path typed_folder(const std::string& text) {
    const fs::path path = typed_path(text);
    if (path.empty()) throw InputError("The folder has no name. Type one");
    std::error_code ignored;
    const fs::path full = fs::absolute(path, ignored);
    return full.empty() ? path : full;
}

}  // namespace emergence

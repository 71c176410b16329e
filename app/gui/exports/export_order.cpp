#include "app/gui/exports/export_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
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

// A file and how its bytes are made; nothing where there is nothing to be written.
struct File {
    std::string name;
    std::function<std::optional<std::string>(const Tell&)> bytes;
};

// Somebody has cancelled it.
struct Cancelled {};

// A figure of many runs, made when the first of its files is asked for.
class GridResult {
  public:
    GridResult(const ExperimentInfo& info, const FigureInfo& figure, int threads)
        : info_(info), figure_(figure), threads_(threads) {}

    const MadeFigure& made(const Tell& tell) {
        if (!made_) make(tell);
        return *made_;
    }
    DrawnFigure& drawn(const Tell& tell, const PageFormat& page) {
        if (!drawn_) drawn_.emplace(made(tell).figure, page);
        return *drawn_;
    }

  private:
    void make(const Tell& tell) {
        std::atomic<bool> stop = false;
        GridOptions options;
        options.threads = threads_;
        options.name = figure_.name;
        options.stop = &stop;
        options.on_progress = [&](const GridProgress& progress) {
            if (!tell(progress.share, progress.seconds_left)) stop = true;
        };
        MadeFigure made = figure_.build(info_, figure_settings(info_, figure_, assets_folder()), options);
        if (made.stopped) throw Cancelled();
        made_ = std::move(made);
    }

    const ExperimentInfo& info_;
    const FigureInfo& figure_;
    int threads_;
    std::optional<MadeFigure> made_;
    std::optional<DrawnFigure> drawn_;
};

std::string stem_of(const ExportOrder& order, const FigureChoice& choice) {
    // Drawn of a preset's run a paper's figure is no longer the paper's.
    const bool own = choice.kind == FigureChoice::Kind::figure && !order.shown.preset.empty();
    if (order.name.empty()) return own ? file_stem(order.shown.preset + "-" + choice.name) : choice.name;
    return file_stem(order.choices.size() == 1 ? order.name : order.name + "-" + choice.name);
}

void add_grid_files(const ExportOrder& order, const FigureChoice& choice, std::vector<File>& files) {
    const auto result =
        std::make_shared<GridResult>(*order.experiment, order.experiment->figures.at(choice.index), order.threads);
    const std::string stem = stem_of(order, choice);
    for (const FileFormat format : order.formats)
        files.push_back(
            {fmt::format("{}.{}", stem, file_extension(format)),
             [&order, result, format](const Tell& tell) { return result->drawn(tell, order.page).bytes(format); }});
    if (!order.run_files) return;
    files.push_back({stem + "-config.toml", [result](const Tell& tell) { return result->made(tell).figure.config; }});
    const auto add = [&](const char* ending, auto bytes_of) {
        files.push_back({stem + ending, [result, bytes_of](const Tell& tell) {
                             const auto& runs = result->made(tell).runs;
                             return runs.empty() ? std::nullopt : std::optional<std::string>(bytes_of(runs));
                         }});
    };
    add("-metrics.csv", [](const auto& runs) { return metrics_csv(runs); });
    add("-weights.npz", [](const auto& runs) { return std::string(as_text(npz_bytes(weights_of(runs)))); });
}

void add_picture_files(const ExportOrder& order, const FigureChoice& choice, std::vector<File>& files) {
    // A choice is built and drawn once, by the first of its files.
    const auto figure = std::make_shared<std::optional<DrawnFigure>>();
    for (const FileFormat format : order.formats)
        files.push_back({fmt::format("{}.{}", stem_of(order, choice), file_extension(format)),
                         [&order, &choice, figure, format](const Tell&) {
                             if (!*figure)
                                 figure->emplace(build_figure(choice, *order.experiment, *order.snapshot, order.history,
                                                              order.shown),
                                                 order.page);
                             return (*figure)->bytes(format);
                         }});
}

std::vector<File> files_of(const ExportOrder& order) {
    std::vector<File> files;
    for (const FigureChoice& choice : order.choices)
        if (choice.kind == FigureChoice::Kind::grid)
            add_grid_files(order, choice, files);
        else
            add_picture_files(order, choice, files);
    if (!order.run_files) return files;
    const std::string before = order.name.empty() ? order.snapshot->experiment + "-" : file_stem(order.name) + "-";
    files.push_back({before + "config.toml", [&order](const Tell&) {
                         return run_config(*order.snapshot, {"", order.snapshot->step});
                     }});
    files.push_back({before + "metrics.csv", [&order](const Tell&) {
                         return metrics_csv({*order.snapshot, order.history});
                     }});
    files.push_back({before + "weights.npz",
                     [&order](const Tell&) { return std::string(as_text(npz_bytes(weights_file(*order.snapshot)))); }});
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
        // Nobody has measured it here.
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

#include "app/gui/export_job.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/io/atomic_write.h"
#include "core/io/npz.h"
#include "core/io/toml.h"
#include "core/runtime/weights_file.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// A file and how its bytes are made.
struct File {
    std::string name;
    std::function<std::string()> bytes;
};

std::string stem_of(const ExportJob& job, const FigureChoice& choice) {
    if (job.name.empty()) return choice.name;
    return file_stem(job.choices.size() == 1 ? job.name : job.name + "-" + choice.name);
}

std::vector<File> files_of(const ExportJob& job) {
    std::vector<File> files;
    for (const FigureChoice& choice : job.choices) {
        // A choice is built once, by the first of its files.
        const auto figure = std::make_shared<std::optional<FigureSpec>>();
        for (const FileFormat format : job.formats)
            files.push_back({fmt::format("{}.{}", stem_of(job, choice), file_extension(format)),
                             [&job, &choice, figure, format] {
                                 if (!*figure)
                                     *figure = build_figure(choice, *job.experiment, *job.snapshot,
                                                            job.history, job.shown);
                                 return render_figure(**figure, format);
                             }});
    }
    if (!job.run_files) return files;
    const std::string before = job.name.empty() ? job.snapshot->experiment + "-" : file_stem(job.name) + "-";
    files.push_back({before + "config.toml", [&job] {
                         return settings_to_toml(job.snapshot->experiment, job.snapshot->settings,
                                                 {"", job.snapshot->step});
                     }});
    files.push_back({before + "metrics.csv", [&job] { return metrics_csv(*job.snapshot, job.history); }});
    files.push_back({before + "weights.npz",
                     [&job] { return std::string(as_text(npz_bytes(weights_file(*job.snapshot)))); }});
    return files;
}

std::optional<fs::path> home_folder() {
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') return std::nullopt;
    return fs::path(home);
}

std::vector<fs::path> existing(const std::vector<File>& files, const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const File& file : files)
        if (fs::exists(fs::symlink_status(folder / file.name, ignored))) found.push_back(folder / file.name);
    return found;
}

}  // namespace

std::vector<std::string> file_names(const ExportJob& job) {
    std::vector<std::string> names;
    for (const File& file : files_of(job)) names.push_back(file.name);
    return names;
}

FileReport run_export(const ExportJob& job, const std::function<bool(const FileProgress&)>& on_progress) {
    FileReport report;
    const std::vector<File> files = files_of(job);
    std::error_code failed;
    fs::create_directories(job.folder, failed);
    if (failed) {
        report.failures.push_back(
            fmt::format("{}: cannot be made: {}", job.folder.string(), failed.message()));
        return report;
    }
    if (!job.replace) report.in_the_way = existing(files, job.folder);
    if (!report.in_the_way.empty()) return report;
    for (size_t i = 0; i < files.size(); ++i) {
        if (!on_progress({i, files.size(), files[i].name})) break;
        try {
            write_file(job.folder / files[i].name, std::string_view(files[i].bytes()));
            report.written.push_back(job.folder / files[i].name);
        } catch (const std::exception& error) {
            report.failures.emplace_back(error.what());
        }
    }
    return report;
}

std::string sentence_of(const FileReport& report) {
    if (!report.in_the_way.empty())
        return fmt::format("{} of these files {} there already: nothing was written",
                           report.in_the_way.size(), report.in_the_way.size() == 1 ? "is" : "are");
    std::string text;
    if (report.written.size() == 1) text = fmt::format("Saved {}", report.written.front().string());
    if (report.written.size() > 1)
        text = fmt::format("Saved {} files in {}", report.written.size(),
                           report.written.front().parent_path().string());
    if (report.failures.empty()) return text.empty() ? "Nothing was written" : text;
    const std::string more = report.failures.size() == 1
                                 ? std::string()
                                 : fmt::format(" (and {} more)", report.failures.size() - 1);
    return fmt::format("{}{}{}", text, text.empty() ? "" : ". Not saved: ", report.failures.front() + more);
}

fs::path default_export_folder() {
    const std::optional<fs::path> home = home_folder();
    std::error_code ignored;
    return home.value_or(fs::current_path(ignored)) / "emergence-figures";
}

fs::path typed_folder(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) throw InputError("the folder: found nothing, needed is its name");
    const std::string name = text.substr(first, text.find_last_not_of(" \t") + 1 - first);
    const std::optional<fs::path> home = home_folder();
    if (home && name == "~") return *home;
    if (home && name.starts_with("~/")) return *home / name.substr(2);
    std::error_code ignored;
    const fs::path full = fs::absolute(name, ignored);
    return full.empty() ? fs::path(name) : full;
}

}  // namespace emergence

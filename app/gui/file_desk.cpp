#include "app/gui/file_desk.h"

#include <fmt/format.h>

#include <ctime>
#include <system_error>
#include <utility>

#include "app/export/pixels.h"
#include "core/base/error.h"
#include "core/io/atomic_write.h"
#include "core/io/embedded_settings.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

enum TaskId { kExport, kScreenshot };

FileReport write_screenshot(const PixelImage& image, const std::string& config, const fs::path& folder) {
    FileReport report;
    try {
        fs::create_directories(folder);
        const fs::path path = screenshot_path(folder);
        write_file(path, std::string_view(png_of(image, "Emergence", config)));
        report.written.push_back(path);
    } catch (const fs::filesystem_error& error) {
        report.failures.push_back(
            fmt::format("{}: cannot be made: {}", folder.string(), error.code().message()));
    } catch (const std::exception& error) {
        report.failures.emplace_back(error.what());
    }
    return report;
}

}  // namespace

FileDesk::FileDesk(std::function<void()> on_change) : panel_(on_change), worker_(on_change) {}

void FileDesk::open_export(std::optional<FigureChoice::Kind> kind, const std::string& name) {
    panel_.open(kind, name);
}

void FileDesk::save_screenshot(PixelImage image, const Session& session, const ViewValues& view) {
    fs::path folder;
    try {
        folder = typed_folder(panel_.choices().folder);
    } catch (const InputError&) {
        folder = default_export_folder();
    }
    const auto shared = std::make_shared<const PixelImage>(std::move(image));
    worker_.start(kScreenshot,
                  [shared, folder, config = settings_in_screenshot(session, view)](const auto& on_progress) {
                      on_progress(FileProgress{0, 1, "screenshot"});
                      return write_screenshot(*shared, config, folder);
                  });
}

void FileDesk::open_file(const fs::path& path, Session& session,
                         const std::function<const ExperimentInfo&(const std::string&)>& find_experiment) {
    try {
        const Opening opening = opening_of(path, find_experiment);
        session.load(*opening.experiment, opening.settings, opening.step);
        restore(opening.view);
        toasts_.add(opening.step ? fmt::format("Opened {}: goes to step {} and pauses there",
                                               path.filename().string(), *opening.step)
                                 : fmt::format("Opened {}", path.filename().string()));
    } catch (const std::runtime_error& error) {
        session.report(error.what());
    }
}

void FileDesk::take_reports(Session& session) {
    for (ExportWorker::Done& done : worker_.take_reports()) {
        const std::string sentence = sentence_of(done.report);
        if (done.report.failures.empty() && !done.report.written.empty()) {
            const fs::path& first = done.report.written.front();
            toasts_.add(sentence,
                        done.report.written.size() == 1 ? first.string() : first.parent_path().string());
        }
        // The panel says it too, but may be closed by now.
        if (!done.report.failures.empty()) session.report(sentence);
        if (done.id == kExport) panel_.take_report(std::move(done.report));
    }
}

void FileDesk::draw(const Ui& ui, Session& session, const ShownPanels& shown, const Box& area) {
    take_reports(session);
    panel_.draw(ui, session, shown);
    panel_.start_wanted(worker_, kExport);
    toasts_.draw(ui, area);
}

Opening opening_of(const fs::path& path,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment) {
    const SettingsFile file = read_config_of(path);
    Opening opening;
    try {
        opening.experiment = &find_experiment(file.experiment);
        opening.settings = Settings(opening.experiment->fields);
        apply(file, opening.settings);
        if (opening.experiment->check) opening.experiment->check(opening.settings);
    } catch (const InputError& error) {
        const std::string sentence = error.what();
        const std::string name = path.string();
        throw InputError(sentence.starts_with(name) ? sentence : fmt::format("{}: {}", name, sentence));
    }
    opening.step = file.step;
    opening.view = file.view;
    return opening;
}

fs::path screenshot_path(const fs::path& folder) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    fs::path path = folder / fmt::format("emergence-{}.png", stamp);
    std::error_code ignored;
    for (int i = 2; fs::exists(path, ignored); ++i)
        path = folder / fmt::format("emergence-{}-{}.png", stamp, i);
    return path;
}

std::string settings_in_screenshot(const Session& session, const ViewValues& view) {
    if (!session.snapshot()) return "";
    const Snapshot& snapshot = *session.snapshot();
    return settings_to_toml(snapshot.experiment, snapshot.settings, {"screenshot", snapshot.step, view});
}

}  // namespace emergence

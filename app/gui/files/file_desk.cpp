#include "app/gui/files/file_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/export/pixels.h"
#include "core/base/error.h"
#include "core/base/local_time.h"
#include "core/experiments/in_context_td/published_run.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/files/npz.h"
#include "core/lab/weights_file.h"
#include "core/settings/idle_fields.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

enum FileTask { kExport, kScreenshot };

constexpr size_t kLongestText = size_t{1} << 20;
// An experiment whose training can begin with weights in a file names them so.
constexpr const char* kWeightsField = "weights";
constexpr const char* kSurgeryField = "surgery";

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

// Whether everything that the file names has an effect.
bool all_act(const SettingsFile& file, const Settings& settings) {
    return std::all_of(file.entries.begin(), file.entries.end(), [&](const SettingsFile::Entry& entry) {
        return why_idle(settings, settings.info(entry.name)).empty();
    });
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
    if (session.settings().has(kWeightsField) && authors_run_folders(path).empty() &&
        holds_bare_weights(path)) {
        start_from_weights(path, session);
        return;
    }
    try {
        begin(opening_of(path, find_experiment, &session), path.filename().string(), session);
    } catch (const std::runtime_error& error) {
        session.report(error.what());
    }
}

void FileDesk::begin(const Opening& opening, const std::string& name, Session& session) {
    session.load(*opening.experiment, opening.settings, opening.step);
    restore(opening.view);
    toasts_.add(opening.step ? fmt::format("Opened {}: goes to step {} and pauses there", name, *opening.step)
                             : fmt::format("Opened {}", name));
}

void FileDesk::open_text(const std::string& text, Session& session,
                         const std::function<const ExperimentInfo&(const std::string&)>& find_experiment,
                         const std::string& name) {
    try {
        if (text.size() > kLongestText || text.find_first_not_of(" \t\r\n") == std::string::npos)
            throw InputError(
                "The clipboard holds no config: needed is a text with a line experiment = \"...\"");
        const SettingsFile file = parse_settings(plain_config(text), name);
        begin(opening_of(file, find_experiment), name, session);
    } catch (const std::runtime_error& error) {
        session.report(error.what(), Session::kAnswerStays);
    }
}

void FileDesk::train_on(Session& session) {
    if (!session.snapshot()) return;
    const ArrayMap& shown = session.snapshot()->weights;
    ArrayMap weights;
    for (const char* name : {"P", "Q", "alpha"}) {
        const auto operated = shown.find(fmt::format("operated {}", name));
        const auto found = operated == shown.end() ? shown.find(name) : operated;
        if (found != shown.end()) weights[name] = found->second;
    }
    try {
        const fs::path folder = typed_folder(panel_.choices().folder);
        fs::create_directories(folder);
        const fs::path file =
            folder / fmt::format("train-on-from-{}.npz", screenshot_path(folder).stem().string());
        write_npz(file, weights);
        if (session.settings().has(kSurgeryField)) session.set_field(kSurgeryField, std::string());
        start_from_weights(file, session);
    } catch (const std::exception& error) {
        session.report(error.what());
    }
}

void FileDesk::start_from_weights(const fs::path& path, Session& session) {
    session.set_field(kWeightsField, fs::absolute(path).lexically_normal().string());
    const std::string refusal = session.refusal(kWeightsField);
    if (refusal.empty())
        toasts_.add(fmt::format("Trains from the weights in {}", path.filename().string()));
    else
        session.report(refusal);
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

void FileDesk::draw(const Ui& ui, Session& session, const ShownPanels& shown, const Box& area,
                    const Box& line) {
    take_reports(session);
    panel_.draw(ui, session, shown);
    panel_.start_wanted(worker_, kExport);
    toasts_.draw(ui, area, line);
}

Opening opening_of(const fs::path& path,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment,
                   const Session* present) {
    return opening_of(settings_of_file(path), find_experiment, present);
}

Opening opening_of(const SettingsFile& file,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment,
                   const Session* present) {
    Opening opening;
    try {
        opening.experiment = &find_experiment(file.experiment);
        const bool keeps = file.keeps_others && present && &present->info() == opening.experiment;
        opening.settings = keeps ? present->settings() : Settings(opening.experiment->fields);
        apply(file, opening.settings);
        if (keeps && !all_act(file, opening.settings)) {
            opening.settings = Settings(opening.experiment->fields);
            apply(file, opening.settings);
        }
        if (opening.experiment->check) opening.experiment->check(opening.settings);
    } catch (const InputError& error) {
        const std::string sentence = error.what();
        const std::string& name = file.source;
        throw InputError(sentence.starts_with(name) ? sentence : fmt::format("{}: {}", name, sentence));
    }
    opening.step = file.step;
    opening.view = file.view;
    return opening;
}

std::string plain_config(const std::string& text) {
    std::string plain;
    for (size_t from = 0; from < text.size();) {
        const size_t end = std::min(text.find('\n', from), text.size());
        std::string line = text.substr(from, end - from);
        from = end + 1;
        while (!line.empty() && (line.front() == '>' || (line.front() == ' ' && line.find('>') == 1)))
            line.erase(0, 1);
        const size_t start = line.find_first_not_of(" \t");
        if (start != std::string::npos && line.compare(start, 3, "```") == 0) line.clear();
        plain += line + '\n';
    }
    return plain;
}

std::string state_text(const Session& session, const ViewValues& view) {
    PictureOrigin origin;
    origin.short_form = true;
    if (!view.empty()) origin.view = view;
    const bool rests = !session.time().live() || !session.wants_to_run();
    if (rests && session.snapshot()) origin.step = session.snapshot()->step;
    return settings_to_toml(session.info().name, session.settings(), origin);
}

fs::path screenshot_path(const fs::path& folder) {
    const std::string stamp = time_stamp();
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
